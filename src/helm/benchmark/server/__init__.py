"""`helm-server`: results in a browser. `command` has the command, `viewer` the pages, `app` what is between them and HTTP."""

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> None:
    """The command `helm-server`."""
    from helm.benchmark.server.command import main as run_command

    run_command(argv)
