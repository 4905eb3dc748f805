"""Base classes of all wrappers."""

from collections.abc import Iterable
from typing import Any

from helm.compiler_gym.envs.compiler_env import CompilerEnv, StepResult
from helm.compiler_gym.envs.step_result import make_result, make_start, read_result, read_start

try:
    import gymnasium
except ModuleNotFoundError as e:
    from helm.common.optional_dependencies import handle_module_not_found_error

    handle_module_not_found_error(e, suggestions=["compilers"])


class CompilerEnvWrapper(gymnasium.Env):
    """Passes everything on to the wrapped environment, including attributes that the wrapper lacks; override parts of it.

    `step` is a `multistep` of one action, so a wrapper of actions or results overrides `multistep`.
    """

    _space: Any = None
    """The actions as the agent sees them; None means those of the environment."""

    def __init__(self, env: Any):
        self.env = env

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "env" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.env, name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; settings of the environment, such as `benchmark` or `reward_space`, are set there."""
        if isinstance(getattr(CompilerEnv, name, None), property) and "env" in self.__dict__:
            setattr(self.env, name, value)
        else:
            super().__setattr__(name, value)

    def reset(self, *args: Any, **kwargs: Any) -> Any:
        return self.env.reset(*args, **kwargs)

    def step(self, action: Any, *args: Any, **kwargs: Any) -> StepResult:
        actions = action if isinstance(action, (list, tuple)) else [action]
        return self.multistep(actions, *args, **kwargs)

    def multistep(self, actions: Iterable[Any], *args: Any, **kwargs: Any) -> StepResult:
        return self.env.multistep(actions, *args, **kwargs)

    def render(self, *args: Any, **kwargs: Any) -> Any:
        return self.env.render(*args, **kwargs)

    def close(self) -> None:
        self.env.close()

    def fork(self) -> Any:
        """Fork the environment and wrap the fork in the same way."""
        return self._wrap(self.env.fork())

    def _wrap(self, env: Any) -> Any:
        """Put a copy of this wrapper, with its state, around another environment."""
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
    """Changes actions: override `action` (from the agent's action to the environment's) and `reverse_action`."""

    def multistep(self, actions: Iterable[Any], *args: Any, **kwargs: Any) -> StepResult:
        return self.env.multistep([self.action(action) for action in actions], *args, **kwargs)

    def action(self, action: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not implement action.")

    def reverse_action(self, action: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not implement reverse_action.")


class ObservationWrapper(CompilerEnvWrapper):
    """Changes observations: override `convert_observation`. Those that a step names explicitly are not converted."""

    def reset(self, *args: Any, **kwargs: Any) -> Any:
        observation, info = read_start(self.unwrapped, self.env.reset(*args, **kwargs))
        return make_start(self.unwrapped, self.convert_observation(observation), info)

    def multistep(self, actions: Iterable[Any], *args: Any, **kwargs: Any) -> StepResult:
        observation, *rest = self.env.multistep(actions, *args, **kwargs)
        if _names_none("observation_spaces", args, kwargs):
            observation = self.convert_observation(observation)
        return (observation, *rest)

    def convert_observation(self, observation: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not implement convert_observation.")


class RewardWrapper(CompilerEnvWrapper):
    """Changes rewards: override `convert_reward`. Those that a step names explicitly are not converted."""

    def multistep(self, actions: Iterable[Any], *args: Any, **kwargs: Any) -> StepResult:
        observation, reward, terminated, truncated, info = read_result(self.env.multistep(actions, *args, **kwargs))
        if reward is not None and _names_none("reward_spaces", args, kwargs):
            converted = self.convert_reward(reward)
            if "error_type" not in info:  # the sum contains only default rewards, and this step asked for others
                self.unwrapped.episode_reward += converted - reward
            reward = converted
        return make_result(self.unwrapped, observation, reward, terminated, truncated, info)

    def convert_reward(self, reward: float) -> float:
        raise NotImplementedError(f"{type(self).__name__} does not implement convert_reward.")


def _names_none(what: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Return whether a step leaves it to the environment what to observe or to reward."""
    position = ("observation_spaces", "reward_spaces").index(what)
    named = args[position] if position < len(args) else kwargs.get(what)
    return named is None and kwargs.get(what.removesuffix("_spaces") + "s") is None
