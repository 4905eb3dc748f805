"""One program in a session of a compiler: the only place where actions are applied, observed and rewarded.

Both environments are built on it, `CompilerEnv` for agents and `CompilerEnvironment` for policies. The path from an action
to its reward is `Episode.apply` -> `ServiceConnection.step` -> `CompilerService.step` -> the backend's
`CompilationSession`, and back through `Applied.observe` and `Applied.earn`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from helm.compiler_gym import proto
from helm.compiler_gym.errors import DEFAULT_TIMEOUT_S, SessionNotFound
from helm.compiler_gym.rewards import Reward
from helm.compiler_gym.runtime.conversions import event_to_python, python_to_event
from helm.compiler_gym.runtime.service import StepOutcome
from helm.compiler_gym.runtime.service_client import ServiceConnection
from helm.compiler_gym.runtime.session import BASELINE_PARAMETER
from helm.compiler_gym.views import ObservationSpaceSpec


class Pipeline(str):
    """An action that is a default pipeline, such as `-Oz`, and that the compiler does not list.

    It is sent as a session parameter, because CompilerGym's protocol offers no other way.
    """


def _keep(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class RawObservation:
    """An observation whose value is the service's own."""

    index: int
    translate: Callable[[Any], Any] = _keep


ObservationSpace: TypeAlias = ObservationSpaceSpec | RawObservation


@dataclass(frozen=True)
class TriedSequence:
    """The outcome of a sequence of actions that was only tried."""

    observations: list[list[Any]] = field(default_factory=list)
    """For each action that was applied, the observations after it."""

    end_of_session: bool = False
    """Whether the last of them ended the session."""

    error: str | None = None
    """The reason for which the compiler refused the next action; None if it refused none."""


RewardInputs = tuple[Reward, list[ObservationSpace]]
"""A reward and the observations that it needs."""


class Applied(NamedTuple):
    """The outcome of some actions."""

    outcome: StepOutcome
    values: dict[int, Any]
    """Index of an observation -> the service's value."""

    actions: Sequence[Any]
    spaces: Sequence[ObservationSpace]
    """The requested observations."""

    rewards: Sequence[RewardInputs]
    view: Any

    def observe(self) -> list[Any]:
        """Return the observations in the order of the request."""
        return [space.translate(self.values[space.index]) for space in self.spaces]

    def earn(self) -> list[float]:
        """Return the rewards. Call it once, because it updates each reward, which may request more observations.

        Raises: the exceptions of the rewards; ZeroDivisionError for a reward that is not defined on this program.
        """
        values, earned = self.values, []
        for reward, needed in self.rewards:
            inputs = []
            for space in needed:
                inputs.append(space.translate(values[space.index]))  # noqa: PERF401
            earned.append(reward.update(self.actions, inputs, self.view))
        return earned


