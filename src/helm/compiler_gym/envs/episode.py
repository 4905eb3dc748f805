"""One program in a session of a compiler: the only place where actions are applied, observed and rewarded.

Both environments stand on it, `CompilerEnv` for agents and `CompilerEnvironment` for policies. An action's way to its
reward is `Episode.apply` -> `ServiceConnection.step` -> `CompilerService.step` -> the backend's `CompilationSession`, and
back through `Applied.observe` and `Applied.earn`.
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

    It travels as a session parameter, the only way that services which know nothing but CompilerGym's protocol have
    for it.
    """


def _keep(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class RawObservation:
    """An observation whose value is what the service tells."""

    index: int
    translate: Callable[[Any], Any] = _keep


ObservationSpace: TypeAlias = ObservationSpaceSpec | RawObservation


@dataclass(frozen=True)
class TriedSequence:
    """What a sequence of actions would lead to."""

    observations: list[list[Any]] = field(default_factory=list)
    """For each action that was applied, the observations after it."""

    end_of_session: bool = False
    """The last of them ended the session."""

    error: str | None = None
    """Why the compiler refused the action after those; None when it refused none."""


RewardInputs = tuple[Reward, list[ObservationSpace]]
"""A reward and what it needs."""


class Applied(NamedTuple):
    """What some actions led to."""

    outcome: StepOutcome
    values: dict[int, Any]
    """Index of an observation -> its value as the service tells it."""

    actions: Sequence[Any]
    spaces: Sequence[ObservationSpace]
    """What was asked for."""

    rewards: Sequence[RewardInputs]
    view: Any

    def observe(self) -> list[Any]:
        """The observations, in the order in which they were asked for."""
        return [space.translate(self.values[space.index]) for space in self.spaces]

    def earn(self) -> list[float]:
        """The rewards. Call it once: each is updated by it, and may ask for more observations.

        Raises: what a reward raises, ZeroDivisionError for one that is not defined on this program.
        """
        earned = []
        for reward, needed in self.rewards:
            inputs = [space.translate(self.values[space.index]) for space in needed]
            earned.append(reward.update(self.actions, inputs, self.view))
        return earned


class Episode:
    """At most one session at a time, on a connection of somebody else."""

    def __init__(
        self,
        connection: ServiceConnection,
        get_timeout_s: Callable[[], float] = lambda: DEFAULT_TIMEOUT_S,
    ):
        """Start an episode without a session.

        Args:
            get_timeout_s: the limit for a call that names none, in seconds; raises when no further call may be made.
        """
        self.connection: Any = connection  # a `ServiceConnection`; None after the end of one that we own
        self._get_timeout_s = get_timeout_s
        self.id: int | None = None
        """Number of the session; None: there is none."""

    def call(self, call: str, request: Any, timeout: float | None = None) -> Any:
        """As `ServiceConnection.call`."""
        return self.connection.call(call, request, self._get_timeout_s() if timeout is None else timeout)

    def require(self, purpose: str) -> int:
        """The number of the session. Raises: SessionNotFound when there is none, naming what it was needed for."""
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
            added: the whole program, sent when the service does not know that URI; None: that is an error.
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
            view: where rewards find observations: `view.get_spec(name)`, and the present value as `view[name]`.
        Raises: SessionNotFound outside of an episode; what `view` raises for the name of an unknown observation; what
            `ServiceConnection.call` raises.
        """
        session_id = self.id
        if session_id is None:
            raise SessionNotFound("Must call reset() before anything else.")
        inputs: list[RewardInputs] = []
        indices = [space.index for space in spaces]
        for reward in rewards:
            needed = [view.get_spec(name) for name in reward.observation_spaces]
            indices += [space.index for space in needed]
            inputs.append((reward, needed))
        indices = list(dict.fromkeys(indices))
        events = []
        for code in codes:
            if isinstance(code, Pipeline):
                self.send_parameters([(BASELINE_PARAMETER, code)])
            else:
                events.append(python_to_event(code))
        timeout = self._get_timeout_s() if timeout is None else timeout
        outcome = self.connection.step(session_id, events, indices, timeout, may_tell_effects_late)
        values = {index: event_to_python(event) for index, event in zip(indices, outcome.observations, strict=True)}
        return Applied(outcome, values, actions, spaces, inputs, view)

    def try_actions(
        self, sequences: Sequence[Sequence[Any]], spaces: Sequence[ObservationSpace]
    ) -> list[TriedSequence]:
        """Try sequences of codes in one call, on forks that the service makes and drops; the program stays as it is.

        Args:
            spaces: what to observe after every action.
        Raises: NotImplementedError when the service does not offer it, or the compiler cannot fork.
        """
        indices = [space.index for space in spaces]
        request = proto.TryActionsRequest(session_id=self.require("try_actions()"), observation_space=indices)
        for sequence in sequences:
            added = request.sequence.add()
            for code in sequence:
                if type(code) is int:  # nearly all are; the general way takes several times as long
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
        """An independent session in the same state, on the same connection.

        Raises: SessionNotFound without a session; NotImplementedError when the compiler cannot fork.
        """
        request = proto.ForkSessionRequest(session_id=self.require("fork()"))
        copied = Episode(self.connection, self._get_timeout_s)
        copied.id = self.call("ForkSession", request).session_id
        return copied

    def send_parameters(self, parameters: Sequence[tuple[str, str]]) -> list[str]:
        """Send parameters to the session; returns its answers. Raises: ValueError for one that it does not know."""
        session_id = self.require("parameters can be sent")
        messages = [proto.SessionParameter(key=key, value=value) for key, value in parameters]
        request = proto.SendSessionParameterRequest(session_id=session_id, parameter=messages)
        return list(self.call("SendSessionParameter", request).reply)

    def end(self, timeout: float | None = None) -> None:
        """End the session, if there is one, and keep the service."""
        session_id, self.id = self.id, None
        if session_id is not None:
            self.call("EndSession", proto.EndSessionRequest(session_id=session_id), timeout)
