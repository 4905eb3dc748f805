"""The scores of a run with standard errors and intervals: `intervals.json`, in addition to the files that HELM writes.

`stats.json` contains the variation of a score between trials, but not its uncertainty, which is computed here once from the
scores of single instances. The file records from which versions of the other files it was computed, is renewed when these
change, and may be deleted.
"""

import math
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import msgspec

from helm.benchmark.subjects import kind_of_run
from helm.results.instance_values import (
    FactsGatherer,
    InstanceFacts,
    InstanceValues,
    MetricKey,
    MetricValues,
    ValuesGatherer,
    read_instance_facts,
    read_instance_values,
)
from helm.results.metric_names import may_be_share
from helm.results.run_files.json_files import write_json
from helm.results.run_files.run_folder import (
    INTERVALS_FILE_NAME,
    PER_INSTANCE_STATS_FILE_NAME,
    SCENARIO_STATE_FILE_NAME,
)
from helm.results.run_results import RunResults
from helm.results.statistics.intervals import Estimate, MeanFacts, estimate_from_facts, gather_mean

_VERSION = 3


@dataclass(frozen=True)
class ScoreKey:
    """Identifies a score of a run."""

    name: str

    split: str | None = None

    sub_split: str | None = None

    perturbation: str | None = None
    """Selects the worst case over perturbations of this name, or over all for `robustness` or `fairness`; None means without
    perturbations."""


@dataclass(frozen=True)
class Score:
    """A score with its interval."""

    key: ScoreKey

    estimate: Estimate


def compute_score_facts(run: RunResults, cluster_key: str | None = None) -> dict[ScoreKey, MeanFacts]:
    """Compute means and their variances of all scores of a run, from its files.

    The variances are over instances, which are a sample. If workloads are fixed, only times have one, over repeated runs.
    Scores that belong to a whole run (calibration, corpus BLEU) are not included. Raises RunFileError.
    """
    if kind_of_run(run.run_spec).has_timed_workloads:
        return _timing_score_facts(run)
    return _facts_of_values(read_instance_values(run), read_instance_facts(run, cluster_key))


def _facts_of_values(values: InstanceValues, instances: Mapping[str, InstanceFacts]) -> dict[ScoreKey, MeanFacts]:
    found: dict[ScoreKey, MeanFacts] = {}
    numbers = _cluster_numbers(values, instances)
    for key, of_metric in values.metrics.items():
        for full_key, part in _by_split(key, of_metric, values, instances).items():
            _add_facts(found, full_key, part, values, numbers)
    return found


def _cluster_numbers(values: InstanceValues, instances: Mapping[str, InstanceFacts]) -> list[int]:
    """Return the number of each instance's cluster."""
    known: dict[str, int] = {}
    clusters = (instances[i].cluster if i in instances else i for i in values.instance_ids)
    return [known.setdefault(cluster, len(known)) for cluster in clusters]


def _by_split(
    key: MetricKey, found: MetricValues, values: InstanceValues, instances: Mapping[str, InstanceFacts]
) -> dict[MetricKey, MetricValues]:
    """Split the values of metrics that do not record their split (those of compilers)."""
    if key.split is not None:
        return {key: found}
    parts: dict[MetricKey, MetricValues] = {}
    for i, owner in enumerate(found.owners):
        facts = instances.get(values.instance_ids[owner])
        part_key = MetricKey(key.name, facts.split if facts else None, facts.sub_split if facts else None)
        part = parts.setdefault(part_key, MetricValues())
        for name in ("values", "owners", "trials", "perturbations"):
            getattr(part, name).append(getattr(found, name)[i])
    return parts


def _add_facts(
    found: dict[ScoreKey, MeanFacts],
    key: MetricKey,
    part: MetricValues,
    values: InstanceValues,
    cluster_numbers: Sequence[int],
) -> None:
    plain = [i for i, perturbation in enumerate(part.perturbations) if not perturbation]
    _add(found, ScoreKey(key.name, key.split, key.sub_split), plain, part, cluster_numbers)
    if len(values.perturbations) == 1:
        for name in ("robustness", "fairness"):  # HELM: without perturbations these are the plain scores
            plain_facts = found.get(ScoreKey(key.name, key.split, key.sub_split))
            if plain_facts is not None:
                found[ScoreKey(key.name, key.split, key.sub_split, name)] = plain_facts
        return
    for name, members in _perturbation_groups(values).items():
        worst = _worst_values(part, members)
        owners = [owner for owner, _ in worst]
        facts = _facts(key.name, list(worst.values()), owners, cluster_numbers)
        if facts is not None:
            found[ScoreKey(key.name, key.split, key.sub_split, name)] = facts


