"""Tables for papers in Markdown and LaTeX: subjects in rows, tasks in columns, scores with their intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from helm.benchmark.subjects import kind_of_run, subject_kinds
from helm.common.formats.number_text import SECONDS, duration_unit
from helm.results.board import TIED, BoardCell, mark_column
from helm.results.comparison.gates import find_score
from helm.results.comparison.task_matching import task_key
from helm.results.coverage_note import CoverageNotes
from helm.results.metric_choice import MetricCatalogue, MetricChoice
from helm.results.metric_names import is_score
from helm.results.run_results import RunResults
from helm.results.statistics.intervals import CONFIDENCE, Estimate


@dataclass(frozen=True)
class PaperColumn:
    """A task and a metric."""

    task: str

    metric: MetricChoice


@dataclass
class PaperTable:
    """Scores of subjects on tasks."""

    columns: list[PaperColumn] = field(default_factory=list)

    rows: dict[str, dict[PaperColumn, BoardCell]] = field(default_factory=dict)
    """The scores by subject and column, all with an estimate; missing scores are omitted."""

    notes: list[str] = field(default_factory=list)
    """The runs that are not shown, with the reasons."""

    title: str = ""
    """The kind of the subjects, if there are tables of several kinds."""

    def mark(self) -> None:
        """Mark the best cells of each column."""
        for column in self.columns:
            mark_column([row.get(column) for row in self.rows.values()], column.metric.lower_is_better)


def make_paper_table(
    runs: Sequence[RunResults],
    metrics: Sequence[MetricChoice],
    catalogue: MetricCatalogue,
    confidence: float = CONFIDENCE,
) -> PaperTable:
    """Make the table of some runs; empty `metrics` mean the main metric of each. Raises ConfigError or RunFileError."""
    table, notes = PaperTable(), CoverageNotes()
    for run in runs:
        spec = run.run_spec.adapter_spec
        subject = spec.model or spec.model_deployment or run.folder_name
        names = sorted({stat.name.name for stat in run.stats() if is_score(stat.name.name)})
        answered = notes.share([run.path])
        chosen = [catalogue.complete(choice, run) for choice in metrics] or catalogue.choose(run, names)
        for metric in chosen:
            found = find_score(run, metric, confidence)
            if found is None:
                table.notes.append(f"{run.name} has no {metric}")
                continue
            column = PaperColumn(task_key(run), metric)
            if column not in table.columns:
                table.columns.append(column)
            row = table.rows.setdefault(subject, {})
            if column in row:
                table.notes.append(f"{run.path}: {subject} is there twice for {column.task}; the first is shown")
                continue
            row[column] = make_cell(found, answered)
    table.mark()
    return table


def make_cell(estimate: Estimate, answered: float | None = None) -> BoardCell:
    cell = BoardCell()
    cell.value, cell.estimate, cell.answered = estimate.value, estimate, answered
    return cell


def make_paper_tables(
    runs: Sequence[RunResults],
    metrics: Sequence[MetricChoice],
    catalogue: MetricCatalogue,
    confidence: float = CONFIDENCE,
) -> list[PaperTable]:
    """Make a table for each kind of subject, because different kinds have no tasks in common.

    A table may have only notes and no rows. Raises ConfigError or RunFileError.
    """
    kinds: dict[str, list[RunResults]] = {kind.title: [] for kind in subject_kinds()}
    for run in runs:
        kinds[kind_of_run(run.run_spec).title].append(run)
    tables = {title: make_paper_table(found, metrics, catalogue, confidence) for title, found in kinds.items() if found}
    if sum(bool(table.rows) for table in tables.values()) > 1:
        for title, table in tables.items():
            table.title = title
    return list(tables.values())


def _heads(table: PaperTable) -> list[tuple[str, str]]:
    """Return the task and metric of each column; without the metric if all columns have the same."""
    metrics = {str(column.metric) for column in table.columns}
    return [(column.task, str(column.metric) if len(metrics) > 1 else "") for column in table.columns]


def _digits(cell: BoardCell, metric: MetricChoice) -> tuple[str, str | None, str]:
    """Return value, reach and unit (for durations), with two significant digits of the reach."""
    from math import floor, log10

    scale, unit = duration_unit(cell.value, is_rounded=False) if metric.unit == SECONDS else (1.0, "")
    value, reach = cell.value / scale, (cell.reach or 0.0) / scale
    if not reach:
        return f"{value:.4g}", None, unit
    places = max(0, 1 - floor(log10(reach)))
    return f"{value:.{places}f}", f"{reach:.{places}f}", unit


def format_markdown_table(table: PaperTable) -> str:
    """Format a Markdown table with the best scores in bold."""

    def escape(text: str) -> str:
        return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")

    heads = [escape(f"{task} {metric}".strip()) + f" {c.metric.arrow}".rstrip() for (task, metric), c in
             zip(_heads(table), table.columns, strict=True)]  # fmt: skip
    lines = ["| Subject | " + " | ".join(heads) + " |", "| --- |" + " ---: |" * len(heads)]
    for subject, row in table.rows.items():
        cells = []
        for column in table.columns:
            if column not in row:
                cells.append("-")
                continue
            value, reach, unit = _digits(row[column], column.metric)
            text = (value if reach is None else f"{value} ± {reach}") + f" {unit}".rstrip()
            cells.append(f"**{text}**" if row[column].is_best else f"{text} {TIED}" if row[column].is_tied else text)
        lines.append(f"| {escape(subject)} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n\n" + _caption(table, "±") + "\n"


_LATEX: Mapping[int, str] = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "\n": " ", "\r": " ",
})  # fmt: skip
_LATEX_ARROWS = {"↑": r" $\uparrow$", "↓": r" $\downarrow$", "": ""}


def escape_latex(text: str) -> str:
    """Escape a text so that LaTeX prints it unchanged."""
    return text.translate(dict(_LATEX))


def format_latex_table(table: PaperTable) -> str:
    """Format a LaTeX table for the packages booktabs and graphicx with the best scores in bold."""
    heads = _heads(table)
    arrows = [_LATEX_ARROWS[column.metric.arrow] for column in table.columns]
    with_metrics = any(metric for _, metric in heads)
    lines = [r"\begin{table}[htp]", r"\centering", r"\begin{tabular}{l" + "r" * len(heads) + "}", r"\toprule"]
    tasks = [
        escape_latex(task) + ("" if with_metrics else arrow) for (task, _), arrow in zip(heads, arrows, strict=True)
    ]
    lines.append(" & ".join(["Subject", *tasks]) + r" \\")
    if with_metrics:
        names = [escape_latex(metric) + arrow for (_, metric), arrow in zip(heads, arrows, strict=True)]
        lines.append(" & ".join(["", *names]) + r" \\")
    lines.append(r"\midrule")
    for subject, row in table.rows.items():
        cells = [escape_latex(subject)]
        for column in table.columns:
            if column not in row:
                cells.append("--")
                continue
            value, reach, unit = _digits(row[column], column.metric)
            text = f"${value}$" if reach is None else rf"${value} \pm {reach}$"
            text += rf"\,{unit}".replace("µ", r"$\mu$") if unit else ""
            is_best, is_tied = row[column].is_best, row[column].is_tied
            cells.append(rf"\textbf{{\boldmath {text}}}" if is_best else rf"{text} $\approx$" if is_tied else text)
        lines.append(" & ".join(cells) + r" \\")
    caption = escape_latex(_caption(table, "PLUSMINUS")).replace("PLUSMINUS", r"$\pm$").replace(TIED, r"$\approx$")
    lines += [r"\bottomrule", r"\end{tabular}", rf"\caption{{{caption}}}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def _caption(table: PaperTable, sign: str) -> str:
    """Return the caption, which explains the numbers."""
    metrics = list(dict.fromkeys(str(column.metric) for column in table.columns))
    what = f"{table.title}: " if table.title else ""
    what += f"{metrics[0]}; " if len(metrics) == 1 else ""
    has_reach = any(found.reach for row in table.rows.values() for found in row.values())
    reach = f" {sign}: how far the 95% interval reaches." if has_reach else ""
    has_tied = any(cell.is_tied for row in table.rows.values() for cell in row.values())
    tied = f" {TIED}: no difference from the best is shown." if has_tied else ""
    return f"{what}best values bold.{tied}{reach}"
