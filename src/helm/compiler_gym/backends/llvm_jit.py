"""Builds and runs whole programs whose benchmarks do not say how, as object files or in memory."""

import json
import time
from typing import Any

from helm.compiler_gym.backends.llvm_program import measure_object_text_size
from helm.compiler_gym.errors import StatusError


def has_main(module: Any) -> bool:
    """Return whether it is a whole program, that is, whether it defines the function main."""
    try:
        return not module.get_function("main").is_declaration
    except NameError:
        return False


def can_be_run(module: Any) -> bool:
    """Return whether it is a whole program and there is a sandbox to run it in."""
    from helm.compiler_gym.checks.program_runner import can_run_programs

    return has_main(module) and can_run_programs()


def run_in_memory(bitcode: bytes, num_runs: int, num_warmups: int) -> list[float]:
    """Compile a program in memory and measure runs of its main in the sandbox, without arguments or input, in seconds.

    Raises: StatusError when it does not end by itself with status 0, or not in time.
    """
    from helm.compiler_gym.checks.program_runner import EXECUTION_TIMEOUT, NotRunnableError, time_bitcode

    try:
        run = time_bitcode(bitcode, num_runs, num_warmups)
    except NotRunnableError as error:
        raise StatusError("INTERNAL", f"The program cannot be run: {error}") from error
    if run.error is not None or run.returncode != 0:
        what = run.error or run.details.removeprefix("RUN FAILED: ")
        status = "DEADLINE_EXCEEDED" if run.error == EXECUTION_TIMEOUT else "INTERNAL"
        raise StatusError(status, f"The program was run: {what}.")
    return [float(seconds) for seconds in json.loads(run.output)]


def measure_emission(module: Any, count: int) -> list[float]:
    """Measure how long it takes to make an object file at code-generation level 0, `count` times, in seconds."""
    times = []
    for _ in range(count):
        start = time.perf_counter()
        measure_object_text_size(module)
        times.append(time.perf_counter() - start)
    return times
