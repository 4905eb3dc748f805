"""The index of groups (`groups.json`) and the costs of a suite (`costs.json`)."""

from collections.abc import Collection, Iterable, Sequence

from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.presentation.table import Cell, HeaderCell, Table
from helm.benchmark.presentation.tables.group_tables import GroupTables
from helm.benchmark.presentation.tables.run_index import describe_stat
from helm.results.run_files.run_reader import Run
from helm.results.schema import RunGroup

COST_METRICS = ("num_prompt_tokens", "num_completion_tokens", "num_completions", "num_requests")


def create_index_tables(tables: GroupTables) -> list[Table]:
    """Return one table per category, in the order in which the schema first names them."""
    stat_cells = _StatCells()
    by_category: dict[str, list[RunGroup]] = {}
    for group in tables.schema.run_groups:
        by_category.setdefault(group.category, []).append(group)
    return [_create_index_table(tables, category, groups, stat_cells) for category, groups in by_category.items()]


def _create_index_table(tables: GroupTables, category: str, groups: list[RunGroup], stat_cells: "_StatCells") -> Table:
    header = [
        HeaderCell("Group"),
        HeaderCell("Description"),
        HeaderCell("Adaptation method", description="Adaptation strategy (e.g., generation)"),
        HeaderCell("# instances", description="Number of instances evaluated on"),
        HeaderCell("# references", description="Number of references provided per instance"),
        HeaderCell("# prompt tokens", description="Total number of prompt tokens"),
        HeaderCell("# completion tokens", description="Total number of completion tokens"),
        HeaderCell("# models", description="Number of models we're evaluating"),
    ]
    return Table(title=category, header=header, rows=[_create_row(tables, group, stat_cells) for group in groups])


def _create_row(tables: GroupTables, group: RunGroup, stat_cells: "_StatCells") -> list[Cell]:
    methods, deployments = set(), set()
    runs: list[Run] = []
    for subgroup in tables.schema.expand_subgroups(group):
        for adapter_spec, subgroup_runs in tables.index.adapter_to_runs(subgroup.name).items():
            methods.add(adapter_spec.method)
            deployments.add(adapter_spec.model_deployment)
            runs.extend(tables.visible_runs(subgroup_runs, subgroup))
    return [
        Cell(group.display_name, href=f"?group={group.name}"),
        Cell(group.description, markdown=True),
        Cell(", ".join(sorted(methods))),
        *stat_cells.make(runs),
        Cell(len(deployments)),
    ]


_SUMMED = {
    "num_instances": "mean",
    "num_references": "mean",
    # HELM: these add up means per instance, including the worst-case copies.
    "num_prompt_tokens": "sum",
    "num_completion_tokens": "sum",
}


class _StatCells:
    """Makes the cells that add up statistics of all runs of a group. Many groups have the same runs."""

    def __init__(self) -> None:
        self._totals: dict[tuple[int, ...], list[Stat | None]] = {}

    def make(self, runs: Sequence[Run]) -> list[Cell]:
        key = tuple(map(id, runs))
        if key not in self._totals:
            self._totals[key] = [_merge_all(runs, name) for name in _SUMMED]
        return [
            Cell() if total is None else Cell(getattr(total, attribute), description=describe_stat(total))
            for total, attribute in zip(self._totals[key], _SUMMED.values(), strict=True)
        ]


def _merge_all(runs: Iterable[Run], name: str) -> Stat | None:
    """Return the total of all statistics with a name, in any context."""
    total = None
    for run in runs:
        for stat in run.stats_named(name):
            total = stat.copy() if total is None else total.merge(stat)
    return total


def compute_costs(runs: Iterable[Run], names: Collection[str] = COST_METRICS) -> dict[str, dict[str, float]]:
    """Return tokens, completions and requests of each deployment, as estimated by dry runs (statistics without a split)."""
    costs: dict[str, dict[str, Stat]] = {}
    for run in runs:
        for name in filter(names.__contains__, run.stat_names()):
            for stat in run.stats_named(name):
                if stat.name.split is None:
                    totals = costs.setdefault(run.run_spec.adapter_spec.model_deployment, {})
                    totals[name] = totals[name].merge(stat) if name in totals else stat.copy()
    result: dict[str, dict[str, float]] = {}
    for deployment, totals in costs.items():
        sums: dict[str, float] = {name: stat.sum for name, stat in totals.items()}
        prompt, completion = sums.setdefault("num_prompt_tokens", 0), sums.setdefault("num_completion_tokens", 0)
        sums["total_tokens"] = prompt + completion
        result[deployment] = sums
    return result
