"""Finds an answer by a pattern of the user."""

import re
from collections import deque
from typing import Any

from helm.benchmark.extraction.extractor import Extractor, Question
from helm.common.errors import ConfigError

_MOST_CHARACTERS = 16_384
"""What a pattern is tried on: a pattern with two repetitions takes time quadratic in this."""


class RegexExtractor(Extractor):
    """Finds the last match of a regular expression in the last 16,384 characters: its first group, if there are groups.

    Args:
        pattern: as in Python's `re`; `(?s)`, `(?i)` and `(?m)` set flags.
        form: see `Extractor`.

    Raises: ConfigError if the pattern is no regular expression, or repeats a repetition, as in `(a+)+`: on some texts,
        such a pattern takes longer than any run.
    """

    most_characters = _MOST_CHARACTERS

    def __init__(self, pattern: str | None = None, form: str | None = None):
        super().__init__(form)
        if pattern is None:
            raise ConfigError("extraction=regex needs a regular expression: extraction_pattern=PATTERN.")
        self.pattern = str(pattern)
        try:
            self._compiled = re.compile(self.pattern)
        except (re.error, OverflowError) as e:
            raise ConfigError(f"extraction_pattern is not a regular expression: {e}: {pattern}") from e
        if _repeats_a_repetition(self.pattern):
            raise ConfigError(
                f"extraction_pattern repeats a repetition, which can take forever: {pattern}. "
                "Write for example (?:ab*+)+ or [ab]+ instead of (ab*)+."
            )

    def find(self, text: str, question: Question) -> str | None:
        last = next(iter(deque(self._compiled.finditer(text), maxlen=1)), None)
        if last is None:
            return None
        groups = [group for group in last.groups() if group is not None]
        found = groups[0] if groups else last[0] if not last.re.groups else ""
        return found.strip() or None


def _repeats_a_repetition(pattern: str) -> bool:
    """Return whether an unlimited repetition that can give back contains another one."""
    from re import _constants, _parser  # type: ignore[attr-defined]

    repeats = (_constants.MAX_REPEAT, _constants.MIN_REPEAT)

    def search(items: Any, is_inside: bool) -> bool:
        for operator, argument in items:
            inside = is_inside
            if operator in repeats:
                is_unlimited = argument[1] == _constants.MAXREPEAT
                if is_unlimited and is_inside:
                    return True
                if search(argument[2], is_inside or is_unlimited):
                    return True
                continue
            if operator in (_constants.POSSESSIVE_REPEAT, _constants.ATOMIC_GROUP):
                inside = False
            for part in argument if isinstance(argument, tuple) else (argument,):
                parts = part if isinstance(part, list) else [part]
                for subpattern in parts:
                    if isinstance(subpattern, _parser.SubPattern) and search(subpattern, inside):
                        return True
        return False

    return search(_parser.parse(pattern), False)
