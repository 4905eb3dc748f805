"""LLVM as an environment: passes as actions on one module."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from helm.compiler_gym import proto
from helm.compiler_gym.benchmarks.benchmark import FILE_DATASET, USER_DATASET, Benchmark
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.benchmarks.embedded_dataset import EmbeddedDataset
from helm.compiler_gym.benchmarks.llvm_benchmark import SOURCE_SUFFIXES, SUFFIXES, make_benchmark
from helm.compiler_gym.data_sets import get_data_sets
from helm.compiler_gym.datasets import Dataset
from helm.compiler_gym.envs.compiler_env import CompilerEnv
from helm.compiler_gym.envs.llvm_derived import get_derived_spaces
from helm.compiler_gym.errors import BenchmarkInitError
from helm.compiler_gym.rewards import Reward, create_cost_rewards

_COMMANDLINE = re.compile(
    r"^\s*(?:opt\s)?(?P<flags>.*?)(?:\s?input\.bc -o output\.bc|\s?input\.ll -S -o output\.ll)?\s*$"
)
_PLAIN_NAME = re.compile(r"[-\w]*")
_BENCHMARK_FAULTS = (
    "Failed to compute .text size cost",
    "File not found:",
    "File is empty:",
    "Error reading file:",
    "Failed to parse LLVM",
)
"""How the texts of errors begin that lie with the program."""


def _is_pipeline(action: Any) -> bool:
    """Whether an action is a default pipeline, or one written out for LLVM's `opt`."""
    return isinstance(action, str) and (action.startswith("-O") or not _PLAIN_NAME.fullmatch(action))


class LlvmEnv(CompilerEnv):
    """One LLVM module; every action runs a pass. Its rewards are those of `rewards.create_cost_rewards`."""

    def __init__(
        self,
        service: str | Path = "llvm",
        benchmark: str | Benchmark | BenchmarkUri | None = None,
        datasets: Iterable[Dataset] | None = None,
        rewards: Iterable[Reward] | None = None,
        **kwargs: Any,
    ):
        """
        Args:
            benchmark: None: the first of our own programs. The path of a file: see `make_benchmark`.
            datasets: besides our own programs, the generators, and the archives of CompilerGym.
            rewards: besides those that come with the compiler.
            kwargs: further ones of `CompilerEnv`.
        """
        known = get_data_sets("llvm").datasets(with_deprecated=True)
        all_datasets = [EmbeddedDataset("llvm"), *known, *(datasets or ())]
        super().__init__(service, rewards, all_datasets, benchmark, **kwargs)

    def _list_derived_spaces(self) -> Sequence[Mapping[str, Any]]:
        return [arguments for arguments in get_derived_spaces() if arguments["base_id"] in self.observation.spaces]

    def _make_rewards(self, further: Iterable[Reward] | None) -> Iterable[Reward]:
        return [*create_cost_rewards(list(self.observation.spaces)).values(), *(further or ())]

    def _find_benchmark(self, benchmark: Any) -> Benchmark:
        """Besides what each environment knows: paths of files, and the URIs that `make_benchmark` makes of them."""
        text = str(benchmark) if isinstance(benchmark, (str, BenchmarkUri, Path)) else ""
        if text.endswith(SUFFIXES) and "://" not in text and Path(text).expanduser().is_file():
            return make_benchmark(text)
        uri = BenchmarkUri.from_string(text)
        is_ours = text.startswith((USER_DATASET + "/", FILE_DATASET + "/"))
        if is_ours or (uri.scheme == "file" and uri.path.endswith(SOURCE_SUFFIXES)):
            made = make_benchmark(uri.path)
            contents = made.proto.program.contents
            return Benchmark(proto.Benchmark(uri=text, program=proto.File(contents=contents)), sources=made.sources)
        return super()._find_benchmark(benchmark)

    def make_benchmark(self, *args: Any, **kwargs: Any) -> Benchmark:
        """See `llvm_benchmark.make_benchmark`."""
        return make_benchmark(*args, **kwargs)

    def reset(self, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        """As `CompilerEnv.reset`. Raises: BenchmarkInitError for a program that LLVM cannot use."""
        try:
            return super().reset(**kwargs)
        except ValueError as error:
            if any(fault in str(error) for fault in _BENCHMARK_FAULTS):
                raise BenchmarkInitError(str(error)) from error
            raise

    def _get_code(self, action: Any) -> Any:
        """Passes also without the dash. Pipelines, such as `-Oz`, have no index: they are sent as text."""
        if not isinstance(action, str):
            return super()._get_code(action)
        if _is_pipeline(action):
            return action
        flag = f"-{action}"
        return super()._get_code(flag if flag in getattr(self._action_space, "names", ()) else action)

    def action_string(self, actions: Iterable[Any]) -> str:
        """The flags of passes and the pipelines, separated by spaces."""
        name = super().action_string
        return " ".join(action if _is_pipeline(action) else name([action]) for action in actions)

    def commandline(self) -> str:
        """For LLVM's `opt`."""
        # HELM: without actions there are two spaces
        return f"opt {self.action_string(self.actions)} input.bc -o output.bc"

    def commandline_to_actions(self, commandline: str) -> list[Any]:
        """With or without `opt` and the files. Raises: LookupError for an unknown pass."""
        found = _COMMANDLINE.match(commandline)
        words = (found["flags"] if found else commandline).split()
        parse = super().commandline_to_actions
        return [action for word in words for action in ([word] if _is_pipeline(word) else parse(word))]

    @property
    def ir(self) -> str:
        """The module as text."""
        return self.observation["Ir"]

    @property
    def ir_sha1(self) -> str:
        return self.observation["IrSha1"]

    def write_ir(self, path: str | Path) -> Path:
        """Write the module as text."""
        path = Path(path).expanduser()
        path.write_text(self.ir)
        return path

    def write_bitcode(self, path: str | Path) -> Path:
        """Write the module as bitcode."""
        path = Path(path).expanduser()
        path.write_bytes(self.observation["Bitcode"].tobytes())
        return path

    def render(self, mode: str | None = None) -> str | None:
        """`human` prints the module; `ansi` is the default observation as text."""
        if (mode or self.render_mode or "human") == "human":
            print(self.ir)
            return None
        return super().render(mode)
