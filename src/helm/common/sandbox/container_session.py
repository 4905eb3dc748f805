"""A container of Docker or Podman that lives for a whole session. Commands are run by `exec`, so the image needs a shell only."""

import secrets
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from helm.common.sandbox.container_engine import (
    OWNER_LABEL,
    ContainerEngine,
    EngineError,
    describe_owner,
)
from helm.common.sandbox.contract import SandboxError
from helm.common.sandbox.exec_session import REAPER, ExecSession
from helm.common.sandbox.session_contract import SessionEnded, SessionRefused

EPISODE_LABEL = "helm-episode"
_CONTROL_S = 120.0

_LISTEN = """\
import ctypes, os, socket, sys
space = os.open(f"/proc/{sys.argv[1]}/ns/net", os.O_RDONLY)
if ctypes.CDLL(None, use_errno=True).setns(space, 0x40000000):
    sys.exit(os.strerror(ctypes.get_errno()))
listener = socket.create_server(("127.0.0.1", int(sys.argv[2])), backlog=128)
with socket.socket(fileno=int(sys.argv[3])) as courier:
    socket.send_fds(courier, [b"!"], [listener.fileno()])
"""
"""Makes a socket in the network of a process, and hands it out."""


class ContainerSession(ExecSession):
    """A container in which commands are run one after the other, as one user. It is removed at the end.

    Args:
        engine: Docker or Podman.
        image: its name or identifier; it is not fetched.
        options: further options of `run`; see `run_options`.
        workdir: where commands start; None takes the image's.
        environment: variables of all commands.
        user: name or number of the user of commands; None takes the image's. Files are put there by the first user, `root`.
        label: names the episode.
    Raises: SandboxError if it cannot be started.
    """

    def __init__(
        self,
        engine: ContainerEngine,
        image: str,
        options: Sequence[str],
        workdir: str | None = None,
        environment: Mapping[str, str] | None = None,
        user: str | int | None = None,
        label: str = "",
    ):
        super().__init__("/", environment, user)
        self._engine, self.client_folder = engine, engine.folder
        self._name = f"helm-{secrets.token_hex(8)}"
        words = ["run", "--detach", "--name", self._name, *options, "--user=0", "--entrypoint=sh"]
        words += ["--label", f"{OWNER_LABEL}={describe_owner()}", "--label", f"{EPISODE_LABEL}={label[:200]}"]
        try:
            self._id = engine.call(*words, image, "-c", REAPER, wall_s=_CONTROL_S).decode().split()[-1]
            self.workdir = workdir or self._image_workdir()
            self.make_folder(self.workdir)
        except (SandboxError, IndexError) as e:
            with suppress(SandboxError):
                engine.call("rm", "--force", "--volumes", self._name)
            raise SandboxError(f"The container does not start: {e}") from e

    def client_words(self, argv: Sequence[str]) -> list[str]:
        return self.words_for(argv, {}, None, None)

    def words_for(
        self, argv: Sequence[str], environment: Mapping[str, str], folder: str | None, user: str | int | None
    ) -> list[str]:
        words = [self._engine.program, "exec", "--interactive"]
        words += ["--workdir", folder] if folder is not None else []
        for name, value in environment.items():
            words += ["--env", f"{name}={value}"]
        words += [f"--user={user}"] if user is not None else []
        return [*words, self._id, *argv]

    def status_by_client(self, returncode: int, said: str) -> int | None:
        return returncode  # the engine runs on this machine, and no connection breaks

    def check_alive(self) -> None:
        form = "{{.State.Running}} {{.State.OOMKilled}}"
        try:
            said = self._engine.call("inspect", "--type", "container", "--format", form, self._id).decode().split()
        except EngineError as e:
            raise SessionEnded(f"The container is gone: {e}") from e
        if said[:1] != ["true"]:
            more = " It had used up its memory." if said[1:] == ["true"] else ""
            raise SessionEnded(f"The container has ended.{more}")

    def release(self) -> None:
        with suppress(EngineError):
            self._engine.call("kill", self._id)
        with suppress(EngineError):
            self._engine.call("rm", "--force", "--volumes", self._id)

    def listen(self, port: int) -> socket.socket:
        pid = (
            self._engine.call("inspect", "--type", "container", "--format", "{{.State.Pid}}", self._id).decode().strip()
        )
        mine, theirs = socket.socketpair()
        with mine, theirs:
            argv = [sys.executable, "-I", "-S", "-c", _LISTEN, pid, str(port), str(theirs.fileno())]
            done = subprocess.run(
                argv, pass_fds=[theirs.fileno()], capture_output=True, timeout=_CONTROL_S, check=False
            )
            if done.returncode:
                said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
                raise SessionRefused(
                    f"No port can be opened in the container ({' '.join(said)}): that needs the rights of root on this machine."
                )
            _, descriptors, _, _ = socket.recv_fds(mine, 1, 1)
        return socket.socket(fileno=descriptors[0])

    def snapshot(self) -> str:
        """Keep the files as they are as an image, and return its identifier. Memory and processes are not kept."""
        return self._engine.call("commit", self._id, wall_s=600.0).decode().split()[-1]

    def _image_workdir(self) -> str:
        form = "{{.Config.WorkingDir}}"
        return self._engine.call("inspect", "--type", "container", "--format", form, self._id).decode().strip() or "/"