class Episode:
    """At most one session at a time, on a connection that the caller owns."""

    def __init__(
        self,
        connection: ServiceConnection,
        get_timeout_s: Callable[[], float] = lambda: DEFAULT_TIMEOUT_S,
    ):
        """Start an episode without a session.

        Args:
            connection: a `ServiceConnection`.
            get_timeout_s: returns the limit in seconds for calls that name none; raises when no further call is allowed.
        """
        self.connection: Any = connection  # a `ServiceConnection`; None after the end of one that we own
        self._get_timeout_s = get_timeout_s
        self.id: int | None = None
        """Number of the session; None if there is none."""

    def call(self, call: str, request: Any, timeout: float | None = None) -> Any:
        """As `ServiceConnection.call`."""
        return self.connection.call(call, request, self._get_timeout_s() if timeout is None else timeout)

    def require(self, purpose: str) -> int:
        """Return the number of the session.

        Raises: SessionNotFound when there is none; the message names the purpose.
        """
        if self.id is None:
            raise SessionNotFound(f"Must call reset() before {purpose}.")
        return self.id

    def begin(
        self,
        benchmark: Any,
        action_space: int,
        observation_spaces: Sequence[int] = (),
        timeout: float | None = None,
        added: Any | None = None,
    ) -> Any:
        """Start a session; returns the `proto.StartSessionReply`.

        Args:
            benchmark: the `proto.Benchmark` to send: the whole program, or only its URI.
            action_space: index of the action space.
            observation_spaces: indices of the observations to make at once.
            timeout: limit for each call, in seconds.
            added: the whole program, sent if the service does not know the URI. Default: an unknown URI is an error.
        """
        request = proto.StartSessionRequest(
            action_space=action_space, observation_space=observation_spaces, benchmark=benchmark
        )
        try:
            reply = self.call("StartSession", request, timeout)
        except FileNotFoundError as error:
            if added is None or "Benchmark not found" not in str(error):
                raise
            self.call("AddBenchmark", proto.AddBenchmarkRequest(benchmark=[added]), timeout)
            reply = self.call("StartSession", request, timeout)
        self.id = reply.session_id
        return reply

    def apply(
        self,
        actions: Sequence[Any],
        codes: Sequence[Any],
        spaces: Sequence[ObservationSpace] = (),
        rewards: Sequence[Reward] = (),
        view: Any = None,
        timeout: float | None = None,
        may_tell_effects_late: bool = False,
    ) -> Applied:
        """Apply actions in one call, and observe what `spaces` and `rewards` need; without actions only observe.

        Args:
            actions: as the caller gave them, for the rewards.
            codes: as they are sent: indices, names that the service understands, or one `Pipeline`.
            spaces: the observations to make.
            rewards: the rewards to compute.
            view: the source of observations for rewards: `view.get_spec(name)`, and the current value as `view[name]`.
            timeout: limit for the call, in seconds.
            may_tell_effects_late: whether the effect of the actions may be determined later.
        Raises: SessionNotFound outside of an episode; the exceptions of `view` for an unknown observation, and of
            `ServiceConnection.call`.
        """
        session_id = self.id
        if session_id is None:
            raise SessionNotFound("Must call reset() before anything else.")
        # Without comprehensions and functions: this is the road of every step.
        indices: dict[int, None] = {}
        for space in spaces:
            indices[space.index] = None
        inputs: list[RewardInputs] = []
        for reward in rewards:
            needed = []
            for name in reward.observation_spaces:
                space = view.get_spec(name)
                indices[space.index] = None
                needed.append(space)
            inputs.append((reward, needed))
        asked = list(indices)
        events = []
        for code in codes:
            if isinstance(code, Pipeline):
                self.send_parameters([(BASELINE_PARAMETER, code)])
            else:
                events.append(python_to_event(code))
        timeout = self._get_timeout_s() if timeout is None else timeout
        outcome = self.connection.step(session_id, events, asked, timeout, may_tell_effects_late)
        values = {}
        for index, event in zip(asked, outcome.observations, strict=True):
            values[index] = event_to_python(event)
        return Applied(outcome, values, actions, spaces, inputs, view)

    def try_actions(
        self, sequences: Sequence[Sequence[Any]], spaces: Sequence[ObservationSpace]
    ) -> list[TriedSequence]:
        """Try sequences of codes in one call, on temporary forks in the service; the program does not change.

        Args:
            spaces: what to observe after every action.
        Raises: NotImplementedError when the service does not offer it, or the compiler cannot fork.
        """
        indices = [space.index for space in spaces]
        request = proto.TryActionsRequest(session_id=self.require("try_actions()"), observation_space=indices)
        for sequence in sequences:
            added = request.sequence.add()
            for code in sequence:
                if type(code) is int:  # nearly all observations are; the general case takes several times as long
                    added.action.add(int64_value=code)
                else:
                    added.action.append(python_to_event(code))
        reply = self.call("TryActions", request)
        return [
            TriedSequence(
                [
                    [
                        space.translate(event_to_python(event))
                        for space, event in zip(spaces, step.observation, strict=True)
                    ]
                    for step in tried.after
                ],
                tried.end_of_session,
                f"{tried.status}: {tried.details}" if tried.status else None,
            )
            for tried in reply.tried
        ]

    def try_here(self, sequence: Sequence[Any], spaces: Sequence[ObservationSpace]) -> TriedSequence:
        """Apply codes one by one, up to one that the compiler refuses, and end the session."""
        observations: list[list[Any]] = []
        try:
            for code in sequence:
                applied = self.apply([code], [code], spaces)
                observations.append(applied.observe())
                if applied.outcome.end_of_session:
                    return TriedSequence(observations, True)
        except (ValueError, NotImplementedError, FileNotFoundError) as error:
            return TriedSequence(observations, False, f"{type(error).__name__}: {error}")
        finally:
            self.end()
        return TriedSequence(observations)

    def copy(self) -> "Episode":
        """Create an independent session in the same state, on the same connection.

        Raises: SessionNotFound without a session; NotImplementedError when the compiler cannot fork.
        """
        request = proto.ForkSessionRequest(session_id=self.require("fork()"))
        copied = Episode(self.connection, self._get_timeout_s)
        copied.id = self.call("ForkSession", request).session_id
        return copied

    def send_parameters(self, parameters: Sequence[tuple[str, str]]) -> list[str]:
        """Send parameters to the session; returns its answers.

        Raises: ValueError for an unknown parameter.
        """
        session_id = self.require("parameters can be sent")
        messages = [proto.SessionParameter(key=key, value=value) for key, value in parameters]
        request = proto.SendSessionParameterRequest(session_id=session_id, parameter=messages)
        return list(self.call("SendSessionParameter", request).reply)

    def end(self, timeout: float | None = None) -> None:
        """End the session, if there is one, and keep the service."""
        session_id, self.id = self.id, None
        if session_id is not None:
            self.call("EndSession", proto.EndSessionRequest(session_id=session_id), timeout)
