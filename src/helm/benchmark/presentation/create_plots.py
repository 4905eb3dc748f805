"""`helm-create-plots`: draws figures for a suite.

Some are made from the tables of one or two run groups of the classic schema, others (`run_plots`) from the runs
themselves. A figure that was requested by name but lacks data is reported with what it lacks; the others are drawn, and
the exit status is 1. docs/reference-commands.md lists the figures.
"""

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from helm.benchmark.presentation.plots.figures import color, finish, grid, legend, new_figure
from helm.benchmark.presentation.plots.plot_data import (
    ModelFacts,
    PlotColumn,
    PlotError,
    PlotTable,
    SuiteTables,
    pair_values,
    pearson,
    round_to_leading_digit,
    round_to_multiple,
)
from helm.benchmark.presentation.plots.run_plots import RUN_PLOTS, SuiteRuns
from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main
from helm.common.commands.output_path import get_suite_path
from helm.common.errors import suggest
from helm.common.hierarchical_logger import herror, hlog
from helm.results.run_files.run_folder import RunFileError
from helm.results.run_results import ResultsError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CORE = "core_scenarios"
FORMATS = ("png", "pdf", "svg")
DOTS_PER_INCH = 300
# Groups models of nearly equal perplexity, as in HELM's plots.
BITS_PER_BYTE_STEP = 0.016


def _axis_title(column_metrics: Sequence[str], table: PlotTable) -> str:
    metrics = list(dict.fromkeys(column_metrics))
    return f"{table.title} ({metrics[0]})" if len(metrics) == 1 and metrics[0] != table.title else table.title


# --- metric groups against each other ---------------------------------------------------------------------------------


def plot_accuracy_v_x(suite: SuiteTables) -> "Figure":
    """Plot accuracy against each other metric group, with one point per model and scenario."""
    tables = suite.metric_tables(CORE)
    accuracy = _require(tables, "Accuracy")
    others = [table for title, table in tables.items() if title != "Accuracy" and pair_values(accuracy, table)]
    if not others:
        raise PlotError(f"Group '{CORE}' has no table other than Accuracy with numbers for the same scenarios.")
    rows, columns = grid(len(others), 3)
    figure, axes = new_figure(rows, columns, 4.2, 3.6)
    colors = {column.group: color(i) for i, column in enumerate(accuracy.columns)}
    for ax, table in zip(axes, others, strict=False):
        for group, (_, xs, ys) in pair_values(accuracy, table).items():
            ax.scatter(xs, ys, s=16, color=colors[group], label=group, alpha=0.8)
        ax.set_xlabel("Accuracy")
        ax.set_ylabel(_axis_title([column.metric for column in table.columns], table))
    legend(figure, axes[: len(others)])
    return finish(figure, axes, len(others))


def plot_metric_correlation(suite: SuiteTables) -> "Figure":
    """Plot the Pearson correlation over models between metric groups, with one box over the scenarios per pair."""
    tables = suite.metric_tables(CORE)
    found: dict[str, dict[str, list[float]]] = {}
    for first, table in tables.items():
        for second, other in tables.items():
            if first != second:
                values = [pearson(xs, ys) for _, xs, ys in pair_values(table, other).values()]
                numbers = [value for value in values if value is not None]
                if numbers:
                    found.setdefault(first, {})[second] = numbers
    if not found:
        raise PlotError(f"Group '{CORE}' has no scenario with two metric groups for at least two different models.")
    rows, columns = grid(len(found), 3)
    figure, axes = new_figure(rows, columns, 4.2, 3.6)
    for ax, (first, others) in zip(axes, found.items(), strict=False):
        _boxes(ax, others)
        ax.axhline(0, color="gray", linewidth=0.8)
        ax.set_ylim(-1.05, 1.05)
        ax.set_title(f"Correlation with {first}", fontsize="medium")
    return finish(figure, axes, len(found))


