"""Rewards, which rate a change of the program by observations.

A reward is reset at the start of an episode and updated once after every action (or group of actions). It gets
observations by name, and a view through which it can request more of them.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from helm.common.errors import ConfigError, suggest
from helm.common.object_spec import get_class_by_name


class ObservationView(Protocol):
    """Observations of the current state by name."""

    def __getitem__(self, name: str) -> Any: ...


class Reward:
    """A reward space. It equals reward spaces and strings of the same name."""

    def __init__(
        self,
        name: str,
        observation_spaces: Sequence[str] = (),
        default_value: float = 0,
        min: float | None = None,
        max: float | None = None,
        default_negates_returns: bool = False,
        success_threshold: float | None = None,
        deterministic: bool = False,
        platform_dependent: bool = True,
    ):
        """Describe the reward.

        Args:
            name: name of the space.
            observation_spaces: the observations that `update` needs, in this order.
            default_value: the reward of a step in which the compiler fails.
            min: smallest reward of a step.
            max: largest reward of a step.
            default_negates_returns: whether such a step also takes back what the episode has earned so far.
            success_threshold: the episode reward at which the task counts as solved.
            deterministic: whether the same actions on the same program always earn the same.
            platform_dependent: whether the values depend on the machine.
        """
        self.name = name
        self.observation_spaces = list(observation_spaces)
        self.default_value = default_value
        self.min = float("-inf") if min is None else min
        self.max = float("inf") if max is None else max
        self.default_negates_returns = default_negates_returns
        self.success_threshold = success_threshold
        self.deterministic = deterministic
        self.platform_dependent = platform_dependent

    def reset(self, benchmark: str, observation_view: ObservationView) -> None:
        """Begin an episode on the program of this URI."""

    def update(self, actions: Sequence[Any], observations: Sequence[Any], observation_view: ObservationView) -> float:
        """Return the reward for `actions`; `observations` are those after them, one for each of `observation_spaces`."""
        raise NotImplementedError(f"{type(self).__name__} does not implement update.")

    def reward_on_error(self, episode_reward: float) -> float:
        """Return the reward of a step in which the compiler failed."""
        return self.default_value - episode_reward if self.default_negates_returns else self.default_value

    @property
    def range(self) -> tuple[float, float]:
        return self.min, self.max

    def __eq__(self, other: object) -> bool:
        return self.name == (other.name if isinstance(other, Reward) else other)

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return self.name


class DefaultRewardFromObservation(Reward):
    """The increase of a scalar observation; the value before the first action counts as 0."""

    def __init__(self, observation_name: str, **kwargs: Any):
        super().__init__(name=observation_name, observation_spaces=[observation_name], **kwargs)
        self._previous: float = 0

    def reset(self, benchmark: str, observation_view: ObservationView) -> None:
        self._previous = 0

    def update(self, actions: Sequence[Any], observations: Sequence[Any], observation_view: ObservationView) -> float:
        value = observations[0]
        reward = float(value - self._previous)
        self._previous = value
        return reward


class FirstUpdateReward(Reward):
    """The decrease of a cost since the last update; the first update of an episode earns 0 and sets the starting point."""

    def __init__(self, name: str, cost: str, **kwargs: Any):
        super().__init__(name=name, observation_spaces=[cost], **kwargs)
        self._previous: float | None = None

    def reset(self, benchmark: str, observation_view: ObservationView) -> None:
        self._previous = None

    def update(self, actions: Sequence[Any], observations: Sequence[Any], observation_view: ObservationView) -> float:
        cost = observations[0]
        reward = 0.0 if self._previous is None else float(self._previous - cost)
        self._previous = cost
        return reward


class CostFunctionReward(Reward):
    """The decrease of a cost since the last update; the first update compares with the untouched program."""

    def __init__(self, name: str, cost_function: str, init_cost_function: str, **kwargs: Any):
        super().__init__(name=name, observation_spaces=[cost_function], **kwargs)
        self.cost_function = cost_function
        self.init_cost_function = init_cost_function
        self._previous: float | None = None

    def reset(self, benchmark: str, observation_view: ObservationView) -> None:
        self._previous = None

    def update(self, actions: Sequence[Any], observations: Sequence[Any], observation_view: ObservationView) -> float:
        cost = observations[0]
        if self._previous is None:
            self._previous = observation_view[self.init_cost_function]
        reward = float(self._previous - cost)
        self._previous = cost
        return reward


class _ScaledReward(CostFunctionReward):
    """A cost reward divided by a number that depends on the program."""

    def __init__(self, **kwargs: Any):
        super().__init__(**kwargs)
        self._benchmark: str | None = None
        self._divisor: float | None = None

    def reset(self, benchmark: str, observation_view: ObservationView) -> None:
        super().reset(benchmark, observation_view)
        if benchmark != self._benchmark:
            self._benchmark, self._divisor = benchmark, None

    def update(self, actions: Sequence[Any], observations: Sequence[Any], observation_view: ObservationView) -> float:
        if self._divisor is None:
            self._divisor = self._get_divisor(observation_view)
        change = super().update(actions, observations, observation_view)
        if self._divisor == 0:
            raise ZeroDivisionError(f"Reward {self.name}: {self.init_cost_function} of {self._benchmark} is 0.")
        return change / self._divisor

    def _get_divisor(self, observation_view: ObservationView) -> float:
        raise NotImplementedError


class NormalizedReward(_ScaledReward):
    """The decrease of a cost as a share of the untouched program's cost. A cost of 0 raises ZeroDivisionError."""

    def _get_divisor(self, observation_view: ObservationView) -> float:
        return observation_view[self.init_cost_function]


