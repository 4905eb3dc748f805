"""Reads finished runs for tables: their specs and aggregated statistics, quickly and one run at a time.

The files may have been written by another program or by hand, so any defect becomes a `RunFileError` that names the file and
the place.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.run_spec import RunSpec
from helm.common.codec import render_json, structure
from helm.results.run_files.json_items import read_json, read_json_list
from helm.results.run_files.run_error import RunError
from helm.results.run_files.run_folder import ERROR_FILE_NAME, RUN_SPEC_FILE_NAME, STATS_FILE_NAME, RunFileError
from helm.results.run_files.run_schema import STAT_NUMBERS, project, stat_from_struct


class NameMatcher(Protocol):
    """Selects statistics by their names: `helm.results.schema.MetricNameMatcher`. It can be the key of a dict."""

    @property
    def name(self) -> str:
        """The name of the metric."""

    def matches(self, metric_name: MetricName, /) -> bool:
        """Return whether a statistic of this name is selected."""


@dataclass
class Run:
    """A finished run for tables. The fields are in the order of runs.json."""

    run_path: str
    """The run's folder, under the given output path."""

    run_spec: RunSpec

    stats: list[Stat]
    """The aggregated statistics; sums and extremes are floats."""

    failure: str | None = None
    """Why the run has no results, in one line; None if it has. This is not part of runs.json."""

    def __post_init__(self) -> None:
        self._by_name: dict[str, list[Stat]] = {}
        for stat in self.stats:
            self._by_name.setdefault(stat.name.name, []).append(stat)
        self.groups = frozenset(self.run_spec.groups)

    def stats_named(self, name: str) -> list[Stat]:
        """Return the statistics of one metric, in the order of the file."""
        return self._by_name.get(name, [])

    def stats_matching(self, matcher: NameMatcher) -> list[Stat]:
        """Return the statistics that a column shows, before they are merged, in the order of the file."""
        return [stat for stat in self.stats_named(matcher.name) if matcher.matches(stat.name)]

    def stat_names(self) -> list[str]:
        return list(self._by_name)

    def render_stats(self, newline: str) -> str:
        """Return the JSON of all statistics, as `render_json` does."""
        return render_json(self.stats, newline)


_Name = project(MetricName, "name", "split", "sub_split", "perturbation")
_Stat = project(Stat, *dict(STAT_NUMBERS), name=_Name)
"""Sums and extremes are floats."""


class PerturbationTable:
    """Reads perturbations as typed values, each once: there are few, and every other statistic has one."""

    def __init__(self) -> None:
        self._known: dict[Any, PerturbationDescription] = {}

    def get(self, data: dict[str, Any], path: str) -> PerturbationDescription:
        key = tuple(data.items())
        try:
            found = self._known.get(key)
        except TypeError:  # a list or an object inside: no known perturbation has one
            found, key = None, None  # type: ignore[assignment]
        if found is None:
            try:
                found = structure(data, PerturbationDescription)
            except (ValueError, TypeError) as e:
                raise RunFileError(f"{path}: perturbation {json.dumps(data)}: {e}") from e
            if key is not None:
                self._known[key] = found
        return found


class StatNameTable:
    """Makes names of statistics from what files hold, each once."""

    def __init__(self) -> None:
        self._names: dict[Any, MetricName] = {}
        self._perturbations = PerturbationTable()

    def get(
        self, name: str, split: str | None, sub_split: str | None, perturbation: dict[str, Any] | None, path: str
    ) -> MetricName:
        """Return the name. Raises RunFileError, which names the file `path`, for a perturbation that is wrong."""
        found_perturbation = None if perturbation is None else self._perturbations.get(perturbation, path)
        key = (name, split, sub_split, found_perturbation)
        found = self._names.get(key)
        if found is None:
            found = self._names[key] = MetricName(name, split, sub_split, found_perturbation)
        return found


class RunReader:
    """Reads `run_spec.json` and `stats.json`. Runs share equal metric names, which saves most of the memory."""

    def __init__(self) -> None:
        self.names = StatNameTable()

    def read_run(self, run_path: str) -> Run:
        """Read a run. Raises RunFileError."""
        run_spec = read_run_spec(os.path.join(run_path, RUN_SPEC_FILE_NAME))
        return Run(run_path=run_path, run_spec=run_spec, stats=self.read_stats(os.path.join(run_path, STATS_FILE_NAME)))

    def read_stats(self, path: str) -> list[Stat]:
        """Read a file of statistics. Raises RunFileError."""
        items = read_stat_items(path)
        return [stat_from_struct(name, item) for name, item in zip(self.names_of(items, path), items, strict=True)]

    def names_of(self, items: Sequence[Any], path: str) -> list[MetricName]:
        """Return the names of the items of a file of statistics. Raises RunFileError."""
        raws = [item.name for item in items]
        return [self.names.get(raw.name, raw.split, raw.sub_split, raw.perturbation, path) for raw in raws]


def read_stat_items(path: str) -> list[Any]:
    """Read a file of statistics as items with the fields of Stat. Raises RunFileError."""
    return read_json_list(path, _Stat)


def read_run_spec(path: str) -> RunSpec:
    """Read the file of a run spec. Raises RunFileError."""
    return read_json(path, RunSpec)


class _Failure(msgspec.Struct):
    stage: str | None = None
    message: str | None = None
    run_spec: RunSpec | None = None


def read_failure(run_path: str) -> Run | None:
    """Return the run whose last attempt failed, from the Runner's error.json; None if there is none.

    Raises RunFileError for a damaged file.
    """
    path = os.path.join(run_path, ERROR_FILE_NAME)
    if not os.path.isfile(path):
        return None
    failure = read_json(path, _Failure)
    reason = RunError(stage=failure.stage or "", message=failure.message or "").cause
    if failure.run_spec is None:
        raise RunFileError(f"failed ({reason})")
    return Run(run_path=run_path, run_spec=failure.run_spec, stats=[], failure=reason)
