"""A package of another project in a process of its own interpreter, which is asked in lines of JSON.

Such packages need other versions of libraries than ours, or hundreds of megabytes of them. The process serves all episodes of a
run; it gets nothing of our environment, so no key of a provider either.
"""

import json
import os
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any

from helm.agents.errors import InfrastructureFailure
from helm.common.agent_request import HARNESS
from helm.common.errors import ConfigError, HelmError
from helm.common.processes.line_process import LineProcess, StartError

SERVE = str(Path(__file__).with_name("serve.py"))
_INHERITED = ("PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH")
_START_S, _CALL_S, _IDLE_S = 600.0, 300.0, 60.0
_MOST_SAID = 2000


class PackageError(HelmError):
    """The package itself refused a call. The text is its own."""


class PackageProcess:
    """One package in one process. It starts when it is first asked, and again after it has ended. Thread-safe.

    Args:
        name: of the package, for messages.
        command: the interpreter, and its options.
        side: path of the program with the functions that can be called; see `serve`.
        install: what to do when the package is missing, as a sentence.
        environment: further environment variables.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        side: str,
        install: str,
        environment: Mapping[str, str] | None = None,
    ):
        self._name, self._install = name, install
        self._command = [*command, SERVE, side]
        self._environment = dict(environment or {})
        self._process: LineProcess | None = None
        self._said: IO[bytes] | None = None
        self._owner = 0
        self._users = 0
        self._idle: threading.Timer | None = None
        self._lock = threading.RLock()
        self.generation = 0
        """The number of starts, by which a session knows that its process is gone."""

    def check(self) -> None:
        """Start it. Raises: ConfigError if the interpreter or the package is missing, or cannot be loaded."""
        with self._lock:
            if self._process is None or self._owner != os.getpid() or not self._process.is_running():
                self._start()

    def call(self, function: str, generation: int | None = None, **arguments: Any) -> Any:
        """Return what a function of the program returns, a JSON value.

        Args:
            function: its name.
            generation: the number of the start that the call belongs to; None for any.
            arguments: keyword arguments, JSON values.

        Raises:
            PackageError: The package raised an error.
            ConfigError: The package is missing.
            InfrastructureFailure: The process has ended, or has not answered in time.
        """
        with self._lock:
            if generation is None:
                self.check()
            process = self._process
            if process is None or generation not in (None, self.generation):
                raise InfrastructureFailure(HARNESS, f"The process of {self._name} that held this episode has ended.")
            try:
                process.write(json.dumps({"call": function, "arguments": arguments}).encode() + b"\n", _after(_CALL_S))
                answer = self._read(process, _CALL_S)
            except (OSError, EOFError, ValueError) as e:
                self._end()
                reason = f"did not answer in {_CALL_S:g} s" if isinstance(e, TimeoutError) else "has ended"
                raise InfrastructureFailure(
                    HARNESS, f"The process of {self._name} {reason}. {self._last_words()}"
                ) from e
            if "error" in answer:
                raise PackageError(answer["error"])
            return answer["result"]

    def acquire(self) -> None:
        """Keep it running until `release`."""
        with self._lock:
            self._users += 1
            if self._idle is not None:
                self._idle.cancel()
                self._idle = None

    def release(self) -> None:
        """Let it end if nobody needs it for a while."""
        with self._lock:
            self._users -= 1
            if not self._users and self._process is not None:
                self._idle = threading.Timer(_IDLE_S, self._end_if_idle)
                self._idle.daemon = True
                self._idle.start()

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _end_if_idle(self) -> None:
        with self._lock:
            if not self._users:
                self._end()

    def _start(self) -> None:
        self._end()
        inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        self._said = tempfile.TemporaryFile()
        try:
            self._process = LineProcess(
                self._command,
                stderr=self._said,
                guarded=True,
                environment={**inherited, "PYTHONIOENCODING": "utf-8", **self._environment},
                name=f"process of {self._name}",
            )
        except StartError as e:
            raise ConfigError(f"{self._name}: cannot start {self._command[0]}: {e}. {self._install}") from e
        self._owner = os.getpid()
        self.generation += 1
        try:
            first = self._read(self._process, _START_S)
        except (OSError, EOFError, ValueError) as e:
            self._end()
            raise ConfigError(
                f"{self._name}: {self._command[0]} cannot load it. {self._last_words()} {self._install}"
            ) from e
        if "ready" not in first:
            self._end()
            raise ConfigError(
                f"{self._name}: {self._command[0]} lacks the module '{first['missing']}'. {self._install}"
                if "missing" in first
                else f"{self._name}: the package in {self._command[0]} cannot be used: {first.get('broken')}. {self._install}"
            )

    def _read(self, process: LineProcess, seconds: float) -> dict[str, Any]:
        line = process.read_line(_after(seconds))
        if not line:
            raise EOFError(f"the process of {self._name} has ended") from None
        return dict(json.loads(line))

    def _end(self) -> None:
        if self._process is not None:
            if self._owner == os.getpid():  # after a fork, the process is the parent's
                self._process.finish(0.0)
            self._process = None

    def _last_words(self) -> str:
        """Return the end of what the process wrote to its standard error."""
        if self._said is None:
            return ""
        size = self._said.seek(0, os.SEEK_END)
        self._said.seek(max(0, size - _MOST_SAID))
        return self._said.read().decode(errors="replace").strip()


def _after(seconds: float) -> float:
    return time.monotonic() + seconds


@cache
def get_package_process(
    name: str, command: tuple[str, ...], side: str, install: str, environment: tuple[tuple[str, str], ...] = ()
) -> PackageProcess:
    """Return the process of a package, one for all episodes. See `PackageProcess`."""
    return PackageProcess(name, command, side, install, dict(environment))
