"""A service whose sessions live in worker processes, so that a compiler which crashes or hangs takes no other along."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from helm.common.hierarchical_logger import hwarn
from helm.compiler_gym import proto
from helm.compiler_gym.benchmarks.benchmark_cache import DEFAULT_MAX_SIZE_BYTES, BenchmarkCache
from helm.compiler_gym.errors import ServiceError, ServiceIsClosed, StatusError, get_status
from helm.compiler_gym.runtime.service import find_benchmark, handle_cache_parameter
from helm.compiler_gym.runtime.service_client import ConnectionOptions, LocalServiceConnection
from helm.compiler_gym.runtime.session_table import DEFAULT_MAX_SESSIONS, SessionTable

_MAX_IDLE_WORKERS = 4


class _Worker:
    """A process and the number of its sessions. A session and its forks share one."""

    def __init__(self, backend: str | Path):
        self.connection = LocalServiceConnection(backend, ConnectionOptions(rpc_max_retries=0))
        self.num_sessions = 0


class _Entry:
    """A session: where it lives, and the lock that keeps its calls apart."""

    def __init__(self, worker: _Worker, session_id: int):
        self.worker, self.session_id = worker, session_id
        self.lock = threading.Lock()


class IsolatedCompilerService:
    """Answers like `CompilerService`, from worker processes: one for each session and its forks.

    A worker that ends fails the call in progress with INTERNAL; one that does not answer in time is ended, and the call
    fails with DEADLINE_EXCEEDED. Its sessions are then unknown; others do not notice.
    """

    def __init__(
        self,
        backend: str | Path,
        max_sessions: int = DEFAULT_MAX_SESSIONS,
        max_benchmark_bytes: int = DEFAULT_MAX_SIZE_BYTES,
        call_timeout_s: float = 300.0,
    ):
        """
        Args:
            backend: short name or class path of a `CompilationSession`.
            call_timeout_s: limit for one call to a session, in seconds.
        Raises: ServiceInitError when a worker does not start.
        """
        self._backend, self._call_timeout_s = backend, call_timeout_s
        self._benchmarks = BenchmarkCache(max_benchmark_bytes)
        self._sessions: SessionTable[_Entry] = SessionTable(max_sessions)
        self._lock = threading.Lock()
        self._idle = [_Worker(backend)]
        self._version, self._spaces = (
            self._idle[0].connection.request(call, message(), call_timeout_s)
            for call, message in (("GetVersion", proto.GetVersionRequest), ("GetSpaces", proto.GetSpacesRequest))
        )
        self._calls: dict[str, Callable[[Any], Any]] = {
            "GetVersion": lambda request: self._version,
            "GetSpaces": lambda request: self._spaces,
            "StartSession": self._start_session,
            "ForkSession": self._fork_session,
            "EndSession": self._end_session,
            "Step": lambda request: self._forward("Step", request),
            "AddBenchmark": self._add_benchmark,
            "SendSessionParameter": self._send_session_parameter,
            "TryActions": lambda request: self._forward("TryActions", request),
        }

    @property
    def num_sessions(self) -> int:
        return len(self._sessions)

    def handle(self, call: str, request: Any) -> Any:
        """Answer one call. Raises: StatusError."""
        try:
            return self._calls[call](request)
        except StatusError:
            raise
        except Exception as error:
            raise get_status(error) from error

    def close(self) -> None:
        """End all workers, whatever they do."""
        with self._lock:
            workers = {id(worker): worker for worker in self._idle}
            self._idle = []
        workers.update((id(entry.worker), entry.worker) for entry in self._sessions.pop_all())
        for worker in workers.values():
            worker.connection.kill()

    # Calls ----------------------------------------------------------------------------------------------------------

    def _start_session(self, request: Any) -> Any:
        with self._lock:
            benchmark = find_benchmark(self._benchmarks, request.benchmark)
        forwarded = proto.StartSessionRequest()
        forwarded.CopyFrom(request)
        forwarded.benchmark.CopyFrom(benchmark)
        with self._sessions.place() as fill:
            worker = self._take_worker()
            try:
                reply = self._ask(worker, "StartSession", forwarded)
            except StatusError:
                self._give_back(worker)
                raise
            reply.session_id = self._register(fill, worker, reply.session_id)
        return reply

    def _fork_session(self, request: Any) -> Any:
        with self._sessions.place() as fill:
            entry = self._sessions.get(request.session_id)
            with entry.lock:
                forked = self._ask(entry.worker, "ForkSession", proto.ForkSessionRequest(session_id=entry.session_id))
            return proto.ForkSessionReply(session_id=self._register(fill, entry.worker, forked.session_id))

    def _end_session(self, request: Any) -> Any:
        entry, remaining = self._sessions.pop(request.session_id)
        if entry is not None:
            self._end(entry)
        return proto.EndSessionReply(remaining_sessions=remaining)

    def _end(self, entry: _Entry) -> None:
        """A worker that is still busy for this session is ended, unless it has others."""
        worker = entry.worker
        with self._lock:
            worker.num_sessions -= 1
            is_last = worker.num_sessions == 0
        if not entry.lock.acquire(blocking=False):
            if is_last:
                worker.connection.kill()
            return
        try:
            self._ask(worker, "EndSession", proto.EndSessionRequest(session_id=entry.session_id))
        except StatusError as error:
            hwarn(f"A session did not end: {error}")
        finally:
            entry.lock.release()
        if is_last:
            self._give_back(worker)

    def _add_benchmark(self, request: Any) -> Any:
        with self._lock:
            for benchmark in request.benchmark:
                self._benchmarks.add(benchmark)
        return proto.AddBenchmarkReply()

    def _send_session_parameter(self, request: Any) -> Any:
        self._sessions.get(request.session_id)
        reply = proto.SendSessionParameterReply()
        for parameter in request.parameter:
            with self._lock:
                answer = handle_cache_parameter(self._benchmarks, parameter.key, parameter.value)
            if answer is None:
                one = proto.SendSessionParameterRequest(session_id=request.session_id, parameter=[parameter])
                answer = self._forward("SendSessionParameter", one).reply[0]
            reply.reply.append(answer)
        return reply

    def _forward(self, call: str, request: Any) -> Any:
        entry = self._sessions.get(request.session_id)
        forwarded = type(request)()
        forwarded.CopyFrom(request)
        forwarded.session_id = entry.session_id
        with entry.lock:
            return self._ask(entry.worker, call, forwarded)

    # Workers --------------------------------------------------------------------------------------------------------

    def _ask(self, worker: _Worker, call: str, request: Any) -> Any:
        started = time.monotonic()
        try:
            return worker.connection.request(call, request, self._call_timeout_s)
        except StatusError as error:
            is_ours = error.status == "DEADLINE_EXCEEDED" and time.monotonic() - started >= self._call_timeout_s
            if not is_ours:
                raise
            self._forget(worker)
            limit = f"{self._call_timeout_s:g}"
            message = f"The compiler did not answer within {limit} seconds and was ended."
            raise StatusError("DEADLINE_EXCEEDED", message) from error
        except ServiceError as error:
            self._forget(worker)
            end = error.end if isinstance(error, ServiceIsClosed) and error.end else str(error)
            raise StatusError("INTERNAL", f"The compiler crashed. {end}") from error

    def _take_worker(self) -> _Worker:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.connection.is_alive():
                    return worker
        return _Worker(self._backend)

    def _give_back(self, worker: _Worker) -> None:
        with self._lock:
            if worker.connection.is_alive() and len(self._idle) < _MAX_IDLE_WORKERS:
                self._idle.append(worker)
                return
        worker.connection.kill()

    def _forget(self, worker: _Worker) -> None:
        self._sessions.pop_all(lambda entry: entry.worker is worker)
        worker.connection.kill()

    def _register(self, fill: Callable[[_Entry], int], worker: _Worker, session_id: int) -> int:
        with self._lock:
            worker.num_sessions += 1
        return fill(_Entry(worker, session_id))
