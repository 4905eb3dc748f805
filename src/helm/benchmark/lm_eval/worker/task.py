"""A task of lm-evaluation-harness: its documents, what is asked about each, and how answers are scored.

The names of methods are those that its documentation gives, because tasks written as classes override them.
"""

import ast
import random
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from . import evaluate_names, measures
from .failures import TaskFailure, naming
from .tables import Dataset, DatasetDict
from .templates import render

Document = dict[str, Any]

FEWSHOT_SEED = 1234
"""The seed of the draws of examples, in that program."""

LOGLIKELIHOOD, ROLLING, MULTIPLE_CHOICE = "loglikelihood", "loglikelihood_rolling", "multiple_choice"
GENERATE_UNTIL = "generate_until"


class Sources:
    """The data sets that a task may read."""

    def load(self, path: str, name: str | None, split: str | None, arguments: dict[str, Any]) -> Any:
        """Return a table, or all tables by split. Raises: NeedsData."""
        raise NotImplementedError


SOURCES = Sources()


class Config(dict):
    """The keys of a task file, also as attributes; those that are not given are None."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def to_dict(self, **_: Any) -> dict[str, Any]:
        return dict(self)


class Instance:
    """One request about a document."""

    def __init__(
        self,
        request_type: str,
        doc: Document,
        arguments: tuple,
        idx: int,
        metadata: Any = None,
        resps: list[Any] | None = None,
        filtered_resps: dict[str, Any] | None = None,
        task_name: str | None = None,
        doc_id: int | None = None,
        repeats: int | None = None,
        **_: Any,
    ):
        self.request_type, self.doc, self.arguments, self.idx = request_type, doc, arguments, idx
        self.metadata, self.task_name, self.doc_id, self.repeats = metadata, task_name, doc_id, repeats
        self.resps, self.filtered_resps = resps or [], filtered_resps or {}

    @property
    def args(self) -> tuple:
        return self.arguments if isinstance(self.arguments, tuple) else (self.arguments,)


class _Splits(dict):
    """The splits of a task's data set, each loaded when it is first asked for."""

    def __init__(self, load: Callable[[str], Dataset]):
        super().__init__()
        self._load = load

    def __missing__(self, split: str) -> Dataset:
        self[split] = self._load(split)
        return self[split]


