"""Sandboxes that live for a session: what stays between commands, what ends them, and what does not get out."""

import subprocess
import sys
import textwrap
import time

import pytest

from helm.common.sandbox.contract import SandboxError, SandboxLimits
from helm.common.sandbox.session import SandboxSession, SessionEnded, SessionRefused, is_available
from helm.common.sandbox.supervision import find_descendants
from process_support import command_lines, eventually, is_running

pytestmark = pytest.mark.skipif(not is_available(), reason="there is no bubblewrap")

LIMITS = SandboxLimits(
    wall_s=60, memory_bytes=256 << 20, address_space_bytes=4 << 30, processes=40, scratch_bytes=8 << 20
)


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    made = SandboxSession(["/app", "/logs"], "/app", LIMITS, {"GIVEN": "yes"})
    yield made
    made.close()


def shell(session, command, wall_s=10.0, **options):
    return session.run_in_shell(command, wall_s=wall_s, **options)


def say(session, command, **options):
    return shell(session, command, **options).output.decode()


def test_a_shell_keeps_its_state_and_files_stay(session):
    say(session, "cd /tmp; A=3; f() { echo f $1; }; sleep 50 & echo begun; echo x > /app/file")
    assert say(session, "pwd; echo $A $GIVEN; f z; jobs | wc -l; cat /app/file") == "/tmp\n3 yes\nf z\n1\nx\n"
    assert say(session, "cat; echo no input") == "no input\n"
    found = shell(session, "echo no; false")
    assert (found.status, found.returncode, found.output) == ("ok", 1, b"no\n")
    assert shell(session, "if then").returncode == 2 and say(session, "echo $A") == "3\n"


def test_the_end_of_time_ends_the_command_and_not_the_shell(session):
    say(session, "A=3; sleep 51 & :")
    begun = time.monotonic()
    found = shell(session, "echo before; sleep 100; echo after", wall_s=0.3)
    assert found.status == "timeout" and b"before" in found.output and time.monotonic() - begun < 5
    assert say(session, "echo $A; pgrep -c sleep").split() == ["3", "1"]
    # What does not end with its children takes the shell with it; the next command starts a new one.
    assert shell(session, "while :; do :; done", wall_s=0.2).status == "timeout_ended"
    assert say(session, "echo new $A") == "new\n"


def test_the_end_of_the_shell_and_a_new_one(session):
    found = shell(session, "echo bye; exit 7")
    assert (found.status, found.returncode, found.output) == ("ended", 7, b"bye\n")
    say(session, "A=1")
    assert say(session, "echo $A", restart=True) == "\n"


def test_programs_with_input_and_long_output(session):
    found = session.run(["cat"], stdin=b"x" * 300_000, wall_s=10, output_bytes=1000)
    assert found.status == "ok" and b"bytes left out" in found.output and len(found.output) < 1100
    assert session.run(["sh", "-c", "sleep 60 & echo out"], wall_s=10).elapsed_s < 5
    assert session.run(["sleep", "60"], wall_s=0.2).status == "timeout"
    flood = shell(session, "yes", wall_s=0.5, output_bytes=1000)
    assert flood.status == "timeout" and len(flood.output) < 1200
    with pytest.raises(SessionRefused, match="No such file"):
        session.run(["no-such-program"], wall_s=1)


def test_files_go_in_and_out(session):
    session.write("/app/a/b.bin", bytes(range(256)) * 5000, 0o755)
    assert session.read("/app/a/b.bin", 1 << 24) == bytes(range(256)) * 5000
    assert session.read("/app/a/b.bin", 10) == bytes(range(10))
    say(session, "ln -s /etc /app/link; mkfifo /app/pipe; touch '/app/new\nline'")
    assert session.list_files("/app") == [("/app/new\nline", 0), ("/app/a/b.bin", 1_280_000)]
    session.empty("/app")
    assert session.list_files("/app") == []
    for path in ("/app/none", "/app"):
        with pytest.raises(SessionRefused, match=path):
            session.read(path)
    with pytest.raises(SessionRefused, match="Read-only"):
        session.write("/usr/x", b"")


ESCAPES = {
    "keys": "env; cat /proc/*/environ | tr '\\0' '\\n'",
    "passwords": "cat /etc/passwd /etc/shadow ~root/.bashrc",
    "network": "python3 -c \"import socket; socket.create_connection(('1.1.1.1', 53), 2); print('sk-secret')\"",
    "own machine": "python3 -c \"import socket; socket.create_connection(('127.0.0.1', {port}), 2); print('sk-secret')\"",
    "the server's pipes": "ls /proc/1/fd && echo sk-secret",
    "the server's memory": "head -c 1 /proc/1/mem && echo sk-secret",
    "the server's end": "kill -9 1 -1; kill -STOP 1",
    "new rights": "unshare -r id && echo sk-secret; mount -t tmpfs x /app && echo sk-secret; sudo id",
    "the disk": "head -c 100000000 /dev/zero > /app/big; stat -c %s /app/big | grep -q 100000000 && echo sk-secret",
}


