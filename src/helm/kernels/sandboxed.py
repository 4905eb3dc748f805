"""Runs a kernel that a model wrote, and the reference before it, in the sandbox."""

from __future__ import annotations

import math
import secrets
import threading
from dataclasses import asdict, dataclass, field
from typing import Any

from helm.common.formats.program_text import extract_program, extract_source
from helm.common.processes.timed_work import timed_work
from helm.common.sandbox import SandboxError, SandboxLimits
from helm.common.sandbox.harness import COMPILERS, read_report, read_source, run_timing_harness
from helm.kernels.catalogue import COMPILED, FUNCTION, Operation
from helm.kernels.cheats import CHEATS
from helm.kernels.embedded import reference_kernel
from helm.kernels.scan import scan_kernel

CORRECT, WRONG, CHEATED, FAILED, TIMED_OUT, NO_PROGRAM, UNAVAILABLE, NO_ANSWER = (
    "correct",
    "wrong",
    "cheated",
    "failed",
    "timed_out",
    "no_program",
    "unavailable",
    "no_answer",
)
OUTCOMES = (CORRECT, WRONG, CHEATED, FAILED, TIMED_OUT, NO_PROGRAM, UNAVAILABLE, NO_ANSWER)

_START_S = {"c": 10.0, "cpp": 10.0, "numpy": 10.0, "numba": 30.0, "torch": 90.0}  # to start and to import the library
_MEMORY_BYTES = 3 << 30
_ADDRESS_SPACE_BYTES = 32 << 30  # large libraries reserve much and use little
_OUTPUT_BYTES = 1 << 20
_SCRATCH_BYTES = 1 << 30  # `torch.compile` writes precompiled headers
_REFERENCE_TIMEOUT_S = 120.0

_timing = threading.Lock()
"""Timed work runs alone."""


@dataclass(frozen=True)
class Timing:
    """The times of a kernel for one size of its input."""

    kernel_ns: float
    """Time of a call in the fastest batch, by the supervisor's clock."""

    inside_ns: float
    """The same by the clock of the kernel's process."""

    reference_ns: float
    """Time of a call of the reference in its fastest batch, by the supervisor's clock."""


@dataclass(frozen=True)
class Trial:
    """The result of an answer."""

    outcome: str
    """One of `OUTCOMES`."""

    error: str | None = None
    program: str | None = None

    cheats: dict[str, str] = field(default_factory=dict)
    """The kinds of cheats that were found, and what was seen; see `CHEATS`."""

    timings: list[Timing] = field(default_factory=list)

    error_over_bound: float | None = None
    """The largest difference from the exact output, divided by what is allowed; at most 1 if all is right."""

    seed: int | None = None
    """The seed of the hidden inputs."""

    def to_json(self) -> dict[str, Any]:
        return {key: value for key, value in asdict(self).items() if value not in (None, {}, [])}

    @property
    def speedup(self) -> float:
        """The reference's time over the kernel's: the geometric mean over the sizes."""
        logarithms = [math.log(item.reference_ns / item.kernel_ns) for item in self.timings]
        return math.exp(sum(logarithms) / len(logarithms))


def extract_kernel(text: str, language: str) -> str | None:
    """Return the program in an answer; None if there is none that defines the function."""
    if language in COMPILED:
        return extract_source(text, rf"\bvoid\s+{FUNCTION}\s*\(")
    return extract_program(text, FUNCTION)


