"""Builds tables from runs: selects the runs, computes the cells, and labels the rows."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlencode

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.presentation.contamination import Contamination
from helm.benchmark.presentation.table import (
    AGGREGATE_MEAN,
    AGGREGATE_WIN_RATE,
    Cell,
    CellSources,
    HeaderCell,
    Hyperlink,
    Table,
    compute_aggregate_row_means,
    compute_aggregate_row_win_rates,
    mark_best_values,
)  # fmt: skip
from helm.benchmark.presentation.tables.run_index import RunIndex, describe_stat, find_stat
from helm.benchmark.presentation.tables.table_rows import (
    ModelNames,
    get_coarse_adapter_spec,
    get_row_label,
    get_scenario_name,
    get_scenario_title,
)  # fmt: skip
from helm.benchmark.specs import ScenarioSpec
from helm.benchmark.subjects import LANGUAGE_MODEL, kind_of_run, subject_kinds
from helm.common.errors import ConfigError, suggest
from helm.common.formats.number_text import format_number
from helm.common.general import asdict_without_nones, unique_simplification
from helm.common.hierarchical_logger import hwarn
from helm.results.coverage_note import CoverageNotes
from helm.results.run_files.run_reader import Run
from helm.results.schema import (
    ALL_PERTURBATIONS_MATCHER,
    ALL_SPLITS_MATCHER,
    BY_GROUP,
    NO_GROUPS,
    THIS_GROUP_ONLY,
    Field,
    MetricGroup,
    MetricNameMatcher,
    RunGroup,
    Schema,
    fill_matchers,
    get_unit,
)  # fmt: skip

NO_MATCHING_RUNS = "No matching runs"

# The link's address names all runs, so a cell made from more of them has no link.
MAX_COMPARED_RUNS = 5

_MODELS_WITHOUT_RANKING_SCORES = frozenset(
    ["anthropic/stanford-online-all-v4-s3"]
    + [f"meta/llama-{size}" for size in ("7b", "13b", "30b", "65b")]
    + [f"meta/llama-2-{size}" for size in ("7b", "13b", "70b")]
)
_LOGPROB_METRICS = frozenset(
    ["NDCG@10", "RR@10", "NDCG@20", "RR@20", "ece_1_bin", "ece_10_bin", "platt_ece_1_bin", "platt_ece_10_bin"]
    + ["platt_coef", "platt_intercept", "selective_cov_acc_area", "selective_acc@10"]
)

Rows = dict[AdapterSpec, list[Run]]


class GroupTables:
    """Builds the tables of run groups.

    Args:
        schema: what to show.
        index: the runs.
        verbose: list the runs in the description of every cell.
        contamination: which cells to mark.
    """

    def __init__(
        self, schema: Schema, index: RunIndex, verbose: bool = False, contamination: Contamination | None = None
    ):
        self.schema, self.index, self.verbose = schema, index, verbose
        self._contamination = contamination or Contamination()
        self._models = ModelNames()
        self._coarse: dict[Any, AdapterSpec] = {}
        self._warned: set[str] = set()
        self._coverage_notes = CoverageNotes()

    def _warn_once(self, message: str) -> None:
        if message not in self._warned:
            self._warned.add(message)
            hwarn(message)

    # --- which runs -------------------------------------------------------------------------------------------------

    def is_visible(self, run: Run, group: RunGroup) -> bool:
        """Whether the tables of `group` show a run, given the visibility of all the run's groups."""
        visible = group.visibility != THIS_GROUP_ONLY
        for name in run.run_spec.groups:
            other = self.schema.name_to_run_group.get(name)
            if other is None:
                continue
            if other.visibility == NO_GROUPS:
                return False
            if other.visibility == THIS_GROUP_ONLY:
                if other.name == group.name:
                    return True
                visible = False
        return visible

    def visible_runs(self, runs: Iterable[Run], group: RunGroup) -> list[Run]:
        return [run for run in runs if self.is_visible(run, group)]

    def _add_rows(self, rows: Rows, found: Mapping[AdapterSpec, list[Run]], group: RunGroup, keep_empty: bool) -> None:
        """Add the visible runs to their rows."""
        for adapter_spec, runs in found.items():
            by_row: dict[AdapterSpec, list[Run]] = {}
            for run in runs:
                coarse = self._coarse_adapter_spec(adapter_spec, run.run_spec.scenario_spec, group)
                by_row.setdefault(coarse, []).append(run)
            for coarse, row_runs in by_row.items():
                visible = self.visible_runs(row_runs, group)
                if visible or keep_empty:
                    rows.setdefault(coarse, []).extend(visible)

    def _coarse_adapter_spec(
        self, adapter_spec: AdapterSpec, scenario_spec: ScenarioSpec, group: RunGroup
    ) -> AdapterSpec:
        keys = tuple(group.adapter_keys_shown)
        if "instructions" in keys:
            return get_coarse_adapter_spec(adapter_spec, scenario_spec, keys)
        key = (keys, adapter_spec)
        if key not in self._coarse:
            self._coarse[key] = get_coarse_adapter_spec(adapter_spec, None, keys)
        return self._coarse[key]

    # --- which tables -----------------------------------------------------------------------------------------------

    def create_group_tables(self, group: RunGroup) -> list[Table]:
        """Return all tables of a group; none if no run in it has results."""
        subgroups = self.schema.expand_subgroups(group)
        if len(subgroups) > 1 and group.subgroup_display_mode != BY_GROUP:
            return self._tables_by_metric_group(group, subgroups)
        return self._tables_by_subgroup(group, subgroups)

    def _metric_groups_shown(self, group: RunGroup, subgroups: Sequence[RunGroup]) -> list[MetricGroup]:
        names = group.metric_groups
        if not names:
            found = list(dict.fromkeys(name for subgroup in subgroups for name in subgroup.metric_groups))
            hidden = set(group.subgroup_metric_groups_hidden)
            names = [name for name in found if f"{name}_detailed" not in found and name not in hidden]
        return [metric_group for name in names for metric_group in self._get_metric_groups(name, group)]

    def _get_metric_groups(self, name: str, group: RunGroup) -> list[MetricGroup]:
        """Return the metric group with that name in a list, which is empty (with a warning) if the schema lacks it."""
        metric_group = self.schema.name_to_metric_group.get(name)
        if metric_group is None:
            nearest = suggest(name, self.schema.name_to_metric_group)
            self._warn_once(
                f"Run group '{group.name}' shows metric group '{name}', which the schema does not define.{nearest}"
            )
        return [] if metric_group is None else [metric_group]

    def _tables_by_metric_group(self, group: RunGroup, subgroups: Sequence[RunGroup]) -> list[Table]:
        rows: Rows = {}
        for subgroup in subgroups:
            self._add_rows(rows, self.index.adapter_to_runs(subgroup.name), group, keep_empty=False)
        if not rows:
            return []
        tables = []
        for metric_group in self._metric_groups_shown(group, subgroups):
            strategies = metric_group.aggregation_strategies
            if strategies is None:
                strategies = [] if metric_group.hide_win_rates else [AGGREGATE_WIN_RATE]
            table = self.create_group_table(
                name=metric_group.name,
                title=metric_group.get_short_display_name(),
                rows=rows,
                columns=[(subgroup, metric_group) for subgroup in subgroups],
                aggregation_strategies=strategies,
            )
            if len(table.header) > 1:
                tables.append(table)
        return tables

    def _tables_by_subgroup(self, group: RunGroup, subgroups: Sequence[RunGroup]) -> list[Table]:
        tables = []
        for subgroup in subgroups:
            columns = [
                (subgroup, mg) for name in subgroup.metric_groups for mg in self._get_metric_groups(name, subgroup)
            ]
            # HELM: a group without a display name is called None here.
            shown_name = str(subgroup.display_name)
            num_scenarios = 0
            subgroup_tables: list[Table] = []
            for scenario_spec in self.index.scenarios(subgroup.name):
                rows: Rows = {}
                found = self.index.scenarios(group.name).get(scenario_spec, {})
                self._add_rows(rows, found, group, keep_empty=True)
                if not rows or not columns:
                    continue
                num_scenarios += 1
                name, title = get_scenario_name(subgroup, scenario_spec), get_scenario_title(scenario_spec)
                if group.name not in name:
                    title = f"{shown_name} {title}"
                subgroup_tables.append(self.create_group_table(name, title, rows, columns, link_to_runs=group))
                for sub_split in subgroup.sub_splits or []:
                    # HELM: the tables of all scenarios have one name, so that one file holds the last of them.
                    name, title = f"{subgroup.name}:sub_split={sub_split}", f"{shown_name} (sub-split: {sub_split})"
                    subgroup_tables.append(self.create_group_table(name, title, rows, columns, sub_split=sub_split))
            if num_scenarios > 1:
                rows = {}
                self._add_rows(rows, self.index.adapter_to_runs(subgroup.name), group, keep_empty=False)
                if rows:
                    tables.append(self.create_group_table(subgroup.name, shown_name, rows, columns))
            tables.extend(subgroup_tables)
        return tables

    # --- one table --------------------------------------------------------------------------------------------------

    def create_group_table(
        self,
        name: str,
        title: str,
        rows: Mapping[AdapterSpec, list[Run]],
        columns: Sequence[tuple[RunGroup, MetricGroup]],
        aggregation_strategies: Sequence[str] = (),
        sub_split: str | None = None,
        link_to_runs: RunGroup | None = None,
    ) -> Table:
        """Return one table: a row per subject, a column per metric of each (run group, metric group).

        Args:
            link_to_runs: the group whose page the row labels link to; only for the tables of one scenario.
        """
        if not columns or not rows:
            return Table(title="empty", header=[], rows=[])
        header, matchers = [HeaderCell(get_subject_title(rows))], []
        several_groups = len({group.name for group, _ in columns}) > 1
        for group, metric_group in columns:
            if metric_group.name.replace("_detailed", "") not in group.metric_groups:
                continue
            filled_matchers = fill_matchers(group, metric_group)
            if metric_group.by_sub_split:
                filled_matchers = [
                    replace(filled, sub_split=name)
                    for filled in filled_matchers
                    for name in _list_sub_splits(rows, group, filled)
                ]
            for filled in filled_matchers:
                if sub_split is not None and not metric_group.by_sub_split:
                    filled = replace(filled, sub_split=sub_split)
                metric = self.schema.name_to_metric.get(filled.name)
                if metric is None:
                    self._warn_once(
                        f"Metric '{filled.name}' of run group '{group.name}' is not defined in the schema; "
                        "its column is left out."
                    )
                    continue
                by_sub_split = bool(metric_group.by_sub_split)
                header.append(self._header_cell(group, metric, filled, several_groups, by_sub_split))
                matchers.append((group, filled))
        adapter_specs = sorted(rows, key=self._models.sort_key)
        infos = unique_simplification(
            [asdict_without_nones(spec) for spec in adapter_specs], ["model_deployment", "model"]
        )
        table = Table(title=title, header=header, rows=[], name=name)
        for adapter_spec, info in zip(adapter_specs, infos, strict=True):
            runs = rows[adapter_spec]
            label = Cell(get_row_label(adapter_spec, info), description="")
            if link_to_runs is not None:
                label.run_spec_names = [run.run_spec.name for run in runs]
                label.href = get_runs_url(link_to_runs.name, title, label.run_spec_names)
            lists: dict[str, list[Run]] = {}
            for run in runs:
                for group_name in run.groups:
                    lists.setdefault(group_name, []).append(run)
            by_group = {group_name: tuple(found) for group_name, found in lists.items()}
            table.rows.append([label])
            for group, matcher in matchers:
                found = by_group.get(group.name, ())
                table.rows[-1].append(self._cell(found, group, matcher, name, with_runs=link_to_runs is None))
        if matchers:
            self._insert_aggregates(table, aggregation_strategies)
        mark_best_values(table)
        if link_to_runs is not None:
            names = [run.run_spec.name for runs in rows.values() for run in runs]
            if 1 < len(names) <= MAX_COMPARED_RUNS:
                table.links.append(Hyperlink("compare all", get_runs_url(link_to_runs.name, title, names)))
        return table

    def _header_cell(
        self,
        group: RunGroup,
        metric: Field,
        matcher: MetricNameMatcher,
        several_groups: bool,
        by_sub_split: bool,
    ) -> HeaderCell:
        value = metric.get_short_display_name()
        if by_sub_split and matcher.sub_split is not None:
            value = matcher.sub_split
        description = group.short_description or group.description or ""
        description += "\n\n" if description else ""
        description += f"{metric.get_display_name()}: {metric.description or ''}"
        metadata = {"metric": value, "run_group": group.get_short_display_name()}
        if matcher.perturbation_name not in (None, ALL_PERTURBATIONS_MATCHER):
            perturbation = self.schema.name_to_perturbation.get(matcher.perturbation_name)
            if perturbation is None:
                nearest = suggest(matcher.perturbation_name, self.schema.name_to_perturbation)
                raise ConfigError(
                    f"Run group '{group.name}': the schema defines no perturbation "
                    f"'{matcher.perturbation_name}'.{nearest}"
                )
            metadata["perturbation"] = perturbation.get_short_display_name()
            value += f" ({metadata['perturbation']})"
            description += f"\n- Perturbation {perturbation.get_display_name()}: {perturbation.description or '???'}"
        if several_groups:
            value = f"{metadata['run_group']} - {value}"
        head = HeaderCell(value, description=description, lower_is_better=metric.lower_is_better, metadata=metadata)
        head.unit = get_unit(metric)
        return head

    @staticmethod
    def _insert_aggregates(table: Table, strategies: Sequence[str]) -> None:
        """Insert summary columns directly after the labels, in the order of the strategies."""
        inserted = []
        for strategy in strategies:
            if strategy == AGGREGATE_WIN_RATE:
                description = "How many models this model outperforms on average (over columns)."
                head = HeaderCell("Mean win rate", description=description, lower_is_better=False)
                inserted.append((head, compute_aggregate_row_win_rates(table)))
            elif strategy == AGGREGATE_MEAN:
                # HELM: a mean score has no direction, so it is never bold.
                head = HeaderCell("Mean score", description="The mean of the scores from all columns.")
                inserted.append((head, compute_aggregate_row_means(table, skip_columns=1)))
            else:
                known = [AGGREGATE_WIN_RATE, AGGREGATE_MEAN]
                raise ConfigError(
                    f"Unknown aggregation strategy '{strategy}'. Known: {', '.join(known)}.{suggest(strategy, known)}"
                )
        for position, (head, values) in enumerate(inserted, start=1):
            table.header.insert(position, head)
            for row, value in zip(table.rows, values, strict=True):
                row.insert(position, Cell(value))

    # --- one cell ---------------------------------------------------------------------------------------------------

    def _cell(
        self, runs: Sequence[Run], group: RunGroup, matcher: MetricNameMatcher, table_name: str, with_runs: bool
    ) -> Cell:
        """Return the cell for a matcher; `runs` are those of the row that belong to the group."""
        if not runs:
            return Cell(description=NO_MATCHING_RUNS)
        matching = tuple(runs)  # a tuple stays the same object, so that the cells of a row share it
        if "babi" in group.name and "task:" not in table_name:
            matching = tuple([run for run in runs if "task=all" in run.run_spec.name])
        if not matching:
            return Cell(description=NO_MATCHING_RUNS)
        total: Stat | None = None
        names: dict[str, None] = {}
        found: list[Run] = []
        matchers: list[MetricNameMatcher] = []
        for run in matching:
            stat = self._find_stat(run, matcher)
            if stat is not None:
                names[run.run_spec.name] = None
                found.append(run)
                matchers.append(matcher if stat.name.name == matcher.name else replace(matcher, name=stat.name.name))
                total = stat.copy() if total is None else total.merge(stat)
        failures = describe_failures(matching, matcher)
        if total is None:
            cell = Cell(description=f"{len(matching)} matching runs, but no matching metrics")
        else:
            cell = Cell(total.mean, description=describe_stat(total), style={})
            is_same = all(source is matchers[0] for source in matchers)
            cell.sources = CellSources(
                matching if len(found) == len(matching) else tuple(found), (matcher,) if is_same else tuple(matchers)
            )
            if with_runs:
                cell.run_spec_names = list(names)
            cell.contamination = self._contamination.get_point(matching[0].run_spec.adapter_spec.model, group.name)
            if matcher.name in _LOGPROB_METRICS and any(
                run.run_spec.adapter_spec.model in _MODELS_WITHOUT_RANKING_SCORES for run in matching
            ):
                cell.value = None
        if cell.value is not None:
            cell.note = self._coverage_notes.describe(run.run_path for run in matching)
            cell.answered = self._coverage_notes.share(run.run_path for run in matching)
        if failures:
            cell.display_value = failures if cell.value is None else f"{format_number(cell.value)} ({failures})"
        if self.verbose and total is not None:
            cell.description = f"{cell.description}\nRun specs:" + "".join(
                f"\n-- {run.run_spec.name}" for run in matching
            )
        return cell

    def _find_stat(self, run: Run, matcher: MetricNameMatcher) -> Stat | None:
        try:
            stat = find_stat(run, matcher)
        except ConfigError as e:
            raise ConfigError(f"Run '{run.run_spec.name}': {e}") from e
        if stat is not None and stat.name.name != matcher.name:
            self._warn_once(f"Run '{run.run_spec.name}' has no {matcher.name}; showing {stat.name.name} instead.")
        return stat


