"""The small environment in which a policy works on one program."""

import copy
import time
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence

from helm.common.errors import ConfigError, suggest
from helm.compiler_gym import proto
from helm.compiler_gym.batch import TriedSequence, try_in_one_call
from helm.compiler_gym.conversions import event_to_python
from helm.compiler_gym.errors import ServiceTimeoutError, SessionNotFound
from helm.compiler_gym.rewards import Reward
from helm.compiler_gym.service_client import ServiceConnection
from helm.compiler_gym.session import BASELINE_PARAMETER
from helm.compiler_gym.spaces import find_action_space

_FIRST_BATCH, _LARGEST_BATCH = 16, 64
_SHORT_CALL_S, _LONG_CALL_S = 1.0, 5.0
"""Sequences to try in one call, and the time it should take, well within the limit even for large programs."""

_MAX_FAILED_TRIALS = 20
_REFUSALS = ("INVALID_ARGUMENT", "UNIMPLEMENTED", "NOT_FOUND", "ValueError", "NotImplementedError", "FileNotFoundError")
"""How the error of a trial begins that is no defect of the compiler: it says no to the action."""


@dataclass(frozen=True)
class Trial:
    """What a sequence of actions would earn."""

    rewards: list[float] = field(default_factory=list)
    """One for each action that was applied."""

    error: Optional[str] = None
    """Why the compiler refused the action after those; None when it refused none."""

    @property
    def total(self) -> float:
        return sum(self.rewards)


@dataclass(frozen=True)
class FailedTrial:
    """A sequence on which the compiler failed, which is a defect of the compiler, while it was only tried."""

    actions: list[str]
    """From the untouched program on; the compiler failed on the last one."""

    error: str


