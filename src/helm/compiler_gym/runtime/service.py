"""The service runtime: sessions, benchmarks and parameters of one compiler, whatever the transport.

`CompilerService.handle` takes a request message and returns a reply message or raises `StatusError`. `server.py` puts
it behind gRPC, `service_client.InProcessConnection` calls it directly.
"""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from helm.common.hierarchical_logger import hwarn
from helm.common.processes.end_of_process import ScratchFolder
from helm.compiler_gym import proto
from helm.compiler_gym.benchmarks.benchmark_cache import DEFAULT_MAX_SIZE_BYTES, BenchmarkCache
from helm.compiler_gym.errors import StatusError, get_status
from helm.compiler_gym.runtime.session import CompilationSession, Effect, get_static_spaces
from helm.compiler_gym.runtime.session_table import DEFAULT_MAX_SESSIONS, SessionTable

SERVICE_VERSION = "0.2.5"
"""The protocol release that this service speaks; clients compare it with their own."""


class StepOutcome(NamedTuple):
    """The result of a Step within a process; `proto.StepReply` has the same fields."""

    end_of_session: bool
    action_had_no_effect: Effect
    new_action_space: Any | None
    """A `proto.ActionSpace`, or None if it does not change."""

    observations: Sequence[Any]
    """`proto.Event` messages, which must not be changed."""


class _Entry:
    """A session and the lock that serializes its calls."""

    def __init__(self, session: CompilationSession):
        self.session = session
        self.lock = threading.Lock()


