"""Makes timed work run alone: one piece at a time per machine, across processes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from helm.common.hierarchical_logger import hwarn
from helm.common.processes.file_lock import file_lock

LOCK_VARIABLE = "HELM_TIMING_LOCK"
"""The environment variable with the file to lock, or `off`."""


@contextmanager
def timed_work() -> Iterator[None]:
    """Wait until no other thread or process of this user does timed work on this machine, then do it inside the block.

    The turn is a lock in the folder for temporary files, which ends with its holder, however suddenly. If the lock cannot be
    used, there are no turns, and a warning is logged. Blocks must not be nested.
    """
    place = os.environ.get(LOCK_VARIABLE)
    with ExitStack() as turn:
        if place != "off":
            try:
                path = place or os.path.join(_own_folder(), "timed-work.lock")
                turn.enter_context(file_lock(path, "it times its work, which is done alone"))
            except OSError as error:
                hwarn(f"Other timed work may run at the same time on this machine: {error}")
        yield


def _own_folder() -> str:
    """Return a folder for temporary files that no other user can write to. Raises OSError."""
    folder = os.path.join(tempfile.gettempdir(), f"helm-{os.getuid()}")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if os.stat(folder, follow_symlinks=False).st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to another user")
    return folder
