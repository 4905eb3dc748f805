"""Sessions in real containers of Podman."""

import subprocess
import sys
import threading
import time

import pytest

from container_support import IMAGE, _podman, podman  # noqa: F401
from helm.common.sandbox.container_engine import (
    OWNER_LABEL,
    ContainerEngine,
    EngineError,
    describe_owner,
    find_engine,
    is_dead,
    run_options,
)
from helm.common.sandbox.container_session import ContainerSession
from helm.common.sandbox.contract import SandboxError
from helm.common.sandbox.session_contract import SessionEnded, SessionRefused
from process_support import command_lines, eventually

pytestmark = pytest.mark.usefixtures("podman")


def make_session(**options):
    bounds = run_options(options.pop("memory", 256 << 20), options.pop("processes", 64), None, False)
    return ContainerSession(ContainerEngine("podman"), IMAGE, bounds, "/app", {"GIVEN": "two words"}, **options)


@pytest.fixture(scope="module")
def session(_podman):  # noqa: F811
    with pytest.MonkeyPatch.context() as patch:
        for name, value in _podman.items():
            patch.setenv(name, value)
        made = make_session()
        yield made
        made.close()
        with pytest.raises(SessionEnded):
            made.run(["true"], wall_s=1)


def test_a_program_runs_with_its_input_and_its_end(session):
    found = session.run(["sh", "-c", "echo out; echo err >&2; pwd; echo $GIVEN; cat; exit 3"], wall_s=20, stdin=b"in\0")
    assert (found.status, found.returncode) == ("ok", 3)
    assert found.output == b"out\nerr\n/app\ntwo words\nin\0"
    assert session.run(["nosuch"], wall_s=20).returncode == 127