def get_subject_title(rows: Mapping[AdapterSpec, list[Run]]) -> str:
    """Return the heading of the rows: the subject kind's row title if all runs share one kind, else that of language models."""
    titles = {kind_of_run(run.run_spec).row_title for runs in rows.values() for run in runs}
    return titles.pop() if len(titles) == 1 else LANGUAGE_MODEL.row_title


def describe_failures(runs: Sequence[Run], matcher: MetricNameMatcher) -> str:
    """Return `2 failed, 1 timed out`: what subjects could not do in these runs; empty if there is nothing.

    If the number of instances is unknown, the text is a fraction: `50% failed`.
    """
    if any(matcher.name in kind.failure_metrics for kind in subject_kinds()):
        return ""
    shares: dict[str, list[tuple[float, float]]] = {}
    distinct = {id(run): run for run in runs}.values()  # a run in two groups of the table is listed twice
    for run in distinct:
        failure_metrics = kind_of_run(run.run_spec).failure_metrics
        if not failure_metrics:
            continue
        instances = sum(stat.sum for stat in run.stats_named("num_instances") if _fits(stat, matcher))
        for metric, word in failure_metrics.items():
            for stat in run.stats_named(metric):
                if stat.mean and _fits(stat, matcher):
                    shares.setdefault(word, []).append((stat.mean, instances))
    return ", ".join(f"{_count_or_share(found, len(distinct))} {word}" for word, found in shares.items())


def _list_sub_splits(rows: Mapping[AdapterSpec, list[Run]], group: RunGroup, matcher: MetricNameMatcher) -> list[str]:
    """Return the sub-splits, sorted, for which a run of the group has a statistic that the matcher selects."""
    found = {
        stat.name.sub_split
        for runs in rows.values()
        for run in runs
        if group.name in run.groups
        for stat in run.stats_named(matcher.name)
        if stat.name.sub_split is not None and matcher.matches(stat.name)
    }
    return sorted(found)


def _fits(stat: Stat, matcher: MetricNameMatcher) -> bool:
    return stat.name.perturbation is None and matcher.split in (ALL_SPLITS_MATCHER, stat.name.split)


def _count_or_share(found: Sequence[tuple[float, float]], num_runs: int) -> str:
    if all(instances for _, instances in found):
        return str(round(sum(share * instances for share, instances in found)))
    return f"{sum(share for share, _ in found) / num_runs:.0%}"


def get_runs_url(group: str, subgroup: str, run_spec_names: Sequence[str]) -> str:
    """Return the URL of the page that shows these runs."""
    query = {"group": group, "subgroup": subgroup, "runSpecs": json.dumps(list(run_spec_names))}
    return "?" + urlencode(query, quote_via=quote)
