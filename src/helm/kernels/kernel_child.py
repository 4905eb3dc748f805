"""The process in which a kernel runs. Sent as text into a sandbox; imports nothing of ours but what is sent along."""

import ctypes
import importlib
import mmap
import os
import re
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from helm.common.sandbox.program_process import NotAvailable, compile_library, find_compiler

_MODULES = {"numpy": "numpy", "numba": "numba", "torch": "torch"}
_SOURCES = {"c": "kernel.c", "cpp": "kernel.cpp"}
_CLOCKS = (
    "time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time",
    "process_time_ns", "clock_gettime", "clock_gettime_ns", "thread_time", "thread_time_ns",
)  # fmt: skip
_C_CLOCKS = ("clock_gettime", "gettimeofday", "time", "clock")
_HOOKS = {
    "sys.settrace",
    "sys.setprofile",
    "sys._current_frames",
    "gc.get_objects",
    "gc.get_referrers",
    "gc.get_referents",
}
_PRIVATE = re.compile(
    r"/proc/(?:\d+|self|thread-self|[^/]*)/(?:mem|maps|fd|environ|cmdline|task|root|cwd|stack)\b|/helm/"
)
_BETWEEN = ("inspect.py", "pathlib.py", "traceback.py", "kernel_child.py")
_SETTINGS = {"NUMBA_NUM_THREADS": "1", "TORCHINDUCTOR_COMPILE_THREADS": "1"}


class Watch:
    """Reports what a kernel does that has nothing to do with its operation. A kernel of machine code can escape it.

    Args:
        target: the descriptor to write to, a line for each kind of act.
    """

    def __init__(self, target: int):
        self._target, self._told = target, set[str]()
        self._frame_of, self._is_looking = sys._getframe, False
        self._clocks = {name: getattr(time, name) for name in _CLOCKS if hasattr(time, name)}

    def start(self) -> None:
        sys.addaudithook(self._hear)

    def tell(self, cheat: str, detail: str) -> None:
        if cheat in self._told:
            return
        self._told.add(cheat)
        try:
            os.write(self._target, f"{cheat}: {detail[:200]}\n".encode(errors="replace"))
        except OSError:
            pass

    def check(self) -> None:
        """Look for functions of Python that were replaced."""
        changed = [name for name, clock in self._clocks.items() if getattr(time, name, None) is not clock]
        if changed:
            self.tell("clock_changed", f"time.{changed[0]} was replaced")
        if sys.gettrace() is not None or sys.getprofile() is not None:
            self.tell("inspects_harness", "it traces the functions that call it")

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], (str, bytes)):
            path = os.fsdecode(arguments[0])
            if _PRIVATE.search(path) and self._is_kernels(2):
                self.tell("reads_reference", f"it opened {path}")
        elif event == "import" and str(arguments[0]).partition(".")[0] == "helm":
            self.tell("reads_reference", f"it imported {arguments[0]}")
        elif event == "sys._getframe":
            if self._is_kernels(2):
                self.tell("inspects_harness", "it looked at the frames of its callers")
        elif event in _HOOKS and self._is_kernels(2):
            self.tell("inspects_harness", f"it called {event}")

    def _is_kernels(self, depth: int) -> bool:
        """Whether code of the kernel did what is going on, itself or by one function of `inspect`, `pathlib` or the like."""
        if self._is_looking:
            return False
        self._is_looking = True
        try:
            frame: types.FrameType | None = self._frame_of(depth)
            for _ in range(4):
                if frame is None:
                    return False
                name = frame.f_code.co_filename
                if name == "kernel.py" or name.startswith("<str"):
                    return True
                if os.path.basename(name) not in _BETWEEN:
                    return False
                frame = frame.f_back
            return False
        except ValueError:
            return False
        finally:
            self._is_looking = False


def run_kernel(line: Any, area: mmap.mmap, to_see: int) -> None:
    """Load a kernel and do the calls that the supervisor asks for, until it says `end`."""
    task = line.hear()
    os.environ.update(_SETTINGS)
    watch = Watch(to_see)
    is_compiled = task["language"] in _SOURCES
    try:
        compiler = find_compiler(task["command"]) if is_compiled else None
        if not is_compiled:
            importlib.import_module(_MODULES[task["language"]])
    except (NotAvailable, ImportError) as error:
        line.tell({"missing": str(error)})
        return
    clock = time.perf_counter_ns
    line.tell("ready")
    line.hear()
    if compiler is not None:
        function = _load_compiled(task, compiler, watch)
    else:
        function = _load_python(task, watch)
    line.tell("ready")
    calls: list[tuple[Any, ...]] = []
    while True:
        message = line.hear()
        if message == "go":
            times = []
            for arguments in calls:
                start = clock()
                function(*arguments)
                times.append(max(1, clock() - start))
            line.tell(times)
            watch.check()
        elif isinstance(message, dict):
            arrays = [[_view(area, *array) for array in call] for call in message["calls"]]
            calls = [_arguments(task["language"], call, message["sizes"]) for call in arrays]
            line.tell("ready")
        else:
            watch.check()
            line.tell("ready")
            if message == "end":
                return


def _view(area: mmap.mmap, offset: int, shape: list[int], dtype: str) -> np.ndarray:
    count = 1
    for size in shape:
        count *= size
    return np.frombuffer(area, dtype, count, offset).reshape(shape)


def _arguments(language: str, arrays: list[np.ndarray], sizes: list[int]) -> tuple[Any, ...]:
    if language in _SOURCES:
        return (*(ctypes.c_void_p(array.ctypes.data) for array in arrays), *(ctypes.c_int64(size) for size in sizes))
    if language == "torch":
        import torch

        return tuple(torch.from_numpy(array) for array in arrays)
    return tuple(arrays)


def _load_compiled(task: dict[str, Any], compiler: str, watch: Watch) -> Any:
    library = compile_library(compiler, task["program"], _SOURCES[task["language"]])
    system = ctypes.CDLL(None)
    for name in _C_CLOCKS:
        if _address(library, name) not in (None, _address(system, name)):
            watch.tell("clock_changed", f"it defines {name}")
    function: Any = getattr(library, task["function"])
    function.restype = None
    return function


def _address(library: ctypes.CDLL, name: str) -> int | None:
    """Return where a function is; None if neither the library nor what it needs has it."""
    if not hasattr(library, name):
        return None
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value


def _load_python(task: dict[str, Any], watch: Watch) -> Callable[..., None]:
    watch.start()
    module = types.ModuleType("kernel")
    sys.modules["kernel"] = module  # Numba and torch.compile look for the module of a function
    with open("kernel.py", "w", encoding="utf-8", errors="replace") as file:
        file.write(task["program"])
    exec(compile(task["program"], "kernel.py", "exec"), module.__dict__)
    function: Callable[..., None] = getattr(module, task["function"])
    if not callable(function):
        raise TypeError(f"{task['function']} is not a function")
    return function