def plot_model_ranking_all(suite: SuiteTables) -> "Figure":
    """Plot the mean win rates of the models, best first, with bars for each metric group."""
    tables = {title: table for title, table in suite.metric_tables(CORE).items() if any(table.win_rates or [])}
    if not tables:
        raise PlotError(f"No table of group '{CORE}' has mean win rates.")
    num_models = max(len(table.rows) for table in tables.values())
    rows, columns = grid(len(tables), 4)
    figure, axes = new_figure(rows, columns, 4.0, max(2.4, 0.24 * num_models + 1))
    for i, (ax, (title, table)) in enumerate(zip(axes, tables.items(), strict=False)):
        rates = [(r, row.label) for r, row in zip(table.win_rates or [], table.rows, strict=True) if r is not None]
        rates.sort(key=lambda pair: (-pair[0], pair[1]))
        ax.barh([label for _, label in rates], [rate for rate, _ in rates], color=color(i))
        ax.invert_yaxis()
        ax.set_xlim(0, 1)
        ax.set_xlabel("Mean win rate")
        ax.set_title(title, fontsize="medium")
        ax.tick_params(axis="y", labelsize="small")
    return finish(figure, axes, len(tables))


def _require(tables: Mapping[str, PlotTable], title: str) -> PlotTable:
    if title not in tables:
        raise PlotError(f"Group '{CORE}' has no table '{title}'. Its tables: {', '.join(tables)}.")
    return tables[title]


def _boxes(ax: "Axes", values: Mapping[str, Sequence[float]]) -> None:
    """Draw one box per list of numbers, with its points next to it."""
    positions = list(range(1, len(values) + 1))
    ax.boxplot(list(values.values()), positions=positions, widths=0.6, showfliers=False, medianprops={"color": "black"})
    for position, numbers in zip(positions, values.values(), strict=True):
        ax.scatter([position] * len(numbers), numbers, s=8, alpha=0.5, color=color(position - 1))
    ax.set_xticks(positions, list(values), rotation=45, ha="right", fontsize="small")


# --- accuracy against properties of models ----------------------------------------------------------------------------


def _best_by_property(
    suite: SuiteTables, get_property: Callable[[str, ModelFacts], object | None]
) -> dict[str, dict[object, float]]:
    """Return, for each core scenario, the best accuracy among the models with each value of a property."""
    facts = suite.models()
    accuracy = suite.table(CORE, "Accuracy")
    found: dict[str, dict[object, float]] = {}
    for column in accuracy.columns:
        for row, value in zip(accuracy.rows, column.values, strict=True):
            key = get_property(row.model, facts.get(row.model, ModelFacts()))
            if key is None or value is None:
                continue
            best = found.setdefault(column.group or column.title, {})
            best[key] = value if key not in best else _better(value, best[key], column)
    return found


def _better(first: float, second: float, column: PlotColumn) -> float:
    return min(first, second) if column.lower_is_better else max(first, second)


def _plot_over(suite: SuiteTables, title: str, get_property: Callable[[str, ModelFacts], object | None],
               cumulative: bool, log_scale: bool = False) -> "Figure":  # fmt: skip
    found = _best_by_property(suite, get_property)
    if not found:
        raise PlotError(f"No model of the Accuracy table of group '{CORE}' has a known {title.lower()}.")
    directions = {c.group or c.title: c for c in suite.table(CORE, "Accuracy").columns}
    figure, axes = new_figure(1, 1, 7.5, 4.5)
    (ax,) = axes
    keys = sorted({key for values in found.values() for key in values})  # type: ignore[type-var]
    is_text = any(isinstance(key, str) for key in keys)
    for i, (scenario, values) in enumerate(found.items()):
        xs = sorted(values)  # type: ignore[type-var]
        ys = [values[x] for x in xs]
        if cumulative:
            for j in range(1, len(ys)):
                ys[j] = _better(ys[j], ys[j - 1], directions[scenario])
        places = [keys.index(x) for x in xs] if is_text else xs
        ax.plot(places, ys, marker="o", markersize=4, color=color(i), label=scenario)  # type: ignore[arg-type]
    if is_text:
        ax.set_xticks(range(len(keys)), [str(key) for key in keys], rotation=45, ha="right", fontsize="small")
    if log_scale:
        ax.set_xscale("log")
    ax.set_xlabel(title)
    ax.set_ylabel("Best accuracy so far" if cumulative else "Best accuracy")
    legend(figure, axes)
    return finish(figure, axes, 1)


