"""What may be asked of a sandbox, and what it answers."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from helm.common.errors import HelmError

SCRATCH = "/scratch"
"""The working folder inside a sandbox, empty but for the given files; the only place a program can write to."""

SandboxStatus = Literal["ok", "timeout", "memory", "processes", "output", "killed"]


class SandboxError(HelmError):
    """No sandbox is available, or it could not start the program. Says nothing about the program."""


@dataclass(frozen=True)
class SandboxLimits:
    """What a program may use. All of its processes are ended as soon as it uses more."""

    wall_s: float = 10.0
    """Seconds until it is ended."""

    memory_bytes: int = 1 << 30
    """Memory of all its processes together, and address space of each."""

    processes: int = 64
    """Processes and threads at one time."""

    output_bytes: int = 1 << 20
    """Standard output and standard error together."""

    scratch_bytes: int = 64 << 20
    """What it may write to its scratch folder, which lives in memory."""

    open_files: int = 256
    """Open files of a process."""

    address_space_bytes: int | None = None
    """Address space of each process, where it must be larger than `memory_bytes`."""


@dataclass(frozen=True)
class SandboxResult:
    """How a program ended."""

    status: SandboxStatus
    """`ok`: by itself, see `returncode`; `killed`: by a signal that was not ours; else the limit that ended it."""

    returncode: int
    """Exit status, or minus the signal that ended it."""

    stdout: bytes
    """What it wrote, up to the limit."""

    stderr: bytes

    elapsed_s: float
    """Seconds from its start to its end, as the clock on the wall tells."""

    @property
    def is_success(self) -> bool:
        """It ended by itself with status 0. A hostile program can always bring that about: it proves nothing."""
        return self.status == "ok" and self.returncode == 0


class Sandbox(ABC):
    """One way to confine programs."""

    name: str

    is_protected: bool = True
    """False for the one that confines nothing."""

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
        """Run a program to its end. `files` are relative paths in the scratch folder with their contents.

        Raises: SandboxError when it could not be started.
        """

    @abstractmethod
    def check(self) -> None:
        """Run a harmless program. Raises SandboxError, which says what is missing, when that is not possible."""

    def describe(self) -> str:
        """One line about what protects."""
        return self.name


def base_environment(python: str) -> dict[str, str]:
    """All that a program sees of any environment: nothing of ours is passed on."""
    folders = [python.rpartition("/")[0], "/usr/local/bin", "/usr/bin", "/bin"]
    return {
        "PATH": ":".join(dict.fromkeys(folder for folder in folders if folder)),
        "HOME": SCRATCH,
        "TMPDIR": SCRATCH,
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        # One thread per program: several run at once, and idle pools of threads cost memory and start time.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


def check_file_names(files: Mapping[str, bytes]) -> list[str]:
    """The folders that the files need, outermost first. Raises SandboxError for a path that leaves the folder."""
    folders: dict[str, None] = {}
    for name in files:
        parts = name.split("/")
        if name.startswith("/") or any(part in ("", ".", "..") for part in parts):
            raise SandboxError(f"A file for the sandbox must have a relative path without '..', not '{name}'.")
        for depth in range(1, len(parts)):
            folders["/".join(parts[:depth])] = None
    return list(folders)
