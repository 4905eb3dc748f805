"""The spaces that an environment is set to."""

from typing import Any

from helm.common.errors import suggest
from helm.compiler_gym.rewards import Reward
from helm.compiler_gym.views import ObservationSpaceSpec, ObservationView, RewardView


class ChosenSpaces:
    """Action, observation and reward space of an environment, each set by its name."""

    observation: ObservationView
    """Observations by name."""

    reward: RewardView
    """Rewards by name."""

    action_spaces: list[Any]
    """All action spaces of the compiler."""

    _action_space: Any
    _action_space_index: int = 0
    _observation_spec: ObservationSpaceSpec | None = None
    _reward_space: Reward | None = None
    _episode_reward: float | None = None

    @property
    def in_episode(self) -> bool:
        raise NotImplementedError

    @property
    def action_space(self) -> Any:
        """The space of actions. Set it by name, or to None for the first one."""
        return self._action_space

    @action_space.setter
    def action_space(self, name: Any) -> None:
        names = [space.name for space in self.action_spaces]
        name = getattr(name, "name", name)
        if name is not None and name not in names:
            raise ValueError(
                f"No action space '{name}'. The compiler has: {', '.join(names)}.{suggest(str(name), names)}"
            )
        self._action_space_index = 0 if name is None else names.index(name)
        self._action_space = self.action_spaces[self._action_space_index]

    @property
    def observation_space(self) -> Any:
        """The space of the observations, or None. Set it by name."""
        return None if self._observation_spec is None else self._observation_spec.space

    @observation_space.setter
    def observation_space(self, value: Any) -> None:
        name = value.id if isinstance(value, ObservationSpaceSpec) else value
        try:
            self._observation_spec = None if name is None else self.observation.get_spec(name)
        except KeyError as error:
            raise LookupError(error.args[0]) from None

    @property
    def observation_space_spec(self) -> ObservationSpaceSpec | None:
        """The spec to which `observation_space` belongs."""
        return self._observation_spec

    @property
    def reward_space(self) -> Reward | None:
        """The reward that `step` returns, or None. Set it by name."""
        return self._reward_space

    @reward_space.setter
    def reward_space(self, value: str | Reward | None) -> None:
        name = value.name if isinstance(value, Reward) else value
        try:
            new = None if name is None else self.reward.get_space(name)
        except KeyError as error:
            raise LookupError(error.args[0]) from None
        if self.in_episode and new != self._reward_space:
            self._episode_reward = None if new is None else 0.0
        self._reward_space = new

    @property
    def reward_space_spec(self) -> Reward | None:
        """The same as `reward_space`."""
        return self._reward_space

    @property
    def reward_range(self) -> tuple[float, float]:
        """Smallest and largest reward of a step."""
        return (float("-inf"), float("inf")) if self._reward_space is None else self._reward_space.range

    @property
    def episode_reward(self) -> float | None:
        """Sum of the default reward in this episode; None without a default reward."""
        return self._episode_reward

    @episode_reward.setter
    def episode_reward(self, value: float | None) -> None:
        self._episode_reward = value
