"""The environment in which a policy works on one program: an `Episode` with names, a deadline and trials."""

import copy
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from helm.common.errors import ConfigError, suggest
from helm.compiler_gym import proto
from helm.compiler_gym.envs.episode import Episode, Pipeline, RawObservation, TriedSequence
from helm.compiler_gym.errors import ServiceTimeoutError
from helm.compiler_gym.rewards import Reward
from helm.compiler_gym.runtime.service_client import ServiceConnection
from helm.compiler_gym.spaces import find_action_space

_FIRST_BATCH, _LARGEST_BATCH = 16, 64  # sequences tried in one call: at first, and at most
_SHORT_CALL_S, _LONG_CALL_S = 1.0, 5.0
"""A call that tries sequences should take between these times, in seconds, so that it stays well within its limit."""

_MAX_FAILED_TRIALS = 20  # enough to see a pattern; a search over many programs could collect thousands
_REFUSALS = ("INVALID_ARGUMENT", "UNIMPLEMENTED", "NOT_FOUND", "ValueError", "NotImplementedError", "FileNotFoundError")
"""Beginnings of errors with which a compiler refuses an action; these are no defects of the compiler."""


@dataclass(frozen=True)
class Trial:
    """The rewards that a sequence of actions would earn."""

    rewards: list[float] = field(default_factory=list)
    """One for each action that was applied."""

    error: str | None = None
    """The reason for which the compiler refused the next action; None if it refused none."""

    @property
    def total(self) -> float:
        return sum(self.rewards)


@dataclass(frozen=True)
class FailedTrial:
    """A sequence that was only tried, and on which the compiler failed, which is a defect of the compiler."""

    actions: list[str]
    """The actions from the untouched program on; the compiler failed on the last one."""

    error: str


