"""Calls and times a program's derivative. Sent as text into a sandbox; imports nothing of ours but what is sent along.

A program runs in a child process. Its times are measured there, call by call, and could be forged there; so they are also
measured from here, around batches of calls, where the program cannot reach.

Standard input: JSON. `function`: the name to call. `workloads`: the arguments of each. `runs`, `seconds`: minimum number of
calls and minimum total time for each workload. `timeout_s`: for the program and all calls. Either `library`, `prelude` (source
that comes before the program) and `program`, for `cpp` and `ocaml` also `compilers`, names, and `shapes`, those of the outputs
for each workload, and for `ocaml` also `registration`, which comes after the program, and `glue`, which calls it from C; or
`module`, a module in the scratch folder that holds our own derivative.

Standard output: one line of JSON. For each workload, `outputs` has the value of the last timed call as nested lists, `times_ns`
the times of the calls, and `outside_ns` the time of a call as seen from outside and a lower bound of it. Or else there is
`error`, with `is_timeout`, or `missing`, if the library is not installed.
"""

import ctypes
import importlib
import importlib.abc
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from helm.common.sandbox.program_process import (
    Ended,
    Line,
    NotAvailable,
    ProgramProcess,
    compile_library,
    compile_ocaml,
    find_compiler,
    forget_harness_modules,
    too_long,
    write_report,
)

_MODULES = {
    "numpy": "numpy",
    "autograd": "autograd",
    "pytorch": "torch",
    "jax": "jax",
    "cpp": "numpy",
    "ocaml": "numpy",
}
_COMPILED = ("cpp", "ocaml")
_NOT_ALLOWED = {*_MODULES.values(), "helm", "casadi", "tensorflow", "tinygrad", "mxnet"}
_MAX_RUNS = 1000  # for a function that takes almost no time, unless more are requested
_BATCH_NS = 2_000_000  # of calls timed together from outside: many times the duration of a message between processes
_MAX_BATCH = 100
_PINGS = 20
_DELAY_NS = 200_000  # that a busy system may add to a message and its answer


class TimedOut(BaseException):
    """The program took too long. It is not an Exception, so a program that catches those does not continue."""


class NotAllowed(importlib.abc.MetaPathFinder):
    """Refuses modules that a program may not import. This enforces the rules; it is no protection."""

    def __init__(self, allowed: str):
        self._names = _NOT_ALLOWED - {"numpy", allowed}

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        if name.partition(".")[0] in self._names:
            raise ModuleNotFoundError(f"{name} may not be used here", name=name)


def to_argument(library: str, value: Any, call: int = 0) -> Any:
    """Convert lists to arrays, except those in {"plain": ...}.

    Numbers differ in their last bits from one call to the next, so that nothing is gained by keeping earlier results.
    """
    if isinstance(value, dict) and library in _COMPILED:
        value = value["plain"]
    elif isinstance(value, dict):
        return value["plain"]
    factor = 1.0 + call % 16 * 2.0**-50
    if not isinstance(value, list):
        return value * factor if isinstance(value, float) else value
    import numpy as np

    array = np.array(value)
    if array.dtype == np.float64:
        array *= factor
    elif library in _COMPILED:
        array = array.astype(np.int64)
    if library == "pytorch":
        import torch

        return torch.from_numpy(array)
    if library == "jax":
        import jax.numpy

        return jax.numpy.asarray(array)
    return array


def to_lists(value: Any) -> Any:
    """Convert arrays, numbers, and lists and tuples of them to JSON data."""
    if isinstance(value, (tuple, list)):
        return [to_lists(item) for item in value]
    if hasattr(value, "detach"):
        value = value.detach()
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (bool, int, float)):
        return value
    raise TypeError(f"it returned {type(value).__name__}, which is neither an array nor a number")


def wait(value: Any) -> None:
    """Wait until an asynchronous library has done the work."""
    for item in value if isinstance(value, (tuple, list)) else (value,):
        if hasattr(item, "block_until_ready"):
            item.block_until_ready()


