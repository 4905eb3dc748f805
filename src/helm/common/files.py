"""Atomic writing of files, and safe reading of YAML."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any

_BUFFER_BYTES = 1 << 18
"""With the usual eight KiB, a call of the system for each costs more than encoding them."""


@contextmanager
def open_atomically(path: str, binary: bool = False) -> Iterator[IO[Any]]:
    """Open a temporary file that is renamed to `path` only if the block ends without an exception."""
    folder, name = os.path.split(os.path.abspath(path))
    temporary = os.path.join(folder, f".{name[:100]}.{os.urandom(8).hex()}.tmp")
    mode: dict[str, Any] = {"mode": "xb"} if binary else {"mode": "x", "encoding": "utf-8", "newline": ""}
    file = open(temporary, buffering=_BUFFER_BYTES, **mode)
    try:
        with file:
            yield file
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def copy_atomically(source: str, target: str) -> None:
    """Copy the bytes of a file to another one, which is there whole or not at all."""
    import shutil

    with open(source, "rb") as original, open_atomically(target, binary=True) as copy:
        shutil.copyfileobj(original, copy, 1 << 20)


def remove_leftovers(folder: str) -> None:
    """Remove temporary files of `open_atomically` that killed processes left in a folder."""
    for entry in os.scandir(folder):
        if entry.name.startswith(".") and entry.name.endswith(".tmp") and entry.is_file(follow_symlinks=False):
            os.unlink(entry.path)


def write_text_atomically(path: str, text: str) -> None:
    with open_atomically(path) as file:
        file.write(text)


def write_chunks_atomically(path: str, chunks: Iterable[str]) -> None:
    with open_atomically(path) as file:
        file.writelines(chunks)


def load_yaml(path: str) -> Any:
    """Read a YAML file with the safe loader (in C if available).

    Raises ConfigError with file, line and cause if the file is not YAML.
    """
    import yaml

    from helm.common.errors import ConfigError

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    with open(path, encoding="utf-8") as file:
        try:
            return yaml.load(file, Loader=loader)
        except yaml.YAMLError as e:
            raise ConfigError(f"{path} is not valid YAML: {e}") from e
