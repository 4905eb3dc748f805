"""Recognizes the format of a file by its content, and reads it."""

import os
import re
from collections.abc import Iterator
from typing import Any

from helm.common.errors import suggest
from helm.results.importing.imported_run import ImportedRun, LogError

INSPECT = "inspect"
LM_EVAL = "lm-eval"
OPENAI_EVALS = "openai-evals"
JSONL = "jsonl"
EEE = "eee"
ATIF = "atif"
HARBOR = "harbor"

FORMATS = {
    INSPECT: "logs of inspect_ai (.eval, .json)",
    LM_EVAL: "results of lm-evaluation-harness (results_*.json with their samples_*.jsonl)",
    OPENAI_EVALS: "event logs of OpenAI's evals",
    JSONL: "JSON lines with one sample each",
    EEE: "records of Every Eval Ever",
    HARBOR: "the folder of a job of Harbor, with a result.json in the folder of each trial",
    ATIF: "trajectories of agents (a .json file, or a folder with one for each episode)",
}
"""The names of formats, and what they are."""

_HEAD_BYTES = 1 << 16
_ZIP = b"PK"
_KEY = re.compile(rb'"([^"\\]*+(?:\\.[^"\\]*+)*+)"\s*:')


def read_runs(path: str, format_name: str | None = None, model: str | None = None) -> Iterator[ImportedRun]:
    """Yield the runs in a file.

    Args:
        path: the file.
        format_name: one of `FORMATS`; None recognizes it by the content.
        model: the model's name for formats that need not name one.

    Raises:
        LogError: The file is damaged or of no known format.
        OSError: The file cannot be read.
    """
    if format_name is not None and format_name not in FORMATS:
        raise LogError(f"There is no format '{format_name}'.{suggest(format_name, FORMATS)}")
    if os.path.isdir(path):
        from helm.results.importing import atif_files, harbor_jobs

        if format_name == HARBOR or (format_name is None and harbor_jobs.is_job(path)):
            yield from harbor_jobs.read_runs(path)
            return
        if format_name != ATIF:
            raise LogError(
                f"{path}: this is a folder, and no job of Harbor; name files, or trajectories of agents by --format {ATIF}."
            )

        yield from atif_files.read_runs(path)
        return
    with open(path, "rb") as file:
        head = file.read(_HEAD_BYTES)
    found = format_name or detect_format(head, path)
    if found == INSPECT:
        from helm.results.importing import inspect_logs

        yield from inspect_logs.read_runs(path, head.startswith(_ZIP))
    elif found == LM_EVAL:
        from helm.results.importing import lm_eval_files

        is_samples = os.path.basename(path).startswith("samples_")
        results_path = lm_eval_files.find_results_file(path) if is_samples else path
        yield from lm_eval_files.read_runs(results_path)
    elif found == OPENAI_EVALS:
        from helm.results.importing import openai_evals

        yield from openai_evals.read_event_runs(path)
    elif found == JSONL:
        from helm.results.importing import openai_evals

        yield from openai_evals.read_row_runs(path, model)
    elif found == HARBOR:
        raise LogError(f"{path}: name the folder of a job of Harbor, not a file.")
    elif found == ATIF:
        from helm.results.importing import atif_files

        yield from atif_files.read_runs(path)
    else:
        from helm.results.importing import every_eval_ever

        yield from every_eval_ever.read_runs(path)


def detect_format(head: bytes, path: str) -> str:
    """Return the format of a file that begins with `head`. Raises LogError if it is none that is known."""
    if head.startswith(_ZIP):
        return INSPECT
    keys = {match.decode("utf-8", "replace") for match in _KEY.findall(head)}
    first_line, _, rest = head.strip().partition(b"\n")
    if first_line[:1] == b"{" and first_line.rstrip()[-1:] == b"}":
        return _detect_lines(first_line, keys, not rest.strip(), path)
    if first_line[:1] == b"{":
        found = _detect_object(keys)
        if found is not None:
            return found
        if len(head) == _HEAD_BYTES and {"doc_id", "doc"} <= keys:
            return LM_EVAL
        if len(head) == _HEAD_BYTES and b"\n" not in head:
            return JSONL
    what = "it is empty" if not head.strip() else "the file has none of their forms"
    raise LogError(
        f"{path}: the format is not known: {what}. Known are {'; '.join(f'{k}: {v}' for k, v in FORMATS.items())}."
    )


def _detect_object(keys: set[str]) -> str | None:
    if {"agent", "steps", "step_id"} <= keys:
        return ATIF
    if {"schema_version", "evaluation_id"} <= keys or "evaluation_results" in keys:
        return EEE
    if {"eval", "status"} <= keys or {"eval_id", "task"} <= keys:
        return INSPECT
    if "results" in keys and keys & {"configs", "versions", "n-shot", "alias"}:
        return LM_EVAL
    return None


def _detect_lines(first_line: bytes, keys: set[str], is_only: bool, path: str) -> str:
    from helm.results.importing.json_lines import decode

    first: Any = decode(first_line, f"{path}:1")
    top = set(first) if isinstance(first, dict) else set()
    if {"doc_id", "doc"} <= top:
        return LM_EVAL
    if "spec" in top or {"sample_id", "type", "data"} <= top:
        return OPENAI_EVALS
    if is_only:
        found = _detect_object(top if top & {"results", "evaluation_results"} else keys)
        if found is not None and top & {"eval", "results", "evaluation_results"}:
            return found
    if {"evaluation_id", "evaluation_result_id"} <= top:
        raise LogError(
            f"{path}: these are the samples of a record of Every Eval Ever; name the record, the .json beside it."
        )
    return JSONL