def _perturbation_groups(values: InstanceValues) -> dict[str, list[int]]:
    """Return the indexes of perturbations by their names in tables."""
    groups: dict[str, list[int]] = defaultdict(list)
    for index, key in enumerate(values.perturbations):
        if key is None:
            continue
        data = msgspec.json.decode(key)
        groups[str(data.get("name"))].append(index)
        for concern in ("robustness", "fairness"):
            if data.get(concern):
                groups[concern].append(index)
    return groups


def _worst_values(part: MetricValues, members: Sequence[int]) -> dict[tuple[int, int], float]:
    """Return the worst of each instance and its copies, by (instance, trial). HELM: the worst is the smallest."""
    concerned = {0, *members}
    worst: dict[tuple[int, int], float] = {}
    for i, value in enumerate(part.values):
        if part.perturbations[i] in concerned:
            key = (part.owners[i], part.trials[i])
            worst[key] = min(value, worst.get(key, math.inf))
    return worst


def _add(
    found: dict[ScoreKey, MeanFacts],
    key: ScoreKey,
    indexes: Sequence[int],
    part: MetricValues,
    cluster_numbers: Sequence[int],
) -> None:
    facts = _facts(key.name, [part.values[i] for i in indexes], [part.owners[i] for i in indexes], cluster_numbers)
    if facts is not None:
        found[key] = facts


def _facts(
    name: str, values: Sequence[float], owners: Sequence[int], cluster_numbers: Sequence[int]
) -> MeanFacts | None:
    clusters = [cluster_numbers[owner] for owner in owners]
    found = gather_mean(values, None if len(set(clusters)) == len(values) else clusters)
    return found if found is None or may_be_share(name) else replace(found, is_share=False)


def _timing_score_facts(run: RunResults) -> dict[ScoreKey, MeanFacts]:
    from helm.results.timings import read_workloads, timing_facts

    instances = read_instance_facts(run)
    found: dict[ScoreKey, MeanFacts] = {}
    workloads: dict[tuple[str | None, str | None], list[Any]] = {}
    for workload in read_workloads(run):
        facts = instances[workload.instance_id]
        workloads.setdefault((facts.split, facts.sub_split), []).append(workload)
    for (split, sub_split), members in workloads.items():
        for name, timing in timing_facts(members).items():
            found[ScoreKey(name, split, sub_split)] = timing
    return found


# --- the file ---------------------------------------------------------------------------------------------------------


class _Entry(msgspec.Struct):
    name: ScoreKey
    value: float
    count: int
    clusters: int
    standard_error: float | None = None
    method: str | None = None
    is_share: bool = False
    skewness: float | None = 0.0
    equal_clusters: float | None = None
    correlation: float | None = None


class _FileHead(msgspec.Struct):
    version: int
    made_from: dict[str, list[int]]


class _File(_FileHead):
    scores: list[_Entry]


_StoredFile = TypeVar("_StoredFile", bound=_FileHead)


def has_instances(run: RunResults) -> bool:
    """Return whether the run has the files from which its scores can be computed."""
    return PER_INSTANCE_STATS_FILE_NAME in run.file_names and SCENARIO_STATE_FILE_NAME in run.file_names


def needs_intervals(run: RunResults) -> bool:
    """Return whether `intervals.json` must be created or renewed."""
    return has_instances(run) and _read_stored(run, _FileHead) is None