def measure(
    function: Callable, make_arguments: Callable[[], list[Any]], runs: int, seconds: float
) -> tuple[Any, list[int]]:
    """Return the last value, and the times. The first call, which may compile, does not count."""
    clock = time.perf_counter_ns
    wait(function(*make_arguments()))
    times: list[int] = []
    value, total = None, 0
    while len(times) < runs or (total < seconds * 1e9 and len(times) < _MAX_RUNS):
        arguments = make_arguments()
        start = clock()
        value = function(*arguments)
        wait(value)
        times.append(clock() - start)
        total += times[-1]
    return value, times


def run_own(task: dict[str, Any]) -> dict[str, Any]:
    """Time the reference. Its outputs are not reported."""
    function = importlib.import_module(task["module"]).FUNCTIONS[task["function"]]
    times = []
    for value in task["workloads"]:
        times.append(
            measure(function.evaluate, lambda value=value: [function.prepare(value)], task["runs"], task["seconds"])[1]
        )
    return {"times_ns": times}


# --- the child ------------------------------------------------------------------------------------------------------


class CompiledFunction:
    """A function of machine code that is called like one of Python.

    Args:
        library: holds the function, which takes each array as a pointer and its sizes, each number as it is, then a pointer for
            each output.
        gets_sizes: whether the sizes of outputs follow their pointers, and a function ``program_failure`` says what it raised.
    """

    def __init__(self, library: ctypes.CDLL, name: str, gets_sizes: bool = False):
        self._function = getattr(library, name)
        self._function.restype = None
        self._failure = library.program_failure if gets_sizes else None
        if self._failure is not None:
            self._failure.restype = ctypes.c_char_p

    def prepare(self, arguments: list[Any], shapes: list[list[int]]) -> list[Any]:
        """Return the words to call it with, and the outputs, which have these shapes."""
        import numpy as np

        words: list[Any] = []
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                words.append(ctypes.c_void_p(argument.ctypes.data))
                words += [ctypes.c_int64(size) for size in argument.shape]
            else:
                words.append(ctypes.c_double(argument) if isinstance(argument, float) else ctypes.c_int64(argument))
        outputs = [np.full(shape, np.nan) for shape in shapes]
        for output in outputs:
            words.append(ctypes.c_void_p(output.ctypes.data))
            if self._failure is not None:
                words += [ctypes.c_int64(size) for size in output.shape or (1,)]
        return [words, outputs, arguments]  # the arguments stay alive as long as their pointers

    def __call__(self, words: list[Any], outputs: list[Any], arguments: list[Any]) -> Any:
        self._function(*words)
        return outputs if len(outputs) > 1 else outputs[0]

    def check(self) -> None:
        """Raise RuntimeError if a call has failed."""
        text = self._failure() if self._failure is not None else b""
        if text:
            raise RuntimeError(text.decode(errors="replace"))


def load_program(task: dict[str, Any]) -> Callable[[], Any]:
    """Run a program, or compile it, and return what gives its function."""
    if task["library"] == "cpp":
        library = compile_library(find_compiler(task["compilers"]), task["program"], "program.cpp")
        function = CompiledFunction(library, task["function"])
        return lambda: function
    if task["library"] == "ocaml":
        source = f"{task['program']}\n{task['registration']}"
        library = compile_ocaml(find_compiler(task["compilers"]), source, task["glue"])
        compiled = CompiledFunction(library, task["function"], gets_sizes=True)
        return lambda: compiled
    names = task["names"]
    exec(compile(task["program"], "program.py", "exec"), names)
    return lambda: names[task["function"]]


def prepare(function: Any, task: dict[str, Any], number: int, call: int) -> list[Any]:
    """Return the arguments of a call on a workload."""
    arguments = [to_argument(task["library"], argument, call) for argument in task["workloads"][number]]
    if isinstance(function, CompiledFunction):
        return function.prepare(arguments, task["shapes"][number])
    return arguments


