import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from toy_compiler import TOY_BACKEND

from helm.compiler_gym import proto
from helm.compiler_gym.errors import StatusError
from helm.compiler_gym.runtime.isolation import IsolatedCompilerService
from helm.compiler_gym.runtime.service_client import GrpcConnection
from helm.compiler_gym.runtime.service_process import ServiceProcess, get_service_command


@pytest.fixture
def service() -> Iterator[IsolatedCompilerService]:
    service = IsolatedCompilerService(TOY_BACKEND, max_sessions=4, call_timeout_s=1.0)
    yield service
    service.close()


def _start(service: Any) -> int:
    benchmark = proto.Benchmark(uri="benchmark://x-v0/1", program=proto.File(contents=b"hello"))
    return service.handle("StartSession", proto.StartSessionRequest(benchmark=benchmark)).session_id


def _step(service: Any, session: int, *actions: int) -> list[int]:
    events = [proto.Event(int64_value=action) for action in actions]
    request = proto.StepRequest(session_id=session, action=events, observation_space=[1])
    return list(service.handle("Step", request).observation[0].int64_tensor.value)


def _send(service: Any, session: int, key: str, value: str) -> str:
    parameter = proto.SessionParameter(key=key, value=value)
    request = proto.SendSessionParameterRequest(session_id=session, parameter=[parameter])
    return service.handle("SendSessionParameter", request).reply[0]


def test_a_crash_ends_one_session(service):
    crashing, other = _start(service), _start(service)
    _step(service, other, 0)
    with pytest.raises(StatusError, match="INTERNAL: The compiler crashed. Service terminated with returncode: 7"):
        _step(service, crashing, 8)
    with pytest.raises(StatusError, match=f"NOT_FOUND: Session not found: {crashing}"):
        _step(service, crashing)
    assert _step(service, other, 1) == [1, 1, 0]
    assert _step(service, _start(service), 2) == [0, 0, 1]


def test_a_hang_ends_one_session(service):
    hanging, other = _start(service), _start(service)
    started = time.monotonic()
    errors: list[StatusError] = []

    def hang() -> None:
        try:
            _send(service, hanging, "toy.sleep", "60")
        except StatusError as error:
            errors.append(error)

    thread = threading.Thread(target=hang)
    thread.start()
    assert _step(service, other, 0) == [1, 0, 0]  # meanwhile
    thread.join()
    assert errors[0].status == "DEADLINE_EXCEEDED" and "within 1 seconds" in errors[0].details
    assert time.monotonic() - started < 10
    assert _step(service, other, 0) == [2, 0, 0]
    assert service.num_sessions == 1


def test_a_compilers_own_timeout_is_no_hang(service):
    session = _start(service)
    with pytest.raises(StatusError, match="DEADLINE_EXCEEDED: time"):
        _step(service, session, 4)
    assert _step(service, session, 0) == [1, 0, 0]


def test_forks_limits_and_the_end(service):
    session = _start(service)
    _step(service, session, 0)
    fork = service.handle("ForkSession", proto.ForkSessionRequest(session_id=session)).session_id
    assert (_step(service, fork, 1), _step(service, session)) == ([1, 1, 0], [1, 0, 0])
    assert _send(service, fork, "service.benchmark_cache.get_max_size_in_bytes", "") == str(256 * 1024 * 1024)
    _start(service), _start(service)
    with pytest.raises(StatusError, match="RESOURCE_EXHAUSTED"):
        _start(service)
    for number, remaining in ((session, 3), (fork, 2), (99, 2)):
        reply = service.handle("EndSession", proto.EndSessionRequest(session_id=number))
        assert reply.remaining_sessions == remaining
    assert _start(service) == 4


def test_the_service_command_isolates_sessions():
    process = ServiceProcess([*get_service_command(TOY_BACKEND), "--isolate_sessions", "--max_call_seconds=5"])
    try:
        with GrpcConnection(f"127.0.0.1:{process.port}") as connection:

            class Remote:
                handle = staticmethod(connection.request)

            crashing, other = _start(Remote), _start(Remote)
            with pytest.raises(StatusError, match="The compiler crashed"):
                _step(Remote, crashing, 8)
            assert _step(Remote, other, 0) == [1, 0, 0]
            connection.call("EndSession", proto.EndSessionRequest(session_id=other))
    finally:
        process.stop()
