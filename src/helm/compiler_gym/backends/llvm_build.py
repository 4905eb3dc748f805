"""Building and running a program outside the compiler service, as its benchmark's dynamic config says."""

import os
import shutil
import string
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from helm.compiler_gym.backends.llvm_object import get_text_size_bytes
from helm.compiler_gym.backends.tool_process import ToolFailure, run_tool
from helm.compiler_gym.errors import StatusError

_BITCODE_FILE, _DEFAULT_OUTPUT = "out.bc", "a.out"
_COUNTS = {
    "runtimes_per_observation_count": (1, 1),
    "warmup_runs_count_per_runtime_observation": (0, 0),
    "buildtimes_per_observation_count": (1, 1),
}
"""Parameter without `llvm.get_` or `llvm.set_` -> (default, smallest value)."""


class ProgramBuilder:
    """Runs the commands of a `proto.BenchmarkDynamicConfig`.

    Unlike in the original, there is no shell: a command is a list of words, in which `$NAME` stands for an environment
    variable of the service or of the command, for CC (a clang) or for IN (the bitcode file to build from).
    """

    def __init__(self, config: Any, working_dir: Path):
        self._config, self._working_dir = config, working_dir
        self._counts = {name: default for name, (default, _) in _COUNTS.items()}

    def copy(self) -> "ProgramBuilder":
        copied = ProgramBuilder(self._config, self._working_dir)
        copied._counts = dict(self._counts)
        return copied

    @property
    def is_buildable(self) -> bool:
        return bool(self._config.build_cmd.argument)

    @property
    def is_runnable(self) -> bool:
        return self.is_buildable and bool(self._config.run_cmd.argument)

    def get_run_counts(self) -> tuple[int, int]:
        """Return how many runs to measure, and how many to make before them."""
        counts = self._counts
        return counts["runtimes_per_observation_count"], counts["warmup_runs_count_per_runtime_observation"]

    def get_build_count(self) -> int:
        """Return how many builds to measure."""
        return self._counts["buildtimes_per_observation_count"]

    def handle_parameter(self, key: str, value: str) -> str | None:
        """Get or set (`llvm.get_...`, `llvm.set_...`) one of the three counts; returns None for any other key."""
        for name, (_, smallest) in _COUNTS.items():
            if key == f"llvm.get_{name}":
                return str(self._counts[name])
            if key == f"llvm.set_{name}":
                try:
                    count = int(value)
                except ValueError:
                    raise ValueError(f"{name} needs a whole number. Received: {value}") from None
                if count < smallest:
                    raise ValueError(f"{name} must be >= {smallest}. Received: {value}")
                self._counts[name] = count
                return value
        return None

    def measure_text_size(self, bitcode: bytes) -> int:
        """Return the bytes of code and constants of the linked program, which has to be an ELF file."""
        with _Scratch(self._working_dir, bitcode) as folder:
            self._run(self._config.build_cmd, folder)
            return get_text_size_bytes((folder / self._get_output_name()).read_bytes())

    def measure_buildtimes(self, bitcode: bytes) -> list[float] | None:
        """Measure the builds, in seconds; None when the benchmark does not say how to build it."""
        if not self.is_buildable:
            return None
        with _Scratch(self._working_dir, bitcode) as folder:
            count = self._counts["buildtimes_per_observation_count"]
            return [self._run(self._config.build_cmd, folder) for _ in range(count)]

    def measure_runtimes(self, bitcode: bytes) -> list[float] | None:
        """Measure the runs after the warm-up, in seconds; None when the benchmark does not say how to run it."""
        if not self.is_runnable:
            return None
        with _Scratch(self._working_dir, bitcode) as folder:
            self._run(self._config.build_cmd, folder)
            for command in self._config.pre_run_cmd:
                self._run(command, folder)
            for _ in range(self._counts["warmup_runs_count_per_runtime_observation"]):
                self._run(self._config.run_cmd, folder)
            count = self._counts["runtimes_per_observation_count"]
            seconds = [self._run(self._config.run_cmd, folder) for _ in range(count)]
            for command in self._config.post_run_cmd:
                self._run(command, folder)
            return seconds

    def _get_output_name(self) -> str:
        command = self._config.build_cmd
        if command.outfile:
            return command.outfile[0]
        words = list(command.argument)
        return words[words.index("-o") + 1] if "-o" in words[:-1] else _DEFAULT_OUTPUT

    def _run(self, command: Any, folder: Path) -> float:
        """Run a command to its end; returns its seconds."""
        environment = {**os.environ, **command.env, "IN": str(folder / _BITCODE_FILE)}
        if "CC" not in environment and (clang := shutil.which("clang")):
            environment["CC"] = clang
        words = [_expand(word, environment) for word in command.argument]
        for name in command.infile:
            _check_file(folder / _expand(name, environment), "needs", words)
        seconds = _run_process(words, folder, environment, command.timeout_seconds or None)
        for name in command.outfile:
            _check_file(folder / _expand(name, environment), "did not write", words)
        return seconds


class _Scratch:
    """A folder that contains the bitcode and is removed at the end."""

    def __init__(self, parent: Path, bitcode: bytes):
        self._parent, self._bitcode = parent, bitcode

    def __enter__(self) -> Path:
        self._folder = Path(tempfile.mkdtemp(prefix="build-", dir=self._parent))
        (self._folder / _BITCODE_FILE).write_bytes(self._bitcode)
        return self._folder

    def __exit__(self, *exc_info: Any) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


def _expand(word: str, environment: Mapping[str, str]) -> str:
    try:
        return string.Template(word).substitute(environment)
    except KeyError as error:
        raise StatusError("INTERNAL", f"Command word '{word}': there is no variable {error.args[0]}.") from None
    except ValueError:  # a lone dollar sign
        return string.Template(word).safe_substitute(environment)


def _check_file(path: Path, verb: str, words: Sequence[str]) -> None:
    if not path.exists():
        raise StatusError("INTERNAL", f"Command '{' '.join(words)}' {verb} the file {path.name}.")


def _run_process(words: list[str], folder: Path, environment: dict[str, str], timeout_s: float | None) -> float:
    name = f"Command '{' '.join(words)}'"
    start = time.perf_counter()
    try:
        run_tool(words, folder, timeout_s, environment, limits_cpu=False)
    except TimeoutError:
        raise StatusError("DEADLINE_EXCEEDED", f"{name} did not end within {timeout_s:g} seconds.") from None
    except ToolFailure as failure:
        message = f"{name} failed with status {failure.returncode}: {failure.complaint}"
        raise StatusError("INTERNAL", message) from None
    except OSError as error:
        raise StatusError("INTERNAL", f"{name} cannot be started: {error.strerror}.") from error
    return time.perf_counter() - start
