"""Finds the interpreter that has a package of another project."""

import os
import sys

from helm.common.errors import ConfigError


def find_interpreter(name: str, path: str | None, install: str) -> str:
    """Return the path of a Python interpreter.

    Args:
        name: of the package, for messages.
        path: of a virtual environment or of an interpreter; None for the one that runs this.
        install: what to do, as a sentence.

    Raises: ConfigError if there is none.
    """
    if path is None:
        return sys.executable
    found = os.path.abspath(os.path.expanduser(path))
    for one in (found, python_of(found)):
        if os.path.isfile(one):
            return one
    raise ConfigError(f"{name}: {path} is neither a virtual environment nor an interpreter. {install}")


def python_of(folder: str) -> str:
    """Return where a virtual environment has its interpreter."""
    return os.path.join(folder, "bin", "python")
