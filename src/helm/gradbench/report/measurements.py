"""Reads measurements of tools from logs of ``gradbench`` and from folders of ``helm-run``."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import msgspec

from helm.common.errors import HelmError
from helm.common.evaluate_request import STATUS_OK, STATUS_UNDEFINED, Timing
from helm.gradbench.intervals import median_interval
from helm.gradbench.log import LogError, read_pairs
from helm.gradbench.protocol import (
    UNREADABLE,
    AnalysisMessage,
    DefineMessage,
    DefineResponse,
    EvaluateMessage,
    EvaluateResponse,
    ProtocolError,
    StartMessage,
    StartResponse,
    parse_response,
)

_NS_PER_S = 1e9
UNANSWERED = "unanswered"
"""The status of an evaluation whose log ends with the question: the tool died, broke the protocol or took too long."""


Facts = tuple[tuple[str, str], ...]
"""What a tool says about its machine: names and values, in words."""


@dataclass(frozen=True)
class Measurement:
    """One function of one workload, evaluated by one tool."""

    function: str

    workload: str | None
    """The description that the eval gave; None when it gave none."""

    times_s: tuple[float, ...] = ()
    """Each run of the function that the tool timed, in seconds."""

    status: str = STATUS_OK
    """``ok``, or why there is no output: a status of ``EvaluateResult``, or ``UNANSWERED``."""

    valid: bool | None = None
    """Whether the output is right; None when nobody judged it."""

    @property
    def counts(self) -> bool:
        """Whether there is a time to compare, that is, a time of an output that nobody found wrong."""
        return self.status == STATUS_OK and self.valid is not False and bool(self.times_s)

    @cached_property
    def median_s(self) -> float:
        return statistics.median(self.times_s)

    @cached_property
    def interval_s(self) -> tuple[float, float] | None:
        """Where the true median lies with 95% confidence; None for too few runs."""
        return median_interval(self.times_s)


@dataclass(frozen=True)
class ToolRun:
    """One tool on one eval."""

    eval: str
    tool: str
    measurements: tuple[Measurement, ...] = ()
    """The measurements, in the order of the eval."""

    problem: str | None = None
    """What went wrong with the run as a whole, in one word: ``undefined``, ``unanswered``; None if it ended normally."""

    machines: frozenset[Facts] = field(default_factory=frozenset)
    """Where it was measured; empty when the files do not say."""

    is_strict: bool = False
    """Whether outputs were judged strictly; otherwise as the original judges."""


def read_runs(folder: Path) -> list[ToolRun]:
    """Return all runs below ``folder`` (logs named ``EVAL/TOOL.jsonl``, run folders of ``helm-run``), by eval and tool.

    The measurements of several runs of one tool on one eval are combined.

    Raises: HelmError when there are none, or a file cannot be read.
    """
    if not folder.is_dir():
        raise HelmError(f"{folder} is no folder.")
    merged: dict[tuple[str, str], ToolRun] = {}
    for run in _each_run(folder):
        old = merged.get((run.eval, run.tool))
        merged[run.eval, run.tool] = run if old is None else _together(old, run)
    if not merged:
        raise HelmError(f"{folder} holds neither logs named EVAL/TOOL.jsonl nor runs of AD tools by helm-run.")
    return [merged[key] for key in sorted(merged)]


def _together(old: ToolRun, new: ToolRun) -> ToolRun:
    return replace(
        old,
        measurements=old.measurements + new.measurements,
        problem=old.problem or new.problem,
        machines=old.machines | new.machines,
        is_strict=old.is_strict and new.is_strict,
    )


def _each_run(folder: Path) -> Iterator[ToolRun]:
    for file in sorted(folder.glob("*/*.jsonl")):
        try:
            with open(file, "rb") as lines:
                yield read_log(lines, file.parent.name, file.stem)
        except LogError as error:
            raise HelmError(f"{file}: {error}") from error
    from helm.gradbench.report.helm_runs import read_helm_runs

    yield from read_helm_runs(folder)


# --- logs ----------------------------------------------------------------------------------------------------------


def read_log(lines: Iterable[bytes], eval_name: str, tool: str) -> ToolRun:
    """Read one log.

    The eval has the name that it gives itself, whatever its flags, and otherwise ``eval_name``. The caller names the
    tool, because one program may run with different flags.

    An interrupted run is read as far as it goes. Raises ``LogError`` if anything before the last line is not a log.
    """
    found: list[Measurement] = []
    by_id: dict[int, int] = {}
    problem: str | None = None
    machines: frozenset[Facts] = frozenset()
    is_strict = False
    for pair in read_pairs(_without_broken_end(lines)):
        message = pair.message
        if isinstance(message, StartMessage):
            eval_name = eval_name if message.eval is None else message.eval
            is_strict = message.config is not None and _is_strict(message.config)
        if isinstance(message, AnalysisMessage):
            if message.of in by_id:
                position = by_id[message.of]
                found[position] = replace(found[position], valid=message.valid)
            continue
        if pair.response is None:
            problem = UNANSWERED
            if isinstance(message, EvaluateMessage):
                found.append(Measurement(message.function, message.description, status=UNANSWERED))
            continue
        try:
            response = parse_response(pair.response, message)
        except ProtocolError as error:
            raise LogError(f"the answer to message {message.id}: {error}") from error
        if isinstance(response, StartResponse):
            facts = _machine_of(pair.response)
            machines = machines | {tuple(facts.items())} if facts else machines
        elif isinstance(response, DefineResponse) and not response.success:
            problem = STATUS_UNDEFINED
        elif isinstance(response, EvaluateResponse) and isinstance(message, EvaluateMessage):
            by_id[message.id] = len(found)
            status = STATUS_OK if response.success else "failure"
            found.append(Measurement(message.function, message.description, times_in_seconds(response.timings), status))
        else:
            assert isinstance(message, DefineMessage)
    return ToolRun(eval_name, tool, tuple(found), problem, machines, is_strict)


def _is_strict(config: bytes) -> bool:
    """Return what our evals say about themselves when they start; other evals have no such setting."""
    try:
        return msgspec.json.decode(config, type=_EvalConfig).strict
    except UNREADABLE:
        return False


def _machine_of(start_response: bytes) -> dict[str, str] | None:
    """Return what our tools say about their machine when they start; None for other tools."""
    try:
        return msgspec.json.decode(start_response, type=_Start).machine
    except UNREADABLE:  # something else by that name
        return None


def _without_broken_end(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Return the lines without a last one that is not JSON, such as an eval's garbage or an incomplete write."""
    previous: bytes | None = None
    for line in lines:
        if previous is not None:
            yield previous
        previous = line
    if previous is not None:
        try:
            msgspec.json.decode(previous, type=dict[str, msgspec.Raw])
        except UNREADABLE:
            return
        yield previous


def times_in_seconds(timings: Iterable[Timing] | None) -> tuple[float, ...]:
    return tuple(timing.nanoseconds / _NS_PER_S for timing in timings or () if timing.name == "evaluate")


class _Start(msgspec.Struct):
    machine: dict[str, str] | None = None


class _EvalConfig(msgspec.Struct):
    strict: bool = False
