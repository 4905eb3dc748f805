"""MLIR as an environment: passes of `mlir-opt` as actions on one module."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from helm.compiler_gym.backends.mlir_tools import get_mlir
from helm.compiler_gym.benchmarks.benchmark import USER_DATASET, Benchmark
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.data_sets import get_data_sets
from helm.compiler_gym.datasets import Dataset
from helm.compiler_gym.envs.compiler_env import CompilerEnv
from helm.compiler_gym.rewards import Reward, create_cost_rewards

_SUFFIX = ".mlir"


class MlirEnv(CompilerEnv):
    """One MLIR module; every action runs a pass. It is measured as LLVM compiles it, with -O3.

    Its rewards are the decrease of `IrInstructionCount` and `ObjectTextSizeBytes`, and each `...Norm`; the wrapper
    `RuntimePointEstimateReward` adds the running time.
    """

    def __init__(
        self,
        mlir_opt: str | Path = "",
        benchmark: str | Benchmark | BenchmarkUri | None = None,
        datasets: Iterable[Dataset] | None = None,
        rewards: Iterable[Reward] | None = None,
        service: str | None = None,
        **kwargs: Any,
    ):
        """Find the compiler and start its service.

        Args:
            mlir_opt: name or path of an `mlir-opt`. Default: see `mlir_tools.get_mlir`.
            benchmark: a program, or the path of an `.mlir` file. Default: the first of our own programs.
            datasets: data sets in addition to our own programs.
            rewards: rewards in addition to those that come with the compiler.
            service: `host:port` of a service to use instead of an MLIR on this machine.
            kwargs: further arguments of `CompilerEnv`.
        Raises: EnvironmentNotSupported when there is no MLIR on this machine.
        """
        if service is None and kwargs.get("service_connection") is None:
            get_mlir(str(mlir_opt) or None)
        backend = service or (f"mlir:{mlir_opt}" if mlir_opt else "mlir")
        all_datasets = [*get_data_sets("mlir").datasets(with_deprecated=True), *(datasets or ())]
        super().__init__(backend, rewards, all_datasets, benchmark, **kwargs)

    def _make_rewards(self, further: Iterable[Reward] | None) -> Iterable[Reward]:
        return [*create_cost_rewards(list(self.observation.spaces)).values(), *(further or ())]

    def _find_benchmark(self, benchmark: Any) -> Benchmark:
        """Find a program, also by the path of a file or by a URI that was made of it."""
        text = str(benchmark) if isinstance(benchmark, (str, BenchmarkUri, Path)) else ""
        if text.endswith(_SUFFIX) and "://" not in text and Path(text).expanduser().is_file():
            return Benchmark.from_user_file(text)
        if text.startswith(USER_DATASET + "/"):
            return Benchmark.from_user_file(BenchmarkUri.from_string(text).path)
        return super()._find_benchmark(benchmark)

    def _get_code(self, action: Any) -> Any:
        """Return an action's code; a textual pipeline has no index and is sent as text."""
        if isinstance(action, str) and "(" in action:
            return action
        return super()._get_code(f"-{action.lstrip('-')}" if isinstance(action, str) else action)

    def action_string(self, actions: Iterable[Any]) -> str:
        """Join the flags of passes and the pipelines with spaces."""
        name = super().action_string
        return " ".join(action if isinstance(action, str) and "(" in action else name([action]) for action in actions)

    def commandline(self) -> str:
        """Write the command line of `mlir-opt`; it takes a pipeline after `--pass-pipeline=` and no flags beside it."""
        return f"mlir-opt {self.action_string(self.actions)} input.mlir -o output.mlir"

    def commandline_to_actions(self, commandline: str) -> list[Any]:
        """Read the actions of a command line.

        Raises: LookupError for an unknown pass.
        """
        words = [word for word in commandline.split() if word not in ("mlir-opt", "input.mlir", "-o", "output.mlir")]
        parse = super().commandline_to_actions
        return [action for word in words for action in ([word] if "(" in word else parse(word))]

    @property
    def ir(self) -> str:
        """The module as text."""
        return self.observation["Mlir"]

    def render(self, mode: str | None = None) -> str | None:
        """`human` prints the module; `ansi` is the default observation as text."""
        if (mode or self.render_mode or "human") == "human":
            print(self.ir)
            return None
        return super().render(mode)
