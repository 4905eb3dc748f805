"""Observations and rewards of an environment by name, computed on access."""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helm.common.errors import suggest
from helm.compiler_gym.errors import ServiceError
from helm.compiler_gym.rewards import DefaultRewardFromObservation, Reward
from helm.compiler_gym.runtime.conversions import event_to_python


@dataclass(frozen=True, eq=False)
class ObservationSpaceSpec:
    """Describes an observation and how it is computed from the service's value."""

    id: str
    """Its name."""

    index: int
    """Its index in the service's list, or that of the observation from which it is derived."""

    space: Any
    """The space of its values."""

    translate: Callable[[Any], Any]
    """Converts the service's value."""

    to_string: Callable[[Any], str]
    """Formats the value for people."""

    deterministic: bool = False
    """Whether the same program always has the same value."""

    platform_dependent: bool = True
    """Whether the value depends on the machine."""

    default_value: Any = None
    """The value that replaces it when the service failed."""

    @classmethod
    def from_proto(cls, index: int, message: Any) -> "ObservationSpaceSpec":
        """Create the spec for a `proto.ObservationSpace` at this index of the service's list."""
        from helm.compiler_gym.runtime.space_conversions import space_from_proto

        return cls(
            id=message.name,
            index=index,
            space=space_from_proto(message),
            translate=_keep,
            to_string=str,
            deterministic=message.deterministic,
            platform_dependent=message.platform_dependent,
            default_value=event_to_python(message.default_observation),
        )

    def make_derived_space(
        self,
        id: str,
        translate: Callable[[Any], Any],
        space: Any | None = None,
        deterministic: bool | None = None,
        platform_dependent: bool | None = None,
        default_value: Any = None,
        to_string: Callable[[Any], str] | None = None,
    ) -> "ObservationSpaceSpec":
        """Create a space that is computed from this one's value; arguments that are None keep this space's values."""
        base_translate = self.translate
        if default_value is None and self.default_value is not None:
            default_value = translate(self.default_value)
        return ObservationSpaceSpec(
            id=id,
            index=self.index,
            space=self.space if space is None else space,
            translate=lambda value: translate(base_translate(value)),
            to_string=to_string or self.to_string,
            deterministic=self.deterministic if deterministic is None else deterministic,
            platform_dependent=self.platform_dependent if platform_dependent is None else platform_dependent,
            default_value=default_value,
        )

    @staticmethod
    def message_converter(message: Any) -> Any:
        """Return the value of a `proto.Event`."""
        return event_to_python(message)

    def __eq__(self, other: object) -> bool:
        return self.id == (other.id if isinstance(other, ObservationSpaceSpec) else other)

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"ObservationSpaceSpec({self.id})"


def _keep(value: Any) -> Any:
    return value


_NOT_OFFERED = (
    " Its vocabulary is that of LLVM 10's text with typed pointers, where no statement of today's LLVM is found. Ir2Vec and "
    "Ir2VecFlowAware are vectors for today's."
)
"""Why there is no Inst2vec."""


class ObservationView:
    """Observations by name: `view["Name"]` or `view.Name()` asks the service each time."""

    def __init__(self, raw_step: Callable[..., tuple[Any, ...]], spaces: Iterable[Any]):
        """Offer the observation spaces.

        Args:
            raw_step: that of an environment; see `CompilerEnv.raw_step`.
            spaces: the observation spaces, as specs or as `proto.ObservationSpace` messages in the service's order.
        """
        self._raw_step = raw_step
        specs = [
            space if isinstance(space, ObservationSpaceSpec) else ObservationSpaceSpec.from_proto(index, space)
            for index, space in enumerate(spaces)
        ]
        self.spaces: dict[str, ObservationSpaceSpec] = {spec.id: spec for spec in specs}
        """By name, in the order of the service's list, derived ones last."""

    def __getitem__(self, name: str) -> Any:
        """Observe a value.

        Raises: KeyError for an unknown name; SessionNotFound outside of an episode; ServiceError when the service fails.
        """
        spec = self.get_spec(name)
        values, *_, info = self._raw_step([], [spec], [])
        if "error_type" in info:
            raise ServiceError(f"Failed to compute observation '{spec.id}': {info['error_details']}")
        return values[0]

    def get_spec(self, name: str) -> ObservationSpaceSpec:
        """Return the spec of an observation.

        Raises: KeyError for an unknown name.
        """
        if name not in self.spaces:
            why = _NOT_OFFERED if str(name).startswith("Inst2vec") else suggest(str(name), self.spaces)
            raise KeyError(f"No observation space '{name}'.{why}")
        return self.spaces[name]

    def add_derived_space(self, id: str, base_id: str, translate: Callable[[Any], Any], **kwargs: Any) -> None:
        """Add a space that is computed from another one; see `ObservationSpaceSpec.make_derived_space`."""
        self.spaces[id] = self.get_spec(base_id).make_derived_space(id, translate, **kwargs)

    def __getattr__(self, name: str) -> Callable[[], Any]:
        if name.startswith("_") or name not in self.__dict__.get("spaces", {}):
            raise AttributeError(f"ObservationView has no attribute or observation '{name}'.")
        return lambda: self[name]

    def __repr__(self) -> str:
        return f"ObservationView[{', '.join(self.spaces)}]"


class RewardView:
    """Rewards by name. `view["Name"]` updates the reward, so it covers the change since its last update."""

    def __init__(
        self,
        spaces: Iterable[Reward],
        observation_view: ObservationView,
        get_actions: Callable[[], Sequence[Any]] = list,
    ):
        """Offer rewards.

        Args:
            spaces: the rewards.
            observation_view: the source of the observations that they need.
            get_actions: returns the actions of the episode.
        """
        self.spaces: dict[str, Reward] = {reward.name: reward for reward in spaces}
        """By name."""
        self._observations = observation_view
        self._get_actions = get_actions

    def __getitem__(self, name: str) -> float:
        """Update a reward and return it.

        Raises: KeyError for an unknown name.
        """
        reward = self.get_space(name)
        observations = [self._observations[needed] for needed in reward.observation_spaces]
        return float(reward.update(self._get_actions(), observations, self._observations))

    def get_space(self, name: str) -> Reward:
        """Return a reward space.

        Raises: KeyError for an unknown name.
        """
        if name not in self.spaces:
            raise KeyError(f"No reward space '{name}'.{suggest(str(name), self.spaces)}")
        return self.spaces[name]

    def reset(self, benchmark: str) -> None:
        """Begin an episode."""
        for reward in self.spaces.values():
            reward.reset(benchmark, self._observations)

    def add_space(self, reward: Reward) -> None:
        """Add a reward; one of the same name is replaced, with a warning."""
        if reward.name in self.spaces:
            warnings.warn(f"Replacing existing reward space '{reward.name}'.", stacklevel=2)
        self.spaces[reward.name] = reward

    def __getattr__(self, name: str) -> Callable[[], float]:
        if name.startswith("_") or name not in self.__dict__.get("spaces", {}):
            raise AttributeError(f"RewardView has no attribute or reward '{name}'.")
        return lambda: self[name]

    def __repr__(self) -> str:
        return f"RewardView[{', '.join(self.spaces)}]"


def make_default_rewards(specs: Mapping[str, ObservationSpaceSpec]) -> list[Reward]:
    """Create a reward for each observation whose default is a single number."""
    return [
        DefaultRewardFromObservation(spec.id)
        for spec in specs.values()
        if isinstance(spec.default_value, (int, float)) and not isinstance(spec.default_value, bool)
    ]
