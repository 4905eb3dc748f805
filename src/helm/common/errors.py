"""Errors that the user can fix: commands print them without a traceback and exit with status 1."""

import heapq
import string
from collections.abc import Iterable


class HelmError(Exception):
    """An error whose message says what failed, where, what was expected and what to do; it is shown to the user as is."""

    instance_id: str | None = None
    """The instance that the error belongs to, if any; written to `error.json`."""

    short: str | None = None
    """A short form that commands print instead of a message with long quotations, which is in `error.json`; None prints the
    message."""


class ConfigError(HelmError, ValueError):
    """A run entry, a configuration file, an argument or a name in one of them is wrong."""


class ScenarioError(HelmError):
    """A scenario yields no usable instances, or an instance lacks what its adapter or metric needs."""


class MetricError(HelmError):
    """A metric could not be computed; the message names the metric and the instance."""


# The detailed comparison of two names is slow, so only this many candidates get it.
_MANY = 100
# Shorter beginnings fit too many names to be a good guess.
_SHORTEST_BEGINNING = 4
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation + " ")


def nearest(name: str, candidates: Iterable[str], cutoff: float = 0.5) -> str | None:
    """Return the candidate most similar to `name`, ignoring case, or None if none is close.

    If `name` lacks only the end or the part before the `/`, or differs only in punctuation, the result is the shortest
    candidate that it can be completed to: `gpt4o` is nearest to `openai/gpt-4o-2024-05-13`. Otherwise `cutoff` is the share
    of characters (0 to 1) that must agree. Of very many candidates, only the hundred that share the most pairs of letters
    are compared in detail, so that a thousand take a few milliseconds.
    """
    by_folded: dict[str, str] = {}
    for candidate in candidates:
        by_folded.setdefault(candidate.casefold(), candidate)
    folded = name.casefold()
    completions = _completions(folded, by_folded)
    if completions:
        return by_folded[min(completions, key=len)]
    pool: list[str] = list(by_folded)
    if len(pool) > _MANY:
        pairs = _pairs(folded)
        pool = heapq.nlargest(_MANY, pool, key=lambda other: _overlap(pairs, _pairs(other)))
    import difflib

    matches = difflib.get_close_matches(folded, pool, n=1, cutoff=cutoff)
    return by_folded[matches[0]] if matches else None


def _completions(name: str, candidates: Iterable[str]) -> list[str]:
    beginning = _letters_and_digits(name)
    if len(beginning) < _SHORTEST_BEGINNING:
        return []
    return [
        candidate
        for candidate in candidates
        if _letters_and_digits(candidate).startswith(beginning)
        or _letters_and_digits(candidate.rpartition("/")[2]).startswith(beginning)
    ]


def _letters_and_digits(text: str) -> str:
    return text.translate(_WITHOUT_PUNCTUATION)


def _pairs(text: str) -> set[str]:
    return set(map("".join, zip(text, text[1:], strict=False)))


def _overlap(a: set[str], b: set[str]) -> float:
    return 2 * len(a & b) / (len(a) + len(b) or 1)


def suggest(name: str, candidates: Iterable[str], cutoff: float = 0.5) -> str:
    """Return `" Did you mean 'x'?"` for the nearest candidate, or an empty string."""
    match = nearest(name, candidates, cutoff)
    return f" Did you mean '{match}'?" if match else ""


def shown(error: BaseException) -> str:
    """Return the text that a command prints for an error."""
    return getattr(error, "short", None) or str(error)


def with_instance_id(error: HelmError, instance_id: str | None) -> HelmError:
    """Mark an error with the instance it belongs to, and return it."""
    error.instance_id = instance_id
    return error
