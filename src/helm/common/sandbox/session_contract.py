"""The contract of sandboxes that live for a session: commands follow each other, and files and background processes stay."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from socket import socket

from helm.common.sandbox.contract import SandboxError


class SessionEnded(SandboxError):
    """The sandbox has ended, or does not answer: nothing is known about the command."""


class SessionRefused(SandboxError):
    """A file operation or a command was not possible inside, as the operating system says."""


@dataclass(frozen=True)
class CommandResult:
    """How a command ended."""

    status: str
    """`ok`; `timeout`; `interrupted` by `interrupt`; `memory` or `processes` if everything inside was killed for using too much;
    of a shell also `ended` and `timeout_ended`: the shell itself is gone, and the next command starts a new one."""

    returncode: int | None
    """None where the command has none."""

    output: bytes
    """Standard output and standard error, interleaved; the middle is left out if it is too long."""

    elapsed_s: float


class Session(ABC):
    """A sandbox in which commands are run one after the other. All methods may raise SessionEnded."""

    user: str | int | None = None
    """Who runs commands, reads and writes, by name or number; None for the sandbox's only or usual user."""

    @abstractmethod
    def run(
        self,
        argv: Sequence[str],
        *,
        wall_s: float,
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
        folder: str | None = None,
        output_bytes: int = 1 << 20,
    ) -> CommandResult:
        """Run a program to its end, or to the end of its time; what it started in the background stays.

        Raises: SessionRefused if it cannot be started.
        """

    @abstractmethod
    def run_in_shell(
        self, command: str, *, wall_s: float, output_bytes: int = 1 << 20, restart: bool = False
    ) -> CommandResult:
        """Run a command in the session's shell, which keeps its folder, variables and background processes.

        Raises: SessionRefused without a shell.
        """

    @abstractmethod
    def open_program(
        self, argv: Sequence[str], *, environment: Mapping[str, str] | None = None, folder: str | None = None
    ) -> socket:
        """Start a program beside everything else, and return a socket that is its standard input and output.

        Its errors are nobody's. It lives until it ends by itself, such as when the socket is closed, or until the sandbox ends.

        Raises: SessionRefused if it cannot be started; where that is not known at once, the socket ends instead.
        """

    @abstractmethod
    def write(self, path: str, content: bytes, mode: int = 0o644) -> None:
        """Write a file, with the folders above it. Raises: SessionRefused."""

    def write_all(self, files: Mapping[str, tuple[bytes, int]]) -> None:
        """Write files, given as content and mode by absolute path. Raises: SessionRefused."""
        for path, (content, mode) in files.items():
            self.write(path, content, mode)

    @abstractmethod
    def read(self, path: str, max_bytes: int = 1 << 20) -> bytes:
        """Return a file, at most its first `max_bytes`. Raises: SessionRefused."""

    @abstractmethod
    def list_files(self, path: str, max_files: int = 1000) -> list[tuple[str, int]]:
        """Return the regular files below a folder, with their sizes."""

    @abstractmethod
    def make_folder(self, path: str) -> None:
        """Make a folder, with those above it. Raises: SessionRefused."""

    @abstractmethod
    def empty(self, path: str) -> None:
        """Delete everything in a folder. Raises: SessionRefused."""

    @abstractmethod
    def interrupt(self) -> None:
        """End the program that `run` has started in another thread, if there is one; its status is `interrupted`."""

    @abstractmethod
    def listen(self, port: int) -> socket:
        """Return a socket that programs inside reach at a port of 127.0.0.1.

        Raises: SessionRefused if the port is taken inside, or if this machine does not allow it.
        """

    @abstractmethod
    def stop_all(self) -> None:
        """Stop all programs inside, so that none changes what is read now."""

    @abstractmethod
    def close(self) -> None:
        """End everything inside."""
