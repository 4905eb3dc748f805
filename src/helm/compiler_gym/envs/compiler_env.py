"""Compilers as Gymnasium environments: a client of the service with everything that an agent needs."""

import copy
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from helm.common.optional_dependencies import handle_module_not_found_error
from helm.compiler_gym import proto
from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.datasets import Dataset, Datasets
from helm.compiler_gym.envs.env_connection import SharedConnection
from helm.compiler_gym.envs.env_records import RecordedEpisodes
from helm.compiler_gym.envs.env_session import SERVICE_FAILURES, EnvSession
from helm.compiler_gym.envs.episode import TriedSequence
from helm.compiler_gym.envs.step_info import LateInfo
from helm.compiler_gym.errors import DEFAULT_TIMEOUT_S, ServiceError
from helm.compiler_gym.rewards import Reward
from helm.compiler_gym.runtime.conversions import event_to_python
from helm.compiler_gym.runtime.service import StepOutcome
from helm.compiler_gym.runtime.service_client import LOCAL, ConnectionOptions, ServiceConnection
from helm.compiler_gym.runtime.space_conversions import space_from_proto
from helm.compiler_gym.views import ObservationSpaceSpec, ObservationView, RewardView, make_default_rewards

try:
    import gymnasium
except ModuleNotFoundError as e:
    handle_module_not_found_error(e, suggestions=["compilers"])

StepResult = tuple[Any, Any, bool, bool, dict[str, Any]]
"""(observation, reward, terminated, truncated, info)"""


class _Unchanged:
    def __repr__(self) -> str:
        return "UNCHANGED"


UNCHANGED = _Unchanged()
"""For `reset`: keep the space as it is. None means: no space."""


