"""Temporary folders and programs that do not outlive this process, even if it is killed with SIGKILL."""

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_WATCH = """
import os, shutil, signal, sys, time
folders, groups = set(), set()
for line in sys.stdin.buffer:
    sign, kind, text = line[:1], line[1:2], line[2:].decode().strip()
    found, item = (folders, bytes.fromhex(text)) if kind == b"d" else (groups, int(text))
    (found.add if sign == b"+" else found.discard)(item)
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
for pause_s in (0, 0.1, 0.4, 0.5, 1, 2) if folders else ():  # whoever still writes there is about to end, too
    time.sleep(pause_s)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
"""
"""The watcher's program: it reads the names of folders and process groups until the other end of its standard input is gone,
then removes and kills those that are left."""


class ScratchFolder:
    """A temporary folder that is created when its `path` is first used, and removed by `close`.

    If this process is killed before that, a watching process removes the folder. Thread-safe.
    """

    def __init__(self, prefix: str):
        self._prefix = prefix
        self._path: Path | None = None
        self._lock = threading.Lock()

    @property
    def path(self) -> Path:
        """The folder's path. Raises OSError if it cannot be created."""
        with self._lock:
            if self._path is None:
                self._path = _make_watched_folder(self._prefix)
            return self._path

    def close(self) -> None:
        """Remove the folder with everything in it. Idempotent."""
        with self._lock:
            path, self._path = self._path, None
        if path is not None:
            shutil.rmtree(path, ignore_errors=True)
            if not path.exists():
                _watcher.tell("-", _name_folder(path))

    def __del__(self) -> None:
        try:
            self.close()
        except Exception:  # noqa: S110  # at interpreter exit, parts of it are gone; the watcher still does its work
            pass


def _make_watched_folder(prefix: str) -> Path:
    """Create a temporary folder after registering it with the watcher, so that none is left whenever we are killed."""
    while True:
        path = Path(tempfile.gettempdir()) / f"{prefix}{secrets.token_hex(8)}"
        if path.exists():
            continue  # it belongs to another process and must not be removed
        _watcher.tell("+", _name_folder(path))
        try:
            path.mkdir(mode=0o700)
        except FileExistsError:
            _watcher.tell("-", _name_folder(path))
            continue
        except BaseException:
            _watcher.tell("-", _name_folder(path))
            raise
        return path


def _name_folder(path: str | Path) -> str:
    return f"d{os.fsencode(path).hex()}"


@contextmanager
def killed_with_us(process: subprocess.Popen) -> Iterator[None]:
    """Kill a child, the leader of a process group, with its group if this process is killed inside the block.

    When the block ends, the child must have ended and have been waited for, or its end must be bound to ours otherwise.
    """
    name = f"g{process.pid}"
    _watcher.tell("+", name)
    try:
        yield
    finally:
        _watcher.tell("-", name)


class _Watcher:
    """The watching process, one for each process; it is started when there is something to watch."""

    def __init__(self) -> None:
        self._process: subprocess.Popen | None = None
        self._owner = 0
        self._watched: set[str] = set()
        self._lock = threading.RLock()  # reentrant, because __del__ may call `tell` in the middle of another call

    def tell(self, sign: str, name: str) -> None:
        """Start (`+`) or stop (`-`) watching a folder or a process group."""
        with self._lock:
            if self._owner != os.getpid():  # after a fork, the inherited watcher is the parent's
                self._process, self._owner, self._watched = None, os.getpid(), set()
            if sign == "+":
                self._watched.add(name)
            elif name in self._watched:
                self._watched.discard(name)
            else:
                return
            if self._process is not None and self._send(f"{sign}{name}\n"):
                return
            if self._watched:
                self._process = self._start()
                if self._process is not None:
                    self._send("".join(f"+{name}\n" for name in sorted(self._watched)))

    def _send(self, text: str) -> bool:
        """Send a line; return False if the watcher has ended, which it does not do by itself."""
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(text.encode())
            self._process.stdin.flush()
            return True
        except (OSError, ValueError):
            return False

    @staticmethod
    def _start() -> subprocess.Popen | None:
        """Start the watcher in a session of its own, so that no signal to our group, such as Ctrl-C, ends it before us.

        Return None if it cannot be started; cleaning up then depends on this process alone.
        """
        try:
            return subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _WATCH],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/" if os.name == "posix" else None,
                start_new_session=True,
            )
        except OSError:
            return None


_watcher = _Watcher()