def plot_accuracy_over_release_date(suite: SuiteTables) -> "Figure":
    """Plot the best accuracy so far by month of release, one line per core scenario."""
    return _plot_over(suite, "Release date", lambda _, facts: facts.release_month, cumulative=True)


def plot_accuracy_over_num_parameters(suite: SuiteTables) -> "Figure":
    """Plot the best accuracy up to a number of parameters (rounded to its leading digit), one line per core scenario."""

    def size(_: str, facts: ModelFacts) -> object | None:
        return round_to_leading_digit(facts.num_parameters) if facts.num_parameters else None

    return _plot_over(suite, "Number of parameters", size, cumulative=True, log_scale=True)


def plot_accuracy_over_the_pile_perplexity(suite: SuiteTables) -> "Figure":
    """Plot the best accuracy by bits per byte on The Pile, one line per core scenario."""
    bits: dict[str, float] = {}
    for table in suite.tables("the_pile"):
        for column in table.columns:
            if "BPB" in column.metric or "its/byte" in column.metric:
                for row, value in zip(table.rows, column.values, strict=True):
                    if value is not None:
                        bits.setdefault(row.model, round_to_multiple(value, BITS_PER_BYTE_STEP))
    if not bits:
        raise PlotError("Group 'the_pile' has no table with bits per byte.")
    return _plot_over(suite, "Bits per byte on The Pile", lambda model, _: bits.get(model), cumulative=False)


def plot_accuracy_v_access(suite: SuiteTables) -> "Figure":
    """Plot the best accuracy by level of access, with bars for each core scenario."""
    found = _best_by_property(suite, lambda _, facts: facts.access)
    if not found:
        raise PlotError(f"No model of the Accuracy table of group '{CORE}' has a known level of access.")
    order = ("open", "limited", "closed")
    levels = sorted({str(key) for values in found.values() for key in values}, key=lambda x: (*order, x).index(x))
    series = {level: [values.get(level) for values in found.values()] for level in levels}
    figure, axes = new_figure(1, 1, max(6.0, 0.7 * len(found) + 2), 4.2)
    _grouped_bars(axes[0], list(found), series)
    axes[0].set_ylabel("Best accuracy")
    legend(figure, axes)
    return finish(figure, axes, 1)


def _grouped_bars(ax: "Axes", names: Sequence[str], series: Mapping[str, Sequence[float | None]]) -> None:
    width = 0.8 / max(len(series), 1)
    for i, (label, values) in enumerate(series.items()):
        places = [x + (i - (len(series) - 1) / 2) * width for x in range(len(names))]
        pairs = [(place, value) for place, value in zip(places, values, strict=True) if value is not None]
        ax.bar([place for place, _ in pairs], [value for _, value in pairs], width, label=label, color=color(i))
    ax.set_xticks(range(len(names)), list(names), rotation=45, ha="right", fontsize="small")


# --- all numbers of a table -------------------------------------------------------------------------------------------


def _values_by_column(table: PlotTable) -> dict[str, list[float]]:
    found = {}
    for column in table.columns:
        values = [value for value in column.values if value is not None]
        if values:
            found[column.group or column.title] = values
    return found


def plot_generic_summary(suite: SuiteTables) -> "Figure":
    """Plot the numbers of all models on the core scenarios, one box per scenario and metric group."""
    tables = {title: _values_by_column(table) for title, table in suite.metric_tables(CORE).items()}
    return _plot_boxes({title: values for title, values in tables.items() if values}, CORE)


