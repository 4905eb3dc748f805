"""Docker and Podman by their command lines: images, and the containers that killed runs have left."""

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache

from helm.common.processes.end_of_process import ScratchFolder
from helm.common.sandbox.contract import SandboxError

ENGINES = ("docker", "podman")
OWNER_LABEL = "helm-owner"
_CHECK_S = 20.0
_MOST_FILES = 16384
_INSTALL = "apt-get install podman, or install Docker"


class EngineError(SandboxError):
    """A command of the engine failed.

    Args:
        message: what failed.
        said: what was printed about it.
    """

    def __init__(self, message: str, said: str = ""):
        super().__init__(message)
        self.said = said


class EngineTimeout(EngineError):
    """A command of the engine took too long."""


class ContainerEngine:
    """One of `ENGINES`, if it is installed. Its configuration, such as where images are, is the user's.

    Args:
        name: `docker` or `podman`.
    Raises: SandboxError if it is not installed.
    """

    def __init__(self, name: str):
        program = shutil.which(name)
        if program is None:
            raise SandboxError(f"{name} is not installed ({_INSTALL}).")
        self.name, self.program = name, program
        self._build_lock = threading.Lock()
        self._folder = ScratchFolder("helm-engine-")

    @property
    def folder(self) -> str:
        """Where its commands run: Podman's monitor leaves a file in its folder when a container uses too much memory."""
        return str(self._folder.path)

    def call(self, *words: str, data: bytes = b"", wall_s: float = 60.0) -> bytes:
        """Run a command of the engine, and return what it printed. Raises: EngineError when it fails or takes too long."""
        try:
            done = subprocess.run(
                [self.program, *words], input=data, capture_output=True, timeout=wall_s, check=False, cwd=self.folder
            )
        except subprocess.TimeoutExpired as e:
            raise EngineTimeout(f"{self.name} {words[0]} did not end within {wall_s:g} s.") from e
        except OSError as e:
            raise EngineError(f"{self.name} ({self.program}) cannot be started: {e.strerror or e}.") from e
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()[-2000:]
            raise EngineError(f"{self.name} {words[0]} failed with status {done.returncode}: {said}", said)
        return done.stdout

    def check(self) -> None:
        """Raise SandboxError if the engine does not work, for example because its service does not run."""
        try:
            self.call("version", wall_s=_CHECK_S)
        except EngineError as e:
            raise SandboxError(f"{self.name} is installed, but does not work: {e}") from e

    def find_image(self, image: str) -> str | None:
        """Return the identifier of an image that is here, which is the digest of its configuration; None if it is not."""
        with suppress(EngineError):
            return self.call("image", "inspect", "--format", "{{.Id}}", image).decode().strip() or None
        return None

    def get_image(self, image: str, pull: bool, wall_s: float) -> str:
        """Return the identifier of an image, which is fetched if it is not here and `pull` is true. Raises: EngineError."""
        with self._build_lock:
            found = self.find_image(image)
            if found is None and pull:
                self.call("pull", image, wall_s=wall_s)
                found = self.find_image(image)
        if found is None:
            raise EngineError(f"{self.name} has no image '{image}'. Fetch it: {self.name} pull {image}")
        return found

    def build_image(self, tag: str, context: str, pull: bool, wall_s: float) -> str:
        """Return the identifier of the image `tag`, which is built of a folder with a Dockerfile unless it is here.

        Args:
            tag: names the content of the folder.
            context: the folder.
            pull: whether images that it begins with may be fetched.
            wall_s: longest time of building.
        Raises: EngineError.
        """
        with self._build_lock:
            found = self.find_image(tag)
            if found is None:
                words = ["build", "--tag", tag]
                if self.name == "podman":
                    words.append("--pull=missing" if pull else "--pull=never")
                elif not pull:
                    self._check_bases(context)
                self.call(*words, os.path.abspath(context), wall_s=wall_s)
                found = self.find_image(tag)
        if found is None:
            raise EngineError(f"{self.name} built no image '{tag}'.")
        return found

    def _check_bases(self, context: str) -> None:
        """Raise EngineError if an image that a Dockerfile begins with is not here; docker would fetch it."""
        stages = set()
        with open(os.path.join(context, "Dockerfile"), encoding="utf-8", errors="replace") as file:
            lines = [line.split() for line in file if line.strip().upper().startswith("FROM ")]
        for _, *words in lines:
            base = next((word for word in words if not word.startswith("--")), "")
            if base != "scratch" and base not in stages and "$" not in base and self.find_image(base) is None:
                raise EngineError(f"docker has no image '{base}'. Fetch it: docker pull {base}")
            if len(words) >= 3 and words[-2].upper() == "AS":
                stages.add(words[-1])

    def remove_leftovers(self) -> int:
        """Remove containers and volumes of processes of this machine that have died; return the number of containers."""
        count = 0
        for container in self.call("ps", "--all", "--quiet", "--filter", f"label={OWNER_LABEL}").decode().split():
            with suppress(EngineError):
                form = '{{index .Config.Labels "' + OWNER_LABEL + '"}}'
                owner = self.call("inspect", "--type", "container", "--format", form, container).decode().strip()
                if is_dead(owner):
                    self.call("rm", "--force", "--volumes", container)
                    count += 1
        for volume in self.call("volume", "ls", "--quiet", "--filter", f"label={OWNER_LABEL}").decode().split():
            with suppress(EngineError):
                form = '{{index .Labels "' + OWNER_LABEL + '"}}'
                if is_dead(self.call("volume", "inspect", "--format", form, volume).decode().strip()):
                    self.call("volume", "rm", volume)
        return count


