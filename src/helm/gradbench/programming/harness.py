"""Calls and times a program's derivative. Sent as text into a sandbox; never imported here, imports nothing of ours.

A program runs in a child process. Its times are measured there, call by call, and could be forged there; so they are also
measured from here, around batches of calls, where the program cannot reach.

Standard input: JSON. `function`: the name to call. `workloads`: the arguments of each. `runs`, `seconds`: minimum number of
calls and minimum total time for each workload. `timeout_s`: for the program and all calls. Either `library`, `prelude` (source
that comes before the program) and `program`; or `module`, a module in the scratch folder that holds our own derivative.

Standard output: one line of JSON. For each workload, `outputs` has the value of the last timed call as nested lists, `times_ns`
the times of the calls, and `outside_ns` the time of a call as seen from outside and a lower bound of it. Or else there is
`error`, with `is_timeout`, or `missing`, if the library is not installed.
"""

import importlib
import importlib.abc
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

_MODULES = {"numpy": "numpy", "autograd": "autograd", "pytorch": "torch", "jax": "jax"}
_NOT_ALLOWED = {*_MODULES.values(), "helm", "casadi", "tensorflow", "tinygrad", "mxnet"}
_MAX_ERROR = 2000
_MAX_RUNS = 1000  # for a function that takes almost no time, unless more are requested
_BATCH_NS = 2_000_000  # of calls timed together from outside: many times the duration of a message between processes
_MAX_BATCH = 100
_MAX_LINE = 16 << 20  # characters of what a program returned
_PINGS = 20
_DELAY_NS = 200_000  # that a busy system may add to a message and its answer
_GRACE_S = 1.0  # for a program that was told to stop
_PR_SET_DUMPABLE = 4


class TimedOut(BaseException):
    """The program took too long. It is not an Exception, so a program that catches those does not continue."""


class NotAllowed(importlib.abc.MetaPathFinder):
    """Refuses modules that a program may not import. This enforces the rules; it is no protection."""

    def __init__(self, allowed: str):
        self._names = _NOT_ALLOWED - {"numpy", allowed}

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        if name.partition(".")[0] in self._names:
            raise ModuleNotFoundError(f"{name} may not be used here", name=name)


class Ended(Exception):
    """The program's process cannot continue; the argument is what to report."""


def to_argument(library: str, value: Any, call: int = 0) -> Any:
    """Convert lists to arrays, except those in {"plain": ...}.

    Numbers differ in their last bits from one call to the next, so that nothing is gained by keeping earlier results.
    """
    if isinstance(value, dict):
        return value["plain"]
    factor = 1.0 + call % 16 * 2.0**-50
    if not isinstance(value, list):
        return value * factor if isinstance(value, float) else value
    import numpy as np

    array = np.array(value)
    if array.dtype == np.float64:
        array *= factor
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
    sys.path.insert(0, os.getcwd())
    function = importlib.import_module(task["module"]).FUNCTIONS[task["function"]]
    times = []
    for value in task["workloads"]:
        times.append(
            measure(function.evaluate, lambda value=value: [function.prepare(value)], task["runs"], task["seconds"])[1]
        )
    return {"times_ns": times}


# --- the child ------------------------------------------------------------------------------------------------------


class Line:
    """Lines of JSON through a pair of pipes."""

    def __init__(self, source: int, target: int):
        self._source, self._target, self._received = source, target, b""

    def tell(self, value: Any) -> None:
        data = json.dumps(value).encode() + b"\n"
        while data:
            data = data[os.write(self._target, data) :]

    def hear(self, is_there: Callable[[], bool] = lambda: True) -> Any:
        """Return the next value. Raises: EOFError if there is none, ValueError if it is not JSON or is too long."""
        pieces, length = [self._received], len(self._received)
        while b"\n" not in pieces[-1]:
            if length > _MAX_LINE:
                raise ValueError("its output is too long")
            while not select.select([self._source], [], [], 0.25)[0]:
                if not is_there():
                    raise EOFError
            pieces.append(os.read(self._source, 1 << 16))
            length += len(pieces[-1])
            if not pieces[-1]:
                raise ValueError("an unfinished line") if length else EOFError
        line, _, self._received = b"".join(pieces).partition(b"\n")
        return json.loads(line)