class CompilerEnv(RecordedEpisodes, gymnasium.Env):
    """One program in a compiler at a time; actions change it, observations describe it, rewards say what that is worth.

    A failure of the service ends the episode and is reported in `info` (`error_type`, `error_details`), with
    `terminated` true; the next reset starts a new service. A wrong action raises and leaves the episode as it was. Use
    it in a `with` block, or close it.
    """

    metadata = {"render_modes": ["human", "ansi"]}

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
        connection_settings: ConnectionOptions | None = None,
        connection: str = LOCAL,
        service_connection: ServiceConnection | SharedConnection | None = None,
        render_mode: str | None = None,
    ):
        """
        Args:
            service: `host:port` of a service that runs already; the path (a `Path`) of a service program; or a backend,
                by short name or class path, which `connection` says how to run.
            rewards: None: one for each observation that has a single number as default.
            datasets: programs to choose from.
            benchmark: the first program; None: the first of the data sets.
            observation_space: what `reset` and `step` return; None: nothing.
            reward_space: what `step` rewards; None: nothing.
            action_space: None: the compiler's first one.
            derived_observation_spaces: arguments of `ObservationView.add_derived_space`.
            connection: for a backend: `local` (a child process) or `in_process`.
            service_connection: an open connection to be used instead of a new one.
            render_mode: `human` or `ansi`, for `render`.
        Raises: ServiceInitError when the service cannot be started or reached; LookupError for an unknown space.
        """
        settings = connection_settings or ConnectionOptions()
        self._session = EnvSession.open(service, connection, settings, service_connection)
        self.render_mode = render_mode
        self.datasets = datasets if isinstance(datasets, Datasets) else Datasets(datasets or ())
        opened = self._session.connection
        self.action_spaces = [space_from_proto(message) for message in opened.action_spaces]
        messages = opened.observation_spaces
        specs = [ObservationSpaceSpec.from_proto(index, message) for index, message in enumerate(messages)]
        self.observation = ObservationView(self._observe, specs)
        for arguments in [*self._list_derived_spaces(), *(derived_observation_spaces or ())]:
            self.observation.add_derived_space(**arguments)
        self.reward = RewardView(self._make_rewards(rewards), self.observation, lambda: self.actions)

        self.actions = []
        self._episode_start = time.time()
        self._resent_parameters: list[tuple[str, str]] = []
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
        """What comes with the compiler, as `derived_observation_spaces`."""
        return ()

    def _make_rewards(self, rewards: Iterable[Reward] | None) -> Iterable[Reward]:
        """The rewards that there are, with what the caller of the constructor named."""
        return make_default_rewards(self.observation.spaces) if rewards is None else rewards

    # Properties -----------------------------------------------------------------------------------------------------

    @property
    def in_episode(self) -> bool:
        """`reset` was called, and nothing ended the session since."""
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
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
        benchmark: str | Benchmark | BenchmarkUri | None = None,
        action_space: str | None = None,
        observation_space: Any = UNCHANGED,
        reward_space: Any = UNCHANGED,
        timeout: float = DEFAULT_TIMEOUT_S,
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; returns the first observation (None without an observation space) and an empty info.

        Args:
            seed: for the action space and for `np_random`.
            options: the further arguments by name, for callers that cannot pass them otherwise.
            timeout: limit for each call to the service, in seconds.
        Raises: TypeError when there is no program; ValueError when the compiler does not take it; OSError when the
            service cannot be started again and again.
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
            space_from_proto(reply.new_action_space)
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
            return None, {}
        return self._observation_spec.translate(event_to_python(reply.observation[0])), {}

    def step(
        self,
        action: Any,
        observation_spaces: Sequence[str | ObservationSpaceSpec] | None = None,
        reward_spaces: Sequence[str | Reward] | None = None,
        timeout: float = DEFAULT_TIMEOUT_S,
    ) -> StepResult:
        """Apply one action: an index, or its name. See `multistep`."""
        if isinstance(action, (list, tuple)):
            warnings.warn("A list of actions is for multistep(), not for step().", DeprecationWarning, stacklevel=2)
            return self.multistep(action, observation_spaces, reward_spaces, timeout)
        return self.multistep([action], observation_spaces, reward_spaces, timeout)

    def multistep(
        self,
        actions: Iterable[Any],
        observation_spaces: Sequence[str | ObservationSpaceSpec] | None = None,
        reward_spaces: Sequence[str | Reward] | None = None,
        timeout: float = DEFAULT_TIMEOUT_S,
    ) -> StepResult:
        """Apply actions in one call, then observe and reward once.

        Args:
            observation_spaces: return a list of these instead of the default observation.
            reward_spaces: return a list of these instead of the default reward; `episode_reward` then stays.
        Returns: (observation, reward, terminated, truncated, info). `info` holds `action_had_no_effect` and
            `new_action_space`, or `error_type` and `error_details` when the service failed.
        Raises: SessionNotFound outside of an episode; KeyError for an unknown space; ValueError, TypeError,
            NotImplementedError, FileNotFoundError when the compiler refuses an action, of which none is then listed in
            `actions`, although those before it have been applied.
        """
        self._session.require("step()")
        actions = list(actions)
        # HELM: an empty list chooses the default space, but the answer is then a list
        if observation_spaces:
            specs = [self.observation.get_spec(_get_name(space)) for space in observation_spaces]
        else:
            specs = [] if self._observation_spec is None else [self._observation_spec]
        if reward_spaces:
            rewards = [self.reward.get_space(_get_name(space)) for space in reward_spaces]
        else:
            rewards = [] if self._reward_space is None else [self._reward_space]
        codes = [self._get_code(action) for action in actions]
        is_late = not self._are_effects_read
        try:
            applied = self._session.apply(actions, codes, specs, rewards, self.observation, timeout, is_late)
        except SERVICE_FAILURES as error:
            self.actions += actions
            info: dict[str, Any] = dict(self._session.describe_failure(error))
            observed = [spec.default_value for spec in specs]
            earned = [float(reward.reward_on_error(self._episode_reward or 0.0)) for reward in rewards]
            terminated = True
        else:
            self.actions += actions
            observed, earned = applied.observe(), [float(reward) for reward in applied.earn()]
            terminated = applied.outcome.end_of_session
            info = self._make_info(applied.outcome)
            if applied.outcome.new_action_space is not None:
                self._action_space = space_from_proto(applied.outcome.new_action_space)
            if reward_spaces is None and self._reward_space is not None:
                self._episode_reward = (self._episode_reward or 0.0) + earned[0]
        observation = observed if observation_spaces is not None else (observed[0] if observed else None)
        result = earned if reward_spaces is not None else (earned[0] if earned else None)
        return observation, result, terminated, False, info

    def _make_info(self, outcome: StepOutcome) -> dict[str, Any]:
        """Once an effect has been asked for, those of further steps are told at once, which is cheaper then."""
        has_new_space = outcome.new_action_space is not None
        no_effect = outcome.action_had_no_effect
        if not callable(no_effect):
            return {"action_had_no_effect": no_effect, "new_action_space": has_new_space}

        def find_out() -> bool:
            self._are_effects_read = True
            return no_effect()

        return LateInfo({"new_action_space": has_new_space}, find_out)

    def _observe(self, spec: ObservationSpaceSpec) -> Any:
        self._session.require("an observation can be made")
        try:
            applied = self._session.apply([], [], [spec])
        except SERVICE_FAILURES as error:
            details = self._session.describe_failure(error)["error_details"]
            raise ServiceError(f"Failed to compute observation '{spec.id}': {details}") from error
        return applied.observe()[0]

    def render(self, mode: str | None = None) -> str | None:
        """The default observation: printed (`human`) or returned as text (`ansi`).

        Raises: ValueError without an observation space, or for another mode.
        """
        mode = mode or self.render_mode or "human"
        if self._observation_spec is None:
            raise ValueError("There is nothing to render: no observation space is set.")
        if mode not in ("human", "ansi"):
            raise ValueError(f"Cannot render as '{mode}'. Modes: human, ansi.")
        text = self._observation_spec.to_string(self._observe(self._observation_spec))
        if mode == "ansi":
            return text
        print(text)
        return None

    def try_actions(
        self, sequences: Sequence[Sequence[Any]], observation_spaces: Sequence[str | ObservationSpaceSpec]
    ) -> list[TriedSequence]:
        """What sequences of actions would lead to from here; the program stays as it is.

        One call with our own services, forks with others.

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

    # Parameters -----------------------------------------------------------------------------------------------------

    def send_param(self, key: str, value: str, resend_on_reset: bool = False) -> str:
        """Send a parameter to the session; returns its answer. See `send_params`."""
        return self.send_params((key, value), resend_on_reset=resend_on_reset)[0]

    def send_params(self, *params: tuple[str, str], resend_on_reset: bool = False) -> list[str]:
        """Send parameters to the session; returns its answers.

        Args:
            resend_on_reset: send them again at the start of every further episode.
        Raises: SessionNotFound outside of an episode; ValueError for a parameter that the compiler does not know.
        """
        if resend_on_reset:
            self.resend_on_reset(*params)
        return self._session.send_parameters(params)

    def resend_on_reset(self, *params: tuple[str, str]) -> None:
        """Send parameters at the start of every further episode."""
        self._resent_parameters = list({**dict(self._resent_parameters), **dict(params)}.items())

    def get_benchmark(self) -> Benchmark | None:
        """The program of the current episode with its sources and checks."""
        return self._benchmark

    # Copies and end -------------------------------------------------------------------------------------------------

    def fork(self) -> "CompilerEnv":
        """An independent copy in the same state, on the same service.

        Outside of an episode it begins one first. Where the compiler cannot fork, the copy gets a service of its own
        and the actions are replayed there.
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
        _, _, _, _, info = env.multistep(actions)
        if "error_type" in info:
            raise ServiceError(f"Failed to replay {len(actions)} actions: {info['error_details']}")

    def _copy(self, session: EnvSession) -> "CompilerEnv":
        forked = object.__new__(type(self))
        forked.__dict__.update(self.__dict__)
        forked._session = session
        forked._next_benchmark = self._benchmark
        forked._resent_parameters = list(self._resent_parameters)
        forked.observation = ObservationView(forked._observe, self.observation.spaces.values())
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


def _get_name(space: Any) -> str:
    if isinstance(space, ObservationSpaceSpec):
        return space.id
    return space.name if isinstance(space, Reward) else space
