"""Tables for a paper: subjects down, tasks across, scores with how far their intervals reach. Markdown and LaTeX."""

from dataclasses import dataclass, field
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from helm.benchmark.adaptation.adapter_spec import ADAPT_EPISODE, ADAPT_EVALUATE
from helm.results.board import BEST, TIED, BoardScore, mark_best
from helm.results.coverage_note import CoverageNotes
from helm.results.gates import find_score
from helm.results.instance_values import is_score
from helm.results.metric_choice import MetricCatalogue, MetricChoice
from helm.results.run_results import RunResults
from helm.results.statistics.intervals import CONFIDENCE, Estimate
from helm.results.task_matching import task_key


@dataclass(frozen=True)
class PaperColumn:
    """A task and a metric."""

    task: str

    metric: MetricChoice


@dataclass
class PaperTable:
    """Scores of subjects on tasks."""

    columns: List[PaperColumn] = field(default_factory=list)

    rows: Dict[str, Dict[PaperColumn, Estimate]] = field(default_factory=dict)
    """Subject to its scores; a column that it lacks is missing."""

    notes: List[str] = field(default_factory=list)
    """Runs that are not shown, and why."""

    title: str = ""
    """What the subjects are, where there are tables of several kinds."""

    answered: Dict[str, Dict[PaperColumn, float]] = field(default_factory=dict)
    """Subject to the share of what was asked that it answered, where that is known."""

    def marks(self, column: PaperColumn) -> Dict[str, str]:
        """Subjects to what `helm.results.board.mark_best` says of their scores in a column."""
        if column.metric.lower_is_better is None:
            return {}
        scores = [
            BoardScore(row[column], self.answered.get(subject, {}).get(column)) if column in row else None
            for subject, row in self.rows.items()
        ]
        return dict(zip(self.rows, mark_best(scores, column.metric.lower_is_better), strict=True))


def make_paper_table(
    runs: Sequence[RunResults],
    metrics: Sequence[MetricChoice],
    catalogue: MetricCatalogue,
    confidence: float = CONFIDENCE,
) -> PaperTable:
    """The table of some runs; `metrics` empty: the main metric of each. Raises: ConfigError, RunFileError."""
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
            row[column] = found
            if answered is not None:
                table.answered.setdefault(subject, {})[column] = answered
    return table


def make_paper_tables(
    runs: Sequence[RunResults],
    metrics: Sequence[MetricChoice],
    catalogue: MetricCatalogue,
    confidence: float = CONFIDENCE,
) -> List[PaperTable]:
    """A table for each kind of subject, because they have no task in common: language models, AD tools, compilers.

    A table may have no rows, only notes. Raises: ConfigError, RunFileError.
    """
    kinds: Dict[str, List[RunResults]] = {title: [] for title in (_MODELS, *_TITLES.values())}
    for run in runs:
        kinds[_TITLES.get(run.run_spec.adapter_spec.method, _MODELS)].append(run)
    tables = {title: make_paper_table(found, metrics, catalogue, confidence) for title, found in kinds.items() if found}
    if sum(bool(table.rows) for table in tables.values()) > 1:
        for title, table in tables.items():
            table.title = title
    return list(tables.values())


def _heads(table: PaperTable) -> List[Tuple[str, str]]:
    """Task and metric of each column; without the metric when all are one."""
    metrics = {str(column.metric) for column in table.columns}
    return [(column.task, str(column.metric) if len(metrics) > 1 else "") for column in table.columns]


_MODELS = "Language models"
_TITLES = {ADAPT_EVALUATE: "AD tools", ADAPT_EPISODE: "Compilers"}
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def _digits(estimate: Estimate, metric: MetricChoice) -> Tuple[str, Optional[str], str]:
    """Value, reach, and unit of durations; as many places as give the reach two significant digits."""
    from math import floor, log10

    scale, unit = 1.0, ""
    if metric.name.endswith("_s"):
        scale, unit = next((pair for pair in _UNITS if abs(estimate.value) >= pair[0]), _UNITS[-1])
    value, reach = estimate.value / scale, (estimate.reach or 0.0) / scale
    if not reach:
        return f"{value:.4g}", None, unit
    places = max(0, 1 - floor(log10(reach)))
    return f"{value:.{places}f}", f"{reach:.{places}f}", unit


def format_markdown_table(table: PaperTable) -> str:
    """A Markdown table, best scores bold."""

    def escape(text: str) -> str:
        return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")

    heads = [escape(f"{task} {metric}".strip()) + f" {c.metric.arrow}".rstrip() for (task, metric), c in
             zip(_heads(table), table.columns, strict=True)]  # fmt: skip
    lines = ["| Subject | " + " | ".join(heads) + " |", "| --- |" + " ---: |" * len(heads)]
    marks = {column: table.marks(column) for column in table.columns}
    for subject, row in table.rows.items():
        cells = []
        for column in table.columns:
            if column not in row:
                cells.append("-")
                continue
            value, reach, unit = _digits(row[column], column.metric)
            text = (value if reach is None else f"{value} ± {reach}") + f" {unit}".rstrip()
            mark = marks[column].get(subject)
            cells.append(f"**{text}**" if mark == BEST else f"{text} ≈" if mark == TIED else text)
        lines.append(f"| {escape(subject)} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n\n" + _caption(table, "±") + "\n"


_LATEX: Mapping[int, str] = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "\n": " ", "\r": " ",
})  # fmt: skip
_LATEX_ARROWS = {"↑": r" $\uparrow$", "↓": r" $\downarrow$", "": ""}


def escape_latex(text: str) -> str:
    """Text that LaTeX prints as it is."""
    return text.translate(dict(_LATEX))


def format_latex_table(table: PaperTable) -> str:
    """A LaTeX table for the packages booktabs and graphicx, best scores bold."""
    heads = _heads(table)
    marks = {column: table.marks(column) for column in table.columns}
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
            mark = marks[column].get(subject)
            cells.append(
                rf"\textbf{{\boldmath {text}}}" if mark == BEST else rf"{text} $\approx$" if mark == TIED else text
            )
        lines.append(" & ".join(cells) + r" \\")
    caption = escape_latex(_caption(table, "PLUSMINUS")).replace("PLUSMINUS", r"$\pm$").replace(TIED, r"$\approx$")
    lines += [r"\bottomrule", r"\end{tabular}", rf"\caption{{{caption}}}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def _caption(table: PaperTable, sign: str) -> str:
    """What the numbers are."""
    metrics = list(dict.fromkeys(str(column.metric) for column in table.columns))
    what = f"{table.title}: " if table.title else ""
    what += f"{metrics[0]}; " if len(metrics) == 1 else ""
    has_reach = any(found.reach for row in table.rows.values() for found in row.values())
    reach = f" {sign}: how far the 95% interval reaches." if has_reach else ""
    marks = {mark for column in table.columns for mark in table.marks(column).values()}
    tied = f" {TIED}: no difference from the best is shown." if TIED in marks else ""
    return f"{what}best values bold.{tied}{reach}"
