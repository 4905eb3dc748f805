"""What is said in the GradBench protocol: its messages and responses, their timings, and how an exchange ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from helm.common.evaluate_request import Timing

RawJson = bytes | memoryview
"""JSON text of a value. A long one is a view of the line it came in: copying it would cost as much as reading it."""


class ProtocolError(ValueError):
    """A line that is no valid message or response. The text gives the reason without naming the sender."""


class Outcome(Enum):
    """What a whole exchange came to; the value is the word that people and files use."""

    SUCCESS = "success"
    ERROR = "error"
    UNDEFINED = "undefined"
    FAILURE = "failure"
    INVALID = "invalid"
    TIMEOUT = "timeout"
    INTERRUPT = "interrupt"

    @property
    def exit_code(self) -> int:
        """Exit code of the program, 0 to 6 in the order of the members."""
        return list(Outcome).index(self)


@dataclass(frozen=True)
class StartMessage:
    """The first message; says which eval is going to ask."""

    id: int
    eval: str | None
    config: bytes | None
    """Raw JSON, None when absent or null."""


@dataclass(frozen=True)
class DefineMessage:
    """Asks the tool to get a module ready."""

    id: int
    module: str


@dataclass(frozen=True)
class EvaluateMessage:
    """Asks the tool to run one function of a module on one input."""

    id: int
    module: str
    function: str
    input: RawJson
    """``null`` when the message has no input."""

    description: str | None


@dataclass(frozen=True)
class AnalysisMessage:
    """Tells the tool whether an earlier evaluation was right."""

    id: int
    of: int
    valid: bool
    error: str | None


@dataclass(frozen=True)
class StartResponse:
    id: int
    tool: str | None
    config: bytes | None
    """Raw JSON, None when absent or null."""


@dataclass(frozen=True)
class DefineResponse:
    id: int
    success: bool
    timings: list[Timing]
    error: str | None


@dataclass(frozen=True)
class EvaluateResponse:
    id: int
    success: bool
    output: RawJson | None
    """This is None when the key is absent. A null output is ``b"null"``."""

    timings: list[Timing]
    error: str | None


@dataclass(frozen=True)
class AnalysisResponse:
    id: int


Message = StartMessage | DefineMessage | EvaluateMessage | AnalysisMessage
Response = StartResponse | DefineResponse | EvaluateResponse | AnalysisResponse


def check_response(response: Response) -> None:
    """Raises ``ProtocolError`` when a response contradicts itself: success with an error, or without an output."""
    if isinstance(response, (DefineResponse, EvaluateResponse)) and response.success:
        if response.error is not None:
            raise ProtocolError("tool reported success but gave an error")
        if isinstance(response, EvaluateResponse) and response.output is None:
            raise ProtocolError("tool reported success but gave no output")


@dataclass(frozen=True)
class TimingGroup:
    """Timings of one name: how many there were and their sum."""

    name: str
    count: int
    total_ns: int

    @property
    def mean_ns(self) -> int:
        """Average in nanoseconds, rounded down."""
        return self.total_ns // self.count


def group_timings(timings: Iterable[Timing]) -> list[TimingGroup]:
    """Timings summed by name, in order of first appearance."""
    groups: dict[str, list[int]] = {}
    for timing in timings:
        group = groups.setdefault(timing.name, [0, 0])
        group[0] += 1
        group[1] += timing.nanoseconds
    return [TimingGroup(name, count, total) for name, (count, total) in groups.items()]
