"""`progress.json` of a suite, shared by the commands that run there."""

import os
import time
from collections.abc import Callable

from helm.common.errors import HelmError
from helm.common.files import open_atomically
from helm.common.processes.file_lock import file_lock
from helm.common.telemetry.progress_report import FILE_NAME, CommandReport, ProgressReport, read_progress

_LOCK_NAME = ".progress.lock"


class ProgressFile:
    """Writes a command's entry and leaves those of other commands unchanged.

    Args:
        suite_path: the suite's folder.
        clock: returns seconds since 1970.
    """

    def __init__(self, suite_path: str, clock: Callable[[], float] = time.time):
        self.path = os.path.join(suite_path, FILE_NAME)
        self._suite_path = suite_path
        self._clock = clock
        self._mine: tuple[int, int, int] | None = None
        self._others: list[CommandReport] = []
        self._is_first = True

    def write(self, report: CommandReport, max_wait_s: float = 0.0) -> None:
        """Write the file atomically, with this entry in place of the command's previous one.

        Raises: TimeoutError if another command holds it for longer than `max_wait_s`; OSError if it cannot be written.
        """
        import msgspec

        with file_lock(os.path.join(self._suite_path, _LOCK_NAME), None, max_wait_s):
            if self._mine is None or self._identity() != self._mine:
                self._others = self._read_others(report)
            commands = sorted([*self._others, report], key=lambda command: command.started_at)
            content = ProgressReport(os.path.basename(self._suite_path), self._clock(), commands)
            with open_atomically(self.path, binary=True) as file:
                file.write(msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n")
            self._mine = self._identity()
        self._is_first = False

    def _identity(self) -> tuple[int, int, int] | None:
        try:
            status = os.stat(self.path)
        except FileNotFoundError:
            return None
        return status.st_ino, status.st_mtime_ns, status.st_size

    def _read_others(self, report: CommandReport) -> list[CommandReport]:
        try:
            found = read_progress(self._suite_path)
        except HelmError:  # another version, or damaged: overwrite it
            return []
        commands = [command for command in found.commands if command.key != report.key] if found else []
        if self._is_first:
            commands = [command for command in commands if not command.is_over and not command.is_gone]
        return commands
