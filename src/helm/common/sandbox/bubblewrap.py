"""Confinement by bubblewrap: separate namespaces for everything, and an empty file system with a few read-only parts."""

import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cached_property
from pathlib import PurePosixPath

from helm.common.pipes import wait_until_ready
from helm.common.processes.end_of_process import killed_with_us
from helm.common.sandbox.contract import (
    SCRATCH,
    Sandbox,
    SandboxError,
    SandboxLimits,
    SandboxResult,
    base_environment,
    check_file_names,
)
from helm.common.sandbox.seccomp import build_filter
from helm.common.sandbox.supervision import can_watch, supervise

INSTALL = (
    "Install it with: apt install bubblewrap (or dnf install bubblewrap, conda install -c conda-forge bubblewrap)"
    if sys.platform == "linux"
    else "Bubblewrap is for Linux; here podman or docker is the sandbox: install one of them, and start its machine"
)

START_LIMIT_S = 60.0
"""Bubblewrap takes milliseconds; a busy machine may make it wait for processors and memory."""

_SYSTEM_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_CONFIGURATION = (
    "alternatives",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "fonts",
    "texmf",
    "chromium.d",
)
_HOSTS = b"127.0.0.1 localhost sandbox\n"
"""Names without a network: programs start servers of their own, and ask them at `localhost`."""

_VARIABLE_DATA = ("/var/lib/texmf",)
"""Folders outside of /usr that installed programs read: TeX's formats and its list of files."""

_PYTHON_PARTS = ("bin", "lib", "lib64", "include", "share", "pyvenv.cfg")
"""The parts of a virtual environment to share. It may be in a project's folder, next to private files."""

_PACKAGE_FOLDERS = ("/site-packages", "/dist-packages")

_FIRST_USER, _NUM_USERS = 0x70000000, 1 << 24
"""User ids above all that systems assign."""

_GATE = "echo > /proc/self/fd/{ready} && read -r go < /proc/self/fd/{gate} && "
"""The first process inside, whose end ends all the others. It reports that it is running and waits for our signal.

Therefore no program starts without limits, and none outlives us: once it is running, its life is bound to ours, and before
that, our end looks like a missing signal. (`--block-fd` cannot distinguish our signal from our end.) It remains the first
process, because no process inside can kill that one, or it becomes a program of ours (`exec`).
"""

_BIND = b"--die-with-parent\0"
"""Binds the life of bubblewrap to ours. It waits for this option, which it is given once the watching process knows it.

The first process inside is bound to bubblewrap late. Before that, it waits for bubblewrap, and would wait for ever if bubblewrap
ended with us at that moment; so until the first process is running, the watching process ends both if we end. If we end before
the option is given, bubblewrap goes on without it, up to the signal of ours that is missing then.
"""

_FORKS = "sleep 2 & sleep 2 & sleep 2 & sleep 2 & sleep 2 & sleep 2 & sleep 2 & sleep 2 & echo forked"


