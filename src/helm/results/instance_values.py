"""The scores of single instances, and what is known of the instances: what intervals and comparisons are made from.

Only the fields that count are read, and numbers are kept in arrays: a run of 200,000 instances fits into memory.
"""

import hashlib
import json
import re
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import msgspec

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import PerInstanceStats, Stat
from helm.benchmark.scenarios.scenario import Instance
from helm.results.comparison.clusters import ClusterFinder
from helm.results.run_files.json_items import JsonItems
from helm.results.run_files.run_folder import PER_INSTANCE_STATS_FILE_NAME, SCENARIO_STATE_FILE_NAME
from helm.results.run_files.run_schema import project
from helm.results.run_results import RunResults

_DIGEST_BYTES = 16

_BOOKKEEPING = re.compile(r"num_(?!mismatches)|logprob$|batch_size$|finish_reason_|training_|.*_(co2|energy)_cost$")

PerturbationKey = str | None
"""A perturbation as one text (its settings as JSON); None: the instance as it is."""

_Name = project(MetricName, "name", "split", "sub_split")
_Stat = project(Stat, "mean", name=_Name)
_Entry = project(
    PerInstanceStats, "perturbation", stats=_Stat, instance_id=(str | None, None), train_trial_index=(int, 0)
)


_ANYTHING = (Any, None)
_Instance = project(
    Instance,
    id=_ANYTHING,
    split=_ANYTHING,
    sub_split=_ANYTHING,
    input=_ANYTHING,
    extra_data=_ANYTHING,
    perturbation=_ANYTHING,
)
"""What its source and its split are found from; anything may be in the fields."""

_StateInstance = project(RequestState, instance=_Instance)


_ASKED = {"request": (dict[str, Any], dict), "train_trial_index": (int, 0)}
_AskedStateFields: Any = project(RequestState, "instance", "reference_index", "request_mode", **_ASKED)


class AskedState(_AskedStateFields):
    """What was asked for an instance, as plain values."""


_AnsweredStateFields: Any = project(RequestState, "instance", "reference_index", "request_mode", "result", **_ASKED)


class AnsweredState(_AnsweredStateFields):
    """The same with what was answered."""


@dataclass(frozen=True, slots=True)
class InstanceFacts:
    """What is known of an instance, without its perturbed copies."""

    split: str | None

    sub_split: str | None

    cluster: str
    """The source that it shares with others; its id when it shares none."""


@dataclass(frozen=True)
class MetricKey:
    """Which numbers belong together."""

    name: str

    split: str | None = None

    sub_split: str | None = None


@dataclass
class MetricValues:
    """All values of one metric; the arrays are parallel. Metrics of the same instances may share the last three."""

    values: array = field(default_factory=lambda: array("d"))

    owners: array = field(default_factory=lambda: array("i"))
    """Index into `InstanceValues.instance_ids`."""

    trials: array = field(default_factory=lambda: array("q"))

    perturbations: array = field(default_factory=lambda: array("i"))
    """Index into `InstanceValues.perturbations`."""

    not_finite: int = 0
    """Values that are NaN or infinite and were left out."""


@dataclass
class InstanceValues:
    """The scores of all instances of a run."""

    instance_ids: list[str] = field(default_factory=list)

    perturbations: list[PerturbationKey] = field(default_factory=lambda: [None])
    """The first is None: not perturbed."""

    metrics: dict[MetricKey, MetricValues] = field(default_factory=dict)


def is_score(name: str) -> bool:
    """Whether a metric says how well something went, rather than what was sent."""
    return not _BOOKKEEPING.match(name)


def perturbation_key(data: dict[str, Any] | None) -> PerturbationKey:
    return None if data is None else json.dumps(data, sort_keys=True)


def read_instance_values(run: RunResults, names: set[str] | None = None) -> InstanceValues:
    """Read `per_instance_stats.json`. Values without a number are left out; those that are not finite are counted.

    Args:
        names: only these metrics; None: all that are scores.
    Raises: RunFileError.
    """
    found = InstanceValues()
    skipped: set[str] = set()
    owners: dict[str, int] = {}
    perturbations: dict[PerturbationKey, int] = {None: 0}
    targets: dict[tuple[str, str | None, str | None], tuple[MetricValues, Any, Any]] = {}
    places = _Places()
    for entry in JsonItems(run.file_path(PER_INSTANCE_STATS_FILE_NAME), item_type=_Entry):
        instance_id = str(entry.instance_id)
        owner = owners.setdefault(instance_id, len(owners))
        perturbation = 0
        if entry.perturbation is not None:
            perturbation = perturbations.setdefault(perturbation_key(entry.perturbation), len(perturbations))
        place = places.add(owner, entry.train_trial_index, perturbation)
        for stat in entry.stats:
            name, mean = stat.name, stat.mean
            if mean is None or (name.name in skipped if names is None else name.name not in names):
                continue
            key = (name.name, name.split, name.sub_split)
            target = targets.get(key)
            if target is None:
                if names is None and not is_score(name.name):
                    skipped.add(name.name)
                    continue
                values = found.metrics[MetricKey(*key)] = MetricValues()
                target = targets[key] = (values, values.values.append, places.list_of(values))
            if isfinite(mean):
                target[1](mean)
                target[2](place)
            else:
                target[0].not_finite += 1
    places.fill()
    found.instance_ids, found.perturbations = list(owners), list(perturbations)
    return found


