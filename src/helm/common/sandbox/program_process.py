"""A program in a child process, as the harness that asks and times it sees it. Sent as text into a sandbox.

It imports nothing of ours, because a harness brings it along as a file.
"""

import ctypes
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

MAX_ERROR = 2000
"""Characters of what a program says of its failure."""

_COMPILER_FLAGS = ("-O3", "-march=native", "-fPIC", "-shared", "-w")
_MAX_LINE = 16 << 20  # characters of what a program returned
_GRACE_S = 1.0  # for a program that was told to stop
_PR_SET_DUMPABLE = 4
_SOMETHING_ELSE = "it wrote something else in place of its"


class NotAvailable(Exception):
    """What a program's language needs is not installed."""


class Ended(Exception):
    """The program's process cannot continue; the argument is what to report."""


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

    def has_more(self) -> bool:
        """Return whether something was received that nobody has heard."""
        return bool(self._received or select.select([self._source], [], [], 0)[0])


class ProgramProcess:
    """A child process that runs a program, as seen from its parent.

    Args:
        run: what the child does with its end of the line; a `BaseException` that it raises is told to the parent.
        to_close: descriptors of the parent that the child must not have.
    """

    def __init__(self, run: Callable[[Line], None], to_close: tuple[int, ...]):
        protect()
        own_source, target = os.pipe()
        source, own_target = os.pipe()
        self._timeout_s = 0.0
        self._status: int | None = None
        self.pid = os.fork()
        if not self.pid:
            for descriptor in (*to_close, own_source, own_target):
                os.close(descriptor)
            _be_program(run, Line(source, target))
        os.close(source)
        os.close(target)
        self._line = Line(own_source, own_target)
        self._deadline = float("inf")

    def start_clock(self, timeout_s: float) -> None:
        """Start the time limit of the program, in seconds."""
        self._timeout_s = timeout_s
        self._deadline = time.monotonic() + timeout_s + _GRACE_S

    def tell(self, value: Any) -> None:
        try:
            self._line.tell(value)
        except BrokenPipeError:
            pass  # it may have said why

    def ask(self, value: Any) -> Any:
        self.tell(value)
        return self.hear()

    def hear(self) -> Any:
        """Return its next message. Raises: Ended if there is none."""
        try:
            value = self._line.hear(self.is_there)
        except EOFError:
            raise Ended(self._ending()) from None
        except ValueError as error:
            said = str(error)
            raise Ended({"error": said if said.startswith("its output") else f"{_SOMETHING_ELSE} value"}) from None
        if isinstance(value, dict):
            known = {key: value[key] for key in ("error", "missing", "is_timeout") if key in value}
            raise Ended(known or {"error": f"{_SOMETHING_ELSE} value"})
        return value

    def has_more(self) -> bool:
        """Return whether it has said more than it was asked, or has ended."""
        return self._line.has_more()

    def expect_ready(self, value: Any) -> None:
        """Check that a message is the one that says so. Raises: Ended."""
        if value != "ready":
            raise Ended({"error": f"{_SOMETHING_ELSE} value"})

    def expect_times(self, value: Any, count: int) -> list[int]:
        """Check that a message is the times of so many calls, in nanoseconds. Raises: Ended."""
        if isinstance(value, list) and len(value) == count and all(type(t) is int and t > 0 for t in value):
            return value
        raise Ended({"error": f"{_SOMETHING_ELSE} times"})

    def is_there(self) -> bool:
        """Return whether it has not ended. Raises: Ended after the time limit."""
        if time.monotonic() > self._deadline:
            raise Ended(too_long(self._timeout_s))
        if self._status is None:  # `waitid`, which could look without collecting it, does not exist on every macOS
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._status = status if pid else None
        return self._status is None

    def has_stopped(self) -> bool:
        """Wait until it has stopped by a signal; False if it has ended instead."""
        if self._status is None:
            _, status = os.waitpid(self.pid, os.WUNTRACED)
            if os.WIFSTOPPED(status):
                return True
            self._status = status
        return False

    def _ending(self) -> dict[str, Any]:
        status = os.waitpid(self.pid, 0)[1] if self._status is None else self._status
        code = os.waitstatus_to_exitcode(status)
        if code < 0:
            return {"error": f"it was killed by signal {-code}"}
        return {"error": "it ended its process before its value could be told"}


def too_long(timeout_s: float) -> dict[str, Any]:
    """Return the report of a program that exceeded its time limit, in seconds."""
    return {"error": f"it took longer than {timeout_s:g} s", "is_timeout": True}


def protect() -> None:
    """Keep a child of the same user from reading or changing this process."""
    try:
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    except (OSError, AttributeError):  # not Linux
        pass


def find_compiler(names: list[str]) -> str:
    """Return the path of the first compiler that is there. Raises: NotAvailable if none is."""
    for name in names:
        found = shutil.which(name)
        if found:
            return found
    raise NotAvailable(f"there is no compiler in the sandbox: none of {', '.join(names)}")


def compile_library(compiler: str, source: str, file_name: str) -> ctypes.CDLL:
    """Compile a program of C or C++ in the working folder, by its file name, and load it. Raises: SyntaxError."""
    with open(file_name, "w", encoding="utf-8", errors="replace") as file:
        file.write(source)
    library = f"{file_name.partition('.')[0]}.so"
    _compile([compiler, *_COMPILER_FLAGS, file_name, "-o", library, "-lm"])
    os.remove(file_name)
    return ctypes.CDLL(os.path.abspath(library))


def compile_ocaml(compiler: str, source: str, glue: str) -> ctypes.CDLL:
    """Compile a program of OCaml in the working folder, with a source of C that calls it, and load it. Raises: SyntaxError."""
    names = ["program.ml", "glue.c"]
    for name, text in zip(names, (source, glue), strict=True):
        with open(name, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
    flags = ["-O3", "-unsafe", "-inline", "200", "-w", "-a", "-runtime-variant", "_pic", "-output-complete-obj"]
    _compile([compiler, *flags, "-o", "program.so", *names])
    for name in names:
        os.remove(name)
    return ctypes.CDLL(os.path.abspath("program.so"))


def _compile(command: list[str]) -> None:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        raise SyntaxError(f"it does not compile: {done.stdout.decode(errors='replace')[:1500]}")


def forget_harness_modules() -> None:
    """Take what a harness imported of ours out of reach of `import`, before a program runs."""
    sys.path[:] = [path for path in sys.path if path != os.getcwd()]
    for name in [name for name in sys.modules if name.partition(".")[0] == "helm"]:
        del sys.modules[name]


def write_report(target: int, report: dict[str, Any]) -> NoReturn:
    """Write a report as one line of JSON to a descriptor, and end this process."""
    data = json.dumps(report).encode()
    while data:
        data = data[os.write(target, data) :]
    os._exit(0)


def _be_program(run: Callable[[Line], None], line: Line) -> NoReturn:
    try:
        run(line)
    except BaseException as error:  # SystemExit too
        line.tell({"error": f"{type(error).__name__}: {error}"[:MAX_ERROR]})
    os._exit(0)