def test_what_takes_too_long_is_ended_and_a_background_process_is_not(session):
    session.run(["sh", "-c", "sleep 1234 >/dev/null 2>&1 &"], wall_s=20)
    found = session.run(["sh", "-c", "echo begun; sleep 4321"], wall_s=0.5)
    assert (found.status, found.returncode, found.output) == ("timeout", None, b"begun\n")
    seen = session.run(["sh", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '"], wall_s=20).output
    assert b"sleep 1234" in seen and b"sleep 4321" not in seen


def test_a_program_is_interrupted_from_another_thread(session):
    timer = threading.Timer(1.5, session.interrupt)
    timer.start()
    found = session.run(["sleep", "60"], wall_s=30)
    timer.join()
    assert found.status == "interrupted" and found.elapsed_s < 25


def test_the_shell_keeps_its_state(session):
    first = session.run_in_shell("cd /tmp; X=1; f() { echo from f; }; echo 'it''s'; false", wall_s=20)
    assert (first.status, first.returncode, first.output) == ("ok", 1, b"its\n")
    assert session.run_in_shell("pwd; echo $X; f; cat", wall_s=20).output == b"/tmp\n1\nfrom f\n"
    late = session.run_in_shell("sleep 77 & sleep 0.2; sleep 4444; echo on", wall_s=1)
    assert late.status == "timeout" and b"on\n" in late.output
    assert session.run_in_shell("echo $X", wall_s=20).output == b"1\n"
    assert session.run_in_shell("(((", wall_s=20).status == "ok"
    assert session.run_in_shell("echo last; exit 3", wall_s=20).status == "ended"
    again = session.run_in_shell("pwd; echo -$X-", wall_s=20)
    assert (again.status, again.output) == ("ok", b"/app\n--\n")
    assert session.run_in_shell("echo $$; Y=2", wall_s=20, restart=True).output != b""
    assert session.run_in_shell("while :; do :; done", wall_s=0.5).status == "timeout_ended"


def test_our_own_words_in_the_output_end_nothing(session):
    found = session.run_in_shell("printf '\\000abc 0\\000'; echo after", wall_s=20)
    assert found.output == b"\0abc 0\0after\n" and found.returncode == 0


def test_a_flood_of_output_is_cut_in_the_middle(session):
    found = session.run(["sh", "-c", "while :; do echo yyyyyyyyyyyy; done"], wall_s=1, output_bytes=200)
    assert found.status == "timeout" and len(found.output) < 400 and b"bytes left out" in found.output


def test_files(session):
    path = "/app/a b/it's.bin"
    session.write(path, bytes(range(256)), 0o755)
    assert session.read(path) == bytes(range(256)) and session.read(path, 3) == b"\0\1\2"
    session.write_all({f"/app/many/{number}": (b"x" * number, 0o644) for number in range(5)})
    assert session.list_files("/app/many") == [(f"/app/many/{number}", number) for number in range(5)]
    assert session.list_files("/app/many", 2) == [("/app/many/0", 0), ("/app/many/1", 1)]
    session.run(["sh", "-c", "rm -rf /app/many; cd /app; ln -sf /etc many"], wall_s=20)
    session.empty("/app/many")
    assert session.list_files("/app/many") == [] and b"root" in session.read("/etc/passwd")
    for bad in ("/nope", "/app"):
        with pytest.raises(SessionRefused, match=r"No such file|[Ii]s a directory"):
            session.read(bad)
    with pytest.raises(SessionRefused, match="No such file or directory"):
        session.write("/proc/x/y", b"")


def test_there_is_no_network_but_our_port(session):
    dial = "exec 3<>/dev/tcp/{0} && head -c 2 <&3"
    assert session.run(["bash", "-c", dial.format("192.0.2.1/80")], wall_s=20).returncode != 0
    with session.listen(8123) as listener:
        thread = threading.Thread(target=lambda: listener.accept()[0].sendall(b"hi"))
        thread.start()
        assert session.run(["bash", "-c", dial.format("127.0.0.1/8123")], wall_s=20).output == b"hi"
        thread.join()


def test_another_user_cannot_read_what_is_roots(session):
    session.write_all({"/secret/x": (b"secret", 0o600)})
    session.user = "nobody"
    try:
        assert session.run(["id", "-u"], wall_s=20).output == b"65534\n"
        with pytest.raises(SessionRefused, match="denied"):
            session.read("/secret/x")
    finally:
        session.user = None
    assert session.read("/secret/x") == b"secret"


@pytest.mark.slow
def test_processes_and_memory_are_bounded():
    session = make_session(processes=20, memory=64 << 20)
    try:
        many = session.run(["bash", "-c", "for i in {1..40}; do sleep 5 & done; echo done"], wall_s=30)
        assert b"Resource temporarily unavailable" in many.output or b"retry" in many.output
        hungry = session.run(["bash", "-c", "head -c 200000000 /dev/zero | tail -c 190000000 | wc -c"], wall_s=60)
        assert hungry.output.strip() != b"190000000"
    finally:
        session.close()


def test_a_container_that_is_removed_from_outside_has_ended():
    session = make_session()
    subprocess.run(["podman", "kill", session._id], capture_output=True, check=True)
    with pytest.raises(SessionEnded, match="has ended|is gone"):
        session.run(["true"], wall_s=5)
    with pytest.raises(SessionEnded):
        session.write("/app/x", b"")
    session.close()


@pytest.mark.slow
def test_files_are_kept_in_a_snapshot():
    session = make_session()
    session.write("/app/x", b"kept")
    image = session.snapshot()
    session.close()
    again = ContainerSession(ContainerEngine("podman"), image, run_options(1 << 28, 64, None, False), "/app")
    assert again.read("/app/x") == b"kept"
    again.close()
    subprocess.run(["podman", "rmi", image], capture_output=True, check=True)


def test_containers_of_dead_processes_are_removed_and_others_are_not(tmp_path):
    code = (
        "import os, sys\n"
        "from helm.common.sandbox.container_engine import ContainerEngine, run_options\n"
        "from helm.common.sandbox.container_session import ContainerSession\n"
        f"s = ContainerSession(ContainerEngine('podman'), '{IMAGE}', run_options(1 << 28, 64, None, False), '/app')\n"
        "print(s._id, flush=True)\nos.kill(os.getpid(), 9)\n"
    )
    left = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout.strip()
    mine = make_session()
    engine = ContainerEngine("podman")
    assert engine.remove_leftovers() == 1
    there = subprocess.run(
        ["podman", "ps", "-aq", "--no-trunc"], capture_output=True, text=True, check=True
    ).stdout.split()
    assert left and left not in there and mine._id in there
    mine.close()
    owner = describe_owner()
    assert not is_dead(owner) and is_dead(owner[:-1] + "x") and not is_dead("elsewhere:b:1:2") and not is_dead("")
    assert OWNER_LABEL


def test_nothing_but_the_container_is_left_of_a_killed_process(tmp_path, monkeypatch):
    """It is killed in the middle of a command; what the command left is removed with the container."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    code = (
        "from helm.common.sandbox.container_engine import ContainerEngine, run_options\n"
        "from helm.common.sandbox.container_session import ContainerSession\n"
        f"s = ContainerSession(ContainerEngine('podman'), '{IMAGE}', run_options(1 << 28, 64, None, False), '/app')\n"
        "print(s._id, flush=True)\ns.run_in_shell('sleep 6543', wall_s=600)\n"
    )
    ours = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        left = ours.stdout.readline().strip().encode()
        assert eventually(lambda: any(words == b"sleep\x006543\0" for _, words in command_lines()), 30)
        assert list(tmp_path.glob("helm-*"))
    finally:
        ours.kill()
        ours.wait()
        ours.stdout.close()
    assert eventually(lambda: not list(tmp_path.glob("helm-*")))
    assert ContainerEngine("podman").remove_leftovers() == 1
    assert eventually(lambda: not any(left in words or b"6543" in words for _, words in command_lines()))


def test_what_is_missing_is_said(monkeypatch, tmp_path):
    engine = ContainerEngine("podman")
    with pytest.raises(
        EngineError, match="podman has no image 'localhost/none:1'. Fetch it: podman pull localhost/none:1"
    ):
        engine.get_image("localhost/none:1", False, 5)
    with pytest.raises(SandboxError, match="The container does not start"):
        ContainerSession(engine, "localhost/none:1", [])
    broken = tmp_path / "docker"
    broken.write_text("#!/bin/sh\necho no daemon >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    from helm.common.sandbox import container_engine

    container_engine._try_engine.cache_clear()
    with pytest.raises(
        SandboxError, match=r"docker is installed, but does not work.*no daemon.*podman is not installed"
    ):
        find_engine()
    container_engine._try_engine.cache_clear()


@pytest.mark.slow
def test_an_image_is_built_once(tmp_path):
    (tmp_path / "Dockerfile").write_text(f"FROM {IMAGE}\nWORKDIR /work\nCOPY a.txt .\nRUN cat a.txt a.txt > b.txt\n")
    (tmp_path / "a.txt").write_text("a")
    engine = ContainerEngine("podman")
    first = engine.build_image("localhost/helm-task:t", str(tmp_path), False, 120)
    began = time.monotonic()
    assert engine.build_image("localhost/helm-task:t", str(tmp_path), False, 120) == first
    assert time.monotonic() - began < 10
    session = ContainerSession(engine, first, run_options(1 << 28, 64, None, False))
    assert session.workdir == "/work" and session.read("/work/b.txt") == b"aa"
    session.close()
    (tmp_path / "Dockerfile").write_text("FROM localhost/none:1\n")
    with pytest.raises(EngineError, match="none"):
        engine.build_image("localhost/helm-task:u", str(tmp_path), False, 120)
