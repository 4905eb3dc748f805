"""Figures made from runs of any kind: scores with intervals, accuracy against cost, correlations, scaling, reductions."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from helm.benchmark.presentation.plots.figures import color, finish, grid, legend, new_figure
from helm.benchmark.presentation.plots.plot_data import PlotError
from helm.benchmark.subjects import AD_TOOL, COMPILER, LANGUAGE_MODEL, SubjectKind, kind_of_run
from helm.common.formats.number_text import SECONDS
from helm.results.comparison.comparing import estimate_score
from helm.results.comparison.task_matching import task_key
from helm.results.instance_values import read_instance_values
from helm.results.metric_choice import MetricCatalogue
from helm.results.metric_names import is_score
from helm.results.paper_tables import PaperColumn, PaperTable, make_paper_table
from helm.results.run_files.run_folder import SCENARIO_STATE_FILE_NAME, STATS_FILE_NAME
from helm.results.run_results import RunResults, load_suite
from helm.results.statistics.intervals import Estimate
from helm.results.timings import Workload, read_workloads

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Limits that keep a figure readable on one printed page.
_MAX_PANELS = 24
_MAX_METRICS = 16
_MAX_TICKS = 7
# Two runs always correlate perfectly.
_FEWEST_RUNS = 3


class NothingToPlot(PlotError):
    """The suite has no runs of the kind that a figure needs."""


class SuiteRuns:
    """The finished runs of a suite, read on demand.

    Args:
        path: the folder of the suite.
    """

    def __init__(self, path: str):
        self._path = path

    @cached_property
    def runs(self) -> list[RunResults]:
        """Return the runs with scores. Raises: ResultsError if the folder has none."""
        return [run for run in load_suite(self._path) if STATS_FILE_NAME in run.file_names]

    @cached_property
    def catalogue(self) -> MetricCatalogue:
        """Return the catalogue's facts about metrics."""
        return MetricCatalogue()

    def of_kind(self, kind: SubjectKind) -> list[RunResults]:
        """Return the runs about a kind of subject that contain responses."""
        return [
            run for run in self.runs if kind_of_run(run.run_spec) is kind and SCENARIO_STATE_FILE_NAME in run.file_names
        ]

    @property
    def of_models(self) -> list[RunResults]:
        return [run for run in self.runs if kind_of_run(run.run_spec) is LANGUAGE_MODEL]

    def main_scores(self, runs: Sequence[RunResults]) -> PaperTable:
        """Return the main metric of each run, by subject and task; runs without a known main metric are left out."""
        from helm.common.errors import ConfigError

        table = PaperTable()
        for run in runs:
            try:
                found = make_paper_table([run], [], self.catalogue)
            except ConfigError as e:
                table.notes.append(str(e))
                continue
            for column in found.columns:
                if column not in table.columns:
                    table.columns.append(column)
            for subject, row in found.rows.items():
                for column, cell in row.items():
                    table.rows.setdefault(subject, {}).setdefault(column, cell)
        return table


def subject_of(run: RunResults) -> str:
    """Return the model, tool or policy of a run."""
    spec = run.run_spec.adapter_spec
    return spec.model or spec.model_deployment or run.folder_name


def _subject_colors(subjects: Sequence[str]) -> dict[str, tuple[float, ...]]:
    return {subject: color(i) for i, subject in enumerate(subjects)}


def _errors(estimate: Estimate) -> tuple[float, float]:
    """Return the lengths of an error bar below and above the value; zero without an interval."""
    if estimate.low is None or estimate.high is None:
        return 0.0, 0.0
    return max(0.0, estimate.value - estimate.low), max(0.0, estimate.high - estimate.value)


# --- scores -----------------------------------------------------------------------------------------------------------