class CompilerService:
    """Serves one compiler, which its session class defines. Safe to call from many threads."""

    def __init__(
        self,
        session_class: type[CompilationSession],
        working_dir: Path | None = None,
        max_sessions: int = DEFAULT_MAX_SESSIONS,
        max_benchmark_bytes: int = DEFAULT_MAX_SIZE_BYTES,
    ):
        """Prepare a service without sessions.

        Args:
            session_class: the compiler.
            working_dir: scratch folder. Default: a temporary one, removed by `close`, or when this process is killed.
            max_sessions: StartSession and ForkSession fail with RESOURCE_EXHAUSTED when there are so many.
            max_benchmark_bytes: limit of the benchmark cache, in bytes.
        """
        self._session_class = session_class
        self._scratch = ScratchFolder("compiler_gym-service-")
        self._working_dir = working_dir
        self._benchmarks = BenchmarkCache(max_benchmark_bytes)
        self._sessions: SessionTable[_Entry] = SessionTable(max_sessions)
        self._lock = threading.Lock()
        self._action_spaces, self._observation_spaces, self._compiler_version = get_static_spaces(session_class)
        self._calls: dict[str, Callable[[Any], Any]] = {
            "GetVersion": self._get_version,
            "GetSpaces": self._get_spaces,
            "StartSession": self._start_session,
            "ForkSession": self._fork_session,
            "EndSession": self._end_session,
            "Step": self._step,
            "AddBenchmark": self._add_benchmark,
            "SendSessionParameter": self._send_session_parameter,
            "TryActions": self._try_actions,
        }

    @property
    def num_sessions(self) -> int:
        return len(self._sessions)

    def handle(self, call: str, request: Any) -> Any:
        """Answer one call.

        Raises: StatusError when the call fails.
        """
        try:
            return self._calls[call](request)
        except Exception as error:
            raise self._get_status(call, error) from error

    def step(
        self,
        session_id: int,
        actions: Sequence[Any],
        observation_spaces: Sequence[int],
        may_tell_effects_late: bool = False,
    ) -> StepOutcome:
        """Answer a Step without request and reply messages.

        Args:
            session_id: number of the session.
            actions: `proto.Event` messages.
            observation_spaces: indices.
            may_tell_effects_late: whether `action_had_no_effect` may be a function.
        Raises: StatusError when the call fails.
        """
        try:
            entry = self._sessions.get(session_id)
            session = entry.session
            end_of_session, new_action_space = False, None
            effects: list[Effect] = []
            with entry.lock:
                session.may_tell_effects_late = may_tell_effects_late
                for action in actions:
                    end_of_session, new_space, no_effect = session.apply_action(action)
                    effects.append(no_effect)
                    if new_space is not None:
                        new_action_space = new_space
                    if end_of_session:
                        break
                spaces = self._find_observation_spaces(observation_spaces)
                observations = [session.get_observation(space) for space in spaces]
                session.end_of_step()
        except Exception as error:
            raise self._get_status("Step", error) from error
        effect = effects[0] if len(effects) == 1 else _have_no_effect(effects)
        return StepOutcome(end_of_session, effect, new_action_space, observations)

    def _get_status(self, call: str, error: Exception) -> StatusError:
        """Return the status of a call that failed with this error."""
        if isinstance(error, StatusError):
            return error
        status = get_status(error)
        if status.status == "INTERNAL":
            hwarn(f"{call} failed in {self._session_class.__name__}: {type(error).__name__}: {error}")
        return status

    def close(self) -> None:
        self._sessions.pop_all()
        self._scratch.close()

    # Calls ----------------------------------------------------------------------------------------------------------

    def _get_version(self, request: Any) -> Any:
        return proto.GetVersionReply(service_version=SERVICE_VERSION, compiler_version=self._compiler_version)

    def _get_spaces(self, request: Any) -> Any:
        return proto.GetSpacesReply(
            action_space_list=self._action_spaces, observation_space_list=self._observation_spaces
        )

    def _start_session(self, request: Any) -> Any:
        with self._lock:
            benchmark = find_benchmark(self._benchmarks, request.benchmark)
        if not 0 <= request.action_space < len(self._action_spaces):
            raise StatusError("INVALID_ARGUMENT", f"Action space index out of range: {request.action_space}")
        action_space = self._action_spaces[request.action_space]
        with self._sessions.place() as fill:
            session = self._session_class(
                working_directory=self._working_dir or self._scratch.path,
                action_space=action_space,
                benchmark=benchmark,
            )
            spaces = self._find_observation_spaces(request.observation_space)
            observation = [session.get_observation(space) for space in spaces]
            return proto.StartSessionReply(session_id=fill(_Entry(session)), observation=observation)

    def _fork_session(self, request: Any) -> Any:
        with self._sessions.place() as fill:
            entry = self._sessions.get(request.session_id)
            with entry.lock:
                forked = entry.session.fork()
            return proto.ForkSessionReply(session_id=fill(_Entry(forked)))

    def _end_session(self, request: Any) -> Any:
        return proto.EndSessionReply(remaining_sessions=self._sessions.pop(request.session_id)[1])

    def _step(self, request: Any) -> Any:
        outcome = self.step(request.session_id, request.action, request.observation_space)
        return proto.StepReply(
            end_of_session=outcome.end_of_session,
            action_had_no_effect=outcome.action_had_no_effect,
            new_action_space=outcome.new_action_space,
            observation=outcome.observations,
        )

    def _add_benchmark(self, request: Any) -> Any:
        with self._lock:
            for benchmark in request.benchmark:
                self._benchmarks.add(benchmark)
        return proto.AddBenchmarkReply()

    def _send_session_parameter(self, request: Any) -> Any:
        entry = self._sessions.get(request.session_id)
        reply = proto.SendSessionParameterReply()
        with entry.lock:
            for parameter in request.parameter:
                answer = entry.session.handle_session_parameter(parameter.key, parameter.value)
                if answer is None:
                    with self._lock:
                        answer = handle_cache_parameter(self._benchmarks, parameter.key, parameter.value)
                if answer is None:
                    raise StatusError("INVALID_ARGUMENT", f"Unknown parameter: {parameter.key}")
                reply.reply.append(answer)
        return reply

    # Parts of calls -------------------------------------------------------------------------------------------------

    def _find_observation_spaces(self, indices: Sequence[int]) -> list[Any]:
        spaces, found = self._observation_spaces, []
        for index in indices:
            if not 0 <= index < len(spaces):
                raise StatusError("INVALID_ARGUMENT", f"Observation space index out of range: {index}")
            found.append(spaces[index])
        return found

    def _try_actions(self, request: Any) -> Any:
        entry = self._sessions.get(request.session_id)
        reply = proto.TryActionsReply()
        spaces = self._find_observation_spaces(request.observation_space)
        with entry.lock:
            kept = _Beginning([], entry.session, [])
            sequences = [list(sequence.action) for sequence in request.sequence]
            for actions, following in zip(sequences, [*sequences[1:], []], strict=True):
                if kept.actions and actions[: len(kept.actions)] != kept.actions:
                    kept = _Beginning([], entry.session, [])
                shared = _count_shared(actions, following)
                kept = _try_sequence(kept, actions, shared, spaces, reply.tried.add())
        return reply