def plot_targeted_evals(suite: SuiteTables) -> "Figure":
    """Plot the accuracy of all models on targeted evaluations, one box per scenario."""
    found: dict[str, dict[str, list[float]]] = {}
    missing: list[PlotError] = []
    for group in ("language", "knowledge", "reasoning"):
        try:
            values = _values_by_column(suite.table(group, "Accuracy"))
        except PlotError as e:
            missing.append(e)
            continue
        if values:
            found[group.capitalize()] = values
    if not found:
        raise missing[0] if missing else PlotError("The groups language, knowledge and reasoning have no numbers.")
    for error in missing:
        hlog(f"targeted_evals: {error}")
    return _plot_boxes(found, "targeted_evaluations")


def _plot_boxes(values: Mapping[str, Mapping[str, Sequence[float]]], group: str) -> "Figure":
    if not values:
        raise PlotError(f"The tables of group '{group}' have no numbers.")
    widest = max(len(columns) for columns in values.values())
    rows, columns = grid(len(values), 2)
    figure, axes = new_figure(rows, columns, max(4.5, 0.42 * widest + 1), 3.6)
    for ax, (title, boxes) in zip(axes, values.items(), strict=False):
        _boxes(ax, boxes)
        ax.set_title(title, fontsize="medium")
    return finish(figure, axes, len(values))


def _plot_bars(table: PlotTable, columns: Sequence[PlotColumn]) -> "Figure":
    """Draw a bar for each model in each column."""
    shown = [column for column in columns if any(value is not None for value in column.values)]
    if not shown:
        raise PlotError(f"Table '{table.title}' has no numbers for this figure.")
    rows, num_columns = grid(len(shown), 3)
    figure, axes = new_figure(rows, num_columns, 4.2, max(2.4, 0.24 * len(table.rows) + 1))
    for i, (ax, column) in enumerate(zip(axes, shown, strict=False)):
        pairs = [(row.label, v) for row, v in zip(table.rows, column.values, strict=True) if v is not None]
        pairs.sort(key=lambda pair: (pair[1] if column.lower_is_better else -pair[1], pair[0]))
        ax.barh([label for label, _ in pairs], [value for _, value in pairs], color=color(i))
        ax.invert_yaxis()
        ax.set_title(column.title, fontsize="medium")
        ax.tick_params(axis="y", labelsize="small")
    return finish(figure, axes, len(shown))


def plot_copyright(suite: SuiteTables) -> "Figure":
    """Plot how much of copyrighted texts the models reproduce, with bars for each metric that is not a distance."""
    table = suite.table("harms", "Copyright metrics")
    return _plot_bars(table, [column for column in table.columns if "dist" not in column.metric])


def plot_bbq_bars(suite: SuiteTables) -> "Figure":
    """Plot the two bias metrics of BBQ as bars."""
    table = suite.table("harms", "BBQ metrics")
    return _plot_bars(table, table.columns)


# --- ablations --------------------------------------------------------------------------------------------------------


def plot_in_context_ablations(suite: SuiteTables) -> "Figure":
    """Plot accuracy by number of in-context examples, one line per model and one subplot per scenario."""
    table = suite.table("ablation_in_context", "Accuracy")
    key = "max_train_instances"
    figure, axes, shown = _scenario_axes(table, [i for i, row in enumerate(table.rows) if key in row.details], key)
    models = list(dict.fromkeys(row.model for row in table.rows))
    for ax, column in zip(axes, shown, strict=False):
        for i, model in enumerate(models):
            points = sorted(
                (int(row.details[key]), value)
                for row, value in zip(table.rows, column.values, strict=True)
                if row.model == model and value is not None and row.details.get(key, "").isdigit()
            )
            if points:
                xs, ys = zip(*points, strict=True)
                ax.plot(xs, ys, marker="o", markersize=4, color=color(i), label=model)
        ax.set_xlabel("In-context examples")
        ax.set_title(column.group or column.title, fontsize="medium")
    axes[0].set_ylabel("Accuracy")
    legend(figure, axes[: len(shown)])
    return finish(figure, axes, len(shown))


