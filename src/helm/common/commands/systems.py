"""The systems that the commands run on: Linux and macOS; Windows through WSL."""

import sys

_ON_WINDOWS = (
    "helm-evals runs on Linux and macOS. On Windows it runs inside WSL, the Windows Subsystem for Linux: `wsl --install` "
    "once, then in its shell `pip install helm-evals` and the same command again.\n"
)


def check_system() -> None:
    """Print advice and exit with status 1 on Windows: process groups, locks and pipes are those of POSIX."""
    if sys.platform == "win32":
        sys.stderr.write(_ON_WINDOWS)
        raise SystemExit(1)
