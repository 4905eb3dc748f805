"""What tables say about coverage; apart from the counting, because a summary reads many runs and must start quickly."""

import os
from typing import Dict, Iterable, Tuple

import msgspec

from helm.benchmark.presentation.run_files import RunFileError, read_json
from helm.common.hierarchical_logger import hwarn

COVERAGE_FILE_NAME = "coverage.json"


class _Requests(msgspec.Struct):
    asked: int = 0
    answered: int = 0
    status: Dict[str, int] = {}


class _Coverage(msgspec.Struct):
    requests: _Requests


class CoverageNotes:
    """Reads the `coverage.json` of each run once, and says what tables show."""

    def __init__(self) -> None:
        self._counts: Dict[str, Tuple[int, int]] = {}

    def describe(self, run_paths: Iterable[str]) -> str:
        """What stands beside a score: `90% answered`, of all requests of these runs; empty when all were.

        Rounded down, so that 100% never hides an unanswered request. AD tools and compilers are left out, because tables
        count their failures on their own. Runs without the file (HELM writes none) count as answered; a damaged one is
        warned of.
        """
        asked = answered = 0
        for run_path in dict.fromkeys(run_paths):
            counts = self._counts.get(run_path)
            if counts is None:
                counts = self._counts[run_path] = _read_counts(run_path)
            asked += counts[0]
            answered += counts[1]
        return f"{100 * answered // asked}% answered" if answered < asked else ""


def _read_counts(run_path: str) -> Tuple[int, int]:
    path = os.path.join(run_path, COVERAGE_FILE_NAME)
    try:
        requests = read_json(path, _Coverage).requests
    except FileNotFoundError:
        return 0, 0
    except (OSError, RunFileError) as e:
        hwarn(f"{e} How much of this run was answered is not shown.")
        return 0, 0
    return (0, 0) if requests.status else (requests.asked, requests.answered)
