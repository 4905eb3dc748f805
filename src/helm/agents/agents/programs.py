"""Finds programs of this machine, and what else has to be visible in a sandbox so that they run there."""

import os
import shutil
from dataclasses import dataclass

_MAX_FIRST_LINE = 512


@dataclass(frozen=True)
class FoundProgram:
    """A program, and what it needs."""

    path: str

    shared: tuple[str, ...]
    """Folders and files that it reads, outermost ones alone."""

    folders: tuple[str, ...]
    """What the search path for programs has to have for it."""


def find_program(name: str) -> FoundProgram | None:
    """Return a program by its name or path; None if it is missing.

    A program from npm needs its `node_modules` and Node.js; one from PyPI its virtual environment and the Python that this was
    made with. What lies below `/usr` is in every sandbox.
    """
    path = shutil.which(os.path.expanduser(name))
    if path is None:
        return None
    real = os.path.realpath(path)
    shared, folders = [], []
    interpreter = _interpreter(real)
    root = _node_root(real)
    if root is not None:
        shared.append(root)
        path = real
    elif interpreter is not None and (prefix := _python_prefix(interpreter)) is not None:
        shared += [prefix, *_base_of(prefix)]
        path = os.path.abspath(path)
        if not path.startswith(f"{prefix}/"):
            path = real
            shared.append(real)
    else:
        shared.append(real)
        path = real
    if interpreter is not None and os.path.basename(interpreter) in ("node", "env node"):
        node = shutil.which("node")
        if node is None:
            return None
        node = os.path.realpath(node)
        shared.append(node)
        folders.append(os.path.dirname(node))
    return FoundProgram(path, tuple(_outside_usr(shared)), tuple(_outside_usr(folders)))


def _interpreter(path: str) -> str | None:
    """Return what the first line of a script names; None for other files."""
    try:
        with open(path, "rb") as file:
            line = file.readline(_MAX_FIRST_LINE)
    except OSError:
        return None
    if not line.startswith(b"#!"):
        return None
    words = line[2:].decode("utf-8", "replace").split()
    if len(words) > 1 and os.path.basename(words[0]) == "env":
        return words[-1] if words[1].startswith("-") else words[1]
    return words[0] if words else None


def _node_root(path: str) -> str | None:
    """Return the outermost `node_modules` that a file is in."""
    parts = path.split("/")
    return "/".join(parts[: parts.index("node_modules") + 1]) if "node_modules" in parts else None


def _python_prefix(interpreter: str) -> str | None:
    prefix = os.path.dirname(os.path.dirname(os.path.abspath(interpreter)))
    return prefix if os.path.exists(os.path.join(prefix, "pyvenv.cfg")) else None


def _base_of(prefix: str) -> list[str]:
    """Return the folder of the Python that a virtual environment was made with."""
    python = os.path.realpath(os.path.join(prefix, "bin", "python"))
    return [os.path.dirname(os.path.dirname(python))]


def _outside_usr(paths: list[str]) -> list[str]:
    found = [path for path in dict.fromkeys(paths) if not path.startswith("/usr/") and path != "/usr"]
    return [path for path in found if not any(path.startswith(f"{other}/") for other in found)]
