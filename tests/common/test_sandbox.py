"""Programs that do what they should not: each is contained, and the next one runs as if nothing had been."""

import http.server
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from pathlib import Path

import pytest

from helm.common import sandbox
from helm.common.concurrency import parallel_map
from helm.common.sandbox import SandboxError, SandboxLimits, SandboxResult, run_python, selection
from helm.common.sandbox.bubblewrap import BubblewrapSandbox
from helm.common.sandbox.container import ContainerSandbox
from helm.common.sandbox.container_engine import describe_owner
from helm.common.sandbox.supervision import find_descendants
from helm.common.sandbox.unprotected import UnprotectedSandbox
from process_support import command_lines, eventually, is_running

pytestmark = pytest.mark.sandbox


@pytest.fixture(autouse=True)
def default_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test begins with what a user has who sets nothing."""
    monkeypatch.delenv(selection.VARIABLE, raising=False)


def python(source: str, **limits: object) -> SandboxResult:
    return run_python(textwrap.dedent(source), limits=SandboxLimits(**limits))  # type: ignore[arg-type]


def text(result: SandboxResult) -> str:
    return (result.stdout + result.stderr).decode()


def test_a_program_gets_its_input_files_and_arguments():
    source = "import sys; print(sys.argv[1:], sys.stdin.read(), open('data/a.txt').read())"
    result = run_python(source, stdin=b"in", files={"data/a.txt": "\u00e9"}, arguments=["x", "y z"])
    assert (result.status, result.returncode, result.stdout.decode()) == ("ok", 0, "['x', 'y z'] in \u00e9\n")
    assert result.is_success and 0 < result.elapsed_s < 5


def test_python_may_have_been_started_by_a_path_with_dots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program = Path(sys.executable)
    (tmp_path / "folder").mkdir()
    dotted = os.path.relpath(program.parent, tmp_path / "folder")
    monkeypatch.setattr(sys, "executable", os.path.join(tmp_path, "folder", dotted, program.name))
    assert python("print('ran')").stdout == b"ran\n"


def test_exit_status_and_standard_error_are_told():
    result = python("import sys; sys.stderr.write('why'); sys.exit(3)")
    assert (result.status, result.returncode, result.stderr, result.is_success) == ("ok", 3, b"why", False)


def test_a_crash_is_told_from_an_end():
    result = python("import os; os.kill(os.getpid(), 11)")
    assert (result.status, result.returncode) == ("killed", -signal.SIGSEGV)


def test_large_input_and_output_do_not_block_each_other():
    source = "import sys\nfor line in sys.stdin.buffer: sys.stdout.buffer.write(line)"
    data = b"x" * 99 + b"\n"
    result = run_python(source, stdin=data * 50_000, limits=SandboxLimits(output_bytes=6_000_000))
    assert result.status == "ok" and result.stdout == data * 50_000


def test_input_that_is_not_read_is_no_error():
    assert run_python("print('done')", stdin=b"x" * 1_000_000).stdout == b"done\n"


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a//b", "a/./b", ""])
def test_files_cannot_leave_the_scratch_folder(name: str):
    with pytest.raises(SandboxError, match="relative path"):
        run_python("pass", files={name: "x"})


# --- what is out of reach ---------------------------------------------------------------------------------------------


def test_no_server_is_reached():
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    port = server.server_address[1]
    try:
        result = python(f"""
            import os, socket, urllib.request
            for host in ("127.0.0.1", "localhost", "10.0.0.1"):
                try:
                    urllib.request.urlopen(f"http://{{host}}:{port}/", timeout=1)
                    print("REACHED", host)
                except OSError as error:
                    print("blocked")
            print(sorted(name for _, name in socket.if_nameindex()))
        """)
    finally:
        server.shutdown()
        server.server_close()
    assert result.stdout.decode().splitlines()[:3] == ["blocked"] * 3, text(result)
    assert "eth" not in text(result) and "wl" not in text(result)
    assert not asked


def test_home_environment_and_other_files_are_not_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    secret = tmp_path / "secret.txt"
    secret.write_text("TOPSECRET")
    beside = Path.home() / ".bashrc"
    monkeypatch.setenv("OPENAI_API_KEY", "TOPSECRET")
    result = python(f"""
        import os
        print(dict(os.environ))
        for path in ({str(secret)!r}, {str(beside)!r}, {str(Path(__file__))!r}, "/etc/passwd", "/etc/shadow",
                     "/proc/1/environ", "/proc/1/root{secret}", "/sys/class", "/dev/sda", "/dev/mem"):
            try:
                print("SEEN", path, os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(100))
            except OSError:
                pass
        for path in ("/", os.path.expanduser("~")):
            print(path, sorted(os.listdir(path)))
        print([pid for pid in os.listdir("/proc") if pid.isdigit()])
    """)
    assert result.status == "ok", text(result)
    assert "TOPSECRET" not in text(result)
    seen = [line for line in result.stdout.decode().splitlines() if line.startswith("SEEN")]
    assert all("/proc/1/environ" in line and "PATH=" in line for line in seen), seen
    assert "home" not in eval(result.stdout.decode().splitlines()[-3].partition(" ")[2])


def test_nothing_outside_the_scratch_folder_can_be_written(tmp_path: Path):
    result = python(f"""
        import os, sys, shutil
        places = ["/", "/usr", "/usr/bin", "/etc", "/dev", "/proc/sys/kernel", "/proc", "/var", "/root", "/home",
                  {str(tmp_path)!r}, sys.prefix, os.path.dirname(os.__file__)]
        for place in places:
            for name in ("new-file", "core_pattern", "ld.so.preload"):
                try:
                    with open(os.path.join(place, name), "w") as file:
                        file.write("x")
                    print("WRITTEN", place, name)
                except OSError:
                    pass
        for path in (sys.executable, "/usr/bin/env", os.__file__, "/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern"):
            for attempt in (os.unlink, lambda p: os.chmod(p, 0o777), lambda p: open(p, "a").write("x")):
                try:
                    attempt(path)
                    print("CHANGED", path)
                except OSError:
                    pass
        open("/scratch/mine", "w").write("x"); open("/tmp/mine2", "w").write("x")
        print("mine" in os.listdir("."), "mine2" in os.listdir("/tmp"))
    """)
    assert result.stdout.decode() == "True True\n", text(result)
    assert not list(tmp_path.iterdir())


def test_nothing_stays_from_one_program_to_the_next():
    assert python("open('left', 'w').write('x'); open('/dev/shm/left', 'w').write('x')").is_success
    assert python("import os; print(os.listdir('.'), os.listdir('/dev/shm'))").stdout == b"['program.py'] []\n"


def test_no_rights_can_be_gained():
    result = python("""
        import ctypes, os
        libc = ctypes.CDLL(None, use_errno=True)
        status = open("/proc/self/status").read()
        print([line.split()[1] for line in status.splitlines() if line.startswith(("CapEff", "CapPrm", "NoNewPrivs"))])
        print(libc.unshare(0x10000000), libc.unshare(0x20000), libc.mount(b"x", b"/scratch", b"tmpfs", 0, None))
        print(libc.ptrace(0, 0, 0, 0), libc.memfd_create(b"x", 0), libc.shmget(0, 4096, 0o1600))
        attempts = [lambda: os.setuid(0), lambda: os.chroot("/usr"), lambda: os.nice(-5)]
        for attempt in [*attempts, lambda: os.mknod("d", 0o60666, 0x801)]:
            try:
                attempt()
                print("ALLOWED")
            except OSError:
                pass
    """)
    lines = result.stdout.decode().splitlines()
    assert lines == ["['0000000000000000', '0000000000000000', '1']", "-1 -1 -1", "-1 -1 -1"], text(result)


# --- what is limited --------------------------------------------------------------------------------------------------


def is_gone(marker: str) -> bool:
    """No process on this machine has the marker in its command line."""
    return not any(marker.encode() in words for _, words in command_lines())


def test_an_endless_loop_is_ended():
    start = time.monotonic()
    assert python("while True: pass", wall_s=0.5).status == "timeout"
    assert time.monotonic() - start < 3


def test_a_program_that_only_waits_and_heeds_no_signal_is_ended():
    result = python(
        """
        import os, signal, time
        for number in range(1, 32):
            try:
                signal.signal(number, signal.SIG_IGN)
            except OSError:
                pass
        os.close(1); os.close(2)
        while True:
            time.sleep(1)
        """,
        wall_s=0.5,
    )
    assert result.status == "timeout"


def test_output_is_cut():
    result = python("while True: print('x' * 1000)", output_bytes=10_000)
    assert result.status == "output" and len(result.stdout) == 10_000


def test_a_fork_bomb_is_contained():
    start = time.monotonic()
    result = python("import os\nwhile True:\n  try: os.fork()\n  except OSError: pass", wall_s=1.5)
    assert result.status in ("timeout", "processes")
    assert time.monotonic() - start < 6
    assert python("print('next')").stdout == b"next\n"


def test_threads_count_as_processes():
    result = python("""
        import threading, time
        n = 0
        try:
            for n in range(1000):
                threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
        except RuntimeError:
            pass
        print(n < 100, flush=True)
        import os; os._exit(0)
    """)
    assert result.stdout == b"True\n", text(result)


def test_memory_of_one_process_is_limited():
    result = python("x = []\nwhile True: x.append(bytearray(10_000_000))", memory_bytes=200_000_000)
    assert result.status == "memory" or b"MemoryError" in result.stderr


def test_memory_of_all_processes_together_is_limited():
    result = python(
        """
        import os, time
        for _ in range(8):
            if os.fork() == 0:
                x = bytearray(os.urandom(1000)) * 80_000
                time.sleep(10)
        time.sleep(10)
        """,
        memory_bytes=200_000_000,
    )
    assert result.status == "memory"


def test_pages_that_a_fork_shares_count_once():
    result = python(
        """
        import os, time
        x = bytearray(os.urandom(1000)) * 100_000
        children = []
        for _ in range(5):
            pid = os.fork()
            if pid == 0:
                time.sleep(0.3)
                os._exit(0)
            children.append(pid)
        for pid in children:
            os.waitpid(pid, 0)
        print("fine")
        """,
        memory_bytes=300_000_000,
    )
    assert (result.status, result.stdout) == ("ok", b"fine\n"), text(result)


def test_disk_is_limited():
    result = python(
        """
        import errno
        n = 0
        try:
            while n < 1000:
                with open(f"f{n}", "wb") as file:
                    file.write(b"x" * 1_000_000)
                n += 1
        except OSError as error:
            print(errno.errorcode[error.errno], n)
        """,
        scratch_bytes=20_000_000,
    )
    assert result.stdout.split()[0] in (b"ENOSPC", b"EFBIG") and int(result.stdout.split()[1]) <= 20


def test_children_left_behind_are_ended():
    marker = f"9{os.getpid()}{time.monotonic_ns()}"[:17]
    result = python(f"""
        import os, subprocess, sys
        subprocess.Popen(["/usr/bin/env", "sleep", "{marker}"], start_new_session=True,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execvp("sleep", ["sleep", "{marker}"])
            os._exit(0)
        print("left")
    """)
    assert (result.status, result.stdout) == ("ok", b"left\n")
    assert result.elapsed_s < 5 and is_gone(marker)


def test_the_parent_cannot_be_reached():
    result = python("""
        import os, signal
        print(os.getppid())
        for pid in [-1, os.getppid(), *range(2, 3000)]:
            if pid != os.getpid():
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
    """)
    assert result.status in ("ok", "killed")
    assert python("print('next')").stdout == b"next\n"


def test_everything_ends_when_we_are_killed():
    marker = f"8{os.getpid()}{time.monotonic_ns()}"[:17]
    code = f"from helm.common.sandbox import run\nrun(['sleep', '{marker}'])"
    ours = subprocess.Popen([sys.executable, "-c", code])
    end = time.monotonic() + 20
    while is_gone(f"sleep\0{marker}") and time.monotonic() < end:
        time.sleep(0.02)
    assert not is_gone(f"sleep\0{marker}")
    ours.kill()
    ours.wait()
    end = time.monotonic() + 5
    while not is_gone(f"sleep\0{marker}") and time.monotonic() < end:
        time.sleep(0.02)
    assert is_gone(f"sleep\0{marker}")


_START = """
import os, sys, time
from helm.common.processes.end_of_process import killed_with_us
from helm.common.sandbox import SandboxError, SandboxLimits, bubblewrap

def make_full_pipe(name, flags):
    os.memfd_create, os.lseek = usual[0], lambda *_: setattr(os, "lseek", usual[1])
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, bytes(4096))
    except BlockingIOError:
        os.set_blocking(writer, True)
    return writer