class BubblewrapSandbox(Sandbox):
    """`bwrap` with separate process, network, mount, user, IPC and host namespaces, no capabilities and a seccomp filter.

    Inside are the system's programs and libraries and this Python's, read-only, and a scratch folder in memory. Nothing of
    the home folder, of `/etc` or of our environment is visible. If we are root, each run gets a user id of its own, because
    root without capabilities still owns the files of the kernel's settings.
    """

    name = "bubblewrap"

    @property
    def python(self) -> str:  # type: ignore[override]
        return os.path.abspath(sys.executable)  # "../.venv/bin/python" may lead through a folder that is not inside

    @cached_property
    def _program(self) -> str:
        program = shutil.which("bwrap")
        if program is None:
            raise SandboxError("bubblewrap (bwrap) is not installed.")
        return program

    @cached_property
    def _changes_user(self) -> bool:
        """Whether programs run with a user id of their own instead of a user namespace; checked by trying it."""
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            return False
        try:
            self._run_checked(True)
        except SandboxError:  # perhaps root of a container, which has fewer rights
            return False
        return True

    def check(self) -> None:
        if not sys.platform.startswith("linux"):
            raise SandboxError(f"bubblewrap is a program for Linux; this is {sys.platform}.")
        if not can_watch():
            raise SandboxError(
                "/proc does not list the children of a process, so the use of memory could not be limited."
            )
        self._program  # noqa: B018 (raises an error if it is missing, before anything else is blamed)
        if not self._may_change_user():
            self._run_checked(False)

    def _may_change_user(self) -> bool:
        """Return whether programs run with a user id of their own. Raises: SandboxError where they have to and cannot."""
        if self._changes_user:
            return True
        if os.geteuid() == 0 and _is_true_root():
            raise SandboxError(
                "As root, each program gets a user id of its own, because the kernel limits nothing that root does; "
                "this needs setpriv (apt install util-linux) and the right to change users. Or run this as another user."
            )
        return False

    def _run_checked(self, changes_user: bool) -> None:
        limits = SandboxLimits(wall_s=10)
        result = self._run(["/bin/sh", "-c", "echo ready"], b"", {}, limits, {}, changes_user)
        if result.stdout != b"ready\n" or not result.is_success:
            said = result.stderr.decode(errors="replace").strip() or f"status {result.returncode}"
            hint = ""
            if "namespace" in said or "uid map" in said or "not permitted" in said:
                hint = (
                    " This system does not let you make namespaces: inside a container, start it with more rights"
                    " (docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined); on Ubuntu 24.04"
                    " and later, allow it for bwrap in AppArmor."
                )
            raise SandboxError(f"bubblewrap ({self._program}) could not start a program: {said}.{hint}")
        limits = SandboxLimits(wall_s=10, processes=5)
        if b"forked" in self._run(["/bin/sh", "-c", _FORKS], b"", {}, limits, {}, changes_user).stdout:
            raise SandboxError("The number of processes cannot be limited here: this needs Linux 5.14 or later.")

    def describe(self) -> str:
        version = subprocess.run([self._program, "--version"], capture_output=True, text=True, check=False).stdout
        user = "a user id of its own for each program" if self._changes_user else "user namespaces"
        calls = "with" if build_filter() else "without"
        return f"{version.strip() or self.name} ({self._program}), {user}, {calls} a system call filter"

    def run(
        self,
        argv: Sequence[str],
        stdin: bytes,
        files: Mapping[str, bytes],
        limits: SandboxLimits,
        environment: Mapping[str, str],
    ) -> SandboxResult:
        return self._run(argv, stdin, files, limits, environment, self._may_change_user())

    def _run(
        self,
        argv: Sequence[str],
        stdin: bytes,
        files: Mapping[str, bytes],
        limits: SandboxLimits,
        environment: Mapping[str, str],
        changes_user: bool,
    ) -> SandboxResult:
        process, leader = self._start(argv, files, limits, environment, changes_user)
        return supervise(process, stdin, limits, leader.kill)

    def start_first(
        self,
        argv: Sequence[str],
        folders: Sequence[str],
        limits: SandboxLimits,
        pass_fds: Sequence[int],
        shared: Sequence[str] = (),
    ) -> tuple[subprocess.Popen, "Leader"]:
        """Start a program that is the first process inside, and so cannot be killed from there. It inherits descriptors.

        Args:
            folders: absolute paths of writable folders besides the scratch folder, each of the size of `scratch_bytes`.
            limits: of each process. What all of them use together is for the caller to watch.
            pass_fds: descriptors that it inherits.
            shared: paths of this machine that are visible inside, read-only.

        Raises: SandboxError if it could not be started.
        """
        return self._start(argv, {}, limits, {}, self._may_change_user(), folders, pass_fds, True, shared)

    def start_piped(
        self, argv: Sequence[str], shared: Sequence[str], limits: SandboxLimits
    ) -> tuple[subprocess.Popen, "Leader"]:
        """Start a program with the standard streams of this process. See `helm.common.sandbox.piped`.

        Raises: SandboxError if it could not be started.
        """
        return self._start(argv, {}, limits, {}, self._may_change_user(), shared=shared, is_piped=False)

    def _start(
        self,
        argv: Sequence[str],
        files: Mapping[str, bytes],
        limits: SandboxLimits,
        environment: Mapping[str, str],
        changes_user: bool,
        folders: Sequence[str] = (),
        pass_fds: Sequence[int] = (),
        is_first: bool = False,
        shared: Sequence[str] = (),
        is_piped: bool = True,
    ) -> tuple[subprocess.Popen, "Leader"]:
        stream = subprocess.PIPE if is_piped else None
        with ExitStack() as stack:
            fds: list[int] = [*pass_fds]

            def share(content: bytes) -> int:
                fd = os.memfd_create("sandbox", os.MFD_CLOEXEC)
                stack.callback(os.close, fd)
                fds.append(fd)
                view = memoryview(content)
                while view:
                    view = view[os.write(fd, view) :]
                os.lseek(fd, 0, os.SEEK_SET)
                return fd

            bind, ready, gate = _Pipe(stack), _Pipe(stack), _Pipe(stack)
            info = share(b"")  # no pipe, at whose end bubblewrap would end in the middle of its start
            command = [self._program, "--args", str(bind.reader), *_namespaces(changes_user)]
            command += _file_system(limits, folders, shared)
            command += [
                "--perms",
                "0755",
                "--dir",
                "/etc",
                "--perms",
                "0644",
                "--file",
                str(share(_HOSTS)),
                "/etc/hosts",
            ]
            for folder in check_file_names(files):
                command += ["--perms", "0777", "--dir", f"{SCRATCH}/{folder}"]
            for name, content in files.items():
                command += ["--perms", "0755", "--file", str(share(content)), f"{SCRATCH}/{name}"]
            command += ["--remount-ro", "/", "--chdir", SCRATCH, "--clearenv"]
            for key, value in {**base_environment(self.python), **environment}.items():
                command += ["--setenv", key, value]
            program = build_filter()
            if program is not None:
                command += ["--seccomp", str(share(program))]
            script = _GATE.format(ready=ready.writer, gate=gate.reader) + ("exec " if is_first else "") + '"$@"'
            command += ["--info-fd", str(info), "--", "/bin/sh", "-c", script, "sh"]
            if changes_user:
                user = str(_FIRST_USER + secrets.randbelow(_NUM_USERS))
                command += ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--no-new-privs"]
                command += ["--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all"]
                command += ["--pdeathsig", "KILL", "--"]  # the kernel forgets it when the user changes
            command += argv
            try:
                process = subprocess.Popen(
                    command,
                    stdin=stream,
                    stdout=stream,
                    stderr=stream,
                    bufsize=0,
                    pass_fds=[*fds, bind.reader, ready.writer, gate.reader],
                    process_group=0,
                    env={"PATH": "/usr/local/bin:/usr/bin:/bin"},
                )
            except OSError as error:
                raise SandboxError(f"bubblewrap ({self._program}) could not be started: {error}") from error
            leader = Leader(process)
            with killed_with_us(process):
                try:
                    bind.write(_BIND)
                    bind.close_writer()
                    ready.close_writer()
                    _wait(ready.reader)  # or for its end: it could not start, and will report why
                    leader.learn_pid(info)
                    leader.limit(limits, may_limit_processes=changes_user or _counts_processes_by_namespace())
                    gate.write(b"go\n")
                except BaseException:
                    leader.learn_pid(info)
                    leader.kill()
                    process.wait()
                    raise
            return process, leader


