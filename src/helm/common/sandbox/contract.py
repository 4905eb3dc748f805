"""The contract of sandboxes: limits, results and operations."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from helm.common.errors import HelmError

SCRATCH = "/scratch"
"""The working folder inside a sandbox, empty except for the given files; programs can write nowhere else."""

SandboxStatus = Literal["ok", "timeout", "memory", "processes", "output", "killed"]


class SandboxError(HelmError):
    """No sandbox is available, or it could not start the program, whose correctness remains unknown."""


@dataclass(frozen=True)
class SandboxLimits:
    """The resources that a program may use. All of its processes are ended as soon as it uses more."""

    wall_s: float = 10.0
    """The wall time in seconds."""

    memory_bytes: int = 1 << 30
    """The memory of all its processes together, and the address space of each."""

    processes: int = 64
    """The number of processes and threads at one time."""

    output_bytes: int = 1 << 20
    """The size of standard output and standard error together."""

    scratch_bytes: int = 64 << 20
    """The size of its scratch folder, which is in memory."""

    open_files: int = 256
    """The number of open files of a process."""

    address_space_bytes: int | None = None
    """The address space of each process, if it must be larger than `memory_bytes`."""


@dataclass(frozen=True)
class SandboxResult:
    """How a program ended."""

    status: SandboxStatus
    """`ok`: it ended by itself, see `returncode`; `killed`: by a signal that was not ours; else the limit that ended it."""

    returncode: int
    """The exit status, or the negative number of the signal that ended it."""

    stdout: bytes
    """The output, up to the limit."""

    stderr: bytes

    elapsed_s: float
    """The wall time from its start to its end, in seconds."""

    @property
    def is_success(self) -> bool:
        """Whether it ended by itself with status 0. This proves nothing, since a hostile program can always do that."""
        return self.status == "ok" and self.returncode == 0


class Sandbox(ABC):
    """One way to confine programs."""

    name: str

    is_protected: bool = True
    """Whether programs are confined at all."""

    python: str
    """The Python interpreter inside."""

    @abstractmethod
    def run(
        self,
        argv: Sequence[str],
        stdin: bytes,
        files: Mapping[str, bytes],
        limits: SandboxLimits,
        environment: Mapping[str, str],
    ) -> SandboxResult:
        """Run a program to its end. `files` maps relative paths in the scratch folder to contents.

        Raises SandboxError if it could not be started.
        """

    @abstractmethod
    def check(self) -> None:
        """Run a harmless program. Raises SandboxError, which says what is missing, if that is not possible."""

    def describe(self) -> str:
        """Return one line about the protection."""
        return self.name


def base_environment(python: str) -> dict[str, str]:
    """Return the whole environment of a program: nothing of ours is passed on."""
    folders = [python.rpartition("/")[0], "/usr/local/bin", "/usr/bin", "/bin"]
    return {
        "PATH": ":".join(dict.fromkeys(folder for folder in folders if folder)),
        "HOME": SCRATCH,
        "TMPDIR": SCRATCH,
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        # One thread per program, because several run at once, and idle thread pools cost memory and startup time.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


def check_file_names(files: Mapping[str, bytes]) -> list[str]:
    """Return the folders that the files need, outermost first. Raises SandboxError for a path that leaves the folder."""
    folders: dict[str, None] = {}
    for name in files:
        parts = name.split("/")
        if name.startswith("/") or any(part in ("", ".", "..") for part in parts):
            raise SandboxError(f"A file for the sandbox must have a relative path without '..', not '{name}'.")
        for depth in range(1, len(parts)):
            folders["/".join(parts[:depth])] = None
    return list(folders)
