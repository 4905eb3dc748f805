"""Wrappers that run the program: to check it, and to reward its speed."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from helm.compiler_gym.envs.compiler_env import StepResult
from helm.compiler_gym.envs.step_result import make_result, read_result
from helm.compiler_gym.rewards import Reward
from helm.compiler_gym.wrappers.core import CompilerEnvWrapper


class ValidateBenchmarkAfterEveryStep(CompilerEnvWrapper):
    """Runs the checks of the program after every step, and ends the episode when one fails."""

    def __init__(self, env: Any, reward_penalty: float = -1000):
        """Wrap an environment.

        Args:
            env: the environment.
            reward_penalty: the reward of a step whose checks fail.
        """
        super().__init__(env)
        self.reward_penalty = reward_penalty

    def multistep(self, actions: Iterable[Any], *args: Any, **kwargs: Any) -> StepResult:
        observation, reward, terminated, truncated, info = read_result(self.env.multistep(actions, *args, **kwargs))
        if "error_type" not in info:
            benchmark = self.unwrapped.get_benchmark()
            errors = benchmark.validate(self) if benchmark.is_validatable() else []
            if errors:
                terminated, reward = True, self.reward_penalty
                info["error_details"] = str(errors[0].type)
                info["validation_errors"] = errors
        return make_result(self.unwrapped, observation, reward, terminated, truncated, info)


class RuntimeReward(Reward):
    """The decrease of the estimated running time since the last update, in seconds."""

    def __init__(self, runtime_count: int, warmup_count: int, estimator: Callable[[Sequence[float]], float]):
        super().__init__(name="runtime", observation_spaces=["Runtime"], default_negates_returns=True)
        self.runtime_count, self.warmup_count, self.estimator = runtime_count, warmup_count, estimator
        self._first: dict[str, float] = {}
        self._previous = 0.0

    def reset(self, benchmark: str, observation_view: Any) -> None:
        """Begin an episode; the running time of each program is measured once.

        Raises: BenchmarkInitError for a program that cannot run.
        """
        from helm.compiler_gym.errors import BenchmarkInitError

        if benchmark not in self._first:
            if not observation_view["IsRunnable"]:
                raise BenchmarkInitError(f"Benchmark is not runnable: {benchmark}")
            self._first = {benchmark: float(self.estimator(observation_view["Runtime"]))}
        self._previous = self._first[benchmark]

    def update(self, actions: Sequence[Any], observations: Sequence[Any], observation_view: Any) -> float:
        now = float(self.estimator(observations[0]))
        change, self._previous = self._previous - now, now
        return change


class RuntimePointEstimateReward(CompilerEnvWrapper):
    """Adds a reward space `runtime` and selects it: the decrease of the program's running time, in seconds."""

    def __init__(
        self,
        env: Any,
        runtime_count: int = 30,
        warmup_count: int = 0,
        estimator: Callable[[Sequence[float]], float] | None = None,
    ):
        """Wrap an environment.

        Args:
            env: the environment.
            runtime_count: number of runs for one estimate.
            warmup_count: number of preceding runs that do not count.
            estimator: computes the estimate from the times. Default: the median.
        """
        from statistics import median

        super().__init__(env)
        env.unwrapped.reward.add_space(RuntimeReward(runtime_count, warmup_count, estimator or median))
        parameters = (
            ("llvm.set_runtimes_per_observation_count", str(runtime_count)),
            ("llvm.set_warmup_runs_count_per_runtime_observation", str(warmup_count)),
        )
        env.unwrapped.resend_on_reset(*parameters)
        self.env.unwrapped.reward_space = "runtime"
