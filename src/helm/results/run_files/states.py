"""Restores request states and statistics from plain JSON values, as they were in the process that wrote them.

Two properties are lost in the files and restored here: the states of an instance share one object (metrics compare instances
by identity), and perturbations keep settings that this version does not know, so that different ones remain different.
"""

from collections import Counter
from dataclasses import fields, is_dataclass, make_dataclass, replace
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription, description_class
from helm.benchmark.metrics.metric import PerInstanceStats
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.scenarios.scenario import Input, Instance, Output, Reference
from helm.common.codec import structure
from helm.common.request import GeneratedOutput, Request, RequestResult
from helm.results.run_files.run_schema import stat_from_getter

_FIELDS: dict[type, frozenset[str]] = {}
_EXTENDED: dict[tuple[type, tuple[str, ...]], type] = {}


def _field_names(cls: type) -> frozenset[str]:
    names = _FIELDS.get(cls)
    if names is None:
        names = _FIELDS[cls] = frozenset(item.name for item in fields(cls)) if is_dataclass(cls) else frozenset()
    return names


class Unknown:
    """Ignored keys, which a newer or older version wrote and this one does not know."""

    def __init__(self) -> None:
        self._counts: Counter = Counter()

    def note(self, data: Any, cls: type) -> None:
        """Count the keys of an object that `cls` has no field for."""
        if isinstance(data, dict):
            names = _field_names(cls)
            if not data.keys() <= names:
                self._counts.update((cls.__name__, key) for key in data.keys() - names)

    def describe(self) -> list[str]:
        """Return one line per class and key, in alphabetical order."""
        return [f"ignored: {cls}.{key}" for cls, key in sorted(self._counts)]


class PerturbationReader:
    """Reads descriptions of perturbations, each once."""

    def __init__(self) -> None:
        self._known: dict[str, PerturbationDescription] = {}

    def read(self, data: dict[str, Any]) -> PerturbationDescription:
        """Read a description; unknown settings are kept in a subclass that has fields for them. Raises ValueError."""
        key = repr(data)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._read(data)
        return found

    @staticmethod
    def _read(data: dict[str, Any]) -> PerturbationDescription:
        base = structure(data, PerturbationDescription)
        extra = tuple(name for name in data if name not in _field_names(type(base)))
        if not extra or not all(name.isidentifier() for name in extra):
            return base
        cls = _EXTENDED.get((type(base), extra))
        if cls is None:
            parent = description_class(base.name)
            cls = _EXTENDED[type(base), extra] = make_dataclass(
                parent.__name__, [(name, Any, None) for name in extra], bases=(parent,), frozen=True
            )
        common = {item.name: getattr(base, item.name) for item in fields(base)}
        return cls(**common, **{name: _hashable(data[name]) for name in extra})


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


class StateReader:
    """Reads the request states of one run in order; states of equal instances share one object.

    Instances are equal if their ids, perturbations and all other fields are equal: copies that differ only in settings stay
    separate. HELM 0.2 wrote some texts bare; they are read as present-day objects.
    """

    def __init__(self) -> None:
        self.unknown = Unknown()
        self._perturbations = PerturbationReader()
        self._instances: dict[tuple[Any, str], list[tuple[dict[str, Any], Instance]]] = {}

    def read(self, data: Any) -> RequestState:
        """Read a request state. Raises ValueError that names the place."""
        if not isinstance(data, dict) or not isinstance(data.get("instance"), dict):
            return structure(data, RequestState)  # raises an error that says what is wrong
        self._note_unknown(data)
        instance = self._read_instance(data["instance"])
        state = structure({**data, "instance": _NO_INSTANCE}, RequestState)
        return replace(state, instance=instance)

    def _note_unknown(self, data: dict[str, Any]) -> None:
        note = self.unknown.note
        note(data, RequestState)
        request, result = data.get("request"), data.get("result")
        if isinstance(request, dict) and "kind" not in request:
            note(request, Request)
            note(result, RequestResult)
            for completion in (result or {}).get("completions") or () if isinstance(result, dict) else ():
                note(completion, GeneratedOutput)

    def _read_instance(self, data: dict[str, Any]) -> Instance:
        same_id = self._instances.setdefault((data.get("id"), repr(data.get("perturbation"))), [])
        for known, instance in same_id:
            if known == data:
                return instance
        instance = self._make_instance(data)
        same_id.append((data, instance))
        return instance

    def _make_instance(self, data: dict[str, Any]) -> Instance:
        self.unknown.note(data, Instance)
        plain = dict(data)
        perturbation = plain.pop("perturbation", None)
        if isinstance(plain.get("input"), str):
            plain["input"] = {"text": plain["input"]}
        self.unknown.note(plain.get("input"), Input)
        if isinstance(plain.get("references"), list):
            plain["references"] = [_with_output_object(item) for item in plain["references"]]
            for item in plain["references"]:
                self.unknown.note(item, Reference)
                self.unknown.note(item.get("output") if isinstance(item, dict) else None, Output)
        instance = structure(plain, Instance, "$.instance")
        if isinstance(perturbation, dict):
            instance = replace(instance, perturbation=self._perturbations.read(perturbation))
        return instance


_NO_INSTANCE: dict[str, Any] = {"input": {}, "references": []}


def _with_output_object(reference: Any) -> Any:
    if isinstance(reference, dict) and isinstance(reference.get("output"), str):
        return {**reference, "output": {"text": reference["output"]}}
    return reference


class StatReader:
    """Reads stats; numbers keep their type, and equal names are one object."""

    def __init__(self) -> None:
        self._perturbations = PerturbationReader()
        self._names: dict[Any, MetricName] = {}

    def read(self, data: Any) -> Stat:
        """Read a statistic. Raises ValueError that names the place."""
        try:
            name = data["name"]
            perturbation = name.get("perturbation")
            key = (name["name"], name.get("split"), name.get("sub_split"), repr(perturbation) if perturbation else None)
            metric_name = self._names.get(key)
            if metric_name is None:
                structure(data, Stat)  # checks the types, for the first of each name
                metric_name = self._names[key] = MetricName(
                    *key[:3], perturbation=self._perturbations.read(perturbation) if perturbation else None
                )
            return stat_from_getter(metric_name, data.get)
        except (KeyError, TypeError, AttributeError):
            return structure(data, Stat)  # raises an error that says what is wrong

    def read_entry(self, data: Any) -> PerInstanceStats:
        """Read the statistics of an instance. Raises ValueError that names the place."""
        if not isinstance(data, dict) or not isinstance(data.get("stats"), list):
            return structure(data, PerInstanceStats)
        entry = structure({**data, "stats": [], "perturbation": None}, PerInstanceStats)
        perturbation: Any | None = data.get("perturbation")
        return replace(
            entry,
            perturbation=self._perturbations.read(perturbation) if isinstance(perturbation, dict) else None,
            stats=[self.read(stat) for stat in data["stats"]],
        )