def wait(*_):
    print("waiting", flush=True)
    sys.stdin.readline()
    raise SandboxError("too late")

usual = os.memfd_create, os.lseek
if sys.argv[1] == "early":
    bubblewrap.killed_with_us = wait
else:
    os.memfd_create, bubblewrap._wait, bubblewrap.Leader.learn_pid = make_full_pipe, wait, lambda *_: None
try:
    bubblewrap.BubblewrapSandbox()._run(["sleep", sys.argv[2]], b"", {}, SandboxLimits(), {}, False)
except SandboxError as e:
    print(e, flush=True)
    time.sleep(600)
"""
"""Starts a sandbox that cannot go on: before it is bound to this process, or when its first process waits for bubblewrap."""


@pytest.mark.parametrize("ending", ["early", "killed", "late"])
def test_a_start_that_ends_in_the_middle_leaves_nothing(ending: str):
    marker = f"7{os.getpid()}{time.monotonic_ns()}"[:17]
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", _START, ending, marker]
    ours = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
    assert ours.stdout is not None and ours.stdin is not None
    try:
        assert ours.stdout.readline() == "waiting\n"

        def started() -> list[int]:
            return [pid for pid, words in command_lines() if marker.encode() in words and pid != ours.pid]

        assert eventually(lambda: len(started()) == (1 if ending == "early" else 2))
        time.sleep(0.2)
        if ending == "late":
            ours.stdin.write("\n")
            ours.stdin.flush()
            assert ours.stdout.readline() == "too late\n"
        else:
            ours.kill()
        assert eventually(lambda: not any(map(is_running, started())))
    finally:
        ours.kill()
        ours.wait()
        ours.stdin.close()
        ours.stdout.close()


def test_a_program_with_our_streams_ends_with_the_process_that_asked_for_it():
    source = """
        import subprocess, sys, time
        from helm.common.sandbox import SandboxLimits
        from helm.common.sandbox.piped import piped_command

        program = "import time; print('begun', flush=True); time.sleep(600)"
        command = piped_command([sys.executable, "-I", "-c", program], [], SandboxLimits())
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
        print(process.pid, flush=True)
        time.sleep(600)
    """
    command = [sys.executable, "-c", textwrap.dedent(source)]
    ours = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert ours.stdout is not None
    try:
        pid = int(ours.stdout.readline())
        assert ours.stdout.readline() == "begun\n"
        started = [pid, *find_descendants(pid)]
        assert len(started) >= 4
    finally:
        ours.kill()
        ours.wait()
        ours.stdout.close()
    assert eventually(lambda: not any(map(is_running, started)))


def test_programs_run_at_the_same_time():
    results = parallel_map(lambda i: run_python(f"print({i})").stdout, list(range(12)), 6, description="programs")
    assert results == [f"{i}\n".encode() for i in range(12)]


def test_nothing_is_left_open():
    # In a process of its own: here, threads that earlier tests left may open a file in between.
    source = """
        import os
        from helm.common.sandbox import SandboxLimits, run_python
        from helm.common.sandbox.supervision import find_descendants

        run_python("pass")  # what is opened once, with the first program, stays
        before, watcher = set(os.listdir("/proc/self/fd")), set(find_descendants(os.getpid()))
        results = [run_python("pass"), run_python("while True: pass", limits=SandboxLimits(wall_s=0.2))]
        left = set(os.listdir("/proc/self/fd")) - before
        print([result.status for result in results], left, set(find_descendants(os.getpid())) - watcher, len(watcher))
    """
    command = [sys.executable, "-c", textwrap.dedent(source)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout == "['ok', 'timeout'] set() set() 1\n", done.stdout + done.stderr


# --- which sandbox ----------------------------------------------------------------------------------------------------


def test_without_a_sandbox_nothing_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.undo()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(selection.VARIABLE, raising=False)
    selection._find_sandbox.cache_clear()
    try:
        with pytest.raises(SandboxError, match="there is no sandbox") as caught:
            run_python("open('/tmp/never', 'w')")
        assert "apt install bubblewrap" in str(caught.value)
        assert "podman is not installed" in str(caught.value)
    finally:
        selection._find_sandbox.cache_clear()


def test_a_misspelt_choice_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(selection.VARIABLE, "bublewrap")
    with pytest.raises(SandboxError, match="not 'bublewrap'. Did you mean 'bubblewrap'"):
        sandbox.get_sandbox()


def test_switching_it_off_is_loud(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture):
    monkeypatch.undo()
    monkeypatch.setenv(selection.VARIABLE, "none")
    selection._find_sandbox.cache_clear()
    assert not sandbox.is_protected()
    assert not sandbox.is_protected()
    assert [record.levelname for record in caplog.records if "WITHOUT a sandbox" in record.message] == ["WARNING"]
    selection._find_sandbox.cache_clear()


def test_even_without_protection_time_output_and_environment_are_limited(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "TOPSECRET")
    monkeypatch.setattr(selection, "_find_sandbox", lambda name: UnprotectedSandbox())
    assert b"TOPSECRET" not in python("import os; print(os.environ)").stdout
    assert python("while True: pass", wall_s=0.3).status == "timeout"
    assert python("while True: print('x' * 1000)", output_bytes=1000).status == "output"
    assert python("x = bytearray(300_000_000); import time; time.sleep(5)", memory_bytes=100_000_000).status == "memory"
    source = "import subprocess, sys; subprocess.Popen(['sleep', '60']); print('left')"
    start = time.monotonic()
    assert python(source).stdout == b"left\n"
    assert time.monotonic() - start < 5


def test_a_container_is_told_all_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """With a stand-in for the container program, which runs what it is told to run."""
    fake = tmp_path / "docker"
    fake.write_text(
        f"#!{sys.executable}\n"
        "import os, sys\n"
        f"open({str(tmp_path / 'words')!r}, 'a').write(repr(sys.argv) + '\\n')\n"
        "if sys.argv[1] == 'run':\n"
        "    rest = sys.argv[sys.argv.index('some-image') + 1 :]\n"
        f"    os.makedirs({str(tmp_path / 'scratch')!r}, exist_ok=True)\n"
        f"    os.chdir({str(tmp_path / 'scratch')!r})\n"
        "    os.execv(sys.executable, [sys.executable, *rest])\n"
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("HELM_SANDBOX_IMAGE", "some-image")
    container = ContainerSandbox("docker")
    monkeypatch.setattr(selection, "_find_sandbox", lambda name: container)
    result = run_python("import sys; print(open('a/b').read(), sys.stdin.read())", stdin=b"in", files={"a/b": "file"})
    assert result.stdout == b"file in\n", text(result)
    words = eval((tmp_path / "words").read_text().splitlines()[0])
    for word in ("--network=none", "--read-only", "--cap-drop=ALL", "--pids-limit=64", f"--memory={1 << 30}", "--rm"):
        assert word in words
    label = words[words.index("--label") + 1]
    assert label == f"helm-owner={describe_owner()}"


def test_a_missing_bubblewrap_is_named_before_anything_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxError, match=r"bubblewrap \(bwrap\) is not installed"):
        BubblewrapSandbox().check()


def test_a_bubblewrap_that_does_not_start_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 600\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr("helm.common.sandbox.bubblewrap.START_LIMIT_S", 1.0)
    with pytest.raises(SandboxError, match="did not start a program within 1 seconds; nothing was run"):
        BubblewrapSandbox()._run(["/bin/true"], b"", {}, SandboxLimits(wall_s=5), {}, changes_user=False)
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()


def test_an_interpreter_below_tmp_can_be_used(tmp_path: Path) -> None:
    """A checkout in /tmp, say: the folder of the interpreter is seen, and the rest of /tmp stays empty and writable."""
    environment = Path(tempfile.mkdtemp(dir="/tmp"))
    try:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True, timeout=60)
        script = "from helm.common.sandbox import run_python; r = run_python('import os; print(os.listdir(\"/tmp\"))'); print(r)"
        paths = os.pathsep.join(path for path in sys.path if path)
        result = subprocess.run(
            [environment / "bin" / "python", "-c", script],
            env={**os.environ, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert "status='ok'" in result.stdout and environment.name in result.stdout, result.stdout + result.stderr
    finally:
        shutil.rmtree(environment)
