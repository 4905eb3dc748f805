"""Names of imported runs."""

import hashlib
import re
from typing import Any

from helm.results.importing.imported_run import ImportedRun, as_text

_MAX_BYTES = 140
_MAX_KEPT = 100
_MAX_VALUE = 60
_NOT_IN_FOLDERS = re.compile(r"[\x00-\x1f\x7f/\\]+")
_NOT_IN_VALUES = re.compile(r"[\x00-\x1f\x7f/\\,]+")


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _clean(value: Any) -> str:
    text = _NOT_IN_VALUES.sub("_", _encodable(as_text(value)))
    return text if len(text.encode()) <= _MAX_VALUE else _shorten(text, _MAX_VALUE)


def _shorten(text: str, max_bytes: int) -> str:
    return f"{text.encode()[:max_bytes].decode('utf-8', 'ignore')}~{_digest(text)}"


def make_run_name(run: ImportedRun) -> str:
    """Return `TASK:ARGUMENT=VALUE,...,model=MODEL`, like the names of other runs, so that runs of a task are compared.

    Characters that a folder's name cannot have become `_`; what is too long is cut and ends in a digest.
    """
    task = _NOT_IN_FOLDERS.sub("_", _encodable(run.task))
    arguments = [f"{_clean(key)}={_clean(value)}" for key, value in run.task_args.items()]
    head = task
    if arguments:
        head += f"{',' if ':' in task else ':'}{','.join(arguments)}"
    if len(head.encode()) > _MAX_BYTES:
        head = _shorten(head, _MAX_KEPT)
    return f"{head}{',' if ':' in head else ':'}model={_clean(run.model)}"