def plot_score_intervals(suite: SuiteRuns) -> "Figure":
    """Plot the main score of each subject with its 95% interval, best first; one subplot per task.

    Compilers are shown by `compiler_reductions` instead, because their tasks are single programs.
    """
    table = suite.main_scores([run for run in suite.runs if not kind_of_run(run.run_spec).pools_tasks])
    columns = [c for c in table.columns if sum(c in row for row in table.rows.values()) > 0][:_MAX_PANELS]
    if not columns:
        raise NothingToPlot("No run of a model or an AD tool has a main score. " + "; ".join(table.notes[:3]))
    most = max(sum(column in row for row in table.rows.values()) for column in columns)
    rows, num_columns = grid(len(columns), 3)
    figure, axes = new_figure(rows, num_columns, 4.6, max(1.8, 0.26 * most + 1.1))
    colors = _subject_colors(list(table.rows))
    for ax, column in zip(axes, columns, strict=False):
        scores = {s: row[column].known_estimate() for s, row in table.rows.items() if column in row}
        _draw_scores(ax, column, scores, colors)
    return finish(figure, axes, len(columns))


def _draw_scores(
    ax: "Axes", column: PaperColumn, scores: Mapping[str, Estimate], colors: Mapping[str, tuple[float, ...]]
) -> None:
    sign = 1 if column.metric.lower_is_better else -1
    ordered = sorted(scores.items(), key=lambda item: (sign * item[1].value, item[0]))
    for place, (subject, estimate) in enumerate(ordered):
        below, above = _errors(estimate)
        ax.errorbar(
            [estimate.value], [place], xerr=[[below], [above]], fmt="o", markersize=5, capsize=3, color=colors[subject]
        )
    ax.set_yticks(range(len(ordered)), [subject for subject, _ in ordered], fontsize="small")
    ax.set_ylim(len(ordered) - 0.5, -0.5)
    ax.margins(x=0.08)
    ax.grid(axis="x", alpha=0.3)
    ax.set_xlabel(f"{column.metric.name} {'←' if column.metric.lower_is_better else '→'} better", fontsize="small")
    ax.set_title(_wrap(column.task), fontsize="medium")
    values = [estimate.value for estimate in scores.values()]
    if column.metric.is_ratio and min(values) > 0 and max(values) > 20 * min(values):
        ax.set_xscale("log")
    if column.metric.unit == SECONDS:
        from matplotlib.ticker import EngFormatter

        ax.xaxis.set_major_formatter(EngFormatter("s"))


def _wrap(text: str, width: int = 40) -> str:
    import textwrap

    spaced = text.replace(",", ", ").replace(":", ": ", 1)
    return "\n".join(textwrap.wrap(spaced, width, break_long_words=True, break_on_hyphens=False))


def plot_accuracy_v_cost(suite: SuiteRuns) -> "Figure":
    """Plot the mean main score of each model against the cost of its runs, or their tokens if no price is known."""
    runs = suite.of_models
    if not runs:
        raise NothingToPlot("The suite has no runs of language models.")
    table = suite.main_scores(runs)
    tasks = [column for column in table.columns if all(column in row for row in table.rows.values())]
    if not tasks:
        raise NothingToPlot("There is no task that all models of the suite have done.")
    names = {column.task for column in tasks}
    costs, is_money = _costs([run for run in runs if task_key(run) in names])
    if not costs:
        raise NothingToPlot("The statistics of the runs contain neither costs nor tokens.")
    figure, (ax,) = new_figure(1, 1, 7, 4.8)
    colors = _subject_colors(list(table.rows))
    points = []
    for subject, row in table.rows.items():
        if subject not in costs:
            continue
        values = [row[column].known_estimate() for column in tasks]
        mean = math.fsum(e.value for e in values) / len(values)
        error = math.sqrt(math.fsum((e.standard_error or 0.0) ** 2 for e in values)) / len(values)
        low, high = (_errors(values[0])) if len(values) == 1 else (1.96 * error, 1.96 * error)
        ax.errorbar([costs[subject]], [mean], yerr=[[low], [high]], fmt="o", capsize=3, color=colors[subject])
        ax.annotate(subject, (costs[subject], mean), textcoords="offset points", xytext=(6, 5), fontsize="small")
        points.append((costs[subject], mean))
    _draw_frontier(ax, points)
    positive = [cost for cost, _ in points if cost > 0]
    if len(positive) == len(points) and max(positive) > 10 * min(positive):
        ax.set_xscale("log")
    ax.margins(0.15)
    ax.set_xlabel("Cost of the runs (US dollars)" if is_money else "Tokens of the runs (no prices known)")
    metrics = {str(column.metric.name) for column in tasks}
    what = next(iter(metrics)) if len(metrics) == 1 else "main score"
    ax.set_ylabel(f"{what}, mean over {len(tasks)} tasks" if len(tasks) > 1 else f"{what} on {tasks[0].task}")
    ax.grid(alpha=0.3)
    return finish(figure, [ax], 1)