class _Places:
    """Which instance, trial and perturbation values belong to: noted once for the values of a whole entry."""

    def __init__(self) -> None:
        self._owners, self._trials, self._perturbations = array("i"), array("q"), array("i")
        self._lists: list[tuple[MetricValues, array]] = []

    def add(self, owner: int, trial: int, perturbation: int) -> int:
        """The number of the place."""
        self._owners.append(owner)
        self._trials.append(trial)
        self._perturbations.append(perturbation)
        return len(self._owners) - 1

    def list_of(self, values: MetricValues) -> Callable[[int], None]:
        """Takes the number of the place of each value of a metric."""
        self._lists.append((values, array("i")))
        return self._lists[-1][1].append

    def fill(self) -> None:
        """Give the metrics their arrays; equal ones are shared."""
        shared: dict[bytes, tuple[array, array, array]] = {}
        while self._lists:
            values, numbers = self._lists.pop()
            key = hashlib.sha256(numbers).digest()
            found = shared.get(key)
            if found is None:
                found = shared[key] = (
                    array("i", map(self._owners.__getitem__, numbers)),
                    array("q", map(self._trials.__getitem__, numbers)),
                    array("i", map(self._perturbations.__getitem__, numbers)),
                )
            values.owners, values.trials, values.perturbations = found


def read_instance_facts(run: RunResults, cluster_key: str | None = None) -> dict[str, InstanceFacts]:
    """What `scenario_state.json` says about each instance, by id.

    Args:
        cluster_key: the entry of `extra_data` that names the source of an instance; None: see `find_clusters`.
    Raises: RunFileError.
    """
    splits: dict[str, tuple[Any, Any]] = {}
    finder = ClusterFinder(cluster_key)
    only_perturbed: set[str] = set()
    path = run.file_path(SCENARIO_STATE_FILE_NAME)
    for state in JsonItems(path, "request_states", item_type=_StateInstance):
        instance = state.instance
        instance_id, is_perturbed = str(instance.id), instance.perturbation is not None
        if instance_id in splits and (is_perturbed or instance_id not in only_perturbed):
            continue
        if is_perturbed:
            only_perturbed.add(instance_id)
        else:
            only_perturbed.discard(instance_id)
        splits[instance_id] = (instance.split, instance.sub_split)
        finder.add(instance_id, instance.input, instance.extra_data)
    clusters = finder.find()
    return {
        instance_id: InstanceFacts(split, sub_split, clusters[instance_id])
        for instance_id, (split, sub_split) in splits.items()
    }


@dataclass(frozen=True)
class AskedFacts:
    """What a run asked, to be compared with what another one asked; digests by (instance id, perturbation)."""

    instances: dict[tuple[str, PerturbationKey], bytes]
    """Of the instance: input, references, split."""

    prompts: dict[tuple[str, PerturbationKey, int], bytes]
    """Of all requests for the instance in a trial, without the name of the subject."""


_SUBJECT_FIELDS = ("model", "model_deployment", "policy")
"""Of requests: what makes two subjects two."""


def read_asked_facts(run: RunResults) -> AskedFacts:
    """Read what was asked. Raises: RunFileError."""
    instances: dict[tuple[str, PerturbationKey], bytes] = {}
    prompts: dict[tuple[str, PerturbationKey, int], bytes] = {}
    path = run.file_path(SCENARIO_STATE_FILE_NAME)
    for state in JsonItems(path, "request_states", item_type=AskedState):
        instance = state.instance
        key = (str(instance.get("id")), perturbation_key(instance.get("perturbation")))
        if key not in instances:
            instances[key] = _digest(instance)
        request = {name: value for name, value in state.request.items() if name not in _SUBJECT_FIELDS}
        place = (*key, state.train_trial_index)
        asked = f"{state.reference_index}{state.request_mode}".encode() + _digest(request)
        prompts[place] = hashlib.sha256(prompts.get(place, b"") + asked).digest()[:_DIGEST_BYTES]
    return AskedFacts(instances, prompts)


def iterate_states(run: RunResults) -> Iterator[AnsweredState]:
    """Request states as plain values, one at a time. Raises: RunFileError."""
    return iter(JsonItems(run.file_path(SCENARIO_STATE_FILE_NAME), "request_states", item_type=AnsweredState))


def _digest(value: Any) -> bytes:
    try:
        data = msgspec.json.encode(value, order="sorted")
    except UnicodeEncodeError:  # half of a surrogate pair, which some models write
        data = json.dumps(value, sort_keys=True).encode()
    return hashlib.sha256(data).digest()[:_DIGEST_BYTES]
