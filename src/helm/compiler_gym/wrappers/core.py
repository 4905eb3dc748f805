"""Wrappers around a `CompilerEnv` that change what an agent sees, does, earns, or works on."""

from typing import Any, Callable, Iterable, Iterator, Optional, Sequence

from helm.compiler_gym.benchmark import Benchmark
from helm.compiler_gym.benchmark_uri import BenchmarkUri
from helm.compiler_gym.compiler_env import CompilerEnv, StepResult
from helm.compiler_gym.gym_spaces import Commandline, CommandlineFlag
from helm.compiler_gym.rewards import Reward

try:
    import gymnasium
except ModuleNotFoundError as e:
    from helm.common.optional_dependencies import handle_module_not_found_error

    handle_module_not_found_error(e, suggestions=["compilers"])


class CompilerEnvWrapper(gymnasium.Env):
    """Hands everything on, to be overridden in parts. Attributes that a wrapper lacks are those of what it wraps.

    `step` is a `multistep` of one action, so a wrapper of actions or results overrides `multistep`.
    """

    _space: Any = None
    """The actions as the agent sees them; None: those of the environment."""

    def __init__(self, env: Any):
        self.env = env

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "env" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.env, name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Settings of the environment, such as `benchmark` or `reward_space`, are set there."""
        if isinstance(getattr(CompilerEnv, name, None), property) and "env" in self.__dict__:
            setattr(self.env, name, value)
        else:
            super().__setattr__(name, value)

    def reset(self, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        return self.env.reset(**kwargs)

    def step(self, action: Any, **kwargs: Any) -> StepResult:
        actions = action if isinstance(action, (list, tuple)) else [action]
        return self.multistep(actions, **kwargs)

    def multistep(self, actions: Iterable[Any], **kwargs: Any) -> StepResult:
        return self.env.multistep(actions, **kwargs)

    def render(self, *args: Any, **kwargs: Any) -> Any:
        return self.env.render(*args, **kwargs)

    def close(self) -> None:
        self.env.close()

    def fork(self) -> Any:
        """A copy, wrapped alike."""
        return self._wrap(self.env.fork())

    def _wrap(self, env: Any) -> Any:
        """This wrapper, with all it has counted and chosen, around another environment."""
        wrapper = object.__new__(type(self))
        wrapper.__dict__.update(self.__dict__)
        wrapper.__dict__["env"] = env
        return wrapper

    def __deepcopy__(self, memo: Any) -> Any:
        return self.fork()

    def __copy__(self) -> Any:
        raise TypeError("An environment has no shallow copy: two would use one session. Use fork().")

    def validate(self, state: Any = None) -> Any:
        from helm.compiler_gym.validate import validate

        return validate(self, state)

    @property
    def unwrapped(self) -> Any:
        return self.env.unwrapped

    def __str__(self) -> str:
        return f"{type(self).__name__}({self.env})"


def _delegate(name: str) -> property:
    return property(lambda self: getattr(self.env, name))


# gymnasium.Env defines these, so __getattr__ would not see them.
_DELEGATED = ("observation_space", "metadata", "render_mode", "spec", "np_random", "np_random_seed")
for _name in _DELEGATED:
    setattr(CompilerEnvWrapper, _name, _delegate(_name))


def _get_action_space(wrapper: CompilerEnvWrapper) -> Any:
    return wrapper.env.action_space if wrapper._space is None else wrapper._space


setattr(CompilerEnvWrapper, "action_space", property(_get_action_space))  # noqa: B010  # an instance attribute in Env


class ActionWrapper(CompilerEnvWrapper):
    """Override `action` (what the agent says -> what is done) and `reverse_action`."""

    def multistep(self, actions: Iterable[Any], **kwargs: Any) -> StepResult:
        return self.env.multistep([self.action(action) for action in actions], **kwargs)

    def action(self, action: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not implement action.")

    def reverse_action(self, action: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not implement reverse_action.")


class ObservationWrapper(CompilerEnvWrapper):
    """Override `convert_observation`. Observations that a step names explicitly are not converted."""

    def reset(self, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(**kwargs)
        return self.convert_observation(observation), info

    def multistep(self, actions: Iterable[Any], **kwargs: Any) -> StepResult:
        observation, *rest = self.env.multistep(actions, **kwargs)
        if kwargs.get("observation_spaces") is None:
            observation = self.convert_observation(observation)
        return (observation, *rest)

    def convert_observation(self, observation: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not implement convert_observation.")


class RewardWrapper(CompilerEnvWrapper):
    """Override `convert_reward`. Rewards that a step names explicitly are not converted."""

    def multistep(self, actions: Iterable[Any], **kwargs: Any) -> StepResult:
        observation, reward, terminated, truncated, info = self.env.multistep(actions, **kwargs)
        if reward is not None and kwargs.get("reward_spaces") is None:
            converted = self.convert_reward(reward)
            if "error_type" not in info:  # such a step is not part of the sum
                self.unwrapped.episode_reward += converted - reward
            reward = converted
        return observation, reward, terminated, truncated, info

    def convert_reward(self, reward: float) -> float:
        raise NotImplementedError(f"{type(self).__name__} does not implement convert_reward.")


class TimeLimit(CompilerEnvWrapper):
    """Truncates an episode after so many actions; those of a multistep all count."""

    def __init__(self, env: Any, max_episode_steps: int):
        super().__init__(env)
        if max_episode_steps < 1:
            raise ValueError(f"max_episode_steps is at least 1, not {max_episode_steps}.")
        self._max_episode_steps = max_episode_steps
        self._elapsed_steps = 0

    def reset(self, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        result = self.env.reset(**kwargs)
        self._elapsed_steps = 0
        return result

    def multistep(self, actions: Iterable[Any], **kwargs: Any) -> StepResult:
        actions = list(actions)
        observation, reward, terminated, truncated, info = self.env.multistep(actions, **kwargs)
        self._elapsed_steps += len(actions)
        if self._elapsed_steps >= self._max_episode_steps:
            info["TimeLimit.truncated"] = not terminated
            truncated = truncated or not terminated
        return observation, reward, terminated, truncated, info


class CommandlineWithTerminalAction(CompilerEnvWrapper):
    """Adds an action at the end of the space with which the agent ends the episode."""

    def __init__(
        self,
        env: Any,
        terminal: CommandlineFlag = CommandlineFlag("end-of-episode", "# end-of-episode", "End the current episode"),
    ):
        """Raises: TypeError when the actions are not flags of a command line."""
        super().__init__(env)
        space = _require_commandline(env)
        self._terminal = len(space.items)
        self._space = Commandline([*space.items, terminal], f"{space.name} with terminal action")

    def multistep(self, actions: Iterable[Any], **kwargs: Any) -> StepResult:
        """Actions after the terminal one are dropped."""
        codes = [self._space[action] if isinstance(action, str) else action for action in actions]
        is_over = self._terminal in codes
        if is_over:
            codes = codes[: codes.index(self._terminal)]
        observation, reward, terminated, truncated, info = self.env.multistep(codes, **kwargs)
        if is_over:
            terminated, info["terminal_action"] = True, True
        return observation, reward, terminated, truncated, info


class ConstrainedCommandline(ActionWrapper):
    """Only some of the flags, in the order given, with new indices."""

    def __init__(self, env: Any, flags: Sequence[str], name: Optional[str] = None):
        """
        Args:
            name: of the smaller space.
        Raises: TypeError when the actions are not flags of a command line; ValueError for an unknown flag, or none.
        """
        super().__init__(env)
        space = _require_commandline(env)
        self._forward = [space[flag] for flag in flags]
        self._backward = {index: number for number, index in enumerate(self._forward)}
        items = [space.items[index] for index in self._forward]
        self._space = Commandline(items, name or f"{space.name}[{','.join(flags)}]")

    @property
    def actions(self) -> list[int]:
        """Applied in this episode, as indices of the smaller space."""
        return [self.reverse_action(action) for action in self.env.actions]

    def action(self, action: Any) -> int:
        """Raises: ValueError for a flag or an index that the smaller space lacks."""
        if isinstance(action, str):
            return self._forward[self._space[action]]
        if not 0 <= action < len(self._forward):
            raise ValueError(f"Action {action} is not in range [0, {len(self._forward)}).")
        return self._forward[action]

    def reverse_action(self, action: int) -> int:
        return self._backward[action]


def _require_commandline(env: Any) -> Commandline:
    space = env.action_space
    if not isinstance(space, Commandline):
        raise TypeError(f"The actions must be flags of a command line, not {type(space).__name__}.")
    return space


# Programs -----------------------------------------------------------------------------------------------------------

BenchmarkLike = str | Benchmark | BenchmarkUri


class _ChoosesBenchmarks(CompilerEnvWrapper):
    """Every episode works on another program."""

    def _choose(self) -> BenchmarkLike:
        raise NotImplementedError

    def reset(self, *, benchmark: Any = None, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        """Raises: TypeError when a program is given all the same."""
        if benchmark is not None:
            raise TypeError(f"{type(self).__name__} chooses the benchmark of each episode; give none to reset().")
        return self.env.reset(benchmark=self._choose(), **kwargs)


class IterateOverBenchmarks(_ChoosesBenchmarks):
    """One program after the other; StopIteration when there are no more."""

    def __init__(self, env: Any, benchmarks: Iterable[BenchmarkLike], fork_shares_iterator: bool = False):
        """
        Args:
            fork_shares_iterator: forks take from the same programs; otherwise they begin anew with all of them.
        """
        super().__init__(env)
        self._benchmarks = benchmarks if fork_shares_iterator else list(benchmarks)
        self._iterator: Iterator[BenchmarkLike] = iter(self._benchmarks)
        self._fork_shares_iterator = fork_shares_iterator

    def _choose(self) -> BenchmarkLike:
        return next(self._iterator)

    def fork(self) -> Any:
        forked = super().fork()
        if not self._fork_shares_iterator:
            forked._iterator = iter(self._benchmarks)
        return forked


class CycleOverBenchmarks(IterateOverBenchmarks):
    """One program after the other, and from the first again."""

    def _choose(self) -> BenchmarkLike:
        try:
            return next(self._iterator)
        except StopIteration:
            if not self._benchmarks:
                raise ValueError("There are no benchmarks to choose from.") from None
            self._iterator = iter(self._benchmarks)
            return next(self._iterator)

    def __init__(self, env: Any, benchmarks: Iterable[BenchmarkLike], fork_shares_iterator: bool = False):
        super().__init__(env, list(benchmarks), fork_shares_iterator)


class CycleOverBenchmarksIterator(_ChoosesBenchmarks):
    """As `CycleOverBenchmarks`, for programs too many to be listed."""

    def __init__(self, env: Any, make_benchmark_iterator: Callable[[], Iterator[BenchmarkLike]]):
        super().__init__(env)
        self._make_iterator = make_benchmark_iterator
        self._iterator = make_benchmark_iterator()

    def _choose(self) -> BenchmarkLike:
        chosen = next(self._iterator, None)
        if chosen is None:
            self._iterator = self._make_iterator()
            chosen = next(self._iterator, None)
        if chosen is None:
            raise ValueError("There are no benchmarks to choose from.")
        return chosen

    def fork(self) -> Any:
        forked = super().fork()
        forked._iterator = self._make_iterator()
        return forked


class RandomOrderBenchmarks(_ChoosesBenchmarks):
    """A random program for every episode."""

    def __init__(self, env: Any, benchmarks: Iterable[BenchmarkLike], rng: Optional[Any] = None):
        """
        Args:
            rng: a `numpy.random.Generator`; None: that of the environment, which `reset(seed=...)` seeds.
        """
        super().__init__(env)
        self._benchmarks = list(benchmarks)
        if not self._benchmarks:
            raise ValueError("There are no benchmarks to choose from.")
        self._rng = rng

    def reset(self, *, seed: Optional[int] = None, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        if seed is not None and self._rng is None:  # the choice comes before the reset that would seed
            from gymnasium.utils.seeding import np_random

            self.unwrapped.np_random = np_random(seed)[0]
            return super().reset(**kwargs)
        return super().reset(seed=seed, **kwargs)

    def _choose(self) -> BenchmarkLike:
        rng = self._rng if self._rng is not None else self.env.np_random
        return self._benchmarks[int(rng.integers(len(self._benchmarks)))]


# Bookkeeping --------------------------------------------------------------------------------------------------------


class Counter(CompilerEnvWrapper):
    """Counts calls; a reset does not clear them, and a fork begins with zeros."""

    def __init__(self, env: Any):
        super().__init__(env)
        self.counters = {"close": 0, "reset": 0, "step": 0, "fork": 0}

    def reset(self, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        self.counters["reset"] += 1
        return self.env.reset(**kwargs)

    def multistep(self, actions: Iterable[Any], **kwargs: Any) -> StepResult:
        self.counters["step"] += 1
        return self.env.multistep(actions, **kwargs)

    def close(self) -> None:
        self.counters["close"] += 1
        self.env.close()

    def fork(self) -> Any:
        self.counters["fork"] += 1
        forked = super().fork()
        forked.counters = dict.fromkeys(self.counters, 0)
        return forked


class ForkOnStep(CompilerEnvWrapper):
    """Keeps a fork from before every step, so that steps can be undone."""

    def __init__(self, env: Any):
        super().__init__(env)
        self.stack: list[Any] = []
        """Forks, the oldest first."""

    def multistep(self, actions: Iterable[Any], **kwargs: Any) -> StepResult:
        self.stack.append(self.env.fork())
        try:
            return self.env.multistep(actions, **kwargs)
        except Exception:  # a refused action is no step that could be undone
            self.stack.pop().close()
            raise

    def undo(self) -> Any:
        """Go back to before the last step; returns the environment, which stays as it is without steps."""
        if self.stack:
            self.env.close()
            self.env = self.stack.pop()
        return self.env

    def reset(self, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        self._clear()
        return self.env.reset(**kwargs)

    def close(self) -> None:
        self._clear()
        self.env.close()

    def fork(self) -> Any:
        forked = super().fork()
        forked.stack = [env.fork() for env in self.stack]
        return forked

    def _clear(self) -> None:
        while self.stack:
            self.stack.pop().close()


class ValidateBenchmarkAfterEveryStep(CompilerEnvWrapper):
    """Runs the checks of the program after every step, and ends the episode when one fails."""

    def __init__(self, env: Any, reward_penalty: float = -1000):
        """
        Args:
            reward_penalty: the reward of such a step.
        """
        super().__init__(env)
        self.reward_penalty = reward_penalty

    def multistep(self, actions: Iterable[Any], **kwargs: Any) -> StepResult:
        observation, reward, terminated, truncated, info = self.env.multistep(actions, **kwargs)
        if "error_type" not in info:
            benchmark = self.unwrapped.get_benchmark()
            errors = benchmark.validate(self) if benchmark.is_validatable() else []
            if errors:
                terminated, reward = True, self.reward_penalty
                info["error_details"] = str(errors[0].type)
                info["validation_errors"] = errors
        return observation, reward, terminated, truncated, info


class RuntimeReward(Reward):
    """The fall of an estimate of the running time since the last update, in seconds."""

    def __init__(self, runtime_count: int, warmup_count: int, estimator: Callable[[Sequence[float]], float]):
        super().__init__(name="runtime", observation_spaces=["Runtime"], default_negates_returns=True)
        self.runtime_count, self.warmup_count, self.estimator = runtime_count, warmup_count, estimator
        self._first: dict[str, float] = {}
        self._previous = 0.0

    def reset(self, benchmark: str, observation_view: Any) -> None:
        """Measures once for every program. Raises: BenchmarkInitError for a program that cannot run."""
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
    """Adds a reward space `runtime` and selects it: the fall of the program's running time, in seconds."""

    def __init__(
        self,
        env: Any,
        runtime_count: int = 30,
        warmup_count: int = 0,
        estimator: Optional[Callable[[Sequence[float]], float]] = None,
    ):
        """
        Args:
            runtime_count: runs for one estimate.
            warmup_count: runs before them that do not count.
            estimator: makes one number of them; None: the median.
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
