"""SIGKILL for whoever it may be: nothing of ours runs five seconds later, and no temporary file is left."""

import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from helm.compiler_gym import proto
from helm.compiler_gym.runtime.service_client import GrpcConnection
from process_support import command_lines, eventually, is_running
from turns_support import by_turns

_LOOPING_C = "int main(void) { for (;;); }\n"


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """Where temporary files of the processes go."""
    path = tmp_path / "tmp"
    path.mkdir()
    monkeypatch.setenv("TMPDIR", str(path))
    folders = [str(Path(__file__).parent), *(entry for entry in sys.path if entry)]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(folders))
    return path


def _processes_of(folder: Path) -> list[int]:
    """Those that were started with this folder for temporary files, whatever became of their parents."""
    marker = f"TMPDIR={folder}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                variables = (entry / "environ").read_bytes().split(b"\0")
                state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
            except OSError:
                continue
            if marker in variables and state != "Z":
                found.append(int(entry.name))
    return found


def _assert_nothing_is_left(folder: Path) -> None:
    if not eventually(lambda: not _processes_of(folder), within_s=5):
        left = _processes_of(folder)
        assert not left, [words.split(b"\0")[:6] for pid, words in command_lines() if pid in left]
    assert list(folder.rglob("*")) == []


def _start_client(body: str) -> subprocess.Popen:
    """A process that prints `ready` and goes on."""
    script = textwrap.dedent(body)
    return subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)


def _read_until_ready(client: subprocess.Popen) -> list[str]:
    assert client.stdout is not None
    lines = []
    for line in client.stdout:
        if line.strip() == "ready":
            return lines
        lines.append(line.strip())
    raise AssertionError(f"The client ended: {lines}")


def _kill(*pids: int) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


VICTIMS = [
    ("in_process", "client"),
    ("local", "service"),
    pytest.param("local", "client", marks=pytest.mark.slow),
]

_STEPPING = """
    from helm.compiler_gym.benchmarks.benchmark import Benchmark
    from helm.compiler_gym.registration import make
    env = make({env!r}, connection={connection!r}, {further})
    env.reset()
    connection = env._session.connection
    print(getattr(getattr(connection, "process", None), "pid", 0))
    print("ready", flush=True)
    while True:
        {work}
    """


def _step_forever(env: str, connection: str) -> subprocess.Popen:
    work = (
        'env.reset(); env.step(3); env.observation["BitcodeFile"]' if env == "llvm-v0" else "env.step(0); env.obj_size"
    )
    return _start_client(_STEPPING.format(env=env, connection=connection, further="", work=work))


@pytest.mark.parametrize(("connection", "env"), by_turns(["in_process", "local"], ["gcc-v0", "llvm-v0"]))
def test_a_killed_client_leaves_nothing(env, connection, folder):
    client = _step_forever(env, connection)
    _read_until_ready(client)
    time.sleep(0.3)  # in the middle of its steps
    assert _processes_of(folder) and list(folder.iterdir())
    client.kill()
    client.communicate()
    _assert_nothing_is_left(folder)


@pytest.mark.parametrize("order", ["service first", "client first"])
def test_both_killed_leave_nothing(order, folder):
    client = _step_forever("llvm-v0", "local")
    service = int(_read_until_ready(client)[0])
    _kill(*((service, client.pid) if order == "service first" else (client.pid, service)))
    client.communicate()
    _assert_nothing_is_left(folder)


@pytest.mark.parametrize("is_isolated", [False, True], ids=["one process", "isolated"])
def test_a_killed_service_of_the_command_leaves_nothing(is_isolated, folder):
    command = [
        sys.executable,
        "-P",
        "-m",
        "helm.compiler_gym.runtime.service_main",
        "--backend=toy_compiler.ToySession",
    ]
    service = subprocess.Popen([*command, *["--isolate_sessions"] * is_isolated], stdout=subprocess.PIPE, text=True)
    assert service.stdout is not None
    address = re.findall(r"127\.0\.0\.1:\d+", service.stdout.readline())[0]
    with GrpcConnection(address) as connection:
        benchmark = proto.Benchmark(uri="benchmark://x-v0/1", program=proto.File(contents=b"x"))
        connection.call("StartSession", proto.StartSessionRequest(benchmark=benchmark))
        assert list(folder.iterdir())
        service.kill()
        service.communicate()
        _assert_nothing_is_left(folder)