def run_program(task: dict[str, Any], line: Line) -> None:
    forget_harness_modules()
    library = task["library"]
    try:
        importlib.import_module(_MODULES[library])
        if library in _COMPILED:
            find_compiler(task["compilers"])
    except (ImportError, NotAvailable) as error:
        line.tell({"missing": str(error)})
        return
    sys.meta_path.insert(0, NotAllowed(_MODULES[library]))
    names: dict[str, Any] = {"__name__": "program"}
    task["names"] = names
    exec(compile(task["prelude"], "given.py", "exec"), names)  # brings the library, whose start is not the program's
    for _ in range(_PINGS):
        line.tell("ready")
        line.hear()

    def give_up(number: int, frame: object) -> None:
        raise TimedOut

    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, task["timeout_s"])
    get_function = load_program(task)
    clock = time.perf_counter_ns
    for number in range(len(task["workloads"])):
        function = get_function()
        value = function(*prepare(function, task, number, 0))
        wait(value)  # the first call, which may compile, does not count
        line.tell("ready")
        num_calls = 0
        while count := line.hear():
            calls = [prepare(function, task, number, call) for call in range(num_calls + 1, num_calls + count + 1)]
            num_calls += count
            line.tell("ready")
            line.hear()
            times = []
            for arguments in calls:
                start = clock()
                value = function(*arguments)
                wait(value)
                times.append(clock() - start)
            line.tell(times)
        if isinstance(function, CompiledFunction):
            function.check()
        line.tell(to_lists(value))
    signal.setitimer(signal.ITIMER_REAL, 0)


def be_program(task: dict[str, Any], line: Line) -> None:
    try:
        run_program(task, line)
    except TimedOut:
        line.tell(too_long(task["timeout_s"]))


# --- the parent -----------------------------------------------------------------------------------------------------


def time_program(task: dict[str, Any], to_close: int) -> dict[str, Any]:
    """Run the program in a child and time it from here as well."""
    clock = time.perf_counter_ns
    program = ProgramProcess(lambda line: be_program(task, line), (to_close,))
    outputs, times, outside = [], [], []
    try:
        program.expect_ready(program.hear())
        pings = []
        for _ in range(_PINGS - 1):
            start = clock()
            program.expect_ready(program.ask(1))
            pings.append(clock() - start)
        message_ns = min(pings)
        program.start_clock(task["timeout_s"])
        program.expect_ready(program.ask(1))  # to the first workload
        for number in range(len(task["workloads"])):
            if number:
                program.expect_ready(program.hear())
            claimed: list[int] = []
            seen: list[tuple[float, float]] = []
            count, total = 1, 0
            while len(claimed) < task["runs"] or (total < task["seconds"] * 1e9 and len(claimed) < _MAX_RUNS):
                if total >= task["seconds"] * 1e9:
                    count = min(count, task["runs"] - len(claimed))
                program.expect_ready(program.ask(count))
                start = clock()
                batch = program.ask(1)
                taken = clock() - start
                claimed += program.expect_times(batch, count)
                calls_ns = max(0, taken - message_ns)
                seen.append((max(0, calls_ns - _DELAY_NS) / count, calls_ns / count))
                total += taken
                count = max(1, min(_MAX_BATCH, _BATCH_NS * count // taken))
            outputs.append(program.ask(0))
            times.append(claimed)
            outside.append(min(seen)[::-1])
    except Ended as end:
        return end.args[0]
    return {"outputs": outputs, "times_ns": times, "outside_ns": outside}


def main() -> None:
    out = os.dup(1)
    task = json.loads(sys.stdin.buffer.read())
    nowhere = os.open(os.devnull, os.O_RDWR)
    is_own = "module" in task
    for standard in (0, 1) if is_own else (0, 1, 2):
        os.dup2(nowhere, standard)
    write_report(out, run_own(task) if is_own else time_program(task, out))


if __name__ == "__main__":
    main()