def _costs(runs: Sequence[RunResults]) -> tuple[dict[str, float], bool]:
    """Return the costs by subject, and whether they are money. Subjects without known costs are missing."""
    from helm.benchmark.presentation.costs import compute_token_costs
    from helm.benchmark.price_registry import get_price
    from helm.results.run_files.run_reader import RunReader

    reader = RunReader()
    by_subject: dict[str, list[RunResults]] = {}
    for run in runs:
        by_subject.setdefault(subject_of(run), []).append(run)
    money: dict[str, float] = {}
    tokens: dict[str, float] = {}
    for subject, members in by_subject.items():
        entries = compute_token_costs([reader.read_run(run.path) for run in members], get_price)
        usages = [entry.usage for entry in entries]
        known = [usage for usage in usages if usage is not None]
        if len(known) == len(usages) and known:
            tokens[subject] = sum(usage.prompt_tokens + usage.completion_tokens for usage in known)
        sums = [entry.cost_usd(entry.usage) for entry in entries]
        if sums and all(cost is not None for cost in sums):
            money[subject] = math.fsum(cost for cost in sums if cost is not None)
    return (money, True) if money and len(money) == len(by_subject) else (tokens, False)


def _draw_frontier(ax: "Axes", points: Sequence[tuple[float, float]]) -> None:
    """Draw the Pareto frontier: the points that no other point beats in both coordinates."""
    best: list[tuple[float, float]] = []
    for x, y in sorted(points, key=lambda point: (point[0], -point[1])):
        if not best or y > best[-1][1]:
            best.append((x, y))
    if len(best) > 1:
        xs, ys = zip(*best, strict=True)
        ax.step(xs, ys, where="post", color="gray", linewidth=0.9, linestyle="--", zorder=0)


def plot_metric_correlations(suite: SuiteRuns) -> "Figure":
    """Plot Spearman's rank correlation between metrics over the runs of a suite."""
    import numpy as np

    scores: dict[str, dict[str, float]] = {}
    for run in suite.runs:
        for stat in run.stats():
            name = stat.name
            if name.perturbation is None and stat.mean is not None and is_score(name.name) and math.isfinite(stat.mean):
                scores.setdefault(name.name, {})[run.path] = stat.mean
    kept = {
        name: found for name, found in scores.items() if len(set(found.values())) > 1 and len(found) >= _FEWEST_RUNS
    }
    names = sorted(kept, key=lambda name: (-len(kept[name]), list(scores).index(name)))[:_MAX_METRICS]
    if len(names) < 2:
        raise NothingToPlot(f"No two metrics differ over at least {_FEWEST_RUNS} runs.")
    matrix = np.full((len(names), len(names)), np.nan)
    for i, first in enumerate(names):
        for j, second in enumerate(names):
            common = [path for path in kept[first] if path in kept[second]]
            if len(common) >= _FEWEST_RUNS:
                found = spearman([kept[first][p] for p in common], [kept[second][p] for p in common])
                matrix[i, j] = np.nan if found is None else found
    side = max(4.0, 0.5 * len(names) + 2.5)
    figure, (ax,) = new_figure(1, 1, side + 0.8, side)
    image = ax.imshow(matrix, cmap="RdBu_r", vmin=-1, vmax=1)
    ax.set_xticks(range(len(names)), names, rotation=45, ha="right", fontsize="small")
    ax.set_yticks(range(len(names)), names, fontsize="small")
    for i in range(len(names)):
        for j in range(len(names)):
            value = matrix[i, j]
            text = "" if math.isnan(value) else f"{value:.2f}".replace("-0.00", "0.00")
            shade = "white" if not math.isnan(value) and abs(value) > 0.65 else "black"
            ax.text(j, i, text, ha="center", va="center", fontsize="x-small", color=shade)
    figure.colorbar(image, ax=ax, shrink=0.8, label="Spearman's rank correlation")
    ax.set_title(f"Over {len(suite.runs)} runs", fontsize="medium")
    return finish(figure, [ax], 1)


