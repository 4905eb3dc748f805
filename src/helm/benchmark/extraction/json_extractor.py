"""Finds a JSON value in an answer."""

import json
import re
from collections.abc import Iterator
from typing import Any

from helm.benchmark.extraction.extractor import Extractor, Question

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|[{}\[\]]')
_CUSTOMARY = ("answer", "final_answer", "finalAnswer", "result", "label", "output")
_MISSING = object()


class JSONExtractor(Extractor):
    """Finds the last JSON object or array, in a code block or in prose, or a field of it.

    Args:
        path: keys and indices of the field, separated by periods: `answer`, `result.items.0.name`. If None, the only or
            the customary field (`answer`, `final_answer`, `result`, ...) counts, else the whole value.
        form: see `Extractor`.

    Texts, numbers and booleans are given as text, other values as compact JSON.
    """

    most_characters = 1 << 20

    def __init__(self, path: str | None = None, form: str | None = None):
        super().__init__(form)
        self.path = path

    def find(self, text: str, question: Question) -> str | None:
        for value in _values(text):
            found = self._select(value)
            if found is not _MISSING and found is not None:
                return _as_text(found)
        return None

    def _select(self, value: Any) -> Any:
        if self.path is None:
            if isinstance(value, dict):
                for key in _CUSTOMARY:
                    if key in value:
                        return value[key]
                if len(value) == 1:
                    return next(iter(value.values()))
            return value
        for key in str(self.path).split("."):
            if isinstance(value, dict) and key in value:
                value = value[key]
            elif isinstance(value, list) and key.isascii() and key.isdigit() and int(key) < len(value):
                value = value[int(key)]
            else:
                return _MISSING
        return value


def _values(text: str) -> Iterator[Any]:
    """Yield the JSON values of a text, the last one first; each character is parsed at most twice."""
    try:
        yield json.loads(text)
        return
    except (ValueError, RecursionError):
        pass
    for start, end in reversed(_spans(text)):
        try:
            yield json.loads(text[start:end])
        except (ValueError, RecursionError):
            continue


def _spans(text: str) -> list[tuple[int, int]]:
    """Return the outermost pairs of brackets that are closed."""
    opened: list[tuple[str, int]] = []
    closed: list[tuple[int, int]] = []
    for match in _TOKEN.finditer(text):
        mark = match[0]
        if mark in "{[":
            opened.append((mark, match.start()))
        elif mark in ("}", "]") and opened:
            wanted = "{" if mark == "}" else "["
            if opened[-1][0] == wanted:
                start = opened.pop()[1]
                while closed and closed[-1][0] > start:
                    closed.pop()
                closed.append((start, match.end()))
            else:
                opened.clear()
    return closed


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
