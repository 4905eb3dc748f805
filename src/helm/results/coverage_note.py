"""Notes about coverage in tables, separate from the counting, because a summary reads many runs and must start quickly."""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from helm.common.hierarchical_logger import hwarn
from helm.results.run_files.coverage_file import AnswerCounts, Coverage, RequestCounts
from helm.results.run_files.json_items import read_json
from helm.results.run_files.run_folder import COVERAGE_FILE_NAME, RunFileError
from helm.results.run_files.run_schema import project

_Requests = project(RequestCounts, "asked", "answered", "status")
_Answers = project(AnswerCounts, "warning")
_Coverage = project(Coverage, requests=_Requests, answers=(_Answers | None, None))


class CoverageNotes:
    """Reads the `coverage.json` of each run once, and makes the notes for tables."""

    def __init__(self) -> None:
        self._counts: dict[str, _Counts] = {}
        self._same: dict[_Counts, _Counts] = {}

    def describe(self, run_paths: Iterable[str]) -> str:
        """Return the note next to a score: `90% answered`, of all requests of these runs; empty if all were.

        It is rounded down, so that 100% never hides an unanswered request. AD tools and compilers are omitted, because tables
        count their failures separately. Runs without the file (HELM writes none) count as answered; for a damaged file, a
        warning is logged.
        """
        counts = [self._read(path) for path in dict.fromkeys(run_paths)]
        asked = sum(found.asked for found in counts if not found.is_counted_elsewhere)
        answered = sum(found.answered for found in counts if not found.is_counted_elsewhere)
        return f"{100 * answered // asked}% answered" if answered < asked else ""

    def share(self, run_paths: Iterable[str]) -> float | None:
        """Return the share of requests with an answer or, for AD tools and compilers, with success; None if unknown."""
        counts = [self._read(path) for path in dict.fromkeys(run_paths)]
        asked = sum(found.asked for found in counts)
        return sum(found.answered for found in counts) / asked if asked else None

    def _read(self, run_path: str) -> "_Counts":
        found = self._counts.get(run_path)
        if found is None:
            found = _read_counts(run_path)
            found = self._counts[run_path] = self._same.setdefault(found, found)  # most runs have the same ones
        return found


@dataclass(frozen=True)
class _Counts:
    asked: int = 0
    answered: int = 0
    is_counted_elsewhere: bool = False


def read_request_counts(run_path: str) -> tuple[int, int, str | None]:
    """Return how many requests of a run were made and answered, and the warning about its answers; zeros if unknown.

    Raises RunFileError or OSError.
    """
    try:
        coverage = read_json(os.path.join(run_path, COVERAGE_FILE_NAME), _Coverage)
    except FileNotFoundError:
        return 0, 0, None
    requests, answers = coverage.requests, coverage.answers
    return requests.asked, requests.answered, None if answers is None else answers.warning


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