class _Beginning(NamedTuple):
    """A session in which the common prefix of several sequences has been applied."""

    actions: list[Any]
    session: CompilationSession
    after: list[Any]
    """The observations after each of the actions."""


def _try_sequence(kept: _Beginning, actions: list[Any], num_shared: int, spaces: list[Any], tried: Any) -> _Beginning:
    """Fill `tried`, starting from `kept`; returns the start of the next sequence, with `num_shared` actions applied."""
    session = kept.session.fork()
    session.reports_effects = False
    if kept.after:
        tried.after.extend(kept.after)
    for position in range(len(kept.actions), len(actions) + 1):
        if position == num_shared > len(kept.actions):
            kept = _Beginning(actions[:position], session.fork(), list(tried.after))
        if position == len(actions):
            break
        try:
            is_end = session.apply_action(actions[position])[0]
            observations = [session.get_observation(space) for space in spaces]
        except Exception as error:  # reported to the client, as a failed Step would be
            status = get_status(error)
            tried.status, tried.details = status.status, status.details
            break
        tried.after.add().observation.extend(observations)
        if is_end:
            tried.end_of_session = True
            break
    return kept


def _count_shared(actions: list[Any], others: list[Any]) -> int:
    """Return the length of the common prefix, or 0 when it is not worth keeping."""
    if len(actions) < 2:
        return 0
    pairs = zip(actions, others, strict=False)
    return next((i for i, (one, other) in enumerate(pairs) if one != other), min(len(actions), len(others)))


def _have_no_effect(effects: list[Effect]) -> Effect:
    """Return whether none of the actions had an effect."""
    if False in effects:
        return False
    late = [effect for effect in effects if callable(effect)]
    return (lambda: all(find_out() for find_out in late)) if late else True


def find_benchmark(benchmarks: BenchmarkCache, benchmark: Any) -> Any:
    """Find the program of a StartSession: the one it contains, which is then known, or a known one by its URI.

    Raises: StatusError without a URI, and for an unknown one.
    """
    if not benchmark.uri:
        raise StatusError("INVALID_ARGUMENT", "No benchmark URI set for StartSession()")
    if benchmark.HasField("program"):
        benchmarks.add(benchmark)
    found = benchmarks.get(benchmark.uri)
    if found is None:
        raise StatusError("NOT_FOUND", "Benchmark not found")
    return found


def handle_cache_parameter(benchmarks: BenchmarkCache, key: str, value: str) -> str | None:
    """Answer a parameter that every service knows; returns None for others.

    Raises: StatusError for a bad value.
    """
    prefix = "service.benchmark_cache."
    if key == prefix + "set_max_size_in_bytes":
        try:
            benchmarks.max_size_in_bytes = int(value)
        except ValueError:
            raise StatusError("INVALID_ARGUMENT", f"{key} needs an integer, got: {value}") from None
        return value
    if key == prefix + "get_max_size_in_bytes":
        return str(benchmarks.max_size_in_bytes)
    if key == prefix + "get_size_in_bytes":
        return str(benchmarks.size_in_bytes)
    return None


__path__: list[str] = []  # `helm.compiler_gym.service` is this module, and CompilerGym has modules below its own


def __getattr__(name: str) -> Any:
    from helm.compiler_gym.original_names import find_name

    return find_name("helm.compiler_gym.service", name)
