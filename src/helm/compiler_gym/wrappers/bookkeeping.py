"""Wrappers that limit, count and undo steps."""

from collections.abc import Iterable
from typing import Any

from helm.compiler_gym.envs.compiler_env import StepResult
from helm.compiler_gym.envs.step_result import make_result, read_result
from helm.compiler_gym.wrappers.core import CompilerEnvWrapper


class TimeLimit(CompilerEnvWrapper):
    """Truncates an episode after a number of actions; all actions of a multistep count."""

    def __init__(self, env: Any, max_episode_steps: int | None = None):
        """Wrap an environment.

        Args:
            env: the environment.
            max_episode_steps: number of actions, >= 1. Default: that of the environment's registration.
        Raises: ValueError without a number.
        """
        super().__init__(env)
        if max_episode_steps is None:
            max_episode_steps = getattr(env.spec, "max_episode_steps", None)
        if max_episode_steps is None:
            raise ValueError("TimeLimit needs max_episode_steps, because the environment has no limit of its own.")
        if max_episode_steps < 1:
            raise ValueError(f"max_episode_steps must be at least 1, not {max_episode_steps}.")
        self._max_episode_steps = max_episode_steps
        self._elapsed_steps = 0

    def reset(self, *args: Any, **kwargs: Any) -> Any:
        result = self.env.reset(*args, **kwargs)
        self._elapsed_steps = 0
        return result

    def multistep(self, actions: Iterable[Any], *args: Any, **kwargs: Any) -> StepResult:
        actions = list(actions)
        observation, reward, terminated, truncated, info = read_result(self.env.multistep(actions, *args, **kwargs))
        self._elapsed_steps += len(actions)
        if self._elapsed_steps >= self._max_episode_steps:
            info["TimeLimit.truncated"] = not terminated
            truncated = truncated or not terminated
        return make_result(self.unwrapped, observation, reward, terminated, truncated, info)


class Counter(CompilerEnvWrapper):
    """Counts calls. A reset does not clear the counts; a fork starts at zero."""

    def __init__(self, env: Any):
        super().__init__(env)
        self.counters = {"close": 0, "reset": 0, "step": 0, "fork": 0}

    def reset(self, *args: Any, **kwargs: Any) -> Any:
        self.counters["reset"] += 1
        return self.env.reset(*args, **kwargs)

    def multistep(self, actions: Iterable[Any], *args: Any, **kwargs: Any) -> StepResult:
        self.counters["step"] += 1
        return self.env.multistep(actions, *args, **kwargs)

    def close(self) -> None:
        self.counters["close"] += 1
        self.env.close()

    def fork(self) -> Any:
        self.counters["fork"] += 1
        forked = super().fork()
        forked.counters = dict.fromkeys(self.counters, 0)
        return forked


class ForkOnStep(CompilerEnvWrapper):
    """Keeps a fork of the state before every step, so that steps can be undone."""

    def __init__(self, env: Any):
        super().__init__(env)
        self.stack: list[Any] = []
        """Forks, the oldest first."""

    def multistep(self, actions: Iterable[Any], *args: Any, **kwargs: Any) -> StepResult:
        self.stack.append(self.env.fork())
        try:
            return self.env.multistep(actions, *args, **kwargs)
        except Exception:  # the action was refused, so there is no step to undo
            self.stack.pop().close()
            raise

    def undo(self) -> Any:
        """Undo the last step, if there is one; returns the environment."""
        if self.stack:
            self.env.close()
            self.env = self.stack.pop()
        return self.env

    def reset(self, *args: Any, **kwargs: Any) -> Any:
        self._clear()
        return self.env.reset(*args, **kwargs)

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