class Leader:
    """The first process inside, whose end ends all the others."""

    def __init__(self, process: subprocess.Popen):
        self._process = process
        self._pid: int | None = None

    def learn_pid(self, info_fd: int) -> None:
        """Read what bubblewrap has reported before the first process could run; it reports nothing if it failed."""
        text = os.pread(info_fd, 4096, 0)
        if b"}" in text:
            self._pid = int(json.loads(text)["child-pid"])

    def limit(self, limits: SandboxLimits, may_limit_processes: bool) -> None:
        """Limit what each process may use; children inherit the limits."""
        if self._pid is None:
            return
        import resource  # not on every system

        cpu_s = int(limits.wall_s) + 2
        values: dict[int, int] = {
            resource.RLIMIT_AS: limits.address_space_bytes or limits.memory_bytes,
            resource.RLIMIT_CPU: cpu_s,
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: limits.scratch_bytes,
            resource.RLIMIT_NOFILE: limits.open_files,
            resource.RLIMIT_MSGQUEUE: 0,
            resource.RLIMIT_MEMLOCK: 1 << 16,
        }
        if may_limit_processes:
            values[resource.RLIMIT_NPROC] = limits.processes
        with suppress(ProcessLookupError):  # it has ended, with the reason on its standard error
            for kind, value in values.items():
                resource.prlimit(self._pid, kind, (value, value))

    @property
    def pid(self) -> int | None:
        """The number of the process outside; None if it could not be started."""
        return self._pid

    def kill(self) -> None:
        """End everything inside; the kernel ends all processes when the first one ends."""
        if self._process.poll() is not None:
            return
        if self._pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
        with suppress(ProcessLookupError):  # early in a start, the first process is still in bubblewrap's group
            os.killpg(self._process.pid, signal.SIGKILL)


