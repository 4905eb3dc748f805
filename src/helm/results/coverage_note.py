"""What tables say about coverage; apart from the counting, because a summary reads many runs and must start quickly."""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from helm.common.hierarchical_logger import hwarn
from helm.results.run_files.coverage_file import Coverage, RequestCounts
from helm.results.run_files.json_items import read_json
from helm.results.run_files.run_folder import COVERAGE_FILE_NAME, RunFileError
from helm.results.run_files.run_schema import project

_Requests = project(RequestCounts, "asked", "answered", "status")
_Coverage = project(Coverage, requests=_Requests)


class CoverageNotes:
    """Reads the `coverage.json` of each run once, and says what tables show."""

    def __init__(self) -> None:
        self._counts: dict[str, _Counts] = {}

    def describe(self, run_paths: Iterable[str]) -> str:
        """What stands beside a score: `90% answered`, of all requests of these runs; empty when all were.

        Rounded down, so that 100% never hides an unanswered request. AD tools and compilers are left out, because tables
        count their failures on their own. Runs without the file (HELM writes none) count as answered; a damaged one is
        warned of.
        """
        counts = [self._read(path) for path in dict.fromkeys(run_paths)]
        asked = sum(found.asked for found in counts if not found.is_counted_elsewhere)
        answered = sum(found.answered for found in counts if not found.is_counted_elsewhere)
        return f"{100 * answered // asked}% answered" if answered < asked else ""

    def share(self, run_paths: Iterable[str]) -> float | None:
        """Share of what these runs asked that has an answer or, for AD tools and compilers, worked; None: not known."""
        counts = [self._read(path) for path in dict.fromkeys(run_paths)]
        asked = sum(found.asked for found in counts)
        return sum(found.answered for found in counts) / asked if asked else None

    def _read(self, run_path: str) -> "_Counts":
        found = self._counts.get(run_path)
        if found is None:
            found = self._counts[run_path] = _read_counts(run_path)
        return found


@dataclass(frozen=True)
class _Counts:
    asked: int = 0
    answered: int = 0
    is_counted_elsewhere: bool = False


def read_request_counts(run_path: str) -> tuple[int, int]:
    """How many requests of a run were asked and answered; zeros where nothing says so.

    Raises: RunFileError; OSError.
    """
    try:
        requests = read_json(os.path.join(run_path, COVERAGE_FILE_NAME), _Coverage).requests
    except FileNotFoundError:
        return 0, 0
    return requests.asked, requests.answered


def _read_counts(run_path: str) -> _Counts:
    path = os.path.join(run_path, COVERAGE_FILE_NAME)
    try:
        requests = read_json(path, _Coverage).requests
    except FileNotFoundError:
        return _Counts()
    except (OSError, RunFileError) as e:
        hwarn(f"{e} How much of this run was answered is not shown.")
        return _Counts()
    return _Counts(requests.asked, requests.answered, bool(requests.status))
