"""Arranges the runs of a suite into boards, as the groups of its display schema say."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from helm.benchmark.presentation.contamination import Contamination, ContaminationPoint, read_contamination
from helm.benchmark.presentation.table import AGGREGATE_MEAN, AGGREGATE_WIN_RATE
from helm.common.errors import ConfigError, HelmError
from helm.results.index.index_folder import RunEntry
from helm.results.index.index_summary import StatRow
from helm.results.main_metric import iterate_schema_metrics
from helm.results.metric_labels import find_metric_label
from helm.results.run_files.json_items import decode_json
from helm.results.schema import NO_GROUPS, RunGroup, Schema, get_default_schema_path, read_schema, schema_from_dict

SCHEMA_FILE_NAME = "schema.json"

ReadStats = Callable[[str], tuple[list[StatRow], list[list[Any]]]]
"""Returns the statistics of a run and their intervals, given its path."""


@dataclass(frozen=True)
class Scope:
    """What a board shows: runs, and the columns for them."""

    schema: Schema

    group: RunGroup | None = None
    """The group of the schema that gathers the scenarios; None for runs that no group gathers."""

    read_stats: ReadStats | None = None

    contamination: Contamination = field(default_factory=Contamination)

    @property
    def leaves(self) -> list[RunGroup]:
        """The groups that have columns, in the order of the schema."""
        if self.group is None:
            return [group for group in self.schema.run_groups if not group.subgroups]
        return [group for group in self.schema.expand_subgroups(self.group) if not group.subgroups]

    def leaves_of(self, entry: RunEntry) -> list[RunGroup]:
        """Return the groups with columns to which a run belongs."""
        names = set(entry.summary.get("groups") or ())
        found = [group for group in self.leaves if group.name in names]
        return found if self.group is not None else found[:1]

    def metric_title(self, metric: str) -> str:
        """Return the name of a metric for readers."""
        known = self.schema.name_to_metric.get(metric)
        if known is not None:
            return known.get_short_display_name()
        label = find_metric_label(metric)
        return metric if label is None else label.name

    def list_main_metrics(self, entry: RunEntry) -> list[tuple[str, str | None]]:
        """Return the main metrics of a run's groups with their splits, as the schema names them; the first with values counts."""
        groups = [group.name for group in self.leaves_of(entry)]
        return list(iterate_schema_metrics(groups, lambda name: self.schema.name_to_run_group[name].environment))

    def find_contamination(self, subject: str, group: str) -> ContaminationPoint | None:
        """Return what is known of a model that saw the questions of a group in training."""
        return next(
            (point for point in self.contamination.points if subject in point.models and group in point.groups), None
        )


def get_strategy(schema: Schema, group: RunGroup | None) -> str:
    """Return how `helm-summarize` sums up the columns of a group: `mean`, `win_rate`, or empty if it does not."""
    if group is None:
        return AGGREGATE_WIN_RATE
    subgroups = schema.expand_subgroups(group)
    names = group.metric_groups or [name for subgroup in subgroups for name in subgroup.metric_groups]
    for name in names:
        metric_group = schema.name_to_metric_group.get(name)
        if metric_group is None or (not group.metric_groups and f"{name}_detailed" in names):
            continue
        strategies = metric_group.aggregation_strategies
        if strategies is None:
            strategies = [] if metric_group.hide_win_rates else [AGGREGATE_WIN_RATE]
        return next((name for name in strategies if name in (AGGREGATE_MEAN, AGGREGATE_WIN_RATE)), "")
    return AGGREGATE_WIN_RATE


def find_schema_of(folder: str) -> Schema:
    """Return the schema with which a suite was summarized last, else the default one."""
    path = os.path.join(folder, SCHEMA_FILE_NAME)
    try:
        return _read_schema(path, os.stat(path).st_mtime_ns)
    except (OSError, HelmError):  # not summarized yet, or a damaged file, which `helm-summarize` reports
        default = get_default_schema_path()
        return _read_schema(default, os.stat(default).st_mtime_ns)


@lru_cache(maxsize=8)
def _read_schema(path: str, changed_ns: int) -> Schema:
    if not path.endswith(".json"):
        return read_schema(path)
    with open(path, "rb") as file:
        content = decode_json(file.read(), path)
    if not isinstance(content, dict) or not content.get("run_groups"):
        raise ConfigError(f"{path} is no display schema.")
    return schema_from_dict({**content, "adapter": None}, path)  # the file has them for HELM's page; a schema has not


@lru_cache(maxsize=1)
def get_contamination() -> Contamination:
    """Return what the package knows about contamination, read once."""
    return read_contamination()


def make_scopes(
    schema: Schema, entries: Sequence[RunEntry], read_stats: ReadStats | None = None
) -> list[tuple[Scope, list[RunEntry]]]:
    """Return the boards for runs of one kind, each with its runs; a run may be on several boards.

    A group that gathers others, and that none gathers, is a board, as in the overview of `helm-summarize`, unless all of
    its runs are on earlier ones. Other runs are on a last board.
    """
    gathered = {name for group in schema.run_groups for name in group.subgroups}
    hidden = {group.name for group in schema.run_groups if group.visibility == NO_GROUPS}
    visible = [entry for entry in entries if not hidden.intersection(entry.summary.get("groups") or ())]
    shown: set[str] = set()
    found = []
    for group in schema.run_groups:
        if not group.subgroups or group.name in gathered:
            continue
        names = {below.name for below in schema.expand_subgroups(group) if not below.subgroups}
        runs = [entry for entry in visible if names.intersection(entry.summary.get("groups") or ())]
        if any(entry.path not in shown for entry in runs):
            found.append((Scope(schema, group, read_stats, get_contamination()), runs))
            shown.update(entry.path for entry in runs)
    rest = [entry for entry in entries if entry.path not in shown]
    if rest:
        found.append((Scope(schema, None, read_stats, get_contamination()), rest))
    return found


def title_of(group: RunGroup) -> str:
    """Return the shortest name of a group for readers."""
    return group.get_short_display_name()
