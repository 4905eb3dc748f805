"""Services in processes of their own: started, broken, stopped. Real gRPC over the loopback."""

import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from toy_compiler import TOY_BACKEND

from helm.common.errors import ConfigError
from helm.compiler_gym import proto
from helm.compiler_gym.errors import (
    ServiceError,
    ServiceInitError,
    ServiceIsClosed,
    ServiceTimeoutError,
    ServiceTransportError,
    SessionNotFound,
)
from helm.compiler_gym.runtime import service_main
from helm.compiler_gym.runtime.service_client import ConnectionOptions, GrpcConnection, LocalServiceConnection, connect
from helm.compiler_gym.runtime.service_process import ServiceProcess, get_service_command
from process_support import eventually, is_running


def _start(connection, uri="benchmark://x-v0/1") -> int:
    benchmark = proto.Benchmark(uri=uri, program=proto.File(contents=b"hello"))
    return connection.call("StartSession", proto.StartSessionRequest(benchmark=benchmark)).session_id


def _step(connection, session_id: int, *actions: int, **kwargs):
    events = [proto.Event(int64_value=action) for action in actions]
    return connection.call("Step", proto.StepRequest(session_id=session_id, action=events), **kwargs)


def _end(connection, session_id: int) -> None:
    connection.call("EndSession", proto.EndSessionRequest(session_id=session_id))


def _wait_for_end(pid: int) -> bool:
    return eventually(lambda: not is_running(pid), within_s=10)


def test_statuses_become_exceptions(toy_process):
    session = _start(toy_process)
    for action, expected in (
        (33, ValueError),
        (7, FileNotFoundError),
        (6, ServiceError),
        (5, TypeError),
        (4, ServiceTimeoutError),
    ):
        with pytest.raises(expected):
            _step(toy_process, session, action)
    with pytest.raises(SessionNotFound):
        _step(toy_process, 99)
    with pytest.raises(FileNotFoundError, match="Benchmark not found"):
        request = proto.StartSessionRequest(benchmark=proto.Benchmark(uri="benchmark://x-v0/unknown"))
        toy_process.call("StartSession", request)
    _end(toy_process, session)


def test_spaces_and_versions_travel(toy_process):
    assert [space.name for space in toy_process.action_spaces] == ["default", "other"]
    assert [space.name for space in toy_process.observation_spaces] == ["source", "features", "cost", "blob"]
    version = toy_process.call("GetVersion", proto.GetVersionRequest())
    assert (version.service_version, version.compiler_version) == ("0.2.5", "toy 1.0")


def test_programs_larger_than_grpcs_default_limit_travel_both_ways(toy_process):
    program = b"x" * (10 << 20)
    benchmark = proto.Benchmark(uri="benchmark://x-v0/large", program=proto.File(contents=program))
    request = proto.StartSessionRequest(benchmark=benchmark, observation_space=[0])
    reply = toy_process.call("StartSession", request)
    assert len(reply.observation[0].string_value) == len(program)
    _end(toy_process, reply.session_id)


def test_a_call_that_takes_too_long_is_an_error_and_not_a_hang(toy_process):
    session = _start(toy_process)
    parameter = proto.SessionParameter(key="toy.sleep", value="2")
    request = proto.SendSessionParameterRequest(session_id=session, parameter=[parameter])
    started = time.monotonic()
    with pytest.raises(ServiceTimeoutError, match="0.3 seconds"):
        toy_process.call("SendSessionParameter", request, timeout_s=0.3)
    assert time.monotonic() - started < 1.5
    _end(toy_process, session)


def test_no_call_takes_longer_than_the_connection_allows(toy_process):
    with connect(toy_process.address, "unused", ConnectionOptions(rpc_call_timeout_s=0.3)) as other:
        session = _start(other)
        parameter = proto.SessionParameter(key="toy.sleep", value="2")
        request = proto.SendSessionParameterRequest(session_id=session, parameter=[parameter])
        with pytest.raises(ServiceTimeoutError, match="0.3 seconds"):
            other.call("SendSessionParameter", request, timeout_s=60)
        _end(toy_process, session)