class CompilerEnvironment:
    """One program in a compiler, which actions improve. Use it from one thread at a time.

    An action is a name of `action_names`, its index, or a default pipeline (`-O0` ... `-Oz`) if the compiler has
    them. Calls raise ValueError for a wrong action, `ServiceError` or a subclass when the compiler failed, and
    TimeoutError when the time is up.
    """

    def __init__(
        self,
        connection: ServiceConnection,
        benchmark: Any,
        reward: Reward,
        action_space: str | None = None,
        max_steps: int | None = None,
        seed: int = 0,
        rpc_timeout_s: float = 60.0,
        timeout_s: float = 600.0,
    ):
        """Prepare the first episode; its session starts with the first call that needs it.

        Args:
            connection: the service that runs the compiler.
            benchmark: a `proto.Benchmark`; the service has to know its URI when it contains no program.
            reward: what actions are rewarded for.
            action_space: name of an action space. Default: the first one.
            max_steps: the largest number of actions in an answer. The policy has to respect it; the executor checks it.
                Default: no limit.
            seed: for the policy's own random numbers.
            rpc_timeout_s: limit for each call, in seconds.
            timeout_s: limit for everything done with this environment, in seconds.
        """
        self._episode = Episode(connection, self._get_call_timeout_s)
        self._benchmark = benchmark
        self._reward = reward
        self._deadline = time.monotonic() + timeout_s
        self._timeout_s, self._rpc_timeout_s = timeout_s, rpc_timeout_s
        self.max_steps = max_steps
        self.seed = seed
        self._space_index, self.action_names = find_action_space(connection.action_spaces, action_space)
        self._indices = {space.name: index for index, space in enumerate(connection.observation_spaces)}
        self._observed: dict[str, Any] = {}
        self._can_try_in_one_call = True
        self._batch = _FIRST_BATCH
        self._is_program_sent = False
        self.actions: list[str] = []
        """The actions applied in this episode."""
        self.rewards: list[float] = []
        """The rewards of this episode, one for each action."""
        self.is_done = False
        """Whether the compiler has ended the session."""
        self.num_actions_tried = 0
        """Number of actions applied in all episodes and trials together."""
        self.pending: list[list[str]] = []
        """Sequences, each from the untouched program on, that the compiler was given and has not answered.

        When the compiler has failed, it failed on one of these or on an observation after it.
        """
        self.failed_trials: list[FailedTrial] = []
        """The first of the sequences that were tried and on which the compiler failed."""

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
        """Names of the observations that the compiler offers."""
        return list(self._indices)

    @property
    def episode_reward(self) -> float:
        return sum(self.rewards)

    def reset(self) -> None:
        """Go back to the untouched program."""
        self.pending = []
        self.close()
        self._begin(self._episode)
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
        applied = self._episode.apply(
            [name], [self._encode(name)], [self.get_spec(n) for n in names], [self._reward], self
        )
        self.pending = []
        self.is_done = applied.outcome.end_of_session
        self.num_actions_tried += 1
        self._observed = dict(zip(names, applied.observe(), strict=True))
        (reward,) = applied.earn()
        self.actions.append(name)
        self.rewards.append(reward)
        return reward

    def observe(self, names: Sequence[str]) -> dict[str, Any]:
        """Return observations of the current program by name; they are kept until the next action."""
        missing = [name for name in names if name not in self._observed]
        if missing:
            self.pending = [list(self.actions)]
            applied = self._episode.apply([], [], [self.get_spec(name) for name in missing])
            self.pending = []
            self._observed.update(zip(missing, applied.observe(), strict=True))
        return {name: self._observed[name] for name in names}

    def __getitem__(self, name: str) -> Any:
        return self.observe([name])[name]

    def try_actions(self, sequences: Sequence[Sequence[str | int]]) -> list[Trial]:
        """Return what each sequence of actions would earn from here; the program does not change.

        Our own services try many sequences in one call. With other services, each sequence is applied to a fork, or
        replayed in a new session if the compiler cannot fork.
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
        """Return the name under which an action is recorded.

        Raises: ValueError for an index out of range.
        """
        if isinstance(action, str):
            return "-" + action if "-" + action in self.action_names else action
        if self.action_names and not 0 <= action < len(self.action_names):
            raise ValueError(f"Action {action} is not in range [0, {len(self.action_names)}).")
        return self.action_names[action] if self.action_names else str(action)

    def get_spec(self, name: str) -> RawObservation:
        """Return an observation's spec by name.

        Raises: ConfigError when the compiler does not have it.
        """
        if name not in self._indices:
            known = ", ".join(self._indices)
            raise ConfigError(
                f"The compiler has no observation '{name}'. It has: {known}.{suggest(name, self._indices)}"
            )
        return RawObservation(self._indices[name])

    def close(self) -> None:
        """End the session. Not needed after a failure of the service."""
        self._episode.end()

    def abandon(self, timeout_s: float = 5.0) -> None:
        """End the session after a failure, if the service outlives this process; it may be busy or gone."""
        self._episode.end(timeout_s)

    def _begin(self, episode: Episode) -> None:
        """Begin an episode; the first one sends the whole program, since the service may know another one of the same URI."""
        if self._is_program_sent:
            episode.begin(proto.Benchmark(uri=self.benchmark), self._space_index, added=self._benchmark)
        else:
            episode.begin(self._benchmark, self._space_index)
        self._is_program_sent = self._benchmark.HasField("program")

    def _get_call_timeout_s(self) -> float:
        remaining_s = self._deadline - time.monotonic()
        if remaining_s <= 0:
            self.pending = []  # the call failed before the compiler was given an action
            raise ServiceTimeoutError(f"The episode did not end within {self._timeout_s:g} seconds.")
        return min(self._rpc_timeout_s, remaining_s)

    def _encode(self, name: str) -> str | int:
        """Return the index of an action's name; without one, the service has to understand the name."""
        if name in self.action_names:
            return self.action_names.index(name)
        if name.startswith("-O"):
            return Pipeline(name)
        return int(name) if name.lstrip("-").isdigit() else name

    # Trials ---------------------------------------------------------------------------------------------------------

    def _try_some(self, sequences: list[list[str]]) -> list[Trial]:
        codes = [[self._encode(action) for action in sequence] for sequence in sequences]
        spaces = [self.get_spec(name) for name in self._reward.observation_spaces]
        if self._can_try_in_one_call:
            try:
                outcomes = self._episode.try_actions(codes, spaces)
                return [self._score(*pair) for pair in zip(sequences, outcomes, strict=True)]
            except NotImplementedError:  # not one of our services, or a compiler that cannot fork
                self._can_try_in_one_call = False
        return [
            self._score(sequence, self._copy_episode().try_here(some, spaces))
            for sequence, some in zip(sequences, codes, strict=True)
        ]

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

    def _copy_episode(self) -> Episode:
        try:
            return self._episode.copy()
        except NotImplementedError:
            pass
        copied = Episode(self._episode.connection, self._get_call_timeout_s)
        self._begin(copied)
        for action in self.actions:
            copied.apply([action], [self._encode(action)])
        return copied