class Task:
    """A task, as its documentation describes it. Subclasses come from task files.

    Args:
        config: the keys of the task file.
    """

    VERSION: Any = None
    DATASET_PATH: str | None = None
    DATASET_NAME: str | None = None
    OUTPUT_TYPE: str | None = None

    def __init__(self, config: dict[str, Any] | None = None, *_: Any, **__: Any):
        self._config = Config(config or {})
        if self.output_type == GENERATE_UNTIL and self._config.get("generation_kwargs") is None:
            self._config["generation_kwargs"] = {
                "until": [self._config.get("fewshot_delimiter") or "\n\n"], "do_sample": False, "temperature": 0.0,
                "max_gen_toks": 256,
            }  # fmt: skip
        self.dataset: Any = _Splits(self._load_split)
        self.fewshot_rnd = random.Random(FEWSHOT_SEED)
        self.task_name = self._config.get("task")
        self._examples: list[Document] | None = None
        self._processed: dict[str, Any] = {}
        self.download(dict(self._config.get("dataset_kwargs") or {}))
        self._training_docs: Any = None  # classes keep theirs here
        self._fewshot_docs: Any = None

    # ---- its settings

    @property
    def config(self) -> Config:
        return self._config

    @property
    def DATASET(self) -> tuple[str | None, str | None]:  # noqa: N802
        return (
            self._config.get("dataset_path") or self.DATASET_PATH,
            self._config.get("dataset_name") or self.DATASET_NAME,
        )

    @property
    def output_type(self) -> str:
        return self._config.get("output_type") or self.OUTPUT_TYPE or GENERATE_UNTIL

    def get_config(self, key: str) -> Any:
        return self._config.get(key)

    def set_config(self, key: str, value: Any, update: bool = False) -> None:
        old = self._config.get(key)
        self._config[key] = {**old, **value} if update and isinstance(old, dict) else value

    @property
    def eval_docs(self) -> Any:
        return self.test_docs() if self.has_test_docs() else self.validation_docs()

    # ---- its documents

    def download(self, dataset_kwargs: dict[str, Any] | None = None, **_: Any) -> None:
        """Read the data set, where a function of the task makes it."""
        make = self._config.get("custom_dataset")
        if callable(make):
            given = {**(self._config.get("metadata") or {}), **(dataset_kwargs or {})}
            with naming(f"custom_dataset {_name_of(make)}"):
                made = make(**given)
            self.dataset = made if isinstance(made, dict) else DatasetDict(made)

    def _load_split(self, split: str) -> Dataset:
        path, name = self.DATASET
        if path is None:
            raise TaskFailure("the task names no data set (dataset_path)")
        return SOURCES.load(path, name, split, dict(self._config.get("dataset_kwargs") or {}))

    def has_training_docs(self) -> bool:
        return self._config.get("training_split") is not None

    def has_validation_docs(self) -> bool:
        return self._config.get("validation_split") is not None

    def has_test_docs(self) -> bool:
        return self._config.get("test_split") is not None

    def training_docs(self) -> Any:
        return self._documents(self._config.get("training_split"))

    def validation_docs(self) -> Any:
        return self._documents(self._config.get("validation_split"))

    def test_docs(self) -> Any:
        return self._documents(self._config.get("test_split"))

    def _documents(self, split: str | None) -> Any:
        if split is None:
            return None
        if split not in self._processed:
            table = self.dataset[split]
            process = self._config.get("process_docs")
            if callable(process):
                with naming(f"process_docs {_name_of(process)}, split {split}"):
                    table = process(table)
            self._processed[split] = table
        return self._processed[split]

    def fewshot_docs(self) -> Any:
        """Return the documents that examples are drawn from."""
        settings = self._config.get("fewshot_config") or {}
        samples = settings.get("samples")
        if callable(samples):
            with naming(f"fewshot_config.samples {_name_of(samples)}"):
                return samples()
        if samples is not None:
            return samples
        split = self.fewshot_split
        if split is not None:
            process = settings.get("process_docs")
            if callable(process):
                with naming(f"fewshot_config.process_docs {_name_of(process)}, split {split}"):
                    return process(self.dataset[split])
            return self._documents(split)
        for is_there, docs in (
            (self.has_training_docs, self.training_docs),
            (self.has_validation_docs, self.validation_docs),
        ):
            if is_there():
                return docs()
        return self.test_docs()

    @property
    def fewshot_split(self) -> str | None:
        """The split that the task names for examples."""
        settings = self._config.get("fewshot_config") or {}
        return settings.get("split") or self._config.get("fewshot_split")

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
        head = "\n\n".join(part for part in (system, description) if part) if system else description
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

    def _draw(self, doc: Document, number: int) -> list[Document]:
        if not number:
            return []
        if self._examples is None:
            self._examples = list(self.fewshot_docs() or [])
        settings = self._config.get("fewshot_config") or {}
        if settings.get("sampler", "default") == "first_n":
            if len(self._examples) < number:
                raise TaskFailure(f"{number} examples are wanted, and there are {len(self._examples)}")
            return self._examples[:number]
        overlaps = self._examples_overlap()
        wanted = number + 1 if overlaps else number
        if wanted > len(self._examples):
            raise TaskFailure(f"{number} examples are wanted, and there are {len(self._examples)} to draw from")
        drawn = self.fewshot_rnd.sample(self._examples, wanted)
        return [one for one in drawn if one != doc][:number] if overlaps else drawn

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

    # ---- scores

    def _metrics(self) -> list[dict[str, Any]]:
        given = self._config.get("metric_list")
        if given:
            return list(given)
        return [{"metric": name} for name in DEFAULT_METRICS[self.output_type]]

    def _metric_names(self) -> list[str]:
        return [_name_of(item["metric"]) for item in self._metrics()]

    def aggregation(self) -> dict[str, Any]:
        """Return the aggregation of each metric, by name or as a function."""
        found = {}
        for item in self._metrics():
            name = _name_of(item["metric"])
            found[name] = item.get("aggregation") or measures.USUAL_AGGREGATIONS.get(name, "mean")
        return found

    def higher_is_better(self) -> dict[str, bool]:
        """Return for each metric whether larger values are better."""
        return {
            _name_of(item["metric"]): item.get(
                "higher_is_better", _name_of(item["metric"]) not in measures.LOWER_IS_BETTER
            )
            for item in self._metrics()
        }

    def process_results(self, doc: Document, results: Sequence[Any]) -> dict[str, Any]:
        """Return the values of the metrics for the answers to the requests about a document."""
        process = self._config.get("process_results")
        if callable(process):
            return process(doc, results)
        kind = self.output_type
        names = self._metric_names()
        if kind == LOGLIKELIHOOD:
            likelihood, is_greedy = results[0]
            return _only(names, {"perplexity": likelihood, "acc": int(is_greedy)})
        if kind == ROLLING:
            return _only(names, self._rolling(doc, results[0]))
        if kind == MULTIPLE_CHOICE:
            return _only(names, self._multiple_choice(doc, results, names))
        return self._generation(doc, results[0])

    def _rolling(self, doc: Document, likelihood: Any) -> dict[str, Any]:
        value = likelihood[0] if isinstance(likelihood, (list, tuple)) else likelihood
        text = str(self.doc_to_target(doc))
        words, size = len(re.split(r"\s+", text)), len(text.encode("utf-8"))
        return {"word_perplexity": (value, words), "byte_perplexity": (value, size), "bits_per_byte": (value, size)}

    def _multiple_choice(self, doc: Document, results: Sequence[Any], names: list[str]) -> dict[str, Any]:
        values = [value for value, _ in results]
        greedy = [is_greedy for _, is_greedy in results]
        choices = self.doc_to_choice(doc)
        unconditional = values[len(choices) :]
        values, greedy = values[: len(choices)], greedy[: len(choices)]
        best = _largest(values)
        by_length = _largest([value / (len(text) or 1) for value, text in zip(values, choices, strict=True)])
        by_bytes = _largest([value / (len(text.encode()) or 1) for value, text in zip(values, choices, strict=True)])
        text = self.doc_to_text(doc)
        gold = text if isinstance(text, int) else self.doc_to_target(doc)
        rights = [_choice_index(one, choices) for one in (gold if isinstance(gold, list) else [gold])]
        right = rights[0] if rights else -100
        probabilities = measures.softmax(values)
        return {
            "acc": float(best in rights),
            "f1": (right, best),
            "mcc": (right, best),
            "acc_norm": float(by_length in rights),
            "acc_bytes": float(by_bytes in rights),
            "exact_match": int(any(greedy[one] for one in rights if one >= 0)),
            "brier_score": (right, probabilities),
            "likelihood": (right, values),
            "acc_mutual_info": float(
                _largest([value - other for value, other in zip(values, unconditional, strict=True)]) in rights
            )
            if unconditional
            else None,
        }

    def _generation(self, doc: Document, result: Any) -> dict[str, Any]:
        gold = self.doc_to_target(doc)
        if self._config.get("doc_to_choice") is not None:
            choices = self.doc_to_choice(doc)
            gold = [choices[one] for one in gold] if isinstance(gold, list) else choices[gold]
        elif isinstance(gold, list):
            gold = list(gold)
        elif type(gold) is not type(result):
            gold = type(result)(gold)
        found: dict[str, Any] = {}
        for item in self._metrics():
            name = _name_of(item["metric"])
            options = {key: value for key, value in item.items() if key not in STANDARD_METRIC_KEYS}
            value = self._measure(item["metric"], name, gold, result, options)
            found.update(value if isinstance(value, dict) else {name: value})
        return found

    def _measure(self, metric: Any, name: str, gold: Any, result: Any, options: dict[str, Any]) -> Any:
        measure = metric if callable(metric) else measure_of(name)
        if name in measures.PAIRS:
            return (gold, result)
        if not isinstance(gold, list):
            value = _call_measure(measure, gold, result, options)
            return value[name] if isinstance(value, dict) and name in value else value
        values = []
        for one in gold:
            value = _call_measure(measure, one, result, options)
            values.append(value[name] if isinstance(value, dict) else value)
        return 1.0 if any(values) else 0.0

    def filters(self) -> list[dict[str, Any]]:
        """Return the chains of filters: name and steps."""
        given = self._config.get("filter_list")
        if not given:
            return [{"name": "none", "filter": [{"function": "take_first"}]}]
        return list(given)