def _wait(ready_fd: int) -> None:
    """Wait until the first process of a sandbox is running, or has ended. Raises: SandboxError if that takes too long."""
    if not wait_until_ready(ready_fd, START_LIMIT_S):
        raise SandboxError(f"bubblewrap did not start a program within {START_LIMIT_S:g} seconds; nothing was run.")


class _Pipe:
    """A pipe whose ends are closed with the stack or earlier, but each only once."""

    def __init__(self, stack: ExitStack):
        self.reader, self.writer = os.pipe()
        stack.callback(os.close, self.reader)
        self._close_writer = stack.enter_context(ExitStack())
        self._close_writer.callback(os.close, self.writer)

    def close_writer(self) -> None:
        self._close_writer.close()

    def write(self, data: bytes) -> None:
        os.write(self.writer, data)


def _is_true_root() -> bool:
    """Return whether we are the system's root, not the root of a container that is mapped to another user."""
    with open("/proc/self/uid_map") as file:
        return file.read().split()[:2] == ["0", "0"]


def _counts_processes_by_namespace() -> bool:
    """Return whether limits count processes per namespace, as since Linux 5.14, instead of all of our user's."""
    numbers = re.findall(r"\d+", os.uname().release)
    return tuple(int(number) for number in numbers[:2]) >= (5, 14)


def _namespaces(changes_user: bool) -> list[str]:
    options = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    options += ["--hostname", "sandbox", "--as-pid-1", "--new-session", "--cap-drop", "ALL"]
    if changes_user:
        for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):  # for setpriv, which gives them up
            options += ["--cap-add", capability]
        return options
    return [*options, "--unshare-user", "--uid", "65534", "--gid", "65534"]


def _file_system(limits: SandboxLimits, folders: Sequence[str] = (), shared: Sequence[str] = ()) -> list[str]:
    others = [path for path in (*(f"/etc/{name}" for name in _CONFIGURATION), *_VARIABLE_DATA) if os.path.exists(path)]
    binds = ["/usr", *others, *_python_paths()]
    binds += [path for path in dict.fromkeys(shared) if path not in binds and not path.startswith("/usr/")]
    options: list[str] = []
    for name in _SYSTEM_LINKS:
        path = f"/{name}"
        if os.path.islink(path):
            options += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            binds.append(path)
    parents = {str(parent) for path in binds for parent in PurePosixPath(path).parents}
    scratch = ["--size", str(limits.scratch_bytes), "--perms", "1777", "--tmpfs"]
    temporary = [path for path in ("/tmp", "/var/tmp") if path in parents]  # this Python is below it
    for path in temporary:
        options += [*scratch, path]
    for path in sorted(parents - {"/", *temporary}):  # bubblewrap would create them for its own user alone
        options += ["--perms", "0755", "--dir", path]
    for path in binds:
        options += ["--ro-bind", path, path]
    options += ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"]
    options += [*scratch, "/dev/shm", "--remount-ro", "/dev"]
    options += ["--size", str(limits.scratch_bytes), "--perms", "0777", "--tmpfs", SCRATCH]
    options += ["--perms", "0755", "--dir", "/var"]
    for path in ("/tmp", "/var/tmp"):
        if path not in temporary:
            options += ["--symlink", SCRATCH, path]
    made: set[str] = set()
    for path in folders:
        for parent in reversed(PurePosixPath(path).parents):
            if str(parent) not in {"/", *parents, *made}:
                made.add(str(parent))
                options += ["--perms", "0755", "--dir", str(parent)]
        options += ["--size", str(limits.scratch_bytes), "--perms", "0777", "--tmpfs", path]
    return options


def _python_paths() -> list[str]:
    """Return the paths that this interpreter needs of its installation and of its virtual environment."""
    prefixes = [sys.prefix, sys.base_prefix, os.path.realpath(sys.base_prefix)]
    paths = ["/nix/store"] if sys.base_prefix.startswith("/nix/store/") else []
    paths += [os.path.join(prefix, part) for prefix in prefixes for part in _PYTHON_PARTS]
    # Packages that a .pth file adds from another environment; those of the user's home are not for isolated programs.
    home = os.path.join(os.path.expanduser("~"), ".local", "")
    paths += [path for path in sys.path if path.endswith(_PACKAGE_FOLDERS) and not path.startswith((home, *prefixes))]
    return [path for path in dict.fromkeys(paths) if not path.startswith("/usr/") and os.path.exists(path)]
