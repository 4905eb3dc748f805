"""Scores of tools from their logs, and the summary files that the GradBench web page reads.

A score is the inverse of a time, so higher is better; ``ClassicScorer`` and ``EquivalentScorer`` define which time.
"""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import msgspec

from helm.common.errors import HelmError
from helm.common.files import write_text_atomically
from helm.common.processes.line_process import describe_os_error
from helm.gradbench.evals.registry import find_eval_class
from helm.gradbench.log import LogError, read_timings
from helm.gradbench.protocol import UNREADABLE, EvaluateMessage, Message, Outcome, ProtocolError, parse_message
from helm.gradbench.terminal import format_float

_NS_PER_S = 10**9
_EVALUATE = "evaluate"


@dataclass(frozen=True)
class EvaluatePair:
    """One evaluation in a log."""

    message: EvaluateMessage
    mean_ns: int | None
    """Average of the timings named ``evaluate``, rounded down; None if there are none."""


_ABSENT = msgspec.Raw(b"")


class _Line(msgspec.Struct):
    message: msgspec.Raw = _ABSENT  # not an optional Raw, which would accept nothing but null
    response: msgspec.Raw = _ABSENT


_line_decoder = msgspec.json.Decoder(_Line)


def read_evaluations(lines: Iterable[bytes]) -> Iterator[EvaluatePair]:
    """Yield the evaluations of a log that have a response, successful or not.

    Raises: LogError for a response without a message, and for a line that is not a JSON object.
    """
    pending: Message | None = None
    for line in lines:
        message, response = _parse(line)
        if message is not None:
            pending = message
            continue
        if pending is None:
            raise LogError("response with no preceding message")
        if isinstance(pending, EvaluateMessage):
            if response is None:
                raise LogError(f"the answer to message {pending.id} cannot be read")
            timings = [t.nanoseconds for t in read_timings(response) or [] if t.name == _EVALUATE]
            yield EvaluatePair(pending, sum(timings) // len(timings) if timings else None)
        pending = None


def _parse(line: bytes) -> tuple[Message | None, bytes | None]:
    try:
        wrapper = _line_decoder.decode(line)
    except UNREADABLE:
        return None, None
    if bytes(wrapper.message):
        try:
            return parse_message(bytes(wrapper.message)), None
        except ProtocolError:
            return None, None
    return None, bytes(wrapper.response) or None


def _duration(nanoseconds: int) -> dict[str, int]:
    return {"secs": nanoseconds // _NS_PER_S, "nanos": nanoseconds % _NS_PER_S}


class Scorer(ABC):
    """Collects the logs of all tools of one eval."""

    @abstractmethod
    def add(self, tool: str, evaluations: Iterable[EvaluatePair]) -> float:
        """Return the score of one tool; infinite when there is nothing to count. Raises ``LogError``."""

    def summary(self) -> dict[str, Any] | None:
        """Return the contents of the eval's own summary file; None for no file."""
        return None


class ConstantScorer(Scorer):
    """Gives every tool the score 1, for evals that do not measure speed."""

    def add(self, tool: str, evaluations: Iterable[EvaluatePair]) -> float:
        for _ in evaluations:  # read all the same, so that an unreadable log is an error for this eval, too
            pass
        return 1.0


class ClassicScorer(Scorer):
    """Computes one divided by the sum, in seconds, of the average times of both functions of all workloads.

    Descriptions distinguish workloads; evaluations without a description or timings do not count. So a missing workload
    improves the score: read it together with the outcome.
    """

    def __init__(self, primal: str, derivative: str):
        self._parts = {primal: "primal", derivative: "derivative"}
        self._tools: dict[str, dict[str, dict[str, int]]] = {}

    def add(self, tool: str, evaluations: Iterable[EvaluatePair]) -> float:
        workloads: dict[str, dict[str, int]] = {}
        for pair in evaluations:
            if pair.message.description is None:
                continue
            if pair.mean_ns is None:
                continue
            part = self._parts.get(pair.message.function)
            if part is None:
                raise LogError(f'unknown function "{pair.message.function}"')
            workload = workloads.setdefault(pair.message.description, {})
            if part in workload:
                raise LogError(f"{part} already set")
            workload[part] = pair.mean_ns
        self._tools[tool] = workloads
        total = sum(time_ns for workload in workloads.values() for time_ns in workload.values())
        return _inverse(total)

    def summary(self) -> dict[str, Any]:
        primal, derivative = self._parts
        tools = {
            tool: {
                description: {part: _duration(times[part]) for part in ("primal", "derivative") if part in times}
                for description, times in workloads.items()
            }
            for tool, workloads in self._tools.items()
        }
        return {"primal": primal, "derivative": derivative, "tools": tools}


class EquivalentScorer(Scorer):
    """Computes one divided by the average time, in seconds, of the fastest function."""

    def __init__(self) -> None:
        self._tools: dict[str, dict[str, int]] = {}

    def add(self, tool: str, evaluations: Iterable[EvaluatePair]) -> float:
        times = {pair.message.function: pair.mean_ns for pair in evaluations if pair.mean_ns is not None}
        if not times:
            raise LogError(f"no results for tool {tool}")
        self._tools[tool] = times
        return _inverse(min(times.values()))

    def summary(self) -> dict[str, Any]:
        tools = {tool: {name: _duration(ns) for name, ns in times.items()} for tool, times in self._tools.items()}
        return {"tools": tools}


def _inverse(nanoseconds: int) -> float:
    return 1 / (nanoseconds / _NS_PER_S) if nanoseconds else math.inf


def create_scorer(eval_name: str) -> Scorer:
    """Create the scorer of an eval; unknown evals have constant scores."""
    eval_class = find_eval_class(eval_name)
    return ConstantScorer() if eval_class is None else eval_class.new_scorer()


# --- expectations --------------------------------------------------------------------------------------------------


def read_supported_evals(file: Path, evals: Sequence[str]) -> dict[str, tuple[Outcome, ...]]:
    """Read a tool's ``evals.txt``: the supported evals with their accepted bad outcomes, mostly none.

    Raises: HelmError for an eval that is not among ``evals`` and for an unknown outcome.
    """
    supported: dict[str, tuple[Outcome, ...]] = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else []:
        name, _, outcomes = line.strip().partition(" ")
        if not name:
            continue
        if name not in evals:
            raise HelmError(f'eval "{name}" not found')
        supported[name] = tuple(_parse_outcome(file, name, word) for word in outcomes.split("+") if word)
    return supported


def _parse_outcome(file: Path, eval_name: str, word: str) -> Outcome:
    bad = {outcome.value: outcome for outcome in Outcome if outcome is not Outcome.SUCCESS}
    if word not in bad:
        raise HelmError(
            f'"{file.as_posix()}": invalid outcome for eval "{eval_name}": invalid outcome "{word}": '
            f"Matching variant not found"
        )
    return bad[word]


# --- the table -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """One tool on one eval: either a score, or a word for the reason why there is none."""

    score: float | None = None
    outcome: str | None = None


@dataclass(frozen=True)
class ScoreTable:
    """Scores by eval and tool; every tool is in every row."""

    rows: dict[str, dict[str, Cell]] = field(default_factory=dict)
    tools: tuple[str, ...] = ()

    def to_json(self, date: str | None = None, commit: str | None = None) -> str:
        """Return the contents of ``summary.json``: one line without a newline."""
        head: dict[str, Any] = {"version": 1}
        head.update({key: value for key, value in (("date", date), ("commit", commit)) if value is not None})
        rows = ",".join(
            f'{{"eval":{_json(name)},"tools":[{",".join(_cell_json(tool, cell) for tool, cell in row.items())}]}}'
            for name, row in self.rows.items()
        )
        return f'{_json(head)[:-1]},"table":[{rows}]}}'


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _cell_json(tool: str, cell: Cell) -> str:
    text = f'{{"tool":{_json(tool)}'
    if cell.outcome is not None:
        text += f',"outcome":{_json(cell.outcome)}'
    if cell.score is not None:
        text += f',"score":{format_float(cell.score) if math.isfinite(cell.score) else "null"}'
    return text + "}"


def write_stats(
    logs: Path,
    output: Path,
    supported: Mapping[str, Mapping[str, tuple[Outcome, ...]]],
    evals: Sequence[str],
    date: str | None = None,
    commit: str | None = None,
    show: Callable[[str], None] = print,
) -> ScoreTable:
    """Read ``logs/<eval>/<tool>.jsonl`` for every eval a tool supports; write all summaries below ``output``.

    Args:
        logs: the folder of the logs.
        output: the folder of the summaries.
        supported: for each tool its evals with their accepted bad outcomes, as ``read_supported_evals`` returns them.
        show: called with each eval and file when it is read.
    Raises: HelmError when a log is missing or cannot be read.
    """
    tools = sorted(supported)
    rows: dict[str, dict[str, Cell]] = {}
    for name in sorted(evals):
        show(name)
        scorer = create_scorer(name)
        rows[name] = {}
        for tool in tools:
            outcomes = supported[tool].get(name)
            if outcomes is None:
                rows[name][tool] = Cell(outcome=Outcome.UNDEFINED.value)
                continue
            score = _read_score(scorer, tool, logs / name / f"{tool}.jsonl", show)
            rows[name][tool] = Cell(outcome=outcomes[0].value) if outcomes else Cell(score)
        summary = scorer.summary()
        if summary is not None:
            _write(output / "evals" / name / "summary.json", _json(summary))
    table = ScoreTable(rows, tuple(tools))
    _write(output / "summary.json", table.to_json(date, commit))
    _write(output / "summary.svg", draw_table(table))
    return table


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text_atomically(str(path), text)


def _read_score(scorer: Scorer, tool: str, file: Path, show: Callable[[str], None]) -> float:
    show(f"  {file.as_posix()}")
    try:
        with open(file, "rb") as lines:
            return scorer.add(tool, read_evaluations(lines))
    except OSError as error:
        raise HelmError(describe_os_error(error)) from error


# --- the picture ---------------------------------------------------------------------------------------------------

_EVAL_LABELS, _TOOL_LABELS, _GAP, _CELL = 60, 80, 5, 30
_STEP = _CELL + _GAP
_LABEL_STYLE = (
    'fill="white" font-family="sans-serif" font-weight="bold" font-size="12" text-anchor="end" '
    'dominant-baseline="middle"'
)
_GREY = "rgb(255 255 255 / 50%)"


def draw_table(table: ScoreTable) -> str:
    """Draw the table as SVG: blue for the fastest tool of an eval, paler for slower ones, grey without a score."""
    left, top = _EVAL_LABELS + _GAP, _TOOL_LABELS + _GAP
    width, height = left + _STEP * len(table.tools), top + _STEP * len(table.rows)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
        f'  <rect x="0" y="0" width="{width}" height="{height}" rx="{_GAP}" ry="{_GAP}" fill="#222" />',
    ]
    for i, name in enumerate(table.rows):
        y = top + _CELL // 2 + _STEP * i
        lines.append(f'  <text x="{_EVAL_LABELS}" y="{y}" {_LABEL_STYLE}>{escape(name)}</text>')
    for j, tool in enumerate(table.tools):
        x, y = left + _CELL // 2 + _STEP * j, _TOOL_LABELS
        turned = f'transform="rotate(90 {x} {y})"'
        lines.append(f'  <text x="{x}" y="{y}" {_LABEL_STYLE} {turned}>{escape(tool)}</text>')
    for i, row in enumerate(table.rows.values()):
        best = max((cell.score for cell in row.values() if cell.score is not None), default=math.nan)
        for j, cell in enumerate(row.values()):
            if cell.outcome == Outcome.UNDEFINED.value:
                continue
            fill = _GREY if cell.score is None else f"hsl(240 100% {_lightness(cell.score, best)}%)"
            place = f'x="{left + _STEP * j}" y="{top + _STEP * i}" width="{_CELL}" height="{_CELL}"'
            lines.append(f'  <rect {place} fill="{fill}" />')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _lightness(score: float, best: float) -> str:
    """Return the lightness in per cent, 50 for the best; ``NaN`` for an infinite score, as in the original's pages."""
    value = 100 - 50 * (score / best)
    return "NaN" if math.isnan(value) else f"{value:.0f}" if value == int(value) else repr(value)