def spearman(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Return Spearman's rank correlation in [-1, 1], with average ranks for ties; None without variation."""
    from helm.benchmark.presentation.plots.plot_data import pearson

    return pearson(_ranks(xs), _ranks(ys))


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=lambda i: values[i])
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for i in order[start : end + 1]:
            ranks[i] = (start + end) / 2
        start = end + 1
    return ranks


# --- AD tools ---------------------------------------------------------------------------------------------------------


def plot_ad_scaling(suite: SuiteRuns) -> "Figure":
    """Plot median time against workload size on log-log axes, one line per tool and function of an eval."""
    runs = suite.of_kind(AD_TOOL)
    curves: dict[str, dict[tuple[str, str], list[Workload]]] = {}
    for run in runs:
        for workload in read_workloads(run):
            if workload.times_s and workload.input_size:
                of_module = curves.setdefault(workload.module, {})
                of_module.setdefault((subject_of(run), workload.part or workload.function), []).append(workload)
    curves = {module: found for module, found in curves.items() if any(len(_sizes(w)) > 1 for w in found.values())}
    if not curves:
        raise NothingToPlot("No AD tool of the suite was timed on workloads of different size.")
    rows, columns = grid(len(curves), 3)
    figure, axes = new_figure(rows, columns, 4.6, 3.8)
    from matplotlib.ticker import EngFormatter, NullFormatter, StrMethodFormatter

    colors = _subject_colors(list(dict.fromkeys(subject for found in curves.values() for subject, _ in found)))
    for ax, (module, found) in zip(axes, curves.items(), strict=False):
        functions = list(dict.fromkeys(function for _, function in found))
        for (subject, function), workloads in found.items():
            style = ("-", "--", ":", "-.")[functions.index(function) % 4]
            _draw_curve(ax, workloads, colors[subject], style, f"{subject}, {function}")
        ax.set_xscale("log")
        ax.set_yscale("log")
        sizes = sorted({size for workloads in found.values() for size in _sizes(workloads)})
        if len(sizes) <= _MAX_TICKS:
            ax.set_xticks(sizes)
            ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
            ax.tick_params(axis="x", labelrotation=30)
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.yaxis.set_major_formatter(EngFormatter("s"))
        ax.set_xlabel("Size of the workload")
        ax.set_title(module, fontsize="medium")
        ax.grid(alpha=0.3)
    axes[0].set_ylabel("Median time")
    legend(figure, axes[: len(curves)])
    return finish(figure, axes, len(curves))


def _sizes(workloads: Sequence[Workload]) -> list[float]:
    return sorted({workload.input_size for workload in workloads if workload.input_size})


def _draw_curve(ax: "Axes", workloads: Sequence[Workload], shade: tuple[float, ...], style: str, label: str) -> None:
    """Draw medians with their intervals; workloads of the same size are combined by their geometric mean."""
    xs, ys, lows, highs = [], [], [], []
    for size in _sizes(workloads):
        medians = [m for w in workloads if w.input_size == size and (m := w.median()) is not None and m.value > 0]
        if not medians:
            continue
        xs.append(size)
        ys.append(math.exp(math.fsum(math.log(m.value) for m in medians) / len(medians)))
        is_single = len(medians) == 1 and medians[0].low is not None and medians[0].high is not None
        lows.append(medians[0].low if is_single else ys[-1])
        highs.append(medians[0].high if is_single else ys[-1])
    ax.plot(xs, ys, style, marker="o", markersize=4, color=shade, label=label)
    ax.fill_between(xs, lows, highs, color=shade, alpha=0.2, linewidth=0)  # type: ignore[arg-type]