def get_score_facts(run: RunResults, keep: bool = True) -> dict[ScoreKey, MeanFacts]:
    """Return the facts of `compute_score_facts`, from `intervals.json` if up to date; write it if `keep` is set.

    If the folder is not writable, the facts are computed each time. Raises RunFileError.
    """
    stored = _read_stored(run, _File)
    if stored is not None:
        return {entry.name: _facts_of(entry) for entry in stored.scores}
    made_from = _versions(run)
    scores = list(map(_plain, compute_score_facts(run).items()))
    if keep:
        _keep(run, made_from, scores)
    # As if they had been stored: the last digits must not depend on whether they were.
    return {entry.name: _facts_of(entry) for entry in msgspec.convert(scores, list[_Entry])}


def _keep(run: RunResults, made_from: dict[str, list[int]], scores: list[dict[str, Any]]) -> None:
    """Write `intervals.json`, if the folder is writable."""
    path = os.path.join(run.path, INTERVALS_FILE_NAME)
    try:
        write_json(path, {"version": _VERSION, "made_from": made_from, "scores": scores})
    except OSError:
        pass


class IntervalsWriter:
    """Writes `intervals.json` of a run from what its caller reads of both large files, as `get_score_facts` does.

    Create it before the files are read, and give it all entries and all instances, in their order.
    """

    def __init__(self, run: RunResults):
        self._run, self._made_from = run, _versions(run)
        self.values, self.instances = ValuesGatherer(), FactsGatherer()

    @staticmethod
    def of(run_path: str) -> "IntervalsWriter | None":
        """Return the writer for a run; None if its file is up to date, or made from something else. Raises RunFileError."""
        run = RunResults(run_path)
        is_wanted = needs_intervals(run) and not kind_of_run(run.run_spec).has_timed_workloads
        return IntervalsWriter(run) if is_wanted else None

    def write(self) -> None:
        """Write the file, if the folder is writable."""
        scores = _facts_of_values(self.values.finish(), self.instances.finish())
        _keep(self._run, self._made_from, list(map(_plain, scores.items())))


def _read_stored(run: RunResults, contents: type[_StoredFile]) -> _StoredFile | None:
    """Return the contents of `intervals.json`; None if there is none, or it is for other versions of the files."""
    try:
        with open(os.path.join(run.path, INTERVALS_FILE_NAME), "rb") as file:
            stored = msgspec.json.decode(file.read(), type=contents)
    except (OSError, msgspec.DecodeError):
        return None
    return stored if stored.version == _VERSION and stored.made_from == _versions(run) else None


def _versions(run: RunResults) -> dict[str, list[int]]:
    """Return the size and time of the files from which scores are computed."""
    found = {}
    for name in (PER_INSTANCE_STATS_FILE_NAME, SCENARIO_STATE_FILE_NAME):
        status = os.stat(run.file_path(name))
        found[name] = [status.st_size, status.st_mtime_ns]
    return found


def _plain(item: tuple[ScoreKey, MeanFacts]) -> dict[str, Any]:
    key, facts = item
    estimate = estimate_from_facts(facts)
    name = {field: value for field in ("name", "split", "sub_split", "perturbation") if (value := getattr(key, field))}
    data: dict[str, Any] = {"name": name, "value": estimate.value}
    if estimate.standard_error is not None:
        data["standard_error"] = estimate.standard_error
    if estimate.low is not None:
        data.update(low=estimate.low, high=estimate.high, confidence=estimate.confidence, method=estimate.method)
    data.update(count=facts.count, clusters=facts.clusters)
    if facts.is_share:
        data["is_share"] = True
    if facts.skewness != 0:
        data["skewness"] = facts.skewness
    if facts.equal_clusters is not None:
        data["equal_clusters"] = facts.equal_clusters
    if facts.correlation is not None:
        data["correlation"] = facts.correlation
    return data


def _facts_of(entry: _Entry) -> MeanFacts:
    variance = None if entry.standard_error is None else entry.standard_error**2
    return MeanFacts(
        entry.value,
        variance,
        entry.count,
        entry.clusters,
        entry.is_share,
        entry.skewness,
        entry.equal_clusters,
        entry.correlation,
    )


def get_scores(run: RunResults) -> list[Score]:
    """Return the scores of a run with their intervals, in the order of its files. Raises RunFileError."""
    return [Score(key, estimate_from_facts(facts)) for key, facts in get_score_facts(run).items()]
