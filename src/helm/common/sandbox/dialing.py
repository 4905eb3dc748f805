"""Connections to addresses inside a sandbox, which only programs inside reach."""

import os
import socket
import threading
from contextlib import suppress

from helm.common.processes.end_of_process import ScratchFolder
from helm.common.sandbox.contract import SandboxError
from helm.common.sandbox.session_contract import Session

_DIAL = """\
if command -v python3 >/dev/null 2>&1; then
  python3 -c 'import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 3)' "$1" "$2" && echo reached
elif command -v bash >/dev/null 2>&1; then bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$1" "$2" && echo reached
elif command -v nc >/dev/null 2>&1; then nc -w 3 "$1" "$2" </dev/null && echo reached
else echo unknown; fi
"""

_RELAY_PYTHON = """\
import os, socket, sys, threading
there = socket.create_connection((sys.argv[1], int(sys.argv[2])))
def down():
    while data := there.recv(65536):
        while data:
            data = data[os.write(1, data):]
    os._exit(0)
threading.Thread(target=down, daemon=True).start()
while data := os.read(0, 65536):
    there.sendall(data)
"""
"""Moves bytes between its standard streams and a connection, until one of them ends."""

_RELAY = """\
if command -v python3 >/dev/null 2>&1; then exec python3 -c "$3" "$1" "$2"
elif command -v bash >/dev/null 2>&1; then
  exec bash -c 'exec 3<>"/dev/tcp/$0/$1" || exit 1; { cat <&3; kill -9 0; } & cat >&3; kill -9 0' "$1" "$2"
else exec nc "$1" "$2"; fi
"""
"""Arguments: host, port, and the program in Python. The signals end all processes of the relay."""

_BACKLOG = 32


def reaches(session: Session, host: str, port: int, wall_s: float = 5.0) -> bool | None:
    """Return whether a connection by TCP can be opened from inside; None if no program inside (Python, bash, nc) can try.

    Args:
        session: the sandbox.
        host: a name or an address.
        port: of the host.
        wall_s: seconds after which an attempt counts as failed.
    Raises: SandboxError.
    """
    output = session.run(["sh", "-c", _DIAL, "sh", host, str(port)], wall_s=wall_s).output
    return True if output.endswith(b"reached\n") else None if output.endswith(b"unknown\n") else False


class Relay:
    """A socket of this machine, in a folder of this process, whose connections go to one address inside a sandbox.

    Each connection is one program inside: Python, bash or nc. An address where nobody listens ends it at once.

    Args:
        session: the sandbox.
        host: a name or an address there.
        port: of the host.
    """

    def __init__(self, session: Session, host: str, port: int):
        self._session, self._host, self._port = session, host, port
        self._folder = ScratchFolder("helm-relay-")
        self.path = os.path.join(self._folder.path, "s")
        """The socket's path."""
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen(_BACKLOG)
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        threading.Thread(target=self._accept, name="relay", daemon=True).start()

    def close(self) -> None:
        """End all connections."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for pair in self._pairs:
            for end in pair:
                _end(end)
        self._folder.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                words = ["sh", "-c", _RELAY, "sh", self._host, str(self._port), _RELAY_PYTHON]
                far = self._session.open_program(words)
            except SandboxError:
                near.close()
                continue
            self._pairs.append((near, far))
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=_pump, args=(source, target), name="relay", daemon=True).start()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    for end in (source, target):
        _end(end)


def _end(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
