"""The scores of single instances and facts about the instances, from which intervals and comparisons are computed.

Only the necessary fields are read, and numbers are kept in arrays: a run of 200,000 instances fits into memory.
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

# 128 bits make collisions between the requests of two runs negligible.
_DIGEST_BYTES = 16

_BOOKKEEPING = re.compile(
    r"num_(?!mismatches)|logprob$|batch_size$|finish_reason_|training_|.*_(co2|energy)_cost$|.*\[epoch=\d+\]$"
)

PerturbationKey = str | None
"""The settings of a perturbation as JSON text; None for the unperturbed instance."""

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
"""The fields that determine its source and its split; they may contain anything."""

_StateInstance = project(RequestState, instance=_Instance)


_ASKED = {"request": (dict[str, Any], dict), "train_trial_index": (int, 0), "epoch": (int | None, None)}
_AskedStateFields: Any = project(RequestState, "instance", "reference_index", "request_mode", **_ASKED)


class AskedState(_AskedStateFields):
    """A request for an instance, as plain values."""


_AnsweredStateFields: Any = project(
    RequestState, "instance", "reference_index", "request_mode", "result", "extracted", **_ASKED
)


class AnsweredState(_AnsweredStateFields):
    """A request for an instance with its answer, as plain values."""


@dataclass(frozen=True, slots=True)
class InstanceFacts:
    """Facts about an instance, without its perturbed copies."""

    split: str | None

    sub_split: str | None

    cluster: str
    """The source that it shares with others; its id if it shares none."""


@dataclass(frozen=True)
class MetricKey:
    """Identifies the values that belong to one score."""

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
    """The number of values omitted because they are NaN or infinite."""


@dataclass
class InstanceValues:
    """The scores of all instances of a run."""

    instance_ids: list[str] = field(default_factory=list)

    perturbations: list[PerturbationKey] = field(default_factory=lambda: [None])
    """The perturbations; the first is None, which means not perturbed."""

    metrics: dict[MetricKey, MetricValues] = field(default_factory=dict)


def is_score(name: str) -> bool:
    """Return whether a metric measures quality, rather than properties of the requests, or of a single epoch."""
    return not _BOOKKEEPING.match(name)


def perturbation_key(data: dict[str, Any] | None) -> PerturbationKey:
    return None if data is None else json.dumps(data, sort_keys=True)


def read_instance_values(run: RunResults, names: set[str] | None = None) -> InstanceValues:
    """Read `per_instance_stats.json`. Entries without a number are omitted; numbers that are not finite are counted.

    Args:
        names: the metrics to read; None means all that are scores.

    Raises:
        RunFileError: The file is missing or damaged.
    """
    gatherer = ValuesGatherer(names)
    for entry in JsonItems(run.file_path(PER_INSTANCE_STATS_FILE_NAME), item_type=_Entry):
        gatherer.add(entry)
    return gatherer.finish()


class ValuesGatherer:
    """Gathers the values of `read_instance_values`, for callers that read the entries for something else, too.

    Args:
        names: the metrics to gather; None means all that are scores.
    """

    def __init__(self, names: set[str] | None = None):
        self._wanted = names
        self._found = InstanceValues()
        self._owners: dict[str, int] = {}
        self._perturbations: dict[PerturbationKey, int] = {None: 0}
        self._targets: dict[tuple[str, str | None, str | None], _Target | None] = {}
        """Where the values of each metric go; None for a metric that is not wanted."""
        self._places = _Places()

    def add(self, entry: Any) -> None:
        """Add an entry of the file, with the fields of PerInstanceStats that are not results of tests."""
        owner = self._owners.setdefault(str(entry.instance_id), len(self._owners))
        perturbation = 0
        if entry.perturbation is not None:
            key = perturbation_key(entry.perturbation)
            perturbation = self._perturbations.setdefault(key, len(self._perturbations))
        place = self._places.add(owner, entry.train_trial_index, perturbation)
        targets = self._targets
        for stat in entry.stats:
            mean = stat.mean
            if mean is None:
                continue
            name = stat.name
            metric = (name.name, name.split, name.sub_split)
            try:
                target = targets[metric]
            except KeyError:
                target = targets[metric] = self._create_target(*metric)
            if target is None:
                continue
            if isfinite(mean):
                target[1](mean)
                target[2](place)
            else:
                target[0].not_finite += 1

    def _create_target(self, name: str, split: str | None, sub_split: str | None) -> "_Target | None":
        if not is_score(name) if self._wanted is None else name not in self._wanted:
            return None
        values = self._found.metrics[MetricKey(name, split, sub_split)] = MetricValues()
        return values, values.values.append, self._places.list_of(values)

    def finish(self) -> InstanceValues:
        """Return what was gathered."""
        self._places.fill()
        self._found.instance_ids, self._found.perturbations = list(self._owners), list(self._perturbations)
        return self._found


_Target = tuple[MetricValues, Callable[[float], None], Callable[[int], None]]


class _Places:
    """The instance, trial and perturbation of values, stored once for all values of an entry."""

    def __init__(self) -> None:
        self._owners, self._trials, self._perturbations = array("i"), array("q"), array("i")
        self._lists: list[tuple[MetricValues, array]] = []

    def add(self, owner: int, trial: int, perturbation: int) -> int:
        """Add a place, and return its number."""
        self._owners.append(owner)
        self._trials.append(trial)
        self._perturbations.append(perturbation)
        return len(self._owners) - 1

    def list_of(self, values: MetricValues) -> Callable[[int], None]:
        """Return a function that receives the place's number for each value of a metric."""
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
    """Read the facts about each instance, by id, from `scenario_state.json`.

    Args:
        cluster_key: the entry of `extra_data` that names the source of an instance; for None, see `find_clusters`.

    Raises:
        RunFileError: The file is missing or damaged.
    """
    gatherer = FactsGatherer(cluster_key)
    for state in JsonItems(run.file_path(SCENARIO_STATE_FILE_NAME), "request_states", item_type=_StateInstance):
        instance = state.instance
        gatherer.add(
            instance, instance.split, instance.sub_split, instance.perturbation is not None, instance.extra_data
        )
    return gatherer.finish()