def test_any_client_may_use_a_service_by_its_address(toy_process):
    with connect(toy_process.address, "unused") as other:
        session = _start(other)
        _step(toy_process, session, 0)  # sessions belong to the process, not to the connection
        _end(other, session)
    with pytest.raises(ServiceIsClosed):
        _step(other, session)


def test_a_service_that_dies_in_a_call_is_reported_with_its_status():
    connection = LocalServiceConnection(TOY_BACKEND)
    session = _start(connection)
    started = time.monotonic()
    with pytest.raises(ServiceIsClosed, match="Service is offline. Service terminated with returncode: 7"):
        _step(connection, session, 8)
    assert time.monotonic() - started < 5
    assert not connection.is_alive()
    with pytest.raises(ServiceIsClosed):
        _step(connection, session, 0)
    folder = connection.process.working_dir
    connection.close()
    assert not folder.exists()


def test_a_service_killed_between_calls_is_reported_with_the_signal():
    connection = LocalServiceConnection(TOY_BACKEND)
    session = _start(connection)
    os.kill(connection.process.pid, signal.SIGKILL)
    with pytest.raises(ServiceIsClosed, match=r"returncode: -9 \(SIGKILL\)"):
        _step(connection, session, 0)
    connection.kill()


def test_a_remote_service_that_is_gone_is_a_transport_error_after_a_few_tries():
    process = ServiceProcess(get_service_command(TOY_BACKEND))
    options = ConnectionOptions(rpc_max_retries=2, retry_wait_s=0.05)
    with GrpcConnection(f"127.0.0.1:{process.port}", options) as connection:
        _start(connection)
        process.kill()
        for actions, shortest_s in (((), 0.1), ((0,), 0.0)):  # a step with actions must not be sent twice
            started = time.monotonic()
            with pytest.raises(ServiceTransportError, match="cannot be reached"):
                _step(connection, 0, *actions)
            assert time.monotonic() - started >= shortest_s


def test_an_address_where_nothing_answers_is_named():
    with pytest.raises(ServiceInitError, match="No compiler service answers at 127.0.0.1:1 "):
        GrpcConnection("127.0.0.1:1", ConnectionOptions(rpc_init_timeout_s=0.3))


def test_a_server_of_another_kind_is_found_out_at_once():
    grpc = pytest.importorskip("grpc")
    from concurrent.futures import ThreadPoolExecutor

    server = grpc.server(ThreadPoolExecutor(max_workers=1))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with pytest.raises(ServiceInitError, match=f"127.0.0.1:{port} does not answer as a compiler service"):
        GrpcConnection(f"127.0.0.1:{port}")
    server.stop(None)


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"], ids=["hangs", "garbage"])
def test_a_server_that_hangs_or_talks_nonsense_is_an_error_and_not_a_hang(answer):
    with socket.create_server(("127.0.0.1", 0)) as server:
        kept = []

        def serve():
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                kept.append(connection)
                connection.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        started = time.monotonic()
        with pytest.raises(ServiceInitError, match="compiler service"):
            port = server.getsockname()[1]
            GrpcConnection(f"127.0.0.1:{port}", ConnectionOptions(rpc_init_timeout_s=0.5))
        assert time.monotonic() - started < 5
        for connection in kept:
            connection.close()


def test_a_port_in_use_is_the_services_error():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        with pytest.raises(ServiceInitError, match="Cannot listen on 127.0.0.1"):
            ServiceProcess([*get_service_command(TOY_BACKEND), f"--port={taken.getsockname()[1]}"])


@pytest.mark.parametrize("text", ["remote", "host:", ":1", "host:port", ""])
def test_a_connection_that_is_none_of_the_three_kinds(text):
    with pytest.raises(ConfigError, match="is none of: local, in_process, HOST:PORT"):
        connect(text, "llvm")


def test_closing_ends_the_process_and_removes_its_folder():
    connection = LocalServiceConnection(TOY_BACKEND)
    pid, folder = connection.process.pid, connection.process.working_dir
    assert (folder / "pid.txt").read_text() == str(pid)
    assert int((folder / "port.txt").read_text()) == connection.process.port
    connection.close()
    connection.close()
    assert not is_running(pid) and not folder.exists()


