"""Runs a program in a sandbox with the standard streams of this process: `python -m helm.common.sandbox.piped JSON`.

For programs that another library starts and talks with, such as servers of tools. The sandbox ends with this process, whatever
ends that, and this process soon after the one that asked for it.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict

from helm.common.sandbox.bubblewrap import BubblewrapSandbox
from helm.common.sandbox.container_engine import describe_owner, is_dead
from helm.common.sandbox.contract import SandboxError, SandboxLimits
from helm.common.sandbox.supervision import find_excess

_LOOK_EVERY_S = 0.1
_TOO_MUCH = 120
_NOT_STARTED = 125
_NOT_WANTED = 124


def piped_command(argv: Sequence[str], shared: Sequence[str], limits: SandboxLimits) -> list[str]:
    """Return the command that runs a program in a sandbox: no network, nothing of our environment. It ends with this process.

    Args:
        argv: the program.
        shared: paths that it sees, read-only.
        limits: what it may use. `wall_s` limits its processor time alone.
    """
    described = {"argv": list(argv), "shared": list(shared), "limits": asdict(limits), "owner": describe_owner()}
    return [sys.executable, "-m", "helm.common.sandbox.piped", json.dumps(described)]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program to its end, and return its exit status."""
    described = json.loads((sys.argv[1:] if argv is None else argv)[0])
    limits = SandboxLimits(**described["limits"])
    try:
        process, leader = BubblewrapSandbox().start_piped(described["argv"], described["shared"], limits)
    except SandboxError as e:
        print(e, file=sys.stderr)
        return _NOT_STARTED
    try:
        while True:
            try:
                return process.wait(_LOOK_EVERY_S)
            except subprocess.TimeoutExpired:
                if is_dead(described["owner"]):
                    return _NOT_WANTED
                excess = find_excess(leader.pid, limits) if leader.pid is not None else None
            if excess is not None:
                print(f"The program was ended, because it used too much: {excess}.", file=sys.stderr)
                return _TOO_MUCH
    finally:
        leader.kill()


if __name__ == "__main__":
    sys.exit(main())