class CompilerEnvironment:
    """One program in a compiler, to be improved by actions. One thread at a time.

    An action is a name of `action_names`, its index, or a default pipeline (`-O0` ... `-Oz`) where the compiler has
    them. Calls raise what the service answers: ValueError for a wrong action, `ServiceError` and its children when the
    compiler failed, TimeoutError when the time is up.
    """

    def __init__(
        self,
        connection: ServiceConnection,
        benchmark: Any,
        reward: Reward,
        action_space: Optional[str] = None,
        max_steps: Optional[int] = None,
        seed: int = 0,
        rpc_timeout_s: float = 60.0,
        timeout_s: float = 600.0,
    ):
        """
        Args:
            benchmark: a `proto.Benchmark`; without a program the service has to know its URI.
            action_space: None: the first one.
            max_steps: most actions that an answer may have; a policy respects it, the executor checks it.
            seed: for the policy's own random numbers.
            rpc_timeout_s: limit for each call, in seconds.
            timeout_s: limit for everything done with this environment, in seconds.
        """
        self._connection = connection
        self._benchmark = benchmark
        self._reward = reward
        self._deadline = time.monotonic() + timeout_s
        self._timeout_s, self._rpc_timeout_s = timeout_s, rpc_timeout_s
        self.max_steps = max_steps
        self.seed = seed
        self._space_index, self.action_names = find_action_space(connection.action_spaces, action_space)
        self._indices = {space.name: index for index, space in enumerate(connection.observation_spaces)}
        self._session_id: Optional[int] = None
        self._observed: dict[str, Any] = {}
        self._can_try_in_one_call = True
        self._batch = _FIRST_BATCH
        self._is_program_sent = False
        self.actions: list[str] = []
        """Applied in this episode."""
        self.rewards: list[float] = []
        """Earned in this episode, one for each action."""
        self.is_done = False
        """The compiler ended the session."""
        self.num_actions_tried = 0
        """Applied in all episodes and trials together."""
        self.pending: list[list[str]] = []
        """What the compiler was given and has not answered: sequences from the untouched program on. After a failure it
        failed on one of them, or on what was to be observed after it."""
        self.failed_trials: list[FailedTrial] = []
        """Sequences that were tried and on which the compiler failed, the first ones."""

    @property
    def benchmark(self) -> str:
        """URI of the program."""
        return self._benchmark.uri

    @property
    def reward_name(self) -> str:
        """What actions are rewarded for."""
        return self._reward.name

    @property
    def observation_names(self) -> list[str]:
        """What the compiler can tell of a program."""
        return list(self._indices)

    @property
    def episode_reward(self) -> float:
        return sum(self.rewards)

    def reset(self) -> None:
        """Go back to the untouched program."""
        self.pending = []
        self.close()
        self._session_id = self._start_session()
        self.actions, self.rewards, self.is_done = [], [], False
        self._observed.clear()
        self._reward.reset(self.benchmark, self)

    def step(self, action: str | int) -> float:
        """Apply one action to the program; returns its reward.

        Raises: RuntimeError after the compiler has ended the session.
        """
        if self.is_done:
            raise RuntimeError("The compiler has ended this episode; reset() starts a new one.")
        name = self.get_action_name(action)
        names = self._reward.observation_spaces
        self.pending = [[*self.actions, name]]
        reply = self._apply(name, names)
        self.pending = []
        self._observed = dict(zip(names, [event_to_python(event) for event in reply.observation], strict=True))
        self.is_done = reply.end_of_session
        self.num_actions_tried += 1
        reward = self._reward.update([name], [self._observed[n] for n in names], self)
        self.actions.append(name)
        self.rewards.append(reward)
        return reward

    def observe(self, names: Sequence[str]) -> dict[str, Any]:
        """Observations of the present program by name; kept until the next action."""
        missing = [name for name in names if name not in self._observed]
        if missing:
            self.pending = [list(self.actions)]
            reply = self._step([], missing)
            self.pending = []
            values = [event_to_python(event) for event in reply.observation]
            self._observed.update(zip(missing, values, strict=True))
        return {name: self._observed[name] for name in names}

    def __getitem__(self, name: str) -> Any:
        return self.observe([name])[name]

    def try_actions(self, sequences: Sequence[Sequence[str | int]]) -> list[Trial]:
        """What each sequence of actions would earn from here; the program stays as it is.

        One call to our own services does it for many sequences; with other services every
        sequence is applied to a fork, or replayed on a new session where the compiler cannot fork.
        """
        named = [[self.get_action_name(action) for action in sequence] for sequence in sequences]
        trials: list[Trial] = []
        while len(trials) < len(named):
            started = time.monotonic()
            batch = named[len(trials) : len(trials) + self._batch]
            self.pending = [[*self.actions, *sequence] for sequence in batch]
            trials += self._try_some(batch)
            self.pending = []
            elapsed_s = time.monotonic() - started
            if elapsed_s < _SHORT_CALL_S:
                self._batch = min(2 * self._batch, _LARGEST_BATCH)
            elif elapsed_s > _LONG_CALL_S:
                self._batch = max(self._batch // 4, 1)
        return trials

    def get_action_name(self, action: str | int) -> str:
        """The name under which an action is recorded. Raises: ValueError for an index out of range."""
        if isinstance(action, str):
            return "-" + action if "-" + action in self.action_names else action
        if self.action_names and not 0 <= action < len(self.action_names):
            raise ValueError(f"Action {action} is not in range [0, {len(self.action_names)}).")
        return self.action_names[action] if self.action_names else str(action)

    def close(self) -> None:
        """End the session. Not needed after a failure of the service."""
        if self._session_id is not None:
            session_id, self._session_id = self._session_id, None
            self._call("EndSession", proto.EndSessionRequest(session_id=session_id))

    def abandon(self, timeout_s: float = 5.0) -> None:
        """As `close`, after a failure: for a service that lives on, and may be busy or gone."""
        session_id, self._session_id = self._session_id, None
        if session_id is not None:
            self._connection.call("EndSession", proto.EndSessionRequest(session_id=session_id), timeout_s)

    def _start_session(self) -> int:
        """Sends the whole program the first time, since the service may know another one of that URI; later the URI."""
        benchmark = proto.Benchmark(uri=self.benchmark) if self._is_program_sent else self._benchmark
        request = proto.StartSessionRequest(action_space=self._space_index, benchmark=benchmark)
        try:
            reply = self._call("StartSession", request)
        except FileNotFoundError as error:
            if not (self._is_program_sent and "Benchmark not found" in str(error)):
                raise
            self._call("AddBenchmark", proto.AddBenchmarkRequest(benchmark=[self._benchmark]))
            reply = self._call("StartSession", request)
        self._is_program_sent = self._benchmark.HasField("program")
        return reply.session_id

    # Trials ---------------------------------------------------------------------------------------------------------

    def _try_some(self, sequences: list[list[str]]) -> list[Trial]:
        if self._can_try_in_one_call:
            codes = [[self._encode(action) for action in sequence] for sequence in sequences]
            indices = [self._get_index(name) for name in self._reward.observation_spaces]
            session_id, timeout_s = self._require_session(), self._get_call_timeout_s()
            try:
                outcomes = try_in_one_call(self._connection, session_id, codes, indices, timeout_s)
                return [self._score(*pair) for pair in zip(sequences, outcomes, strict=True)]
            except NotImplementedError:  # not one of our services, or a compiler that cannot fork
                self._can_try_in_one_call = False
        return [self._score(sequence, self._try_on_copy(sequence)) for sequence in sequences]

    def _score(self, sequence: list[str], outcome: TriedSequence) -> Trial:
        reward = copy.copy(self._reward)
        rewards = []
        for action, observations in zip(sequence, outcome.observations, strict=False):  # it may have ended early
            rewards.append(reward.update([action], observations, self))
        self.num_actions_tried += len(rewards)
        is_defect = outcome.error is not None and not outcome.error.startswith(_REFUSALS)
        if is_defect and len(self.failed_trials) < _MAX_FAILED_TRIALS:
            actions = [*self.actions, *sequence[: len(rewards) + 1]]
            self.failed_trials.append(FailedTrial(actions, str(outcome.error)))
        return Trial(rewards, outcome.error)

    def _try_on_copy(self, sequence: list[str]) -> TriedSequence:
        session_id = self._fork()
        observations: list[list[Any]] = []
        failure = None
        try:
            for action in sequence:
                reply = self._apply(action, self._reward.observation_spaces, session_id)
                observations.append([event_to_python(event) for event in reply.observation])
                if reply.end_of_session:
                    break
        except (ValueError, NotImplementedError, FileNotFoundError) as error:
            failure = f"{type(error).__name__}: {error}"
        finally:
            self._call("EndSession", proto.EndSessionRequest(session_id=session_id))
        return TriedSequence(observations, error=failure)

    def _fork(self) -> int:
        try:
            return self._call("ForkSession", proto.ForkSessionRequest(session_id=self._require_session())).session_id
        except NotImplementedError:
            pass
        session_id = self._start_session()
        for action in self.actions:
            self._apply(action, [], session_id)
        return session_id

    def _apply(self, action: str, names: Sequence[str], session_id: Optional[int] = None) -> Any:
        """One action, with observations after it. Services that know only CompilerGym take a pipeline as a parameter."""
        if not self._is_pipeline(action):
            return self._step([self._get_event(action)], names, session_id)
        self._send_parameter(BASELINE_PARAMETER, action, session_id)
        return self._step([], names, session_id)

    # Calls ----------------------------------------------------------------------------------------------------------

    def _call(self, call: str, request: Any) -> Any:
        return self._connection.call(call, request, self._get_call_timeout_s())

    def _get_call_timeout_s(self) -> float:
        remaining_s = self._deadline - time.monotonic()
        if remaining_s <= 0:
            self.pending = []  # the compiler was given nothing
            raise ServiceTimeoutError(f"The episode did not end within {self._timeout_s:g} seconds.")
        return min(self._rpc_timeout_s, remaining_s)

    def _step(self, events: list[Any], names: Sequence[str], session_id: Optional[int] = None) -> Any:
        indices = [self._get_index(name) for name in names]
        if session_id is None:
            session_id = self._require_session()
        return self._call("Step", proto.StepRequest(session_id=session_id, action=events, observation_space=indices))

    def _send_parameter(self, key: str, value: str, session_id: Optional[int] = None) -> str:
        if session_id is None:
            session_id = self._require_session()
        parameter = proto.SessionParameter(key=key, value=value)
        request = proto.SendSessionParameterRequest(session_id=session_id, parameter=[parameter])
        return self._call("SendSessionParameter", request).reply[0]

    def _require_session(self) -> int:
        if self._session_id is None:
            raise SessionNotFound("Must call reset() before anything else.")
        return self._session_id

    def _get_index(self, name: str) -> int:
        try:
            return self._indices[name]
        except KeyError:
            known = ", ".join(self._indices)
            raise ConfigError(
                f"The compiler has no observation '{name}'. It has: {known}.{suggest(name, self._indices)}"
            ) from None

    def _encode(self, name: str) -> str | int:
        """An index where the name has one; otherwise the service has to understand the name."""
        if name in self.action_names:
            return self.action_names.index(name)
        return int(name) if name.lstrip("-").isdigit() else name

    def _get_event(self, name: str) -> Any:
        code = self._encode(name)
        return proto.Event(string_value=code) if isinstance(code, str) else proto.Event(int64_value=code)

    def _is_pipeline(self, name: str) -> bool:
        return name.startswith("-O") and name not in self.action_names