def test_a_service_stopped_with_open_sessions_says_so():
    connection = LocalServiceConnection(TOY_BACKEND)
    _start(connection)
    with pytest.raises(ServiceError, match="Service exited with returncode 6"):
        connection.close()
    connection.close()


def test_a_service_that_cannot_start_says_why():
    with pytest.raises(ServiceInitError, match="Unrecognized command line argument '--nonsense'"):
        ServiceProcess([*get_service_command(TOY_BACKEND), "--nonsense"])
    with pytest.raises(ServiceInitError, match="Unknown compiler backend 'lvm'"):
        ServiceProcess(get_service_command("lvm"))
    with pytest.raises(ServiceInitError, match="Cannot start the compiler service"):
        ServiceProcess(["no-such-program-anywhere"])


def test_a_service_that_opens_no_port_is_killed():
    with pytest.raises(ServiceTimeoutError, match="did not open its port within 0.3 seconds"):
        ServiceProcess([sys.executable, "-c", "import time; time.sleep(60)"], start_timeout_s=0.3)


@pytest.mark.parametrize("state", ["idle", "busy"])
def test_no_service_outlives_its_client_even_when_that_is_killed(state, tmp_path):
    """A client process starts a service, maybe keeps it busy, and is killed with SIGKILL."""
    parameter = '("toy.sleep", "60")' if state == "busy" else '("toy.echo", "x")'
    script = textwrap.dedent(f"""
        import sys, threading, time
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        from helm.compiler_gym import proto
        from helm.compiler_gym.runtime.service_client import LocalServiceConnection
        connection = LocalServiceConnection({TOY_BACKEND!r})
        benchmark = proto.Benchmark(uri="benchmark://x-v0/1", program=proto.File(contents=b"x"))
        connection.call("StartSession", proto.StartSessionRequest(benchmark=benchmark))
        key, value = {parameter}
        request = proto.SendSessionParameterRequest(parameter=[proto.SessionParameter(key=key, value=value)])
        threading.Thread(target=connection.call, args=("SendSessionParameter", request), daemon=True).start()
        time.sleep(0.2)
        print(connection.process.pid, connection.process.working_dir, flush=True)
        time.sleep(60)
        """)
    client = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert client.stdout is not None
    pid, folder = client.stdout.readline().split()
    assert is_running(int(pid))
    client.kill()
    client.wait()
    client.stdout.close()
    assert _wait_for_end(int(pid)), "the service outlived its client"
    assert not Path(folder).exists()


@pytest.mark.parametrize(
    "words, complaint",
    [
        (["--port=x"], "--port takes a number from 0 to 65535, not 'x'"),
        (["--port=70000"], "--port takes a number from 0 to 65535, not '70000'"),
        (["--rpc_service_threads=0"], "--rpc_service_threads takes a number, at least 1, not '0'"),
        (["--max_sessions=0"], "--max_sessions takes a number, at least 1, not '0'"),
        (["--max_message_bytes=0"], "--max_message_bytes takes a number, at least 1, or -1 for no limit, not '0'"),
        (["--max_call_seconds=nan"], "--max_call_seconds takes a number of seconds above 0, not 'nan'"),
        (["--bogus"], "Unrecognized command line argument '--bogus'"),
    ],
)
def test_wrong_arguments_of_the_service_command_are_told(capsys, words, complaint):
    with pytest.raises(SystemExit) as ended:
        service_main.parse_args(words)
    assert ended.value.code == 1 and capsys.readouterr().err == f"ERROR: {complaint}\n"


def test_the_service_command_serves_by_hand_and_ends_on_sigterm(tmp_path):
    command = [sys.executable, "-m", "helm.compiler_gym.runtime.service_main", f"--backend={TOY_BACKEND}", "--port=0"]
    flags = [
        f"--working_dir={tmp_path}",
        "--logbuflevel=-1",
        "-v=4",
        "--alsologtostderr",
        " ",
        "--rpc_service_threads=2",
    ]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = subprocess.Popen([*command, *flags], env=environment, stderr=subprocess.PIPE)
    try:
        deadline = time.monotonic() + 20
        while not (tmp_path / "port.txt").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        with connect(f"127.0.0.1:{(tmp_path / 'port.txt').read_text()}", "unused") as connection:
            _end(connection, _start(connection))
    finally:
        process.terminate()
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, b"")
