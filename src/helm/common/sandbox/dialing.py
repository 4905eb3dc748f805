"""Whether a program inside a sandbox reaches an address."""

from helm.common.sandbox.session_contract import Session

_DIAL = """\
if command -v python3 >/dev/null 2>&1; then
  python3 -c 'import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 3)' "$1" "$2" && echo reached
elif command -v bash >/dev/null 2>&1; then bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$1" "$2" && echo reached
elif command -v nc >/dev/null 2>&1; then nc -w 3 "$1" "$2" </dev/null && echo reached
else echo unknown; fi
"""


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