@pytest.mark.parametrize("attack", ESCAPES)
def test_what_an_agent_tries_has_no_effect(session, attack):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listening:
        say(session, ESCAPES[attack].replace("{port}", str(listening.getsockname()[1])))
        output = say(session, ESCAPES[attack].replace("{port}", str(listening.getsockname()[1])))
    assert "sk-secret" not in output and "root:" not in output
    assert say(session, "echo alive") == "alive\n"


@pytest.mark.parametrize(
    "command, statuses",
    [
        (":(){ :|:& };:", {"ok", "processes", "ended", "timeout"}),
        ('python3 -c "x = bytearray(600 << 20); import time; time.sleep(9)"', {"memory"}),
        (
            'for i in 1 2 3 4; do python3 -c "x = bytearray(100 << 20); import time; time.sleep(9)" & done; wait',
            {"memory"},
        ),
    ],
    ids=["fork bomb", "memory", "memory of several"],
)
def test_too_much_ends_everything_inside_but_the_session(session, command, statuses):
    assert shell(session, command, wall_s=8).status in statuses
    deadline = time.monotonic() + 10
    while "alive" not in (found := say(session, "echo alive")):
        assert time.monotonic() < deadline, found


def test_a_server_inside_is_found_by_its_usual_names(session):
    script = (
        "import socket\nwith socket.create_server(('127.0.0.1', 0)) as server:\n"
        "    for name in ('localhost', socket.gethostname()):\n"
        "        socket.create_connection((name, server.getsockname()[1])).close()\n        print(name)\n"
    )
    assert session.run(["python3", "-c", script], wall_s=20).output == b"localhost\nsandbox\n"


def test_stopped_programs_change_nothing(session):
    say(session, "(while :; do date +%N > /app/clock; done) & sleep 0.2")
    session.stop_all()
    first = session.read("/app/clock")
    time.sleep(0.1)
    assert session.read("/app/clock") == first


def test_a_session_that_has_ended_says_so(session):
    session._leader.kill()
    with pytest.raises(SessionEnded):
        shell(session, "true")
    session.close()
    with pytest.raises(SessionEnded, match="was ended"):
        session.read("/app/x")


def test_nothing_is_left_of_a_session():
    # In a process of its own: here, threads that earlier tests left may end or open a file in between.
    source = """
        import os, threading
        from helm.common.sandbox.contract import SandboxLimits
        from helm.common.sandbox.session import SandboxSession

        SandboxSession(["/app"], "/app", SandboxLimits(wall_s=60)).close()  # what is opened once, with the first one, stays
        threads, descriptors = threading.active_count(), set(os.listdir("/proc/self/fd"))
        for _ in range(3):
            made = SandboxSession(["/app"], "/app", SandboxLimits(wall_s=60))
            made.run_in_shell("sleep 77 &", wall_s=10)
            made.close()
        print(threading.active_count() - threads, set(os.listdir("/proc/self/fd")) - descriptors)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(source)], capture_output=True, text=True, timeout=60)
    assert done.stdout == "0 set()\n", done.stdout + done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "run_in_shell('sleep 600; sleep 600', wall_s=600)",
        "run(['sh', '-c', 'sleep 600; sleep 600'], wall_s=600)",
        "run(['sh', '-c', 'exec >&- 2>&-; sleep 600; sleep 600'], wall_s=600)",
    ],
)
def test_a_session_ends_with_its_process_in_the_middle_of_a_command(words):
    source = f"""
        from helm.common.sandbox.contract import SandboxLimits
        from helm.common.sandbox.session import SandboxSession

        made = SandboxSession(["/app"], "/app", SandboxLimits(wall_s=60))
        print(made._process.pid, flush=True)
        made.{words}
    """
    ours = subprocess.Popen([sys.executable, "-c", textwrap.dedent(source)], stdout=subprocess.PIPE, text=True)
    try:
        pid = int(ours.stdout.readline())

        def started():
            return [pid, *find_descendants(pid)]

        def is_at_work():
            return any(b"sleep\0" in line for found, line in command_lines() if found in started())

        assert eventually(is_at_work)
        processes = started()
    finally:
        ours.kill()
        ours.wait()
        ours.stdout.close()
    assert eventually(lambda: not any(map(is_running, processes)))


def test_a_session_that_cannot_start_says_why():
    with pytest.raises(SandboxError, match="does not start"):
        SandboxSession(["/app"], "/usr/nowhere", LIMITS)


def test_a_session_of_a_process_with_many_open_files():
    source = """
        import os, resource
        from helm.common.sandbox.contract import SandboxLimits
        from helm.common.sandbox.session import SandboxSession

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1500), hard))
        kept = [open(os.devnull) for _ in range(1100)]
        made = SandboxSession(["/app"], "/app", SandboxLimits(wall_s=60))
        print(made.run_in_shell("echo hi", wall_s=10).output)
        made.close()
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(source)], capture_output=True, text=True, timeout=60)
    assert "hi" in done.stdout, done.stdout + done.stderr
