"""A gcc and its options as objects, as CompilerGym offers them to programs."""

import shutil
import subprocess
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from helm.compiler_gym.backends.gcc_command import is_in_container, make_command
from helm.compiler_gym.backends.gcc_options import GccOption, get_space_size
from helm.compiler_gym.errors import EnvironmentNotSupported, ServiceError, ServiceTimeoutError

DEFAULT_GCC = "gcc"
"""The compiler of an environment that names none; CompilerGym's is an image of gcc 11.2 for docker."""


class GccSpec(NamedTuple):
    """A gcc and what can be chosen of it."""

    gcc: "Gcc"
    version: str
    """First line of what `--version` prints."""
    options: list[GccOption]

    @property
    def size(self) -> int:
        """Number of points of the space of options."""
        return get_space_size(self.options)


class Gcc:
    """A gcc, which is called with its arguments."""

    def __init__(self, bin: str | Path):
        """Name the compiler.

        Args:
            bin: name or path of the program, or `docker:IMAGE`.
        Raises: EnvironmentNotSupported when there is no such program.
        """
        self.bin = str(bin)
        if not is_in_container(self.bin) and shutil.which(self.bin) is None:
            raise EnvironmentNotSupported(f"There is no compiler '{self.bin}' on this machine.")

    @cached_property
    def spec(self) -> GccSpec:
        """Version and options, which are read once.

        Raises: ServiceInitError when the program is no gcc.
        """
        from helm.compiler_gym.backends.gcc import get_gcc

        program = get_gcc(self.bin)
        return GccSpec(self, program.version, list(program.options))

    def __call__(
        self, *args: str, timeout: float = 60, cwd: Path | None = None, volumes: Sequence[str] | None = None
    ) -> str:
        """Run the compiler; returns what it writes to standard output.

        Args:
            args: its arguments.
            timeout: limit in seconds.
            cwd: the folder in which it runs, and the only one that a container sees. Default: the current one.
            volumes: not used.
        Raises: ServiceError when it fails, with what it wrote to standard error; ServiceTimeoutError.
        """
        folder = Path(cwd or ".").absolute()
        words = make_command(self.bin, list(args), folder)
        try:
            done = subprocess.run(
                words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout
            )
        except subprocess.TimeoutExpired:
            raise ServiceTimeoutError(f"{self.bin} did not end within {timeout:g} seconds.") from None
        except OSError as error:
            raise ServiceError(f"Cannot run {self.bin}: {error}") from error
        if done.returncode != 0:
            raise ServiceError(f"{self.bin} failed with status {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def close(self) -> None:
        """Do nothing: every call ends its own processes."""
