"""A compiler service as a child process that never outlives its parent."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from helm.common.processes.end_of_process import ScratchFolder
from helm.compiler_gym.errors import ServiceError, ServiceInitError, ServiceTimeoutError

# Our own service is ready within tenths of a second, so polling starts fast; it slows down for programs that take long.
_POLL_START_S, _POLL_GROWTH, _POLL_MAX_S = 0.01, 1.2, 0.25
_LOG_LINES, _LOG_LINE_CHARACTERS = 25, 200


def get_service_command(backend: str) -> list[str]:
    """Return the command line of our own service for a backend. `-P` keeps the current folder off the import path."""
    return [
        sys.executable,
        "-P",
        "-m",
        "helm.compiler_gym.runtime.service_main",
        f"--backend={backend}",
        "--exit_with_stdin",
    ]


def get_guarded_command(program: Path, args: Sequence[str] = ()) -> list[str]:
    """Return the command line of another service program under our guard, because it may not end when we do.

    Raises: FileNotFoundError when there is no such program.
    """
    if not program.is_file():
        raise FileNotFoundError(f"There is no service program {program}.")
    return [sys.executable, "-P", "-m", "helm.compiler_gym.runtime.service_guard", str(program.absolute()), *args]


class ServiceProcess:
    """Starts a service, waits for its port, stops it.

    The child has its own process group, so that Ctrl-C reaches only us, and a pipe from us as standard input: the
    kernel closes it when we die, however that happens, and our own service then ends (`--exit_with_stdin`). The file
    `port.txt` in its working folder shows that it is ready.
    """

    def __init__(
        self,
        command: Sequence[str],
        start_timeout_s: float = 30.0,
        stop_timeout_s: float = 30.0,
        import_folder: str | None = None,
        variables: Mapping[str, str] | None = None,
    ):
        """Start the service and wait until it has opened its port.

        Args:
            command: the program and its arguments; `--working_dir=FOLDER` is added.
            import_folder: a folder in which the service looks for modules, besides those that this process imports from.
            variables: added to its environment.
            start_timeout_s: time limit for opening the port, in seconds.
            stop_timeout_s: time limit for ending when asked, in seconds; after that it is killed.
        Raises: ServiceInitError when it cannot be started, ends, or does not open its port in time.
        """
        self._stop_timeout_s = stop_timeout_s
        self._lock = threading.Lock()
        self._scratch = ScratchFolder("compiler_gym-")
        self.working_dir = self._scratch.path
        self._log_path = self.working_dir / "logs" / "service.log"
        self._log_path.parent.mkdir()
        try:
            with open(self._log_path, "wb") as log:
                self._process = subprocess.Popen(
                    [*command, f"--working_dir={self.working_dir}"],
                    stdin=subprocess.PIPE,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    env={**_get_environment(import_folder), **(variables or {})},
                )
        except OSError as error:
            self._scratch.close()
            raise ServiceInitError(f"Cannot start the compiler service {command[0]}: {error}") from error
        try:
            self.port = self._wait_for_port(start_timeout_s)
        except BaseException:
            self.kill()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_alive(self, wait_s: float = 0.0) -> bool:
        """Return whether the process runs; waits up to `wait_s` seconds for its end."""
        try:
            self._process.wait(wait_s) if wait_s else self._process.poll()
        except subprocess.TimeoutExpired:
            return True
        return self._process.returncode is None

    def describe_end(self) -> str:
        """Describe how the process ended, with the last lines it wrote."""
        code = self._process.returncode
        name = ""
        if code is not None and code < 0:
            try:
                name = f" ({signal.Signals(-code).name})"
            except ValueError:  # a signal without a name, such as a real-time one
                pass
        lines = [line[:_LOG_LINE_CHARACTERS] for line in self._read_log().splitlines()[-_LOG_LINES:]]
        return "\n".join([f"Service terminated with returncode: {code}{name}", *lines])

    def stop(self) -> None:
        """Ask the process to end, wait, kill it if it does not; remove its working folder. Idempotent.

        Raises: ServiceError when the process ends with a status other than 0 although it was asked to.
        """
        with self._lock:
            if self._process.poll() is not None:
                self._clean_up()
                return
            self._process.send_signal(signal.SIGTERM)
            try:
                code = self._process.wait(self._stop_timeout_s)
            except subprocess.TimeoutExpired:
                self._kill_group()
                code = 0
            self._clean_up()
        if code != 0:
            raise ServiceError(f"Service exited with returncode {code}")

    def kill(self) -> None:
        """Kill the process and everything it started, at once."""
        with self._lock:
            self._kill_group()
            self._clean_up()

    def _kill_group(self) -> None:
        if self._process.poll() is None:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass  # it ended meanwhile
            self._process.wait()

    def _clean_up(self) -> None:
        if self._process.stdin:
            self._process.stdin.close()
        self._scratch.close()

    def _wait_for_port(self, timeout_s: float) -> int:
        deadline = time.monotonic() + timeout_s
        pause_s = _POLL_START_S
        path = self.working_dir / "port.txt"
        while time.monotonic() < deadline:
            try:
                return int(path.read_text())
            except (FileNotFoundError, ValueError):  # not yet, or not yet whole
                pass
            if self._process.poll() is not None:
                raise ServiceInitError(self.describe_end())
            time.sleep(pause_s)
            pause_s = min(pause_s * _POLL_GROWTH, _POLL_MAX_S)
        raise ServiceTimeoutError(f"The compiler service did not open its port within {timeout_s:g} seconds.")

    def _read_log(self) -> str:
        try:
            return self._log_path.read_text(errors="replace")
        except FileNotFoundError:  # the working folder is already removed
            return ""


def get_import_folder(session_class: type) -> str | None:
    """Return the folder from which a class was imported; a plugin's folder is no longer on our import path."""
    path = getattr(sys.modules.get(session_class.__module__), "__file__", None)
    if path is None:
        return None
    is_package = os.path.basename(path) == "__init__.py"
    depth = session_class.__module__.count(".") + (2 if is_package else 1)
    return str(Path(path).absolute().parents[depth - 1])


def _get_environment(import_folder: str | None) -> dict[str, str]:
    """Return our environment with our import folders, so that the child finds the user's backend by its class path."""
    folders = [folder for folder in [*sys.path, import_folder] if folder]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(folders))}
    environment.setdefault("GRPC_VERBOSITY", "NONE")
    return environment
