"""Runs a program that a model wrote, and our own derivative beside it, in the sandbox."""

from __future__ import annotations

import json
import statistics
import threading
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from helm.common.formats.program_text import extract_program, extract_source
from helm.common.processes.timed_work import timed_work
from helm.common.sandbox import SandboxError, SandboxLimits, SandboxResult
from helm.common.sandbox.harness import COMPILERS, read_report, read_source, run_timing_harness
from helm.gradbench.comparison import Analysis
from helm.gradbench.evals.registry import package_eval_names
from helm.gradbench.programming.native import ocaml_glue, ocaml_registration
from helm.gradbench.programming.problems import Plain, Problem

VALID, INVALID, FAILED, TIMED_OUT, NO_PROGRAM, NO_ANSWER = (
    "valid",
    "invalid",
    "failed",
    "timed_out",
    "no_program",
    "no_answer",
)
OUTCOMES = (VALID, INVALID, FAILED, TIMED_OUT, NO_PROGRAM, NO_ANSWER)

_START_S = {
    "numpy": 10.0,
    "cpp": 10.0,
    "ocaml": 10.0,
    "autograd": 20.0,
    "pytorch": 60.0,
    "jax": 60.0,
}  # to start, and to import the library
_MEMORY_BYTES = 2 << 30
_ADDRESS_SPACE_BYTES = 32 << 30  # large libraries reserve much and use little
_OUTPUT_BYTES = 16 << 20
_OWN_TIMEOUT_S = 120.0  # for our own derivative, which takes a second; generous, because a failure ends the run
# A program's own times count unless the lower bound of its calls' time, measured from outside, is more than this many times
# as long. The factor is large because the outside time also includes the loop around the calls.
_MOST_OUTSIDE = 2.0
_PACKAGE = "helm.gradbench.tools.numpy_derivatives"

_HEADS = {"cpp": r"\bvoid\s+%s\s*\(", "ocaml": r"\blet\s+(?:rec\s+)?%s\b"}
"""How a function begins in each compiled language, with a place for its name."""

_timing = threading.Lock()
"""Timed work runs alone."""


@dataclass(frozen=True)
class Workload:
    """One input on which an answer was tried."""

    num_runs: int
    """Number of timed calls of the program; the reference has about as many."""

    time_ns: float
    """Median of the program, timed in its own process."""

    reference_ns: float
    """Median of our NumPy derivative."""

    valid: bool
    num_mismatches: int = 0
    relative_error: float | None = None
    error: str | None = None
    times_disagree: bool | None = None
    """Whether the calls took much longer, timed from outside of the process, than the program reported, so that `time_ns`
    is the outside time. None when they agree."""


@dataclass(frozen=True)
class Trial:
    """The result of an answer."""

    outcome: str
    """One of `OUTCOMES`."""

    error: str | None = None
    program: str | None = None
    workloads: list[Workload] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        data = asdict(self)
        data["workloads"] = [{k: v for k, v in item.items() if v is not None} for item in data["workloads"]]
        return {key: value for key, value in data.items() if value is not None}


