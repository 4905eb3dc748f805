"""Compilers as Gymnasium environments: a client of the service with everything an agent needs."""

import copy
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from helm.common.optional_dependencies import needs_extra
from helm.compiler_gym import proto
from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.datasets import Dataset, Datasets
from helm.compiler_gym.envs.env_connection import SharedConnection
from helm.compiler_gym.envs.env_parameters import SentParameters
from helm.compiler_gym.envs.env_records import RecordedEpisodes
from helm.compiler_gym.envs.env_session import SERVICE_FAILURES, EnvSession
from helm.compiler_gym.envs.episode import TriedSequence
from helm.compiler_gym.envs.step_info import LateInfo
from helm.compiler_gym.envs.step_result import make_result, make_start, read_result
from helm.compiler_gym.errors import DEFAULT_TIMEOUT_S, ServiceError
from helm.compiler_gym.rewards import Reward
from helm.compiler_gym.runtime.conversions import event_to_python
from helm.compiler_gym.runtime.message_converters import ServiceMessageConverters
from helm.compiler_gym.runtime.service import StepOutcome
from helm.compiler_gym.runtime.service_client import LOCAL, ConnectionOptions, ServiceConnection
from helm.compiler_gym.views import ObservationSpaceSpec, ObservationView, RewardView, make_default_rewards

with needs_extra("compilers"):
    import gymnasium

StepResult = tuple[Any, ...]
"""(observation, reward, terminated, truncated, info); with `old_api`: (observation, reward, done, info)"""


class _Unchanged:
    def __repr__(self) -> str:
        return "UNCHANGED"


UNCHANGED = _Unchanged()
"""Value for arguments of `reset` that keeps the space as it is; None means no space."""


