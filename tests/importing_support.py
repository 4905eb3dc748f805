"""Logs for the tests of importing: those that the peers wrote, and ones put together by hand."""

import json
from pathlib import Path
from typing import Any

from helm.results.importing.importing import ImportResult, import_results
from helm.results.run_results import RunResults
from vectors_support import vectors_dir

LOGS = vectors_dir() / "imports"


def import_all(*paths: Path, suite: str = "s", output: Path = Path("out"), **options: Any) -> list[ImportResult]:
    return list(import_results([str(path) for path in paths], suite, str(output), **options))


def import_one(*paths: Path, **options: Any) -> tuple[RunResults, ImportResult]:
    (result,) = import_all(*paths, **options)
    return RunResults(result.run_path), result


def lm_eval_files(model: str) -> Path:
    """The results file of a model."""
    (path,) = (LOGS / "lm-eval" / model).glob("results_*.json")
    return path


def means(run: RunResults) -> dict[str, float]:
    return {stat.name.name: stat.mean for stat in run.stats() if stat.mean is not None}


def write_lines(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
