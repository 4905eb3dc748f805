"""`helm-server`: results in a browser. `command` is the command, `viewer` the pages, `app` connects them to HTTP."""

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> None:
    """The command `helm-server`."""
    from helm.benchmark.server.command import main as run_command

    run_command(argv)