class CompilerEnv(SentParameters, RecordedEpisodes, gymnasium.Env):
    """One program in a compiler at a time: actions change it, observations describe it, rewards rate the changes.

    A failure of the service ends the episode and is reported in `info` (`error_type`, `error_details`), with
    `terminated` true; the next reset starts a new service. A wrong action raises and does not change the episode. Use
    the environment in a `with` block, or close it.
    """

    metadata = {"render_modes": ["human", "ansi"]}

    old_api = False
    """Whether `reset` and `step` answer as Gym did before version 0.26: an observation alone, and four values."""

    def __init__(
        self,
        service: str | Path,
        rewards: Iterable[Reward] | None = None,
        datasets: Iterable[Dataset] | Datasets | None = None,
        benchmark: str | Benchmark | BenchmarkUri | None = None,
        observation_space: str | ObservationSpaceSpec | None = None,
        reward_space: str | Reward | None = None,
        action_space: str | None = None,
        derived_observation_spaces: Sequence[Mapping[str, Any]] | None = None,
        service_message_converters: ServiceMessageConverters | None = None,
        connection_settings: ConnectionOptions | None = None,
        service_connection: ServiceConnection | SharedConnection | None = None,
        connection: str = LOCAL,
        render_mode: str | None = None,
        old_api: bool | None = None,
    ):
        """Start or reach the service and choose the spaces.

        Args:
            service: `host:port` of a running service; the path (a `Path`) of a service program; or the short name or class
                path of a backend, which is run according to `connection`.
            rewards: the reward spaces. Default: one for each observation whose default is a single number.
            datasets: data sets with programs to choose from.
            benchmark: the first program. Default: the first one of the data sets.
            observation_space: the observation that `reset` and `step` return. Default: none.
            reward_space: the reward that `step` returns. Default: none.
            action_space: name of an action space. Default: the compiler's first one.
            derived_observation_spaces: arguments of `ObservationView.add_derived_space`.
            service_message_converters: other conversions of the service's action spaces, and of actions.
            connection_settings: options of the connection.
            service_connection: an open connection to use instead of a new one.
            connection: for a backend: `local` (a child process) or `in_process`.
            render_mode: `human` or `ansi`, for `render`.
            old_api: see the attribute. Default: that of the class.
        Raises: ServiceInitError when the service cannot be started or reached; LookupError for an unknown space.
        """
        settings = connection_settings or ConnectionOptions()
        self._session = EnvSession.open(service, connection, settings, service_connection)
        self.render_mode = render_mode
        self.old_api = self.old_api if old_api is None else old_api
        self._converters = service_message_converters or ServiceMessageConverters()
        self.datasets = datasets if isinstance(datasets, Datasets) else Datasets(datasets or ())
        opened = self._session.connection
        self.action_spaces = [self._converters.action_space_converter(message) for message in opened.action_spaces]
        self.observation = ObservationView(self.raw_step, opened.observation_spaces)
        for arguments in [*self._list_derived_spaces(), *(derived_observation_spaces or ())]:
            self.observation.add_derived_space(**arguments)
        self.reward = RewardView(self._make_rewards(rewards), self.observation, lambda: self.actions)

        self.actions = []
        self._episode_start = time.time()
        self._resent_parameters = []
        self._versions: Any | None = None
        self._are_effects_read = False
        self._next_benchmark: Benchmark | None = None
        try:
            self.action_space = action_space
            self.observation_space = observation_space
            self.reward_space = reward_space
            if benchmark is None:
                benchmark = next(iter(self.datasets.benchmarks()), None)
            if benchmark is not None:
                self.benchmark = benchmark
                self._benchmark = self._next_benchmark
        except BaseException:
            self.close()
            raise

    def _list_derived_spaces(self) -> Sequence[Mapping[str, Any]]:
        """Return the compiler's own derived spaces, in the form of `derived_observation_spaces`."""
        return ()

    def _make_rewards(self, rewards: Iterable[Reward] | None) -> Iterable[Reward]:
        """Create the reward spaces, including those that the caller of the constructor named."""
        return make_default_rewards(self.observation.spaces) if rewards is None else rewards

    # Properties -----------------------------------------------------------------------------------------------------

    @property
    def in_episode(self) -> bool:
        """Whether `reset` was called and nothing has ended the session since."""
        return self._session.id is not None

    @property
    def episode_walltime(self) -> float:
        """Seconds since the last reset."""
        return time.time() - self._episode_start

    @property
    def version(self) -> str:
        """Protocol version of the service."""
        return self._get_versions().service_version

    @property
    def versions(self) -> Any:
        """The `proto.GetVersionReply` of the service."""
        return self._get_versions()

    @property
    def compiler_version(self) -> str:
        return self._get_versions().compiler_version

    def _get_versions(self) -> Any:
        if self._versions is None:
            self._versions = self._session.call("GetVersion", proto.GetVersionRequest())
        return self._versions

    @property
    def benchmark(self) -> BenchmarkUri | None:
        """URI of the program of the current episode. A new one takes effect at the next reset."""
        return None if self._benchmark is None else self._benchmark.uri

    @benchmark.setter
    def benchmark(self, benchmark: str | Benchmark | BenchmarkUri) -> None:
        if self.in_episode:
            warnings.warn("Changing the benchmark has no effect until reset() is called.", stacklevel=2)
        self._next_benchmark = self._find_benchmark(benchmark)

    def _find_benchmark(self, benchmark: Any) -> Benchmark:
        if isinstance(benchmark, Benchmark):
            return benchmark
        if isinstance(benchmark, BenchmarkUri):
            return self.datasets.benchmark_from_parsed_uri(benchmark)
        if isinstance(benchmark, str):
            return self.datasets.benchmark(benchmark)
        raise TypeError(f"A benchmark is a Benchmark, a BenchmarkUri or a str, not {type(benchmark).__name__}.")

    # Episodes -------------------------------------------------------------------------------------------------------

    def reset(
        self,
        benchmark: str | Benchmark | BenchmarkUri | None = None,
        action_space: str | None = None,
        observation_space: Any = UNCHANGED,
        reward_space: Any = UNCHANGED,
        timeout: float = DEFAULT_TIMEOUT_S,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
    ) -> Any:
        """Begin an episode; returns the first observation (None without an observation space) and an empty info.

        With `old_api` it returns the observation alone.

        Args:
            benchmark: the program. Default: the one that was set last.
            action_space: as for the constructor.
            observation_space: as for the constructor.
            reward_space: as for the constructor.
            timeout: limit for each call to the service, in seconds.
            seed: for the action space and for `np_random`.
            options: the other arguments by name, for callers that cannot pass them directly.
        Raises: TypeError when there is no program; ValueError when the compiler rejects it; OSError when repeated
            attempts to start the service fail.
        """
        super().reset(seed=seed)
        if options:
            return self.reset(
                **{
                    "seed": seed,
                    "benchmark": benchmark,
                    "action_space": action_space,
                    "observation_space": observation_space,
                    "reward_space": reward_space,
                    "timeout": timeout,
                    **options,
                }
            )
        if observation_space is not UNCHANGED:
            self.observation_space = observation_space
        if reward_space is not UNCHANGED:
            self.reward_space = reward_space
        if action_space is not None:
            self.action_space = action_space
        if benchmark is not None:
            self._next_benchmark = self._find_benchmark(benchmark)
        if self._next_benchmark is None:
            raise TypeError("No benchmark was chosen: give one to reset(), or set env.benchmark.")
        self._session.end()
        indices = [] if self._observation_spec is None else [self._observation_spec.index]
        reply = self._session.start(self._next_benchmark, self._action_space_index, indices, timeout)
        self._benchmark = self._next_benchmark
        self._action_space = (
            self._converters.action_space_converter(reply.new_action_space)
            if reply.HasField("new_action_space")
            else self.action_spaces[self._action_space_index]
        )
        if seed is not None:
            self._action_space.seed(seed)
        self.actions = []
        self._episode_start = time.time()
        if self._resent_parameters:
            self.send_params(*self._resent_parameters)
        self.reward.reset(str(self._benchmark.uri))
        self._episode_reward = None if self._reward_space is None else 0.0
        if self._observation_spec is None:
            return make_start(self, None, {})
        return make_start(self, self._observation_spec.translate(event_to_python(reply.observation[0])), {})

    def step(
        self,
        action: Any,
        observation_spaces: Sequence[str | ObservationSpaceSpec] | None = None,
        reward_spaces: Sequence[str | Reward] | None = None,
        timeout: float = DEFAULT_TIMEOUT_S,
        observations: Sequence[str | ObservationSpaceSpec] | None = None,
        rewards: Sequence[str | Reward] | None = None,
    ) -> StepResult:
        """Apply one action: an index, or its name. See `multistep`, also for `observations` and `rewards`."""
        actions = action if isinstance(action, (list, tuple)) else [action]
        if actions is action:
            warnings.warn("A list of actions is for multistep(), not for step().", DeprecationWarning, stacklevel=2)
        if observations is not None or rewards is not None:
            observation_spaces, reward_spaces = _read_old_names(
                observation_spaces, reward_spaces, observations, rewards
            )
        return self.multistep(actions, observation_spaces, reward_spaces, timeout)

    def multistep(
        self,
        actions: Iterable[Any],
        observation_spaces: Sequence[str | ObservationSpaceSpec] | None = None,
        reward_spaces: Sequence[str | Reward] | None = None,
        timeout: float = DEFAULT_TIMEOUT_S,
        observations: Sequence[str | ObservationSpaceSpec] | None = None,
        rewards: Sequence[str | Reward] | None = None,
    ) -> StepResult:
        """Apply actions in one call, then observe and reward once.

        Args:
            actions: indices or names.
            observation_spaces: return a list of these instead of the default observation.
            reward_spaces: return a list of these instead of the default reward; `episode_reward` then stays.
            timeout: limit for the call, in seconds.
            observations: the older name of `observation_spaces`.
            rewards: the older name of `reward_spaces`.
        Returns: (observation, reward, terminated, truncated, info). `info` holds `action_had_no_effect` and
            `new_action_space`, or `error_type` and `error_details` when the service failed.
        Raises: SessionNotFound outside of an episode; KeyError for an unknown space; ValueError, TypeError,
            NotImplementedError, FileNotFoundError when the compiler refuses an action, of which none is then listed in
            `actions`, although those before it have been applied.
        """
        self._session.require("step()")
        if observations is not None or rewards is not None:
            observation_spaces, reward_spaces = _read_old_names(
                observation_spaces, reward_spaces, observations, rewards
            )
        # HELM: an empty list chooses the default space, but the answer is then a list
        if observation_spaces:
            specs = [self.observation.get_spec(_get_name(space)) for space in observation_spaces]
        else:
            specs = [] if self._observation_spec is None else [self._observation_spec]
        if reward_spaces:
            chosen = [self.reward.get_space(_get_name(space)) for space in reward_spaces]
        else:
            chosen = [] if self._reward_space is None else [self._reward_space]
        answer = self.raw_step(actions, specs, chosen, timeout)
        observed, earned, terminated, truncated, info = read_result(answer)
        if reward_spaces is None and self._reward_space is not None and "error_type" not in info:
            self._episode_reward = (self._episode_reward or 0.0) + earned[0]
        observation = observed if observation_spaces is not None else (observed[0] if observed else None)
        result = earned if reward_spaces is not None else (earned[0] if earned else None)
        return make_result(self, observation, result, terminated, truncated, info)

    def raw_step(
        self,
        actions: Iterable[Any],
        observation_spaces: Sequence[ObservationSpaceSpec],
        reward_spaces: Sequence[Reward],
        timeout: float = DEFAULT_TIMEOUT_S,
    ) -> StepResult:
        """Apply actions as `multistep` does, for callers that have the spaces at hand; `episode_reward` stays.

        Args:
            actions: indices or names.
            observation_spaces: what to observe.
            reward_spaces: what to reward.
            timeout: limit for the call, in seconds.
        Returns: as `multistep`, with a list of observations and a list of rewards.
        Raises: as `multistep`.
        """
        self._session.require("step()")
        actions = list(actions)
        codes = [self._converters.action_converter(self._get_code(action)) for action in actions]
        is_late = not self._are_effects_read
        try:
            applied = self._session.apply(
                actions, codes, observation_spaces, reward_spaces, self.observation, timeout, is_late
            )
        except SERVICE_FAILURES as error:
            self.actions += actions
            failure: dict[str, Any] = dict(self._session.describe_failure(error))
            defaults = [spec.default_value for spec in observation_spaces]
            earned = [float(reward.reward_on_error(self._episode_reward or 0.0)) for reward in reward_spaces]
            return make_result(self, defaults, earned, True, False, failure)
        self.actions += actions
        observed, earned = applied.observe(), [float(reward) for reward in applied.earn()]
        if applied.outcome.new_action_space is not None:
            self._action_space = self._converters.action_space_converter(applied.outcome.new_action_space)
        info = self._make_info(applied.outcome)
        return make_result(self, observed, earned, applied.outcome.end_of_session, False, info)

    def _make_info(self, outcome: StepOutcome) -> dict[str, Any]:
        """Make the `info` of a step. Once an effect has been read, later steps determine it at once, which is cheaper then."""
        has_new_space = outcome.new_action_space is not None
        no_effect = outcome.action_had_no_effect
        if not callable(no_effect):
            return {"action_had_no_effect": no_effect, "new_action_space": has_new_space}

        def find_out() -> bool:
            self._are_effects_read = True
            return no_effect()

        return LateInfo({"new_action_space": has_new_space}, find_out)

    def render(self, mode: str | None = None) -> str | None:
        """The default observation: printed (`human`) or returned as text (`ansi`).

        Raises: ValueError without an observation space, or for another mode.
        """
        mode = mode or self.render_mode or "human"
        if self._observation_spec is None:
            raise ValueError("There is nothing to render: no observation space is set.")
        if mode not in ("human", "ansi"):
            raise ValueError(f"Cannot render as '{mode}'. Modes: human, ansi.")
        text = self._observation_spec.to_string(self.observation[self._observation_spec.id])
        if mode == "ansi":
            return text
        print(text)
        return None

    def try_actions(
        self, sequences: Sequence[Sequence[Any]], observation_spaces: Sequence[str | ObservationSpaceSpec]
    ) -> list[TriedSequence]:
        """Try sequences of actions from the current state, without changing the program.

        Our own services do it in one call; with other services, it takes forks.

        Args:
            observation_spaces: what to observe after every action.
        Raises: SessionNotFound outside of an episode; NotImplementedError when the compiler cannot fork.
        """
        self._session.require("try_actions()")
        specs = [self.observation.get_spec(_get_name(space)) for space in observation_spaces]
        codes = [[self._get_code(action) for action in sequence] for sequence in sequences]
        try:
            return self._session.try_actions(codes, specs)
        except NotImplementedError:
            return [self._session.copy().try_here(sequence, specs) for sequence in codes]

    # Copies and end -------------------------------------------------------------------------------------------------

    def fork(self) -> "CompilerEnv":
        """Create an independent copy in the same state, on the same service.

        Outside of an episode it begins one first. If the compiler cannot fork, the copy gets its own service, and the
        actions are replayed there.
        """
        if not self.in_episode:
            actions = list(self.actions)
            self.reset()
            if actions:
                self._replay(self, actions)
        try:
            forked = self._copy(self._session.fork())
        except NotImplementedError:
            forked = self._copy(self._session.open_another())
            forked.reset()
            self._replay(forked, self.actions)
        forked.actions = list(self.actions)
        forked.reward.spaces = copy.deepcopy(self.reward.spaces)
        forked._reward_space = self._reward_space and forked.reward.spaces[self._reward_space.name]
        forked._episode_reward, forked._episode_start = self._episode_reward, self._episode_start
        if self._np_random is not None:
            forked._np_random, forked._np_random_seed = copy.deepcopy(self._np_random), self._np_random_seed
        return forked

    @staticmethod
    def _replay(env: "CompilerEnv", actions: Sequence[Any]) -> None:
        info = env.multistep(actions)[-1]
        if "error_type" in info:
            raise ServiceError(f"Failed to replay {len(actions)} actions: {info['error_details']}")

    def _copy(self, session: EnvSession) -> "CompilerEnv":
        forked = object.__new__(type(self))
        forked.__dict__.update(self.__dict__)
        forked._session = session
        forked._next_benchmark = self._benchmark
        forked._resent_parameters = list(self._resent_parameters)
        forked.observation = ObservationView(forked.raw_step, self.observation.spaces.values())
        rewards = copy.deepcopy(self.reward.spaces)
        forked.reward = RewardView(rewards.values(), forked.observation, lambda: forked.actions)
        forked._reward_space = self._reward_space and rewards[self._reward_space.name]
        return forked

    def __copy__(self) -> Any:
        raise TypeError("An environment has no shallow copy: two would use one session. Use fork().")

    def __deepcopy__(self, memo: Any) -> "CompilerEnv":
        return self.fork()

    def close(self) -> None:
        """End the session, and the service when no fork uses it any more. Idempotent; `reset` opens a new one.

        Raises: ServiceError when a service of our own ended with an error.
        """
        self._session.close()

    def __str__(self) -> str:
        return f"<{type(self).__name__}<{self._session.service}>>"


def _read_old_names(new_spaces: Any, new_rewards: Any, spaces: Any, rewards: Any) -> tuple[Any, Any]:
    warnings.warn(
        "The arguments observations and rewards are called observation_spaces and reward_spaces now.",
        DeprecationWarning,
        stacklevel=3,
    )
    return (new_spaces if spaces is None else spaces), (new_rewards if rewards is None else rewards)


def _get_name(space: Any) -> str:
    if isinstance(space, ObservationSpaceSpec):
        return space.id
    return space.name if isinstance(space, Reward) else space