def run_program(task: dict[str, Any], line: Line) -> None:
    library = task["library"]
    try:
        importlib.import_module(_MODULES[library])
    except ImportError as error:
        line.tell({"missing": str(error)})
        return
    sys.meta_path.insert(0, NotAllowed(_MODULES[library]))
    names: dict[str, Any] = {"__name__": "program"}
    exec(compile(task["prelude"], "given.py", "exec"), names)  # brings the library, whose start is not the program's
    for _ in range(_PINGS):
        line.tell("ready")
        line.hear()

    def give_up(number: int, frame: object) -> None:
        raise TimedOut

    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, task["timeout_s"])
    exec(compile(task["program"], "program.py", "exec"), names)
    clock = time.perf_counter_ns
    for workload in task["workloads"]:
        function = names[task["function"]]
        value = function(*(to_argument(library, argument) for argument in workload))
        wait(value)  # the first call, which may compile, does not count
        line.tell("ready")
        num_calls = 0
        while count := line.hear():
            calls = [
                [to_argument(library, argument, call) for argument in workload]
                for call in range(num_calls + 1, num_calls + count + 1)
            ]
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
        line.tell(to_lists(value))
    signal.setitimer(signal.ITIMER_REAL, 0)


def be_program(task: dict[str, Any], line: Line) -> NoReturn:
    try:
        run_program(task, line)
    except TimedOut:
        line.tell(_too_long(task))
    except BaseException as error:  # SystemExit too
        line.tell({"error": f"{type(error).__name__}: {error}"[:_MAX_ERROR]})
    os._exit(0)


def _too_long(task: dict[str, Any]) -> dict[str, Any]:
    return {"error": f"it took longer than {task['timeout_s']:g} s", "is_timeout": True}


# --- the parent -----------------------------------------------------------------------------------------------------


class Program:
    """The process of a program, as seen from its parent."""

    def __init__(self, task: dict[str, Any], to_close: int):
        _protect()
        own_source, target = os.pipe()
        source, own_target = os.pipe()
        self._task = task
        self._status: int | None = None
        self._pid = os.fork()
        if not self._pid:
            for descriptor in (to_close, own_source, own_target):
                os.close(descriptor)
            be_program(task, Line(source, target))
        os.close(source)
        os.close(target)
        self._line = Line(own_source, own_target)
        self._deadline = float("inf")

    def start_clock(self) -> None:
        """Start the time limit of the task."""
        self._deadline = time.monotonic() + self._task["timeout_s"] + _GRACE_S

    def ask(self, value: Any) -> Any:
        try:
            self._line.tell(value)
        except BrokenPipeError:
            pass  # it may have said why
        return self.hear()

    def hear(self) -> Any:
        """Return its next message. Raises: Ended if there is none."""
        try:
            value = self._line.hear(self._is_there)
        except EOFError:
            raise Ended(self._ending()) from None
        except ValueError as error:
            reason = (
                str(error) if str(error).startswith("its output") else "it wrote something else in place of its value"
            )
            raise Ended({"error": reason}) from None
        if isinstance(value, dict):
            known = {key: value[key] for key in ("error", "missing", "is_timeout") if key in value}
            raise Ended(known or {"error": "it wrote something else in place of its value"})
        return value

    def expect_ready(self, value: Any) -> None:
        if value != "ready":
            raise Ended({"error": "it wrote something else in place of its value"})

    def _is_there(self) -> bool:
        if time.monotonic() > self._deadline:
            raise Ended(_too_long(self._task))
        if self._status is None:  # `waitid`, which could look without collecting it, does not exist on every macOS
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            self._status = status if pid else None
        return self._status is None

    def _ending(self) -> dict[str, Any]:
        status = os.waitpid(self._pid, 0)[1] if self._status is None else self._status
        code = os.waitstatus_to_exitcode(status)
        if code < 0:
            return {"error": f"it was killed by signal {-code}"}
        return {"error": "it ended its process before its value could be told"}


def _protect() -> None:
    """Keep a child of the same user from reading or changing this process."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    except (ImportError, OSError, AttributeError):  # not Linux
        pass


def time_program(task: dict[str, Any], to_close: int) -> dict[str, Any]:
    """Run the program in a child and time it from here as well."""
    clock = time.perf_counter_ns
    program = Program(task, to_close)
    outputs, times, outside = [], [], []
    try:
        program.expect_ready(program.hear())
        pings = []
        for _ in range(_PINGS - 1):
            start = clock()
            program.expect_ready(program.ask(1))
            pings.append(clock() - start)
        message_ns = min(pings)
        program.start_clock()
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
                if not _are_times(batch, count):
                    raise Ended({"error": "it wrote something else in place of its times"})
                claimed += batch
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


def _are_times(value: Any, count: int) -> bool:
    return isinstance(value, list) and len(value) == count and all(type(time) is int and time > 0 for time in value)


def main() -> None:
    out = os.dup(1)
    task = json.loads(sys.stdin.buffer.read())
    nowhere = os.open(os.devnull, os.O_RDWR)
    is_own = "module" in task
    for standard in (0, 1) if is_own else (0, 1, 2):
        os.dup2(nowhere, standard)
    data = json.dumps(run_own(task) if is_own else time_program(task, out)).encode()
    while data:
        data = data[os.write(out, data) :]
    os._exit(0)


if __name__ == "__main__":
    main()
