"""Takes a snapshot of a command once a second, writes it to a file, and shows it."""

import contextvars
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from helm.benchmark.live.progress_file import ProgressFile
from helm.benchmark.live.snapshot import Snapshots
from helm.benchmark.live.views import View
from helm.common.budgets.spending import BudgetExceeded, get_ledger
from helm.common.concurrency import is_stop_requested
from helm.common.hierarchical_logger import hwarn
from helm.common.telemetry.progress import FAILED, first_line
from helm.common.telemetry.progress_report import FINISHED, INTERRUPTED, OUT_OF_BUDGET, CommandReport

# As fast as a person reading along can follow.
_WRITE_EVERY_S = 1.0
_LARGEST_SHARE = 0.01
"""Maximum fraction of a processor's time to spend on reporting."""
_LAST_WAIT_S = 5.0
"""Maximum wait, at the end, for other commands that are writing the file."""


class Reporter:
    """Starts a thread that writes and shows reports until `stop`.

    Args:
        snapshots: creates the reports.
        file: where they are written. None writes nothing.
        view: where they are shown.
    """

    def __init__(self, snapshots: Snapshots, file: ProgressFile | None, view: View):
        self._snapshots, self._file, self._view = snapshots, file, view
        self._next_write = 0.0
        self._next_show = time.monotonic() + view.interval_s / 2  # short commands show nothing, instead of flickering
        self._is_told = False
        self._ended = threading.Event()
        # The thread needs the command's context to notice when the command is to stop.
        context = contextvars.copy_context()
        self._thread = threading.Thread(target=context.run, args=(self._work,), name="helm-progress", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while True:
            now, busy_s = time.monotonic(), time.thread_time()
            if is_stop_requested():
                self._snapshots.progress.is_stopping = True
            report = self._snapshots.take()
            if self._file is not None and now >= self._next_write:
                self._write(report)
            if now >= self._next_show:
                self._view.show_all([report])
                self._next_show = now + self._view.interval_s
            busy_s = time.thread_time() - busy_s
            # A report that took long to make is followed by a longer pause, which bounds the share of processor time.
            if self._ended.wait(max(min(self._view.interval_s, _WRITE_EVERY_S), busy_s / _LARGEST_SHARE)):
                return

    def _write(self, report: CommandReport, max_wait_s: float = 0.0) -> None:
        """Write the report. A failure is logged once, but does not end the command."""
        assert self._file is not None
        # Slightly early: a thread that wakes a moment too soon must not skip a whole interval.
        self._next_write = time.monotonic() + _WRITE_EVERY_S - 0.05
        try:
            self._file.write(report, max_wait_s)
        except TimeoutError:
            pass  # another command is writing just now; try again next time
        except OSError as e:
            if not self._is_told:
                self._is_told = True
                hwarn(f"Cannot write {self._file.path}: {e.strerror or e}. The command continues without it.")

    def stop(self, state: str, message: str | None) -> None:
        """End the thread and write the final report."""
        self._ended.set()
        self._thread.join()
        self._view.close()
        if self._file is not None:
            self._write(self._snapshots.take(state, message), _LAST_WAIT_S)


@contextmanager
def reporting(snapshots: Snapshots, suite_path: str | None, view: View) -> Iterator[None]:
    """Inside the block, `view` shows the command, and it is written to `progress.json` in `suite_path` (None: not written)."""
    reporter = Reporter(snapshots, ProgressFile(suite_path) if suite_path is not None else None, view)
    state, message = FINISHED, None
    try:
        yield
    except BudgetExceeded as e:
        state, message = OUT_OF_BUDGET, first_line(get_ledger().reason(e))
        raise
    except KeyboardInterrupt:
        state = INTERRUPTED
        raise
    except BaseException as e:
        state, message = FAILED, first_line(e)
        raise
    finally:
        reporter.stop(state, message)
