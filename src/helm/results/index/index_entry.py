"""A run as tables of many runs show it, small enough that a hundred thousand fit into memory."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from helm.benchmark.subjects import SubjectKind, kind_of_method

# What many runs have in common: kept once, and never changed.
_SHARED_TEXTS = ("subject", "deployment", "method", "task", "scenario", "title", "status")
_SHARED_VALUES = ("units", "groups", "coverage")


class RunEntry:
    """A run as shown in tables. `helm.results.index.index_summary` describes `summary` and `facts`.

    Args:
        path: the path of its folder within the folder of all runs: `SUITE/RUN`, with slashes.
        signature: a digest that changes with any file of the run.
        summary: what its small files say.
        facts: what needs all of its instances; None if not computed yet.
    """

    __slots__ = ("facts", "name", "path", "signature", "status", "subject", "subject_kind", "summary", "task")

    def __init__(self, path: str, signature: str, summary: Mapping[str, Any], facts: Mapping[str, Any] | None):
        self.path, self.signature, self.summary, self.facts = path, signature, summary, facts
        self.name = str(summary.get("name", ""))
        self.status = str(summary.get("status", ""))
        self.subject = str(summary.get("subject") or self.name)
        self.task = str(summary.get("task") or self.name)
        self.subject_kind: SubjectKind = kind_of_method(str(summary.get("method")))

    def __repr__(self) -> str:
        return f"RunEntry({self.path!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RunEntry):
            return NotImplemented
        mine, others = (self.path, self.signature, self.summary), (other.path, other.signature, other.summary)
        return mine == others and self.facts == other.facts

    def __hash__(self) -> int:
        return hash((self.path, self.signature))

    @property
    def suite(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def kind(self) -> str:
        """The name of the kind of subject."""
        return self.subject_kind.name

    def unit(self, metric: str) -> str | None:
        """Return the unit of one of its metrics, also for the worst case over a perturbation (`NAME@...`)."""
        units = self.summary.get("units") or {}
        return units.get(metric) or units.get(metric.partition("@")[0])


class SharedValues:
    """Reads summaries and facts, of which equal parts are the same object."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._values: dict[bytes, Any] = {}

    def read(self, text: str) -> dict[str, Any]:
        """Return the object in a JSON text. Its parts must not be changed."""
        try:
            found: dict[str, Any] = msgspec.json.decode(text)
        except msgspec.DecodeError:  # NaN, or half of a character, which other programs write
            plain: dict[str, Any] = json.loads(text)
            return plain
        for key in _SHARED_TEXTS:
            value = found.get(key)
            if type(value) is str:
                found[key] = self._texts.setdefault(value, value)
        for key in _SHARED_VALUES:
            value = found.get(key)
            if value:
                found[key] = self._values.setdefault(msgspec.json.encode(value), value)
        for score in found.get("main") or ():
            if isinstance(score, dict) and "name" in score:
                score["name"] = self._texts.setdefault(score["name"], score["name"])
        return found
