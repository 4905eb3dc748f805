"""Which files a service reads when a client names them, and how much of them. Real services over gRPC."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helm.compiler_gym import proto
from helm.compiler_gym.backends import get_session_class
from helm.compiler_gym.benchmarks import program_files
from helm.compiler_gym.benchmarks.program_files import FOLDERS_VARIABLE, read_program_file
from helm.compiler_gym.errors import StatusError
from helm.compiler_gym.runtime.service import CompilerService
from helm.compiler_gym.runtime.service_client import GrpcConnection
from helm.compiler_gym.runtime.service_process import ServiceProcess, get_service_command

PROGRAM = b"define i32 @f() {\n  ret i32 0\n}\n"


def request_for(path, scheme="file:///"):
    uri = f"benchmark://user-v0/{path}"
    return proto.StartSessionRequest(benchmark=proto.Benchmark(uri=uri, program=proto.File(uri=f"{scheme}{path}")))


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "given" / "f.ll"
    path.parent.mkdir()
    path.write_bytes(PROGRAM)
    return path


def test_what_is_no_regular_file_is_not_read(tmp_path, monkeypatch):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in ("/dev/zero", pipe, tmp_path):
        with pytest.raises(
            StatusError, match="INVALID_ARGUMENT: (Not a regular file|Error reading file.*Is a directory)"
        ):
            read_program_file(Path(path))
    with pytest.raises(StatusError, match="NOT_FOUND: File not found"):
        read_program_file(tmp_path / "none")
    with pytest.raises(StatusError, match="INVALID_ARGUMENT: Error reading file"):
        read_program_file(Path("a\0b"))
    long = tmp_path / "long"
    long.write_bytes(b"12345")
    monkeypatch.setattr(program_files, "MAX_PROGRAM_BYTES", 4)
    with pytest.raises(StatusError, match="File is longer than"):
        read_program_file(long)
    long.write_bytes(b"1234")
    assert read_program_file(long) == b"1234"


def test_links_do_not_lead_out_of_the_folders(tmp_path, program, monkeypatch):
    secret = tmp_path / "secret.ll"
    secret.write_bytes(PROGRAM)
    (program.parent / "link.ll").symlink_to(secret)
    (tmp_path / "way").symlink_to(program.parent)
    monkeypatch.setenv(FOLDERS_VARIABLE, f"/nowhere{os.pathsep}{program.parent}")
    assert read_program_file(program) == read_program_file(tmp_path / "way" / "f.ll") == PROGRAM
    for path in (
        secret,
        program.parent / "link.ll",
        program.parent / ".." / "secret.ll",
        Path(f"{program.parent}x/f.ll"),
    ):
        with pytest.raises(StatusError, match="INVALID_ARGUMENT: The service may not read .*--program_folder"):
            read_program_file(path)
    monkeypatch.setenv(FOLDERS_VARIABLE, "")
    with pytest.raises(StatusError, match="from no folder"):
        read_program_file(program)
    monkeypatch.delenv(FOLDERS_VARIABLE)
    assert read_program_file(secret) == PROGRAM


@pytest.mark.parametrize("backend", ["llvm", "gcc"])
def test_sessions_in_this_process_read_the_users_files_and_no_devices(backend, tmp_path):
    pytest.importorskip("llvmlite")
    try:
        session_class = get_session_class(backend)
        service = CompilerService(session_class)
    except Exception as e:
        pytest.skip(f"{backend}: {e}")
    path = tmp_path / ("f.ll" if backend == "llvm" else "f.c")
    path.write_bytes(PROGRAM if backend == "llvm" else b"int f(void) { return 0; }\n")
    try:
        assert service.handle("StartSession", request_for(path)).session_id >= 0
        with pytest.raises(StatusError, match="INVALID_ARGUMENT: Not a regular file"):
            service.handle("StartSession", request_for("/dev/zero"))
    finally:
        service.close()


@pytest.fixture
def serve():
    started = []

    def start(*options):
        process = ServiceProcess([*get_service_command("llvm"), *options])
        started.append(process)
        return GrpcConnection(f"127.0.0.1:{process.port}"), process

    yield start
    for process in started:
        process.kill()


@pytest.mark.parametrize("options", [[], ["--isolate_sessions"]], ids=["shared", "isolated"])
def test_a_service_reads_what_it_was_told_it_may(serve, program, tmp_path, options):
    pytest.importorskip("llvmlite")
    other = tmp_path / "other.ll"
    other.write_bytes(PROGRAM)
    connection, process = serve(f"--program_folder={program.parent}", *options)
    assert connection.call("StartSession", request_for(program)).session_id >= 0
    for path in (other, "/dev/zero", "/etc/passwd"):
        with pytest.raises(ValueError, match="The service may not read"):
            connection.call("StartSession", request_for(path))
    assert process.is_alive()
    connection.close()


def test_a_device_is_refused_by_a_service_and_fills_no_memory(serve):
    pytest.importorskip("llvmlite")
    connection, process = serve()
    with pytest.raises(ValueError, match="Not a regular file"):
        connection.call("StartSession", request_for("/dev/zero"))
    peak = Path(f"/proc/{process.pid}/status").read_text().partition("VmHWM:")[2].split()[0]
    assert int(peak) < 1 << 20, f"{peak} KiB"
    connection.close()


def test_on_other_addresses_no_file_is_read_unless_its_folder_is_named(serve, program):
    pytest.importorskip("llvmlite")
    connection, _ = serve("--host=0.0.0.0")
    with pytest.raises(ValueError, match="from no folder"):
        connection.call("StartSession", request_for(program))
    contents = proto.Benchmark(uri="benchmark://user-v0/c", program=proto.File(contents=PROGRAM))
    assert connection.call("StartSession", proto.StartSessionRequest(benchmark=contents)).session_id >= 0
    connection.close()


def test_a_folder_that_is_none_is_told(tmp_path):
    command = [*get_service_command("llvm"), f"--program_folder={tmp_path / 'none'}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert done.returncode == 1 and "--program_folder takes a folder, and there is none at" in done.stderr
    assert sys.executable in command


def test_a_message_that_is_nested_without_end_is_refused_and_the_service_lives(serve, program):
    pytest.importorskip("llvmlite")
    import grpc

    deep = b""
    for _ in range(5_000):  # Event.event_list.event, again and again
        for number in (1, _EVENT_LIST):
            deep = bytes([number << 3 | 2]) + _varint(len(deep)) + deep
    connection, process = serve()
    with grpc.insecure_channel(f"127.0.0.1:{process.port}") as channel:
        call = channel.unary_unary("/compiler_gym.CompilerGymService/Step", lambda data: data, lambda data: data)
        with pytest.raises(grpc.RpcError) as error:
            call(b"\x12" + _varint(len(deep)) + deep, timeout=60)
    assert error.value.code() in (grpc.StatusCode.INTERNAL, grpc.StatusCode.INVALID_ARGUMENT)
    assert connection.call("StartSession", request_for(program)).session_id >= 0
    connection.close()


_EVENT_LIST = proto.Event.DESCRIPTOR.fields_by_name["event_list"].number


def _varint(number):
    data = b""
    while number > 127:
        data, number = data + bytes([number & 127 | 128]), number >> 7
    return data + bytes([number])


def test_json_of_a_service_that_is_nested_without_end_cannot_be_read():
    from helm.compiler_gym.runtime.conversions import event_to_python

    packed = proto.Event().any_value
    packed.Pack(proto.Opaque(format="json://", data=b"[" * 100_000 + b"]" * 100_000))
    with pytest.raises(ValueError, match="nested more than 200 levels deep"):
        event_to_python(proto.Event(any_value=packed))