class BaselineImprovementNormalizedReward(_ScaledReward):
    """The decrease of a cost divided by the amount that a default pipeline saves (by 1 when it saves nothing)."""

    def __init__(self, baseline_cost_function: str, **kwargs: Any):
        super().__init__(**kwargs)
        self.baseline_cost_function = baseline_cost_function

    def _get_divisor(self, observation_view: ObservationView) -> float:
        return max(observation_view[self.init_cost_function] - observation_view[self.baseline_cost_function], 1)


def create_cost_rewards(observation_names: Sequence[str]) -> dict[str, Reward]:
    """Create the rewards of LLVM's costs that these observations allow, by name.

    For a cost C, `C` is its decrease, `CNorm` the decrease as a share of the untouched cost, and `CO3` and `COz` the
    decrease as a share of what the pipeline saves: an episode that earns 1 is as good as the pipeline.
    """
    rewards: dict[str, Reward] = {}
    common: dict[str, Any] = {"default_negates_returns": True, "deterministic": True}
    for cost, prefix in (
        ("IrInstructionCount", "IrInstructionCount"),
        ("ObjectTextSizeBytes", "ObjectTextSize"),
        ("TextSizeBytes", "TextSize"),
    ):
        if not {cost, f"{prefix}O0"} <= set(observation_names):
            continue
        options = {
            **common,
            "cost_function": cost,
            "init_cost_function": f"{prefix}O0",
            "platform_dependent": cost != "IrInstructionCount",
        }
        rewards[cost] = CostFunctionReward(name=cost, **options)
        rewards[f"{prefix}Norm"] = NormalizedReward(name=f"{prefix}Norm", max=1.0, **options)
        for level in ("O3", "Oz"):
            if f"{prefix}{level}" in observation_names:
                rewards[f"{prefix}{level}"] = BaselineImprovementNormalizedReward(
                    name=f"{prefix}{level}", baseline_cost_function=f"{prefix}{level}", success_threshold=1, **options
                )
    return rewards


def create_size_rewards(observation_names: Sequence[str]) -> dict[str, Reward]:
    """Create GCC's rewards that these observations allow, by name: the bytes by which object file or assembly shrank.

    As in CompilerGym, the first update of an episode earns 0, because it only sets the starting point.
    """
    return {
        name: FirstUpdateReward(name=name, cost=name, default_negates_returns=True)
        for name in ("asm_size", "obj_size")
        if name in observation_names
    }


def create_reward(name: str, observation_spaces: Sequence[Any]) -> Reward:
    """Create a reward by name for a compiler with these `proto.ObservationSpace` messages.

    Args:
        name: one of `create_cost_rewards` or `create_size_rewards`; or an observation with a numeric default, whose
            increase is then the reward; or the class path of your own `Reward`, which is created without arguments.
        observation_spaces: the compiler's observation spaces.
    Raises: ConfigError naming the nearest reward.
    """
    if "." in name:
        return get_class_by_name(name)()
    names = [space.name for space in observation_spaces]
    rewards = {**create_cost_rewards(names), **create_size_rewards(names)}
    for space in observation_spaces:
        kind = space.default_observation.WhichOneof("value")
        if kind in ("int64_value", "float_value", "double_value") and space.name not in rewards:
            rewards[space.name] = DefaultRewardFromObservation(space.name)
    if name not in rewards:
        raise ConfigError(
            f"The compiler has no reward '{name}'. It has: {', '.join(sorted(rewards)) or 'none'}."
            + suggest(name, rewards)
        )
    return rewards[name]
