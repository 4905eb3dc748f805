"""Where a lake is: a folder of this machine, or an object store by its fsspec URL such as `s3://bucket/lake`."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import IO, Any, TypeVar

from helm.common.commands.output_path import is_address
from helm.common.errors import ConfigError
from helm.common.files import open_atomically, remove_leftovers
from helm.common.optional_dependencies import needs_extra
from helm.results.lake.manifest import LakeError

T = TypeVar("T")

_LOCK_NAME = ".lake.lock"


class LakePlace:
    """The files of a lake in a folder. They appear whole, and names are relative to the folder."""

    def __init__(self, address: str):
        self.address = address

    def path(self, name: str) -> str:
        """The path or URL under which another library opens a file."""
        return os.path.join(self.address, name)

    def read(self, name: str) -> bytes:
        """Return the content of a file. Raises FileNotFoundError without one."""
        with self.open(name) as file:
            content: bytes = file.read()
        return content

    def open(self, name: str) -> AbstractContextManager[IO[bytes]]:
        """Open a file for reading."""
        return open(self.path(name), "rb")

    def create(self, name: str) -> AbstractContextManager[IO[bytes]]:
        """Open a file for writing, which appears when the block ends without an exception."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return open_atomically(path, binary=True)

    def remove(self, name: str) -> None:
        """Remove a file, if it exists."""
        try:
            os.unlink(self.path(name))
            os.rmdir(os.path.dirname(self.path(name)))
        except OSError:  # removed already, or not the last of its folder
            pass

    def list(self, folder: str) -> list[str]:
        """Return the names of the files in a folder and those below it."""
        top = self.path(folder)
        return [
            os.path.relpath(os.path.join(path, name), self.address) for path, _, names in os.walk(top) for name in names
        ]

    def locked(self) -> AbstractContextManager[None]:
        """Hold the lake, so that one process at a time changes it."""
        from helm.common.processes.file_lock import file_lock

        os.makedirs(self.address, exist_ok=True)
        return file_lock(self.path(_LOCK_NAME), f"changes {self.address}")

    def remove_leftovers(self, folder: str) -> None:
        """Remove what killed processes left in a folder."""
        if os.path.isdir(self.path(folder)):
            for path, _, _ in os.walk(self.path(folder)):
                remove_leftovers(path)

    def register(self, connection: Any) -> None:
        """Make a connection of DuckDB able to open the files."""


class StoredLakePlace(LakePlace):
    """The files of a lake in an object store, where a file appears with its last byte. Nothing locks it.

    Raises: OptionalDependencyNotInstalled; ConfigError for an unknown kind of store, or one whose package is missing.
    """

    def __init__(self, address: str):
        super().__init__(address.rstrip("/"))
        with needs_extra("fsspec"):
            import fsspec
        try:
            self._fs, self._root = fsspec.core.url_to_fs(self.address)
        except (ValueError, ImportError) as e:
            raise ConfigError(f"A lake cannot be at {address}: {e}") from e

    def path(self, name: str) -> str:
        return f"{self.address}/{name}"

    def _inner(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}"

    def _call(self, what: str, method: Callable[..., T], *args: Any) -> T:
        try:
            return method(*args)
        except FileNotFoundError:
            raise
        except Exception as e:  # every store has its own exceptions
            raise LakeError(f"{self.address}: cannot {what}: {type(e).__name__}: {e}") from e

    def open(self, name: str) -> AbstractContextManager[IO[bytes]]:
        return self._call(f"read {name}", self._fs.open, self._inner(name), "rb")

    def read(self, name: str) -> bytes:
        return self._call(f"read {name}", self._fs.cat_file, self._inner(name))

    @contextmanager
    def create(self, name: str) -> Iterator[IO[bytes]]:
        with tempfile.NamedTemporaryFile(prefix="helm-lake-") as file:
            yield file
            file.flush()
            self._call(f"write {name}", self._put, file.name, self._inner(name))

    def _put(self, path: str, target: str) -> None:
        self._fs.makedirs(target.rpartition("/")[0], exist_ok=True)
        with open(path, "rb") as source, self._fs.open(target, "wb") as stored:
            shutil.copyfileobj(source, stored, 1 << 22)

    def remove(self, name: str) -> None:
        try:
            self._call(f"remove {name}", self._fs.rm_file, self._inner(name))
        except FileNotFoundError:
            pass

    def list(self, folder: str) -> list[str]:
        self._fs.invalidate_cache()
        found = self._call(f"list {folder}", self._fs.find, self._inner(folder))
        return [path.removeprefix(self._root.rstrip("/") + "/") for path in found]

    def locked(self) -> AbstractContextManager[None]:
        return nullcontext()

    def remove_leftovers(self, folder: str) -> None:
        pass  # nothing incomplete has a name there

    def register(self, connection: Any) -> None:
        connection.register_filesystem(self._fs)


def lake_place(address: str) -> LakePlace:
    """Return the place at a path or a URL. Raises ConfigError like `StoredLakePlace`."""
    return StoredLakePlace(address) if is_address(address) else LakePlace(address)
