"""What tables say about coverage; apart from the counting, because a summary reads many runs and must start quickly."""

import os
from typing import Dict, Iterable

import msgspec

from helm.benchmark.presentation.run_files import RunFileError, read_json

COVERAGE_FILE_NAME = "coverage.json"


class _Requests(msgspec.Struct):
    asked: int = 0
    answered: int = 0
    status: Dict[str, int] = {}


class _Coverage(msgspec.Struct):
    requests: _Requests


def describe_coverage(run_paths: Iterable[str]) -> str:
    """What tables show beside a score: `90% answered`, of all requests of these runs; empty when all were.

    Rounded down, so that 100% never hides an unanswered request. AD tools and compilers are left out, because tables
    count their failures on their own. Runs without `coverage.json` count as answered: HELM writes none.

    Raises: RunFileError for a damaged file.
    """
    asked = answered = 0
    for run_path in run_paths:
        path = os.path.join(run_path, COVERAGE_FILE_NAME)
        try:
            requests = read_json(path, _Coverage).requests
        except FileNotFoundError:
            continue
        except OSError as e:
            raise RunFileError(f"{path}: {e.strerror}.") from e
        if not requests.status:
            asked += requests.asked
            answered += requests.answered
    return f"{100 * answered // asked}% answered" if answered < asked else ""