def plot_mc_ablations(suite: SuiteTables) -> "Figure":
    """Plot accuracy by multiple-choice method, with bars for each model and one subplot per scenario."""
    table = suite.table("ablation_multiple_choice", "Accuracy")
    key = "method"
    figure, axes, shown = _scenario_axes(table, [i for i, row in enumerate(table.rows) if key in row.details], key)
    methods = list(dict.fromkeys(row.details[key] for row in table.rows if key in row.details))
    for ax, column in zip(axes, shown, strict=False):
        values = {
            (row.model, row.details.get(key)): value for row, value in zip(table.rows, column.values, strict=True)
        }
        models = [
            m
            for m in dict.fromkeys(row.model for row in table.rows)
            if any(values.get((m, x)) is not None for x in methods)
        ]
        _grouped_bars(
            ax, models, {m.removeprefix("multiple_choice_"): [values.get((x, m)) for x in models] for m in methods}
        )
        ax.set_title(column.group or column.title, fontsize="medium")
    axes[0].set_ylabel("Accuracy")
    legend(figure, axes[: len(shown)])
    return finish(figure, axes, len(shown))


def _scenario_axes(table: PlotTable, rows: Sequence[int], key: str) -> tuple["Figure", list["Axes"], list[PlotColumn]]:
    """Create a subplot for each column with numbers in `rows`, which are those whose label contains `key`."""
    if not rows:
        raise PlotError(f"No row of table '{table.title}' has a {key}: the runs do not differ in this setting.")
    shown = [column for column in table.columns if any(column.values[i] is not None for i in rows)]
    if not shown:
        raise PlotError(f"Table '{table.title}' has no numbers.")
    num_rows, num_columns = grid(len(shown), 4)
    figure, axes = new_figure(num_rows, num_columns, 3.6, 3.2)
    return figure, axes, shown


def plot_contrast_sets(suite: SuiteTables) -> "Figure":
    """Plot accuracy on the original instances and in the worst case over their contrast sets, one subplot per scenario."""
    group = "robustness_contrast_sets"
    found = []
    for table in suite.tables(group):
        columns = [column for column in table.columns if any(value is not None for value in column.values)]
        robustness = [column for column in columns if column.title.endswith("(Robustness)")]
        if robustness:
            plain = robustness[0].title.removesuffix(" (Robustness)")
            found.append((table, [column for column in columns if column.title == plain] + robustness[:1]))
    if not found:
        raise PlotError(f"No table of group '{group}' has a column for robustness.")
    rows, num_columns = grid(len(found), 3)
    figure, axes = new_figure(rows, num_columns, max(4.0, 0.5 * max(len(t.rows) for t, _ in found) + 2), 3.6)
    for ax, (table, columns) in zip(axes, found, strict=False):
        series = {("Contrast sets" if c.title.endswith(")") else "Original"): c.values for c in columns}
        _grouped_bars(ax, [row.label for row in table.rows], series)
        ax.set_title(table.title, fontsize="medium")
    axes[0].set_ylabel("Accuracy")
    legend(figure, axes[: len(found)])
    return finish(figure, axes, len(found))


PLOTS: Mapping[str, Callable[[SuiteTables], "Figure"]] = {
    "accuracy_v_x": plot_accuracy_v_x,
    "metric_correlation": plot_metric_correlation,
    "model_ranking_all": plot_model_ranking_all,
    "accuracy_over_release_date": plot_accuracy_over_release_date,
    "accuracy_over_num_parameters": plot_accuracy_over_num_parameters,
    "accuracy_over_the_pile_perplexity": plot_accuracy_over_the_pile_perplexity,
    "accuracy_v_access": plot_accuracy_v_access,
    "generic_summary": plot_generic_summary,
    "targeted_evals": plot_targeted_evals,
    "copyright": plot_copyright,
    "bbq_bars": plot_bbq_bars,
    "in_context_ablations": plot_in_context_ablations,
    "mc_ablations": plot_mc_ablations,
    "contrast_sets": plot_contrast_sets,
}
"""All figures by name, which is also the file name."""


