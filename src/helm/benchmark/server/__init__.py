"""`helm-server`: results in a browser. `command` has the command, `viewer` the pages, `app` what is between them and HTTP."""

from typing import List, Optional


def main(argv: Optional[List[str]] = None) -> None:
    """The command `helm-server`."""
    from helm.benchmark.server.command import main as run_command

    run_command(argv)