class ConfigurableTask(Task):
    """A task that a file describes; the name that task files import."""


class MultipleChoiceTask(Task):
    """A task with choices; the name that task files import."""

    OUTPUT_TYPE = MULTIPLE_CHOICE


DEFAULT_METRICS = {
    GENERATE_UNTIL: ["exact_match"],
    MULTIPLE_CHOICE: ["acc", "acc_norm"],
    LOGLIKELIHOOD: ["perplexity", "acc"],
    ROLLING: ["word_perplexity", "byte_perplexity", "bits_per_byte"],
}

STANDARD_METRIC_KEYS = {"metric", "aggregation", "higher_is_better", "hf_evaluate", "weight_by_size"}
"""Keys of an item of `metric_list` that are no arguments of the metric."""


REGISTERED_MEASURES: dict[str, Callable[..., Any]] = {}
"""Measures that the task's own code has registered, by name."""


def measure_of(name: str) -> Callable[..., Any]:
    """Return the measure of one answer that has this name. Raises: TaskFailure for an unknown one."""
    if name == "exact_match":
        return measures.exact_match_of_lists
    if name in measures.PAIRS or name == "bypass":
        return lambda **_: None
    if name in REGISTERED_MEASURES:
        return REGISTERED_MEASURES[name]
    return evaluate_names.load(name).compute


def _call_measure(measure: Callable[..., Any], gold: Any, result: Any, options: dict[str, Any]) -> Any:
    try:
        return measure(references=[gold], predictions=[result], **options)
    except TypeError:
        return measure([gold, result])


def _name_of(metric: Any) -> str:
    """Return the name of a function, also behind `functools.partial`; of anything else, its text."""
    while callable(metric) and not hasattr(metric, "__name__") and hasattr(metric, "func"):
        metric = metric.func
    return str(getattr(metric, "__name__", metric))


def _only(names: Iterable[str], values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in names and value is not None}


def _largest(values: Sequence[float]) -> int:
    return max(range(len(values)), key=lambda i: (values[i], -i))


def _choice_index(gold: Any, choices: Sequence[str]) -> int:
    """Return which choice is right; -100, which equals none, if no choice is."""
    if isinstance(gold, (bool, int)):
        return int(gold) if int(gold) < len(choices) else -100
    return list(choices).index(gold) if gold in choices else -100


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _delimit(before: str, after: str, delimiter: str) -> str:
    """Return the delimiter between two texts, or nothing where there is white space already, or no text before."""
    return "" if not before or before[-1].isspace() or after[:1].isspace() else delimiter
