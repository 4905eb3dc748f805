"""What tests ask about processes that may end at any moment, also between the opening and the reading of their files."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path


def is_running(pid: int) -> bool:
    """Whether a process exists and has not ended; one that nobody has waited for yet has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:  # a file that is opened before the end of its process and read after it gives ESRCH
        return False


def command_lines() -> Iterator[tuple[int, bytes]]:
    """Process and command line, with a zero byte after each argument, of all that we may look at."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                yield int(entry.name), (entry / "cmdline").read_bytes()
            except OSError:
                continue


def eventually(condition: Callable[[], bool], within_s: float = 5.0, pause_s: float = 0.02) -> bool:
    """Whether a condition becomes true in time."""
    deadline = time.monotonic() + within_s
    while not (is_met := condition()) and time.monotonic() < deadline:
        time.sleep(pause_s)
    return is_met
