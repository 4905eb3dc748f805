"""Options about data that several commands have."""

import argparse

TRUST_HELP = (
    "agree to run, in the sandbox, the Python code of tasks that have these digests; remembered in the lock file"
)


def add_data_lock_option(parser: argparse.ArgumentParser) -> None:
    """Add `--data-lock`."""
    parser.add_argument(
        "--data-lock",
        metavar="FILE",
        help="lock file of the data (helm-data.lock here if there is one, else in the output folder)",
    )


def add_trust_option(parser: argparse.ArgumentParser) -> None:
    """Add `--trust-task-code`."""
    parser.add_argument("--trust-task-code", nargs="+", default=[], metavar="DIGEST", help=TRUST_HELP)