ALL_PLOTS = (*PLOTS, *RUN_PLOTS)
"""Names of figures made from the tables of a summary, then of those made from the runs."""


def create_plots(
    suite_path: str, names: Sequence[str] | None, plot_formats: Sequence[str]
) -> tuple[list[str], dict[str, str]]:
    """Draw figures of a suite; returns the paths of the figures and, by name, why the others could not be drawn.

    Args:
        names: figures to draw. None draws all for which the suite has data; missing data are then not an error.

    Raises: PlotError if there is no suite, or nothing to plot; OptionalDependencyNotInstalled without matplotlib.
    """
    if not os.path.isdir(suite_path):
        raise PlotError(f"There is no folder {suite_path}: run helm-summarize for this suite first.")
    tables: SuiteTables | None = None
    runs = SuiteRuns(suite_path)
    made: list[str] = []
    failures: dict[str, str] = {}
    for name in names or ALL_PLOTS:
        try:
            if name in RUN_PLOTS:
                figure = RUN_PLOTS[name](runs)
            else:
                tables = tables or SuiteTables(suite_path)
                figure = PLOTS[name](tables)
        except (PlotError, ResultsError, RunFileError) as e:
            failures[name] = str(e)
            continue
        os.makedirs(os.path.join(suite_path, "plots"), exist_ok=True)
        for plot_format in plot_formats:
            path = os.path.join(suite_path, "plots", f"{name}.{plot_format}")
            _save(figure, path, plot_format)
            made.append(path)
    if names is None:
        if not made:
            raise PlotError(f"Nothing in {suite_path} can be shown. {next(iter(failures.values()))}")
        for name, reason in failures.items():
            hlog(f"No {name}: {reason}")
        failures = {}
    return made, failures


def _save(figure: "Figure", path: str, plot_format: str) -> None:
    """Write a figure; equal tables yield identical files."""
    import matplotlib

    metadata = {"png": {}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}[plot_format]
    with matplotlib.rc_context({"svg.hashsalt": "helm"}):
        figure.savefig(path, dpi=DOTS_PER_INCH, format=plot_format, metadata=metadata)


def build_parser() -> argparse.ArgumentParser:
    parser = SuggestingArgumentParser(prog="helm-create-plots", description="Make figures of a suite.")
    add = parser.add_argument
    add("-o", "--output-path", default="benchmark_output", help="where helm-run and helm-summarize wrote")
    add("--suite", required=True, help="the suite; most figures need it summarized")
    add("--plot-format", nargs="+", choices=FORMATS, default=["png"], help="format of the files (default: png)")
    add("--plots", nargs="+", metavar="PLOT", help=f"make only these: {', '.join(ALL_PLOTS)}")
    return parser


@command_main(build_parser)
def main(args: argparse.Namespace) -> int:
    """Run the command. Exits with status 1 if a figure could not be drawn."""
    from helm.common.hierarchical_logger import setup_default_logging

    setup_default_logging(None)
    for name in args.plots or ():
        if name not in ALL_PLOTS:
            known = ", ".join(ALL_PLOTS)
            raise PlotError(f"There is no plot '{name}'. Plots: {known}.{suggest(name, ALL_PLOTS)}")
    made, failures = create_plots(get_suite_path(args.output_path, args.suite), args.plots, args.plot_format)
    for path in made:
        print(path)
    for name, reason in failures.items():
        herror(f"Cannot make {name}: {reason}")
    return 1 if failures else 0


if __name__ == "__main__":
    main()
