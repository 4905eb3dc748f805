"""Service programs given by their path, such as those of the original: our client starts them, and ends them."""

import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.envs.compiler_env import CompilerEnv
from helm.compiler_gym.errors import ServiceError, ServiceInitError
from helm.compiler_gym.runtime.service_client import ConnectionOptions
from process_support import eventually, is_running

_TESTS = Path(__file__).parent
_PROGRAM = Benchmark.from_file_contents("benchmark://x-v0/1", b"hello")


@pytest.fixture
def service(tmp_path) -> Path:
    """A program that serves the toy, and does not watch its standard input."""
    path = tmp_path / "toy-service"
    path.write_text(
        textwrap.dedent(f"""\
            #!{sys.executable}
            import os, sys
            sys.path.insert(0, {str(_TESTS)!r})
            from toy_compiler import ToySession
            from helm.compiler_gym.runtime.service_main import create_and_run_compiler_gym_service
            if os.environ.get("TOY_PID"):
                open(os.environ["TOY_PID"], "w").write(str(os.getpid()))
            create_and_run_compiler_gym_service(ToySession)
            """)
    )
    path.chmod(0o755)
    return path


def test_a_program_is_started_used_and_ended(service, tmp_path):
    options = ConnectionOptions(script_env={"TOY_PID": str(tmp_path / "pid")})
    with CompilerEnv(service, benchmark=_PROGRAM, reward_space="cost", connection_settings=options) as env:
        env.reset()
        assert env.step(0)[1] == 90.0
        working_dir = env._session.connection.process.working_dir
        pid = int((tmp_path / "pid").read_text())
        assert is_running(pid) and working_dir.is_dir()
    assert not is_running(pid) and not working_dir.exists()


def test_the_end_of_a_program_is_reported_with_its_status(service):
    with CompilerEnv(service, benchmark=_PROGRAM) as env:
        env.reset()
        *_, terminated, _, info = env.step(8)
        assert terminated and "Service terminated with returncode: 7" in info["error_details"]
        env.reset()
        assert env.in_episode


def test_open_sessions_at_the_end_are_an_error(service):
    env = CompilerEnv(service, benchmark=_PROGRAM)
    env.reset()
    env._session.id = None  # forget to end it
    with pytest.raises(ServiceError, match="Service exited with returncode 6"):
        env.close()
    env.close()


def test_programs_that_are_none(tmp_path):
    with pytest.raises(FileNotFoundError, match="There is no service program"):
        CompilerEnv(tmp_path / "nope")
    (tmp_path / "fails").write_text("#!/bin/sh\necho no compiler here >&2\nexit 3\n")
    (tmp_path / "fails").chmod(0o755)
    with pytest.raises(ServiceInitError, match="returncode: 3\nno compiler here"):
        CompilerEnv(tmp_path / "fails")
    with pytest.raises(TypeError, match="No compiler service was named"):
        CompilerEnv("")


_CLIENT = """
import sys
from pathlib import Path
from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.envs.compiler_env import CompilerEnv
from helm.compiler_gym.runtime.service_client import ConnectionOptions
service, pid_file = sys.argv[1:]
env = CompilerEnv(
    Path(service),
    benchmark=Benchmark.from_file_contents("benchmark://x-v0/1", b"hello"),
    connection_settings=ConnectionOptions(script_env={"TOY_PID": pid_file}),
)
env.reset()
print(env._session.connection.process.working_dir, flush=True)
while True:
    env.step(0)
"""


def test_no_program_outlives_a_killed_client(service, tmp_path):
    """Not even one that knows nothing of clients; nor are its files left."""
    pid_file = tmp_path / "pid"
    client = subprocess.Popen(
        [sys.executable, "-c", _CLIENT, str(service), str(pid_file)], stdout=subprocess.PIPE, text=True
    )
    assert client.stdout is not None
    working_dir = Path(client.stdout.readline().strip())
    pid = int(pid_file.read_text())
    time.sleep(0.2)  # in the middle of its steps
    client.send_signal(signal.SIGKILL)
    client.wait()
    client.stdout.close()
    assert eventually(lambda: not is_running(pid))
    assert eventually(lambda: not working_dir.exists())


@pytest.mark.parametrize("delay_s", [0.0, 0.05, 0.3])
def test_a_service_killed_at_any_time_ends_the_episode_only(delay_s):
    with CompilerEnv("toy_compiler.ToySession", benchmark=_PROGRAM, reward_space="cost") as env:
        env.reset()
        process = env._session.connection.process
        working_dir = process.working_dir
        killer = subprocess.Popen(["sh", "-c", f"sleep {delay_s}; kill -9 {process.pid}"])
        info: dict = {}
        deadline = time.monotonic() + 30
        while "error_type" not in info and time.monotonic() < deadline:
            *_, terminated, _, info = env.step(1)
        killer.wait()
        assert terminated and info["error_type"] in ("ServiceIsClosed", "ServiceTransportError")
        assert "SIGKILL" in info["error_details"]
        assert not working_dir.exists()
        env.reset()
        assert env.step(0)[1] == 90.0
    assert not is_running(process.pid)