def try_answer(problem: Problem, library: str, text: str, timeout_s: float, runs: int, seconds: float) -> Trial:
    """Extract the program from an answer, run it on the problem's workloads, judge and time it.

    Args:
        library: one of `LIBRARIES`.
        timeout_s: for the program and all of its calls, without the start of the library.
        runs, seconds: minimum number of calls, and their minimum total time, for each workload.
    Raises: SandboxError when there is no sandbox, the library is not installed or the reference cannot be run.
    """
    name = problem.name_in(library)
    program = extract_source(text, _HEADS[library] % name) if library in _HEADS else extract_program(text, name)
    if program is None:
        return Trial(NO_PROGRAM, f"the answer has no code that defines {name}")
    inputs = problem.inputs()
    arguments = [[_plain(argument) for argument in problem.arguments(value)] for value in inputs]
    task = {
        "function": name,
        "runs": runs,
        "seconds": seconds,
        "compilers": COMPILERS.get(library, []),
        "shapes": [problem.shapes(value) for value in inputs],
        "library": library,
        "prelude": problem.source(library),
        "program": program,
        "workloads": arguments,
        "timeout_s": timeout_s,
    }
    if library == "ocaml":
        parameters = problem.parameters()
        task["registration"], task["glue"] = ocaml_registration(name, parameters), ocaml_glue(name, parameters)
    own = {"function": problem.function, "runs": runs, "seconds": seconds, "workloads": inputs}
    with _timing, timed_work():
        reference_times = _run_reference(problem.eval_name, own)
        result = _run(task, timeout_s + _START_S[library])
    report = read_report(result, timeout_s, ("outputs", "times_ns", "outside_ns"))
    if "missing" in report:
        raise SandboxError(
            f"ad_programming: library={library} cannot be imported in the sandbox: {report['missing']}. Install it for "
            "this Python."
        )
    if "error" in report:
        return Trial(TIMED_OUT if report.get("is_timeout") else FAILED, str(report["error"]), program)
    if len(report["outputs"]) != len(inputs):
        return Trial(FAILED, "it wrote something else in place of its value", program)
    analyses = [problem.analyze(value, output) for value, output in zip(inputs, report["outputs"], strict=True)]
    measured = zip(analyses, report["times_ns"], report["outside_ns"], reference_times, strict=True)
    workloads = [_workload(*parts) for parts in measured]
    error = next((item.error for item in workloads if not item.valid), None)
    return Trial(VALID if error is None else INVALID, error, program, workloads)


def _workload(analysis: Analysis, times: list[int], outside: list[float], reference_times: list[int]) -> Workload:
    claimed_ns = statistics.median(times)
    outside_ns, at_least_ns = outside
    disagree = at_least_ns > _MOST_OUTSIDE * claimed_ns
    return Workload(
        num_runs=len(times),
        time_ns=outside_ns if disagree else claimed_ns,
        reference_ns=statistics.median(reference_times),
        valid=analysis.valid,
        num_mismatches=analysis.num_mismatches or 0,
        relative_error=analysis.relative_error,
        error=None if analysis.valid else analysis.error or "it differs from the reference",
        times_disagree=True if disagree else None,
    )


def _plain(argument: Any) -> Any:
    return {"plain": argument.value} if isinstance(argument, Plain) else argument


def _run(task: dict[str, Any], wall_s: float, files: dict[str, str] | None = None) -> SandboxResult:
    limits = SandboxLimits(
        wall_s=wall_s,
        memory_bytes=_MEMORY_BYTES,
        address_space_bytes=_ADDRESS_SPACE_BYTES,
        output_bytes=_OUTPUT_BYTES,
    )
    return run_timing_harness("helm.gradbench.programming", "harness.py", task, limits, files)


@cache
def _shared_modules() -> list[str]:
    """Return the files of the reference that belong to no single eval, which evals import."""
    files = sorted(file.name for file in resources.files(_PACKAGE).iterdir() if file.name.endswith(".py"))
    return [name for name in files if name.removesuffix(".py") not in (*package_eval_names(), "__init__")]


def _run_reference(eval_name: str, task: dict[str, Any]) -> list[list[int]]:
    """Time our derivative in its own sandbox, which a program never shares."""
    files = {
        "helm/gradbench/tools/server.py": read_source("helm.gradbench.tools", "server.py"),
        "helm/gradbench/machine.py": read_source("helm.gradbench", "machine.py"),
        **{
            f"{_PACKAGE.replace('.', '/')}/{name}": read_source(_PACKAGE, name)
            for name in [f"{eval_name}.py", *_shared_modules()]
        },
    }
    result = _run({**task, "module": f"{_PACKAGE}.{eval_name}"}, _OWN_TIMEOUT_S, files)
    if not result.is_success:
        said = result.stderr.decode(errors="replace")[-2000:]
        raise SandboxError(f"The reference of {eval_name} did not run in the sandbox ({result.status}): {said}")
    times: list[list[int]] = json.loads(result.stdout)["times_ns"]
    return times