def find_engine(name: str = "auto") -> ContainerEngine:
    """Return an engine that works.

    Args:
        name: `docker`, `podman`, or `auto` for the first of them that works.
    Raises: SandboxError, which says what is wrong with each.
    """
    problems = []
    for one in ENGINES if name == "auto" else (name,):
        found = _try_engine(one)
        if isinstance(found, ContainerEngine):
            return found
        problems.append(found)
    raise SandboxError(" ".join(problems))


@cache
def _try_engine(name: str) -> ContainerEngine | str:
    """Return a working engine, whose leftovers are removed; or what is wrong with it."""
    try:
        engine = ContainerEngine(name)
        engine.check()
        engine.remove_leftovers()
    except SandboxError as e:
        return str(e)
    return engine


def describe_owner() -> str:
    """Return what identifies this process among all that ever ran on all machines."""
    return f"{socket.gethostname()}:{_boot_id()}:{os.getpid()}:{_start_time(os.getpid())}"


def is_dead(owner: str) -> bool:
    """Whether the process that `describe_owner` described has died on this machine; False if that cannot be known."""
    host, _, rest = owner.partition(":")
    boot, _, process = rest.partition(":")
    pid, _, started = process.partition(":")
    if host != socket.gethostname() or not pid.isdigit() or not started:
        return False
    return boot != _boot_id() or _start_time(int(pid)) != started


def _boot_id() -> str:
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


def _start_time(pid: int) -> str:
    """Return when a process began, in ticks since the machine did; empty if there is no such process."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        return ""


def limit_options() -> list[str]:
    """Return the options of `run` by which Podman does not ask for more files and processes than this process may have.

    It does by itself, and a container within another container is refused that.
    """
    import resource  # not on every system

    options = []
    for name, kind in (("nofile", resource.RLIMIT_NOFILE), ("nproc", resource.RLIMIT_NPROC)):
        _, most = resource.getrlimit(kind)
        if most != resource.RLIM_INFINITY:
            options += ["--ulimit", f"{name}={min(most, _MOST_FILES)}"]
    return options


def run_options(
    memory_bytes: int, processes: int, cpus: float | None, network: bool, shared: Sequence[str] = ()
) -> list[str]:
    """Return the options of `run` that confine a container."""
    options = [f"--memory={memory_bytes}", f"--memory-swap={memory_bytes}", f"--pids-limit={processes}"]
    options += ["--security-opt=no-new-privileges", "--cap-drop=NET_RAW", "--cap-drop=MKNOD", "--cap-drop=AUDIT_WRITE"]
    options += ["--pull=never", "--ulimit", "core=0", *limit_options()]
    if cpus is not None:
        options.append(f"--cpus={cpus:g}")
    if not network:
        options.append("--network=none")
    for path in shared:
        options += ["--volume", f"{path}:{path}:ro"]
    return options
