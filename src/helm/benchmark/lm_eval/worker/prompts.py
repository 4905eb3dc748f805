"""The texts of a task of lm-evaluation-harness: what of a document is the question, and the requests about it."""

import ast
from collections.abc import Callable
from typing import Any

from .documents import (
    GENERATE_UNTIL,
    LOGLIKELIHOOD,
    MULTIPLE_CHOICE,
    ROLLING,
    Document,
    Instance,
    TaskDocuments,
)
from .failures import TaskFailure
from .templates import render


class TaskPrompts(TaskDocuments):
    """What a task asks about its documents."""

    # ---- texts of a document

    def _value(self, key: str, given: Any, doc: Document) -> Any:
        """Return the value of a column, a template, a function or what is written in the file."""
        if callable(given):
            return given(doc)
        if isinstance(given, str):
            if given in doc:
                return doc[given]
            return render(given, doc) if "{" in given else given
        return given

    def _setting(self, key: str, is_example: bool) -> Any:
        settings = (self._config.get("fewshot_config") or {}) if is_example else {}
        return settings[key] if settings.get(key) is not None else self._config.get(key)

    def doc_to_text(self, doc: Document, doc_to_text: Any = None) -> Any:
        """Return the question; its number if the choices are questions."""
        given = self._config.get("doc_to_text") if doc_to_text is None else doc_to_text
        value = self._value("doc_to_text", given, doc)
        is_template = isinstance(given, str) and given not in doc
        return ast.literal_eval(value) if is_template and isinstance(value, str) and value.isdigit() else value

    def doc_to_target(self, doc: Document, doc_to_target: Any = None) -> Any:
        """Return the answer, several answers, or the number of a choice."""
        given = self._config.get("doc_to_target") if doc_to_target is None else doc_to_target
        value = self._value("doc_to_target", given, doc)
        if isinstance(given, str) and given not in doc and isinstance(value, str):
            if value.isdigit() and self._config.get("doc_to_choice") is not None:
                return ast.literal_eval(value)
            if value.startswith("[") and value.endswith("]"):
                return _literal(value)
        return value

    def doc_to_choice(self, doc: Document, doc_to_choice: Any = None) -> list[str]:
        """Return the choices."""
        given = self._config.get("doc_to_choice") if doc_to_choice is None else doc_to_choice
        value = self._value("doc_to_choice", given, doc)
        if isinstance(given, str) and given not in doc:
            value = _literal(value)
        if isinstance(value, dict):
            value = list(value.values())
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"a list of choices is expected, not {str(value)[:80]!r}")
        return list(value)

    def _prefix(self, doc: Document, is_example: bool = False) -> str:
        given = self._setting("gen_prefix", is_example)
        value = self._value("gen_prefix", given, doc) if given else ""
        return value or ""

    def doc_to_image(self, doc: Document, doc_to_image: Any = None) -> Any:
        """Return the pictures of a document."""
        return self._media("doc_to_image", doc_to_image, doc)

    def doc_to_audio(self, doc: Document, doc_to_audio: Any = None) -> Any:
        """Return the sounds of a document."""
        return self._media("doc_to_audio", doc_to_audio, doc)

    def _media(self, key: str, given: Any, doc: Document) -> Any:
        """Return what a function gives, or the values of one column or several; those that are empty are left out."""
        given = self._config.get(key) if given is None else given
        if callable(given):
            return given(doc)
        missing = [name for name in (given if isinstance(given, list) else [given]) if name not in doc]
        if missing:
            raise TaskFailure(f"{key}: there is no column '{missing[0]}', but {', '.join(doc)}")
        return [doc[name] for name in given] if isinstance(given, list) else doc[given]

    # ---- requests

    def fewshot_context(self, doc: Document, num_fewshot: int, **options: Any) -> "str | list[dict[str, str]]":
        """Return the prompt of a document: description, examples and question; as messages with `apply_chat_template`.

        Args:
            options: `system_instruction`, `apply_chat_template` and `fewshot_as_multiturn`.
        """
        description = self._config.get("description") or ""
        description = render(description, doc) if "{" in description else description
        system = options.get("system_instruction") or ""
        is_chat = bool(options.get("apply_chat_template"))
        turns = [self._turn(example, True) for example in self._draw(doc, num_fewshot)]
        question, prefix, _ = self._turn(doc, False)
        delimiter = self._config.get("fewshot_delimiter", "\n\n")
        shown = "".join(self._join(text, begin) + (answer and answer + delimiter) for text, begin, answer in turns)
        head = delimiter.join(part for part in (system, description) if part) if system else description
        if not is_chat:
            return head + shown + self._join(question, prefix)
        messages = [{"role": "system", "content": head}] if head else []
        if options.get("fewshot_as_multiturn", True):
            for text, begin, answer in turns:
                said = begin + answer if begin else answer.removeprefix(self._delimiter(True))
                messages.append({"role": "user", "content": text})
                messages += [{"role": "assistant", "content": said}] if said else []
            shown = ""
        messages.append({"role": "user", "content": shown + question})
        return messages + ([{"role": "assistant", "content": prefix}] if prefix else [])

    def _turn(self, doc: Document, is_example: bool) -> tuple[str, str, str]:
        """Return the question, how its answer begins, and the (rest of the) answer behind a delimiter."""
        text = self._read(self.doc_to_text, "doc_to_text", doc, is_example)
        choices = self._choices(doc, is_example)
        if isinstance(text, int) and not isinstance(text, bool) and choices is not None:
            text = choices[text] if is_example else ""
        text = "" if text is None else str(text)
        prefix = self._prefix(doc, is_example)
        if not is_example:
            return text, prefix, ""
        target = self._read(self.doc_to_target, "doc_to_target", doc, True)
        answer = self._answer_text(target, choices)
        if not answer:
            return text, prefix, ""
        return text, prefix, (_delimit(prefix, answer, " ") if prefix else self._delimiter(True)) + answer

    def _join(self, text: str, prefix: str) -> str:
        return f"{text}{_delimit(text, prefix, self._delimiter())}{prefix}" if prefix else text

    def _delimiter(self, is_example: bool = False) -> str:
        given = self._setting("target_delimiter", is_example)
        return " " if given is None else given

    def _choices(self, doc: Document, is_example: bool) -> list[str] | None:
        if self._setting("doc_to_choice", is_example) is None:
            return None
        choices: list[str] = self._read(self.doc_to_choice, "doc_to_choice", doc, is_example)
        return choices

    def _read(self, read: Callable[..., Any], key: str, doc: Document, is_example: bool) -> Any:
        """Call one of the `doc_to_` methods; only those that classes do not override take what is written for examples."""
        own = (self._config.get("fewshot_config") or {}).get(key) if is_example else None
        return read(doc) if own is None else read(doc, own)

    def _answer_text(self, target: Any, choices: list[str] | None) -> str:
        if isinstance(target, list):
            target = target[0] if target else ""
        if choices is not None and isinstance(target, int):
            return str(choices[target])
        return str(target)

    def keep_examples(self) -> list[Document]:
        """Return the documents that examples are drawn from, which are made once."""
        if self._examples is None:
            self._examples = list(self.fewshot_docs() or [])
        return self._examples

    def _draw(self, doc: Document, number: int) -> list[Document]:
        if not number:
            return []
        examples = self.keep_examples()
        settings = self._config.get("fewshot_config") or {}
        if settings.get("sampler", "default") == "first_n":
            if len(examples) < number:
                raise TaskFailure(f"{number} examples are wanted, and there are {len(examples)}")
            return examples[:number]
        overlaps = self._examples_overlap()
        wanted = number + 1 if overlaps else number
        if wanted > len(examples):
            raise TaskFailure(f"{number} examples are wanted, and there are {len(examples)} to draw from")
        drawn = self.fewshot_rnd.sample(examples, wanted)
        if not overlaps:
            return drawn
        others = [one for one in drawn if one != doc]
        if len(others) < number:  # the document is there several times, and was drawn so: that program draws again
            rest = [one for one in examples if one != doc]
            if len(rest) < number:
                raise TaskFailure(f"{number} examples are wanted, and {len(rest)} differ from the document itself")
            others = self.fewshot_rnd.sample(rest, number)
        return others[:number]

    def _examples_overlap(self) -> bool:
        """Whether a document is left out of its own examples: where its split and theirs are named alike, or neither is."""
        return self.fewshot_split == self._config.get("test_split")

    def construct_requests(self, doc: Document, ctx: Any, **kwargs: Any) -> Any:
        """Return what is asked about a document: an `Instance` or several."""
        kind = self.output_type
        if kind == LOGLIKELIHOOD:
            return Instance(kind, doc, (ctx, self.doc_to_target(doc)), 0)
        if kind == ROLLING:
            return Instance(kind, doc, (self.doc_to_target(doc),), 0)
        if kind == GENERATE_UNTIL:
            return Instance(kind, doc, (ctx, dict(self._config.get("generation_kwargs") or {})), 0)
        if kind != MULTIPLE_CHOICE:
            raise TaskFailure(f"output_type: '{kind}' is unknown")
        choices = self.doc_to_choice(doc)
        delimiter = "" if kwargs.get("apply_chat_template") else self._delimiter()
        if isinstance(self.doc_to_text(doc), int):
            ending = f"{delimiter}{self.doc_to_target(doc)}"
            pairs = [(ctx + choice, ending) for choice in choices]
        else:
            pairs = [(ctx, f"{delimiter}{choice}") for choice in choices]
        if "acc_mutual_info" in self._metric_names():
            pairs += [("", f"{choice}") for choice in choices]
        return [Instance(LOGLIKELIHOOD, doc, pair, i) for i, pair in enumerate(pairs)]


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _delimit(before: str, after: str, delimiter: str) -> str:
    """Return the delimiter between two texts, or nothing where there is white space already, or no text before."""
    return "" if not before or before[-1].isspace() or after[:1].isspace() else delimiter
