"""One call to an AD tool: evaluate a function of a module at one input."""

from dataclasses import dataclass, field
from typing import Any

STATUS_OK = "ok"
STATUS_UNDEFINED = "undefined"
STATUS_FAILURE = "failure"
STATUS_TIMEOUT = "timeout"
STATUS_ERROR = "error"


@dataclass(frozen=True)
class EvaluateRequest:
    """Ask a tool for `module::function` at `input`. Everything inside the unit (`define` first) is the executor's business."""

    kind: str = field(default="evaluate", init=False)
    """Tags the request in JSON; always `evaluate`."""

    module: str = ""
    """Which eval, for example `gmm`."""

    function: str = ""
    """Which function of the module, for example `jacobian`."""

    input: Any = None
    """Any JSON value, sent as it is."""

    description: str | None = None
    """Name of the workload, for example `10_5_1000`; calls with one description belong together."""

    input_from: str | None = None
    """Id of the instance whose output becomes the input; the executor resolves and records it."""


@dataclass(frozen=True)
class Timing:
    """A duration that the tool reported."""

    name: str
    """`evaluate` for a run of the function itself; `prepare` for set-up."""

    nanoseconds: int


@dataclass(frozen=True)
class EvaluateResult:
    """What the tool answered; that it could not answer is a measurement too."""

    kind: str = field(default="evaluate", init=False)

    success: bool = False

    output: Any = None
    """The function's value: any JSON value; None when `success` is false."""

    timings: list[Timing] | None = None

    error: str | None = None

    status: str = STATUS_OK
    """`ok`; `undefined`: the tool lacks the module; `failure`: it answered that it failed; `timeout`; `error`: it died or
    broke the protocol."""

    elapsed_ns: int | None = None
    """Time from sending the message to its whole answer, in nanoseconds."""

    resolved_input: Any = None
    """The input that was really sent when the request said `input_from`."""

    machine: dict[str, str] | None = None
    """What the timings depend on beside the tool: processor, threads, versions. None when nobody wrote it down."""

    runs_by_process: list[int] | None = None
    """How many of the timings named `evaluate` are of each process, when several took turns; they come in this order."""
