"""loop_tool as an environment: a nest of loops, and how fast it runs."""

from collections.abc import Iterable
from typing import Any

from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.data_sets import get_data_sets
from helm.compiler_gym.datasets import Dataset
from helm.compiler_gym.envs.compiler_env import CompilerEnv
from helm.compiler_gym.rewards import Reward


class LoopToolEnv(CompilerEnv):
    """The loops of one sum of two vectors. Its reward `flops` is by how much the additions in a second have increased."""

    def __init__(
        self,
        benchmark: str | Benchmark | BenchmarkUri | None = None,
        datasets: Iterable[Dataset] | None = None,
        rewards: Iterable[Reward] | None = None,
        service: str = "loop_tool",
        **kwargs: Any,
    ):
        """Start the service.

        Args:
            benchmark: a problem, such as `loop_tool-cpu-v0/1048576`. Default: the first one.
            datasets: data sets in addition to `loop_tool-cpu-v0`.
            rewards: the rewards. Default: `flops`.
            service: as `CompilerEnv` takes it.
            kwargs: further arguments of `CompilerEnv`.
        Raises: ServiceInitError without the package loop_tool.
        """
        all_datasets = [*get_data_sets("loop_tool").datasets(with_deprecated=True), *(datasets or ())]
        super().__init__(service, rewards, all_datasets, benchmark, **kwargs)

    def render(self, mode: str | None = None) -> str | None:
        """`human` prints the loops; `ansi` is the default observation as text."""
        if (mode or self.render_mode or "human") == "human":
            print(self.observation["loop_tree"])
            return None
        return super().render(mode)