def _descendants(pid: int) -> dict[int, str]:
    """Process -> name of its program, for all that descend from one."""
    children: dict[int, list[int]] = {}
    names = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                head, _, tail = (entry / "stat").read_text().rpartition(")")
            except OSError:
                continue
            children.setdefault(int(tail.split()[1]), []).append(int(entry.name))
            names[int(entry.name)] = head.partition("(")[2]
    found = {}
    waiting = [pid]
    while waiting:
        for child in children.get(waiting.pop(), []):
            found[child] = names[child]
            waiting.append(child)
    return found


@pytest.mark.sandbox
@pytest.mark.parametrize(("connection", "victim"), VICTIMS)
def test_a_program_that_runs_ends_with_those_who_run_it(connection, victim, folder):
    """gcc's program loops without end, in its sandbox, when client or service are killed."""
    further = f'benchmark=Benchmark.from_file_contents("benchmark://x-v0/1", {_LOOPING_C.encode()!r})'
    body = _STEPPING.format(env="gcc-v0", connection=connection, further=further, work="env.runtime")
    client = _start_client(body)
    service = int(_read_until_ready(client)[0])
    started: dict[int, str] = {}
    deadline = time.monotonic() + 30
    while "bwrap" not in started.values() and time.monotonic() < deadline:
        before = _descendants(client.pid)
        time.sleep(0.5)  # sandboxes are also tried out, for a moment
        now = _descendants(client.pid)
        started = {pid: name for pid, name in now.items() if before.get(pid) == name and not name.startswith("python")}
    assert "bwrap" in started.values(), _descendants(client.pid)
    _kill(client.pid if victim == "client" else service)
    assert eventually(lambda: not any(map(is_running, started)), within_s=5), started
    client.kill()
    client.communicate()
    _assert_nothing_is_left(folder)


@pytest.mark.parametrize(("connection", "victim"), VICTIMS)
def test_a_command_of_a_benchmark_ends_with_those_who_run_it(connection, victim, folder):
    """LLVM's Runtime runs the commands that the benchmark brings; this one takes its time, as does what it starts."""
    client = _start_client(f"""
        import sys
        from helm.compiler_gym import proto
        from helm.compiler_gym.benchmarks.benchmark import Benchmark
        from helm.compiler_gym.registration import make
        nothing = [sys.executable, "-c", "pass"]
        slow = [sys.executable, "-c", "import subprocess; subprocess.run(['sleep', '50'])"]
        config = proto.BenchmarkDynamicConfig(
            build_cmd=proto.Command(argument=nothing), run_cmd=proto.Command(argument=slow)
        )
        program = proto.File(contents=b"define i32 @main() {{ ret i32 0 }}")
        benchmark = Benchmark(proto.Benchmark(uri="benchmark://x-v0/1", program=program, dynamic_config=config))
        env = make("llvm-v0", connection={connection!r}, benchmark=benchmark)
        env.reset()
        print(getattr(getattr(env._session.connection, "process", None), "pid", 0))
        print("ready", flush=True)
        env.observation["Runtime"]
        """)
    service = int(_read_until_ready(client)[0])
    assert eventually(lambda: "sleep" in _descendants(client.pid).values(), 20), _descendants(client.pid)
    _kill(client.pid if victim == "client" else service)
    if victim == "service":
        assert client.wait(30) != 0  # an observation that fails is an error
    client.communicate()
    _assert_nothing_is_left(folder)