# --- compilers --------------------------------------------------------------------------------------------------------

_REDUCTIONS = ("instruction_count_reduction_oz", "object_text_size_reduction_oz")


def plot_compiler_reductions(suite: SuiteRuns) -> "Figure":
    """Plot how much smaller than -Oz each policy makes each program, and geometric means with 95% intervals."""
    runs = suite.of_kind(COMPILER)
    panels: dict[str, dict[str, dict[str, list[float]]]] = {}
    for run in runs:
        values = read_instance_values(run, set(_REDUCTIONS))
        for key, of_metric in values.metrics.items():
            by_program = panels.setdefault(key.name, {}).setdefault(subject_of(run), {})
            by_program.setdefault(_program(run), []).extend(value for value in of_metric.values if value > 0)
    panels = {name: panels[name] for name in _REDUCTIONS if name in panels}
    if not panels:
        raise NothingToPlot("No compiler run in the suite compares a program with -Oz.")
    programs = sorted({program for found in panels.values() for values in found.values() for program in values})
    rows, columns = grid(len(panels), 2)
    figure, axes = new_figure(rows, columns, 6, max(2.4, 0.24 * len(programs) + 1.6))
    colors = _subject_colors(list(dict.fromkeys(policy for found in panels.values() for policy in found)))
    for ax, (name, found) in zip(axes, panels.items(), strict=False):
        _draw_reductions(ax, found, programs, colors)
        ax.set_xlabel(f"{name} → better", fontsize="small")
    legend(figure, axes[: len(panels)])
    return finish(figure, axes, len(panels))


def _program(run: RunResults) -> str:
    return str(run.run_spec.scenario_spec.args.get("program") or task_key(run))


def _draw_reductions(
    ax: "Axes",
    found: Mapping[str, Mapping[str, Sequence[float]]],
    programs: Sequence[str],
    colors: Mapping[str, tuple[float, ...]],
) -> None:
    import numpy as np

    step = 0.7 / max(len(found), 1)
    for i, (policy, by_program) in enumerate(found.items()):
        shift = (i - (len(found) - 1) / 2) * step
        means = {p: math.exp(math.fsum(map(math.log, v)) / len(v)) for p, v in by_program.items() if v}
        places = [programs.index(program) + shift for program in means]
        ax.plot(list(means.values()), places, "o", markersize=4, color=colors[policy], label=policy)
        if len(means) > 1:
            mean = estimate_score(np.array(list(means.values())), None, True, 0.95)
            below, above = _errors(mean)
            place = len(programs) + 0.4 + shift
            ax.errorbar([mean.value], [place], xerr=[[below], [above]], fmt="D", capsize=3, color=colors[policy])
    ax.axvline(1, color="gray", linewidth=0.9)
    ticks, names = list(map(float, range(len(programs)))), list(programs)
    if any(len(by_program) > 1 for by_program in found.values()):
        ax.axhline(len(programs) - 0.3, color="gray", linewidth=0.5)
        ticks.append(len(programs) + 0.4)
        names.append("geometric mean")
    ax.set_yticks(ticks, names, fontsize="small")
    ax.set_ylim(ticks[-1] + 0.7, -0.7)
    ax.grid(axis="x", alpha=0.3)


RUN_PLOTS: Mapping[str, Callable[[SuiteRuns], "Figure"]] = {
    "score_intervals": plot_score_intervals,
    "accuracy_v_cost": plot_accuracy_v_cost,
    "metric_correlations": plot_metric_correlations,
    "ad_scaling": plot_ad_scaling,
    "compiler_reductions": plot_compiler_reductions,
}
"""Figures by name, which is also the file name."""