def try_kernel(
    operation: Operation,
    language: str,
    dtype: str,
    text: str,
    timeout_s: float,
    runs: int,
    seconds: float,
    seed: int | None = None,
) -> Trial:
    """Extract the kernel from an answer, try it on hidden inputs, judge and time it.

    Args:
        timeout_s: for compiling and for all calls together, without the start of the library.
        runs, seconds: minimum number of timed calls, and their minimum total time, for each size.
        seed: of the hidden inputs; by default one that nobody knows.
    Raises: SandboxError when there is no sandbox, or the reference cannot be run.
    """
    program = extract_kernel(text, language)
    if program is None:
        return Trial(NO_PROGRAM, f"the answer has no code that defines {FUNCTION}")
    seed = secrets.randbits(48) if seed is None else seed
    arguments = (operation, dtype, timeout_s, runs, seconds, seed)
    with _timing, timed_work():
        reference = run_reference(operation, dtype, runs, seconds)
        report = _run(language, program, *arguments)
    cheats = {**scan_kernel(program, language, dtype), **dict(_pairs(report.get("findings")))}
    known: dict[str, Any] = {"program": program, "cheats": cheats, "seed": seed}
    if "missing" in report:
        return Trial(UNAVAILABLE, f"language={language}: {report['missing']}", **known)
    error = str(report["error"]) if "error" in report else None
    wrong = str(report["wrong"][0]) if report.get("wrong") else None
    if cheats:
        return Trial(CHEATED, wrong or error, **known)
    if error is not None:
        return Trial(TIMED_OUT if report.get("is_timeout") else FAILED, error, **known)
    if wrong is not None:
        return Trial(WRONG, wrong, **known)
    timings = [Timing(*times, reference_ns) for times, reference_ns in zip(_fastest(report), reference, strict=True)]
    return Trial(CORRECT, None, timings=timings, error_over_bound=float(report.get("largest_error", 0.0)), **known)


def run_reference(operation: Operation, dtype: str, runs: int, seconds: float) -> list[float]:
    """Time the reference in a sandbox of its own, which a kernel never shares. Returns the time for each size.

    Raises: SandboxError if it does not run, or is not right.
    """
    report = _run(
        "numpy", reference_kernel(operation.name), operation, dtype, _REFERENCE_TIMEOUT_S, runs, seconds, seed=1
    )
    failure = report.get("error") or report.get("missing") or report.get("wrong")
    if failure:
        raise SandboxError(f"The reference of {operation.name} did not run in the sandbox: {failure}")
    return [outside for outside, _ in _fastest(report)]


def _run(
    language: str,
    program: str,
    operation: Operation,
    dtype: str,
    timeout_s: float,
    runs: int,
    seconds: float,
    seed: int,
) -> dict[str, Any]:
    task = {
        "reference": read_source("helm.kernels", "reference.py"),
        "operation": operation.name,
        "inputs": [[array.name, array.dimensions] for array in operation.inputs],
        "output": operation.output.dimensions,
        "output_dtype": "int64" if operation.output.is_count else dtype,
        "dimensions": operation.dimensions,
        "dtype": dtype,
        "language": language,
        "command": COMPILERS.get(language, []),
        "program": program,
        "cheats": list(CHEATS),
        "function": FUNCTION,
        "timeout_s": timeout_s,
        "runs": runs,
        "seconds": seconds,
        "seed": seed,
    }
    limits = SandboxLimits(
        wall_s=timeout_s + _START_S[language],
        memory_bytes=_MEMORY_BYTES,
        address_space_bytes=_ADDRESS_SPACE_BYTES,
        output_bytes=_OUTPUT_BYTES,
        scratch_bytes=_SCRATCH_BYTES,
    )
    files = {"helm/kernels/kernel_child.py": read_source("helm.kernels", "kernel_child.py")}
    result = run_timing_harness("helm.kernels", "harness.py", task, limits, files)
    if result.status == "ok" and not result.stdout and b"Traceback" in result.stderr:
        # Kernels cannot write to this standard error, so the message is from the harness or the interpreter.
        raise SandboxError(f"The harness of kernels failed: {result.stderr.decode(errors='replace')[-2000:]}")
    return read_report(result, timeout_s, ("findings", "wrong", "timed"))


def _pairs(value: Any) -> list[tuple[str, str]]:
    return [(cheat, str(detail)) for cheat, detail in value or [] if cheat in CHEATS]


def _fastest(report: dict[str, Any]) -> list[tuple[float, float]]:
    """Return the time of a call for each size, by the supervisor's clock and by that of the process.

    They are those of the fastest batch: whatever else the machine does only makes batches longer.
    """
    return [(min(item["outside_ns"]), min(item["inside_ns"])) for item in report["timed"]]
