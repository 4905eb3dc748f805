"""Filters: what a task makes of the answers to its requests before they are scored."""

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from .failures import TaskFailure, naming

Step = dict[str, Any]


# ---- Answers to one request -> answers


def _first_group(match: Any, fallback: str) -> str:
    if isinstance(match, tuple):
        match = next((group for group in match if group), fallback)
    return str(match).strip()


def regex(
    texts: list[str], regex_pattern: str = r"#### (\-?[0-9\.\,]+)", group_select: int = 0, fallback: str = "[invalid]"
) -> list[str]:
    """Return what the pattern finds, stripped: the match with that number, or the first participating group of it."""
    pattern = re.compile(regex_pattern)

    def extract(text: str) -> str:
        matches = pattern.findall(text if isinstance(text, str) else "")
        if not -len(matches) <= group_select < len(matches):
            return fallback
        return _first_group(matches[group_select], fallback)

    return [extract(text) for text in texts]


def map_texts(texts: list[str], mapping_dict: dict[Any, Any], default_value: Any = None) -> list[str]:
    """Replace texts by a mapping; others become `default_value`, or stay as they are if that is None."""
    mapping = {str(key): str(value) for key, value in mapping_dict.items()}
    return [mapping.get(text, text if default_value is None else str(default_value)) for text in texts]


def majority_vote(texts: list[str]) -> list[str]:
    """Return the most frequent text, the earliest of several."""
    return [Counter(texts).most_common(1)[0][0]]


def pos_tags(
    texts: list[str], regex_pattern: str = r"\['(.*?)'\]", group_select: int = 0, fallback: Any = None
) -> list[Any]:
    """Return the tags of words: the second parts of pairs `('word', 'tag')` in each answer."""
    fallback = ["invalid"] if fallback is None else fallback

    def extract(text: str) -> Any:
        pairs = re.findall(r"\('([^']*)', '([^']*)'\)", text.replace("\n", " "))
        return [tag for _, tag in pairs] if pairs else fallback

    return [extract(text) for text in texts]


_SPAN_LABELS = {"person": "PER", "location": "LOC", "organization": "ORG", "time": "DATE"}

_SPAN_NAME = re.compile(r"\b(person|per|location|loc|organization|org|date|time)\s*:")


def format_span(texts: list[str]) -> list[str]:
    """Return the named entities that each answer lists, as `per: ann $ loc: rome`.

    An answer has a label and a colon before the names of a kind, and `$` or a new line between kinds. Names with commas
    between them are several; `none` is no name.
    """
    return [" $ ".join(_spans(text)) for text in texts]


def _spans(text: str) -> list[str]:
    text = _SPAN_NAME.sub(lambda match: _SPAN_LABELS.get(match[1], match[1].upper()) + ":", text.lower())
    found = []
    for part in re.split(r"[$\n]", text):
        match = re.search(r"(PER|LOC|ORG|DATE):\s*(.+)", part.strip())
        if match:
            names = [name.strip() for name in match[2].split(",")]
            found += [f"{match[1].lower()}: {name}" for name in names if name != "none"]
    return found


FILTER_FUNCTIONS: dict[str, Callable[..., list[Any]]] = {
    "take_first": lambda texts: texts[:1],
    "take_first_k": lambda texts, k: texts[:k],
    "majority_vote": majority_vote,
    "regex": regex,
    "remove_whitespace": lambda texts: [text.strip() for text in texts],
    "lowercase": lambda texts: [text.lower() for text in texts],
    "uppercase": lambda texts: [text.upper() for text in texts],
    "map": map_texts,
    "regex_pos": pos_tags,
    "format_span": format_span,
}
"""Maps the names of filters that look at one request at a time to what they do."""


REGISTERED: dict[str, Any] = {}
"""Filters that the task's own code has registered, by name."""


def multi_choice_regex(
    answers: Sequence[Sequence[str]],
    documents: Sequence[dict[str, Any]],
    regex_pattern: str = r"#### (\-?[0-9\.\,]+)",
    group_select: int = 0,
    fallback: str = "[invalid]",
    ignore_case: bool = False,
    ignore_punctuation: bool = False,
    regexes_to_ignore: "Sequence[str] | str | None" = None,
) -> list[list[str]]:
    """Return the letter that each answer names: by the pattern, else by the text of a choice (`(A)`), else behind a colon."""
    pattern = re.compile(regex_pattern)
    ignored = [regexes_to_ignore] if isinstance(regexes_to_ignore, str) else list(regexes_to_ignore or ())
    table = str.maketrans("", "", string.punctuation)

    def simplify(text: str) -> str:
        for one in ignored:
            text = re.sub(one, "", text)
        text = text.lower() if ignore_case else text
        return text.translate(table) if ignore_punctuation else text

    def find(found_by: "re.Pattern[str]", text: str, names: dict[str, str]) -> str:
        matches = found_by.findall(text)
        if not -len(matches) <= group_select < len(matches):
            return ""
        match = _first_group(matches[group_select], "")
        return names.get(match, match)

    result = []
    for texts, document in zip(answers, documents, strict=True):
        letters = {simplify(choice.strip()): chr(65 + i) for i, choice in enumerate(document["choices"])}
        by_text = re.compile("|".join(re.escape(choice) for choice in letters))
        by_letter = re.compile(rf":[\s]*({'|'.join(letters.values())})")
        named = {choice: f"({letter})" for choice, letter in letters.items()}
        plain = {letter: f"({letter})" for letter in letters.values()}
        result.append(
            [
                find(pattern, text, {})
                or find(by_text, simplify(text), named)
                or find(by_letter, text, plain)
                or fallback
                for text in texts
            ]
        )
    return result


def apply_steps(
    answers: Sequence[Sequence[Any]],
    documents: Sequence[dict[str, Any]],
    steps: Sequence[Step],
    load: Callable[[Any], Any],
) -> list[Any]:
    """Return what a chain of filters makes of the answers to each request.

    Args:
        answers: for each request, its answers.
        documents: the document of each request.
        load: returns the object that a reference to Python code names, and any other value as it is.
    """
    current: list[Any] = [list(texts) for texts in answers]
    for step in steps:
        arguments = {key: load(value) for key, value in step.items() if key != "function"}
        function = load(step["function"])
        with naming(f"filter {getattr(function, '__name__', function)}"):
            if not isinstance(function, str):
                made = function(**arguments)
                current = list(made.apply(current, documents) if hasattr(made, "apply") else made(current, documents))
            elif function == "custom":
                custom = arguments.pop("filter_fn")
                current = list(custom(current, documents))
            elif function in REGISTERED:
                current = list(REGISTERED[function](**arguments).apply(current, documents))
            elif function == "multi_choice_regex":
                current = list(multi_choice_regex(current, documents, **arguments))
            elif function == "take_first":
                current = [next(iter(texts)) if _is_several(texts) else texts for texts in current]
            elif function not in FILTER_FUNCTIONS:
                raise TaskFailure(f"there is no filter '{function}'")
            else:
                current = [FILTER_FUNCTIONS[function](list(texts), **arguments) for texts in current]
    return current


def _is_several(texts: Any) -> bool:
    return not isinstance(texts, str)