class FactsGatherer:
    """Gathers the facts of `read_instance_facts`, for callers that read the instances for something else, too."""

    def __init__(self, cluster_key: str | None = None):
        self._splits: dict[str, tuple[Any, Any]] = {}
        self._finder = ClusterFinder(cluster_key)
        self._only_perturbed: set[str] = set()

    def add(self, instance: Any, split: Any, sub_split: Any, is_perturbed: bool, extra_data: Any) -> None:
        """Add the instance of a request; its `id` and `input` are read, and the rest is given."""
        instance_id = str(instance.id)
        if instance_id in self._splits and (is_perturbed or instance_id not in self._only_perturbed):
            return
        if is_perturbed:
            self._only_perturbed.add(instance_id)
        else:
            self._only_perturbed.discard(instance_id)
        self._splits[instance_id] = (split, sub_split)
        self._finder.add(instance_id, instance.input, extra_data)

    def finish(self) -> dict[str, InstanceFacts]:
        """Return what was gathered."""
        clusters = self._finder.find()
        return {
            instance_id: InstanceFacts(split, sub_split, clusters[instance_id])
            for instance_id, (split, sub_split) in self._splits.items()
        }


@dataclass(frozen=True)
class AskedFacts:
    """Digests of a run's requests by (instance id, perturbation), for comparison with another run."""

    instances: dict[tuple[str, PerturbationKey], bytes]
    """Digests of the instances: input, references, split."""

    prompts: dict[tuple[str, PerturbationKey, int], bytes]
    """Digests of all requests for an instance in a trial, without the name of the subject."""


_SUBJECT_FIELDS = ("model", "model_deployment", "policy")
"""The fields of requests that distinguish subjects."""


def read_asked_facts(run: RunResults) -> AskedFacts:
    """Read the digests of a run's requests. Raises RunFileError."""
    instances: dict[tuple[str, PerturbationKey], bytes] = {}
    prompts: dict[tuple[str, PerturbationKey, int], bytes] = {}
    path = run.file_path(SCENARIO_STATE_FILE_NAME)
    for state in JsonItems(path, "request_states", item_type=AskedState):
        instance = state.instance
        key = (str(instance.get("id")), perturbation_key(instance.get("perturbation")))
        if key not in instances:
            instances[key] = _digest(instance)
        if state.epoch is not None and state.epoch > 1:  # the same request again, as another draw
            continue
        request = {name: value for name, value in state.request.items() if name not in _SUBJECT_FIELDS}
        place = (*key, state.train_trial_index)
        asked = f"{state.reference_index}{state.request_mode}".encode() + _digest(request)
        prompts[place] = hashlib.sha256(prompts.get(place, b"") + asked).digest()[:_DIGEST_BYTES]
    return AskedFacts(instances, prompts)


def iterate_states(run: RunResults) -> Iterator[AnsweredState]:
    """Yield request states as plain values, one at a time. Raises RunFileError."""
    return iter(JsonItems(run.file_path(SCENARIO_STATE_FILE_NAME), "request_states", item_type=AnsweredState))


def _digest(value: Any) -> bytes:
    try:
        data = msgspec.json.encode(value, order="sorted")
    except UnicodeEncodeError:  # a lone surrogate, which some models produce
        data = json.dumps(value, sort_keys=True).encode()
    return hashlib.sha256(data).digest()[:_DIGEST_BYTES]
