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
    """A call of a tool's `module::function` with `input`. The executor handles what must precede it (`define`)."""

    kind: str = field(default="evaluate", init=False)
    """Tags the request in JSON; always `evaluate`."""

    module: str = ""
    """The eval, for example `gmm`."""

    function: str = ""
    """The function of the module, for example `jacobian`."""

    input: Any = None
    """Any JSON value, sent unchanged."""

    description: str | None = None
    """Name of the workload, for example `10_5_1000`; calls with one description belong together."""

    input_from: str | None = None
    """The id of the instance whose output becomes the input; the executor resolves and records it."""


@dataclass(frozen=True)
class Timing:
    """A duration that the tool reported."""

    name: str
    """`evaluate` for a call of the function itself; `prepare` for its setup."""

    nanoseconds: int


@dataclass(frozen=True)
class EvaluateResult:
    """The tool's answer, or its failure, which is a measurement as well."""

    kind: str = field(default="evaluate", init=False)

    success: bool = False

    output: Any = None
    """The function's value, any JSON value; None if `success` is false."""

    timings: list[Timing] | None = None

    error: str | None = None

    status: str = STATUS_OK
    """`ok`; `undefined`: the tool lacks the module; `failure`: the tool reported a failure; `timeout`; `error`: the tool died
    or violated the protocol."""

    elapsed_ns: int | None = None
    """Time from sending the message to its whole answer, in nanoseconds."""

    resolved_input: Any = None
    """The input that was sent if the request has `input_from`."""

    machine: dict[str, str] | None = None
    """What the timings depend on besides the tool: processor, threads, versions. None if it was not recorded."""

    runs_by_process: list[int] | None = None
    """The number of timings named `evaluate` of each process, in the order of the timings, if several took turns."""
