"""The file `intervals.json` of a run: its scores with standard errors and intervals, in addition to the files that HELM writes.

`stats.json` contains the variation of a score between trials, but not its uncertainty, which is computed once from the scores of
single instances. The file records the sizes of the files that it was computed from, and its own modification time is that of the
younger one. It is renewed when these change, and may be deleted.
"""

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec

from helm.benchmark.adaptation.scenario_state import instances_of
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.subjects import kind_of_run
from helm.common.files import write_text_atomically
from helm.results.run_files.json_files import indent_json
from helm.results.run_files.run_folder import (
    INTERVALS_FILE_NAME,
    PER_INSTANCE_STATS_FILE_NAME,
    SCENARIO_STATE_FILE_NAME,
    has_file,
    stored_path,
)
from helm.results.score_facts import ScoreFacts, ScoreKey
from helm.results.statistics.intervals import Estimate, MeanFacts, estimate_from_facts

_VERSION = 4
_SOURCES = (PER_INSTANCE_STATS_FILE_NAME, SCENARIO_STATE_FILE_NAME)


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
    made_from: dict[str, int]


class _File(_FileHead):
    scores: list[_Entry]


_Contents = TypeVar("_Contents", bound=_FileHead)


class Sources(NamedTuple):
    """The state of the two files from which scores are computed."""

    sizes: dict[str, int]
    """In bytes, by name."""

    time_ns: int
    """When the younger one was modified."""


def measure_sources(folder: str) -> Sources:
    """Measure a run's files. Raises: OSError if one is missing."""
    found = {name: os.stat(stored_path(folder, name)) for name in _SOURCES}
    return Sources(
        {name: status.st_size for name, status in found.items()}, max(status.st_mtime_ns for status in found.values())
    )


def write_score_facts(
    folder: str, sources: Sources | None, facts: Mapping[ScoreKey, MeanFacts]
) -> dict[ScoreKey, MeanFacts]:
    """Write the file, if the folder is writable; returns what `read_score_facts` does, up to the last digit.

    Args:
        sources: measured before they were read, or after they were written. None writes nothing.
        facts: of all scores.
    """
    estimates: dict[int, Estimate] = {}  # many scores have the same facts
    scores = []
    for key, found in facts.items():
        estimate = estimates.get(id(found))
        if estimate is None:
            estimate = estimates[id(found)] = estimate_from_facts(found)
        scores.append(_to_plain(key, found, estimate))
    if sources is not None:
        content = {"version": _VERSION, "made_from": sources.sizes, "scores": scores}
        path = os.path.join(folder, INTERVALS_FILE_NAME)
        try:
            write_text_atomically(path, indent_json(json.dumps(content)))
            os.utime(path, ns=(sources.time_ns, sources.time_ns))
        except OSError:
            pass
    return {entry.name: _to_facts(entry) for entry in msgspec.convert(scores, list[_Entry])}


def keep_intervals(
    run_path: str, run_spec: RunSpec, per_instance_stats: Iterable[Any], request_states: Iterable[Any]
) -> ScoreFacts | None:
    """Write the intervals of a run whose files have just been written, so that nobody has to read them for that.

    Returns: the scores; None for runs with timed workloads, whose times are in their files.
    """
    if kind_of_run(run_spec).has_timed_workloads:
        return None
    found = ScoreFacts.of_results(per_instance_stats, instances_of(request_states))
    try:
        write_score_facts(run_path, measure_sources(run_path), found.by_key)
    except OSError:  # a file is gone
        pass
    return found


def read_score_facts(folder: str) -> dict[ScoreKey, MeanFacts] | None:
    """Return the scores in the file; None if there is none, or it is for other versions of the two files."""
    stored = _read(folder, _File)
    return None if stored is None else {entry.name: _to_facts(entry) for entry in stored.scores}


def needs_intervals(folder: str) -> bool:
    """Return whether the file must be created or renewed; False if the two files are not there."""
    return all(has_file(folder, name) for name in _SOURCES) and _read(folder, _FileHead) is None


def _read(folder: str, contents: type[_Contents]) -> _Contents | None:
    try:
        with open(os.path.join(folder, INTERVALS_FILE_NAME), "rb") as file:
            time_ns = os.fstat(file.fileno()).st_mtime_ns
            stored = msgspec.json.decode(file.read(), type=contents)
        is_current = stored.version == _VERSION and (stored.made_from, time_ns) == measure_sources(folder)
    except (OSError, msgspec.DecodeError):
        return None
    return stored if is_current else None


def _to_plain(key: ScoreKey, facts: MeanFacts, estimate: Estimate) -> dict[str, Any]:
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


def _to_facts(entry: _Entry) -> MeanFacts:
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
