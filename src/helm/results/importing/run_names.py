"""Names of imported runs."""

import hashlib
import re
from typing import Any

from helm.results.importing.imported_run import ImportedRun, as_text

_MAX_BYTES = 200
_MAX_VALUE = 60
_NOT_IN_NAMES = re.compile(r"[\x00-\x1f\x7f/\\,]+")


def _clean(value: Any) -> str:
    text = _NOT_IN_NAMES.sub("_", as_text(value).encode("utf-8", "replace").decode("utf-8"))
    return text if len(text) <= _MAX_VALUE else f"{text[:_MAX_VALUE]}~{_digest(text)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def make_run_name(run: ImportedRun) -> str:
    """Return `TASK:ARGUMENT=VALUE,...,model=MODEL`, like those of other runs, so that runs of a task are compared.

    Characters that folders and run entries cannot have become `_`; what is too long is cut and ends in a digest.
    """
    task = (
        _NOT_IN_NAMES.sub("_", run.task.encode("utf-8", "replace").decode("utf-8")) if ":" not in run.task else run.task
    )
    if ":" in task:  # a run's name without the model, as Every Eval Ever has it
        task = re.sub(r"[\x00-\x1f\x7f/\\]+", "_", task.encode("utf-8", "replace").decode("utf-8"))
    arguments = [f"{_clean(key)}={_clean(value)}" for key, value in run.task_args.items()]
    head = f"{task}{',' if ':' in task else ':'}"
    if len(head.encode()) + sum(len(a.encode()) + 1 for a in arguments) > _MAX_BYTES - _MAX_VALUE:
        everything = head + ",".join(arguments)
        head, arguments = f"{everything.encode()[:100].decode('utf-8', 'ignore')}~{_digest(everything)},", []
    return head + ",".join([*arguments, f"model={_clean(run.model)}"])
