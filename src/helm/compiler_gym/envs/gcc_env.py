"""GCC as an environment: options as actions on one C source."""

import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from helm.compiler_gym.backends.gcc_command import is_in_container
from helm.compiler_gym.backends.gcc_spec import DEFAULT_GCC, Gcc, GccSpec
from helm.compiler_gym.benchmarks.benchmark import USER_DATASET, Benchmark
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.benchmarks.embedded_dataset import EmbeddedDataset
from helm.compiler_gym.data_sets import get_data_sets
from helm.compiler_gym.datasets import Dataset
from helm.compiler_gym.envs.compiler_env import CompilerEnv
from helm.compiler_gym.errors import BenchmarkInitError, EnvironmentNotSupported, ServiceError
from helm.compiler_gym.rewards import Reward, create_size_rewards

_WORDS_BEHIND_OPTIONS = ("-w", "-c", "-S")


class GccEnv(CompilerEnv):
    """One C source; every action changes an option, and gcc runs when something is observed.

    Its rewards `obj_size` and `asm_size` are the bytes by which the file has shrunk; the first update of an episode only
    sets the starting point.
    """

    def __init__(
        self,
        gcc_bin: str | Path = "",
        benchmark: str | Benchmark | BenchmarkUri | None = None,
        datasets: Iterable[Dataset] | None = None,
        rewards: Iterable[Reward] | None = None,
        timeout: float | None = None,
        service: str | None = None,
        datasets_site_path: Path | None = None,
        **kwargs: Any,
    ):
        """Find the compiler and start its service.

        Args:
            gcc_bin: name or path of any gcc. Default: what the environment variable CC names, else `gcc`.
            benchmark: a program, or the path of a C file (see `make_c_benchmark`). Default: the first of our own programs.
            datasets: data sets in addition to our own programs and csmith's.
            rewards: rewards in addition to those that come with the compiler.
            timeout: limit for one run of gcc, in seconds.
            kwargs: further arguments of `CompilerEnv`.
            service: `host:port` of a service to use instead of a gcc on this machine.
            datasets_site_path: folder below which data sets are kept. Default: see `data_sets.get_site_data_path`.
        Raises: EnvironmentNotSupported when there is no such compiler; ServiceInitError when it is no gcc.
        """
        self._timeout = timeout
        self._gcc_bin = str(gcc_bin or os.environ.get("CC") or DEFAULT_GCC)
        if service is None and kwargs.get("service_connection") is None:
            _check_compiler(str(gcc_bin))
        backend = service or (f"gcc:{gcc_bin}" if gcc_bin else "gcc")
        known = get_data_sets("gcc", datasets_site_path).datasets(with_deprecated=True)
        all_datasets = [EmbeddedDataset("c"), *known, *(datasets or ())]
        super().__init__(backend, rewards, all_datasets, benchmark, **kwargs)

    def _find_benchmark(self, benchmark: Any) -> Benchmark:
        """Find a program, also by the path of a C file or by a URI that `make_c_benchmark` made of it."""
        text = str(benchmark) if isinstance(benchmark, (str, BenchmarkUri, Path)) else ""
        if text.endswith(".c") and "://" not in text and Path(text).expanduser().is_file():
            return make_c_benchmark(text)
        if text.startswith(USER_DATASET + "/"):
            return make_c_benchmark(BenchmarkUri.from_string(text).path)
        return super()._find_benchmark(benchmark)

    def _make_rewards(self, further: Iterable[Reward] | None) -> Iterable[Reward]:
        return [*create_size_rewards(list(self.observation.spaces)).values(), *(further or ())]

    def reset(self, *args: Any, **kwargs: Any) -> Any:
        """Begin an episode; see `CompilerEnv.reset`.

        Raises: BenchmarkInitError for a source that the service cannot read.
        """
        try:
            result = super().reset(*args, **kwargs)
        except ValueError as error:
            if "Benchmark" in str(error):
                raise BenchmarkInitError(str(error)) from error
            raise
        if self._timeout is not None:
            self.timeout = self._timeout
        return result

    def commandline(self) -> str:
        """The command line that makes the object file."""
        return self.command_line

    def commandline_to_actions(self, commandline: str) -> list[int]:
        """Return the actions that set the options of a command line.

        Raises: LookupError for an option without an action.
        """
        words = commandline.split()
        if words and not words[0].startswith("-"):
            words = words[1:]
        end = next((i for i, word in enumerate(words) if word in _WORDS_BEHIND_OPTIONS), len(words))
        try:
            return super().commandline_to_actions(" ".join(words[:end]))
        except ValueError as error:
            raise LookupError(str(error)) from error

    @property
    def gcc_spec(self) -> GccSpec:
        """Version and options of the compiler.

        Raises: EnvironmentNotSupported when it runs on another machine only.
        """
        return Gcc(self._gcc_bin).spec

    @property
    def timeout(self) -> float | None:
        """Limit for one run of gcc, in seconds; None: no limit."""
        return self._timeout

    @timeout.setter
    def timeout(self, seconds: float | None) -> None:
        self._timeout = seconds
        if self.in_episode:
            self.send_param("timeout", "" if seconds is None else str(seconds))

    @property
    def choices(self) -> list[int]:
        """The choice for each option; -1 leaves the option out."""
        return [int(choice) for choice in self.observation["choices"]]

    @choices.setter
    def choices(self, choices: Sequence[int]) -> None:
        if not self.in_episode:
            raise ServiceError("Must call reset() before the choices can be set.")
        self.send_param("choices", ",".join(str(int(choice)) for choice in choices))

    @property
    def source(self) -> str:
        return self.observation["source"]

    @property
    def rtl(self) -> str:
        return self.observation["rtl"]

    @property
    def asm(self) -> str:
        return self.observation["asm"]

    @property
    def asm_size(self) -> int:
        return self.observation["asm_size"]

    @property
    def asm_hash(self) -> str:
        return self.observation["asm_hash"]

    @property
    def instruction_counts(self) -> str:
        """JSON object with the number of occurrences of each word of the assembly."""
        return self.observation["instruction_counts"]

    @property
    def obj(self) -> bytes:
        """The object file."""
        return bytes(self.observation["obj"])

    @property
    def obj_size(self) -> int:
        return self.observation["obj_size"]

    @property
    def obj_hash(self) -> str:
        return self.observation["obj_hash"]

    @property
    def runtime(self) -> float | None:
        """Duration of one run of the program in the sandbox, in seconds; None if it is not a whole program."""
        values = self.observation["runtime"]
        return None if values is None else float(values[0])

    @property
    def command_line(self) -> str:
        return self.observation["command_line"]


def _check_compiler(gcc_bin: str) -> None:
    """Check that the compiler exists, so that a wrong name is reported at once."""
    command = gcc_bin or os.environ.get("CC") or "gcc"
    if not is_in_container(command) and shutil.which(command) is None:
        raise EnvironmentNotSupported(
            f"There is no compiler '{command}' on this machine. Name another one with gcc_bin=, or install it."
        )


def make_c_benchmark(path: str | Path) -> Benchmark:
    """The program in a C file, as `benchmark://user-v0/PATH`. It includes headers of the system only.

    Raises: FileNotFoundError.
    """
    return Benchmark.from_user_file(path)
