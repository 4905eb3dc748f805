"""Reads the scores of single instances and facts about the instances, from which intervals and comparisons are computed.

Only the necessary fields are read.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import PerInstanceStats, Stat
from helm.benchmark.scenarios.scenario import Instance
from helm.results.run_files.json_items import JsonItems
from helm.results.run_files.run_folder import PER_INSTANCE_STATS_FILE_NAME, SCENARIO_STATE_FILE_NAME
from helm.results.run_files.run_schema import project
from helm.results.run_results import RunResults
from helm.results.values_gatherer import (
    FactsGatherer,
    InstanceFacts,
    InstanceValues,
    PerturbationKey,
    ValuesGatherer,
    perturbation_key,
)

# 128 bits make collisions between the requests of two runs negligible.
_DIGEST_BYTES = 16

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
