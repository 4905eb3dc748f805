"""`helm-server`: results in a browser. `command` has the command, `viewer` the pages, `app` what is between them and HTTP."""

from typing import Optional, Sequence


def main(argv: Optional[Sequence[str]] = None) -> None:
    """The command `helm-server`."""
    from helm.benchmark.server.command import main as run_command

    run_command(argv)
