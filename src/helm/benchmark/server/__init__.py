"""`helm-server`: results in a browser. `command` has the command, `viewer` the pages, `app` what is between them and HTTP."""

from typing import List, Optional

from helm.common.closed_pipe import ends_with_its_reader


@ends_with_its_reader
def main(argv: Optional[List[str]] = None) -> None:
    """The command `helm-server`."""
    from helm.benchmark.server.command import main as run_command

    run_command(argv)
