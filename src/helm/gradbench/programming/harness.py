"""Calls and times a program's derivative. Sent as text into a sandbox; never imported here, imports nothing of ours.

Standard input: JSON. `function`: the name to call. `workloads`: of each the arguments. `runs`, `seconds`: how often to call
it for each workload, both at the least. `timeout_s`: for the program and all calls. Either `library`, `prelude` (source
that comes before the program) and `program`; or `module`, a module in the scratch folder that holds our own derivative.

Standard output: one line of JSON. `outputs`: of each workload the value of the last timed call as nested lists; `times_ns`: of
each workload the times of the calls; or `error`, with `is_timeout`; or `missing`, when the library is not there.
"""

import importlib
import importlib.abc
import json
import os
import signal
import sys
import time
from typing import Any, Callable, Dict, List, Tuple

_MODULES = {"numpy": "numpy", "autograd": "autograd", "pytorch": "torch", "jax": "jax"}
_NOT_ALLOWED = {*_MODULES.values(), "helm", "casadi", "tensorflow", "tinygrad", "mxnet"}
_MAX_ERROR = 2000
_MAX_RUNS = 1000  # of a function that takes next to no time, unless more are asked for


class TimedOut(BaseException):
    """The program took too long. No Exception: a program that catches those does not go on."""


class NotAllowed(importlib.abc.MetaPathFinder):
    """Refuses what a program may not import. That keeps to the rules, it does not protect."""

    def __init__(self, allowed: str):
        self._names = _NOT_ALLOWED - {"numpy", allowed}

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        if name.partition(".")[0] in self._names:
            raise ModuleNotFoundError(f"{name} may not be used here", name=name)


def to_argument(library: str, value: Any) -> Any:
    """Lists become arrays; what is in {"plain": ...} stays as it is."""
    if isinstance(value, dict):
        return value["plain"]
    if not isinstance(value, list):
        return value
    import numpy as np

    array = np.array(value)
    if library == "pytorch":
        import torch

        return torch.from_numpy(array)
    if library == "jax":
        import jax.numpy

        return jax.numpy.asarray(array)
    return array


def to_lists(value: Any) -> Any:
    """Arrays, numbers, and lists and tuples of them as JSON data."""
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
    """Until an asynchronous library has done the work."""
    for item in value if isinstance(value, (tuple, list)) else (value,):
        if hasattr(item, "block_until_ready"):
            item.block_until_ready()


def measure(
    function: Callable, make_arguments: Callable[[], List[Any]], runs: int, seconds: float
) -> Tuple[Any, List[int]]:
    """The last value, and the times. The first call, which may compile, does not count."""
    clock = time.perf_counter_ns
    wait(function(*make_arguments()))
    times: List[int] = []
    value, total = None, 0
    while len(times) < runs or (total < seconds * 1e9 and len(times) < _MAX_RUNS):
        arguments = make_arguments()
        start = clock()
        value = function(*arguments)
        wait(value)
        times.append(clock() - start)
        total += times[-1]
    return value, times


def run_own(task: Dict[str, Any]) -> Dict[str, Any]:
    """The reference. Its outputs are not told."""
    sys.path.insert(0, os.getcwd())
    function = importlib.import_module(task["module"]).FUNCTIONS[task["function"]]
    times = []
    for value in task["workloads"]:
        times.append(
            measure(function.evaluate, lambda value=value: [function.prepare(value)], task["runs"], task["seconds"])[1]
        )
    return {"times_ns": times}


def run_program(task: Dict[str, Any]) -> Dict[str, Any]:
    library = task["library"]
    try:
        importlib.import_module(_MODULES[library])
    except ImportError as error:
        return {"missing": str(error)}
    sys.meta_path.insert(0, NotAllowed(_MODULES[library]))
    names: Dict[str, Any] = {"__name__": "program"}
    exec(compile(task["prelude"], "given.py", "exec"), names)  # brings the library, whose start is not the program's

    def give_up(number: int, frame: object) -> None:
        raise TimedOut

    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, task["timeout_s"])
    exec(compile(task["program"], "program.py", "exec"), names)
    outputs, times = [], []
    for workload in task["workloads"]:
        value, taken = measure(
            names[task["function"]],
            lambda workload=workload: [to_argument(library, argument) for argument in workload],
            task["runs"],
            task["seconds"],
        )
        outputs.append(to_lists(value))
        times.append(taken)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return {"outputs": outputs, "times_ns": times}


def main() -> None:
    out = os.dup(1)
    task = json.loads(sys.stdin.buffer.read())
    nowhere = os.open(os.devnull, os.O_RDWR)
    is_own = "module" in task
    for standard in (0, 1) if is_own else (0, 1, 2):
        os.dup2(nowhere, standard)
    if is_own:
        report = run_own(task)
    else:
        try:
            report = run_program(task)
        except TimedOut:
            report = {"error": f"it took longer than {task['timeout_s']:g} s", "is_timeout": True}
        except BaseException as error:  # SystemExit too
            report = {"error": f"{type(error).__name__}: {error}"[:_MAX_ERROR]}
    data = json.dumps(report).encode()
    while data:
        data = data[os.write(out, data) :]
    os._exit(0)


if __name__ == "__main__":
    main()
