"""What a command has spent, for the next process that goes on with it, and for others that do the same beside it.

A line `[prompt tokens, completion tokens, dollars]` for each answer that was paid for. Lines are short enough to be written in
one piece, so processes may write at the same time; a line outlives its process as soon as it is written.
"""

import json
import os
import threading
from typing import NoReturn

from helm.common.errors import HelmError


class SpendingFile:
    """Totals over all processes that have written to the file. Raises: HelmError when it cannot be read or written."""

    def __init__(self, path: str):
        self.path = path
        self.tokens = 0
        self.cost = 0.0
        """US dollars."""
        self._lock = threading.Lock()
        self._read_bytes = 0
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except OSError as e:
            self._fail(e)
        self.refresh()

    def add(self, prompt_tokens: int, completion_tokens: int, cost: float) -> None:
        line = json.dumps([prompt_tokens, completion_tokens, cost]).encode() + b"\n"
        try:
            written = os.write(self._file, line)
            if written < len(line):
                os.write(self._file, b"\n")  # raises when there is no space: the reason of the short line
        except OSError as e:
            self._fail(e)

    def refresh(self) -> None:
        """Read what was added since."""
        try:
            if os.fstat(self._file).st_size == self._read_bytes:
                return
            with self._lock:
                data = os.pread(self._file, os.fstat(self._file).st_size - self._read_bytes, self._read_bytes)
                whole = data[: data.rfind(b"\n") + 1]
                self._read_bytes += len(whole)
                for line in whole.splitlines():
                    self._count(line)
        except OSError as e:
            self._fail(e)

    def _count(self, line: bytes) -> None:
        try:
            prompt_tokens, completion_tokens, cost = json.loads(line)
            tokens, cost = int(prompt_tokens) + int(completion_tokens), float(cost)
        except (ValueError, TypeError):
            return  # cut off by a full disk
        self.tokens += tokens
        self.cost += cost

    def close(self, remove: bool) -> None:
        """`remove`: what was to be done is done, and the next time is another matter."""
        os.close(self._file)
        if remove and os.path.exists(self.path):
            os.unlink(self.path)

    def _fail(self, error: OSError) -> NoReturn:
        raise HelmError(
            f"Cannot keep count of what is spent in {self.path}: {error.strerror}. Without that a budget cannot be kept."
        ) from error
