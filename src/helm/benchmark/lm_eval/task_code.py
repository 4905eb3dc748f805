"""The Python code of a task: which files belong to it, their digest, and the user's consent to run exactly this code."""

import ast
import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from helm.benchmark.declarative.lm_eval_task import LMEvalTaskError
from helm.benchmark.lm_eval.worker.job import FUNCTION
from helm.common.data.data_lock import LOCK_FILE_NAME, DataLock
from helm.common.data.data_session import current_session
from helm.common.errors import ConfigError

_MAX_DATA_BYTES = 4 << 20
"""Data files beside the code that are larger are left out."""

_DATA_ENDINGS = (".json", ".jsonl", ".txt", ".csv", ".tsv", ".yaml", ".yml", ".md", ".lark")

_DATA_NAME = re.compile(r"(?:\w[\w.-]*/){0,3}\w[\w. -]{0,80}\.(?:json|jsonl|txt|csv|tsv|yaml|yml|md|lark)")
"""Names of data files in code, relative and without `..`."""

_PREFIX = "sha256:"


@dataclass(frozen=True)
class TaskCode:
    """The files of a task's Python code.

    Args:
        root: the folder that their names begin at.
        files: contents by name.
    """

    root: str

    files: Mapping[str, bytes]

    @property
    def digest(self) -> str:
        """Return `sha256:` and the digest of names and contents."""
        return digest_of({name: hashlib.sha256(content).hexdigest() for name, content in self.files.items()})

    def to_json(self) -> dict[str, Any]:
        """Return what a run spec records."""
        return {"digest": self.digest, "files": sorted(self.files)}


def digest_of(digests: Mapping[str, str]) -> str:
    """Return the digest of files from those of their contents."""
    text = json.dumps(sorted(digests.items()), separators=(",", ":"))
    return _PREFIX + hashlib.sha256(text.encode()).hexdigest()


def collect_code(config: Mapping[str, Any], root: str) -> TaskCode | None:
    """Return the code that a task's file names, with what it imports of the task library. None if it names none.

    Raises: LMEvalTaskError for a file that cannot be read.
    """
    pending = sorted(set(named_files(config)))
    if not pending:
        return None
    files: dict[str, bytes] = {}
    while pending:
        name = pending.pop()
        if name in files:
            continue
        if not _is_inside(os.path.join(root, name), root):
            raise LMEvalTaskError(f"{os.path.join(root, name)} is a link to a file outside of {root}.")
        files[name] = _read(os.path.join(root, name))
        pending += [other for other in _imported(name, files[name], root) if other not in files]
    if any(word in content for content in files.values() for word in (b"open(", b"Path(", b"load_yaml")):
        for name, content in list(files.items()):  # the file that opens others may get their names from another one
            files.update(_named_data(name, content, root))
            files.update(_data_files(root, os.path.dirname(name)))
    return TaskCode(root, dict(sorted(files.items())))


def read_code(root: str, recorded: Mapping[str, Any]) -> TaskCode:
    """Return the code that a run spec records. Raises: ConfigError if files are missing or differ."""
    files = {}
    for name in recorded["files"]:
        if os.path.isabs(name) or ".." in name.split("/"):
            raise ConfigError(f"The run spec names the code file {name!r}, which is not in the folder of its task.")
        files[name] = _read(os.path.join(root, name))
    code = TaskCode(root, files)
    if code.digest != recorded["digest"]:
        raise ConfigError(
            f"The code of the task in {root} has changed: its digest was {recorded['digest']} and now is {code.digest}."
        )
    return code


def named_files(value: Any) -> Iterable[str]:
    """Yield the code files that references in a value name."""
    if isinstance(value, Mapping):
        if FUNCTION in value:
            yield str(value[FUNCTION])
            return
        for item in value.values():
            yield from named_files(item)
    elif isinstance(value, list):
        for item in value:
            yield from named_files(item)


def _imported(name: str, source: bytes, root: str) -> list[str]:
    """Return the files of the task library that a file imports."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as e:
        raise LMEvalTaskError(f"{os.path.join(root, name)}: not valid Python: {e}.") from e
    found: list[str] = []
    folder = os.path.dirname(name)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = _base_of(node, folder)
            if base is not None:
                found += _module_files(base, root)
                for alias in node.names:
                    found += _module_files(os.path.join(base, alias.name), root)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("lm_eval.tasks."):
                    found += _module_files(alias.name.removeprefix("lm_eval.tasks.").replace(".", "/"), root)
    return found


def _base_of(node: ast.ImportFrom, folder: str) -> str | None:
    """Return the folder or module, relative to the root, that names are imported from; None if not of the library."""
    module = node.module or ""
    if node.level:
        parts = folder.split("/") if folder else []
        kept = parts[: len(parts) - (node.level - 1)] if node.level > 1 else parts
        return "/".join([*kept, *(module.split(".") if module else [])])
    if module == "lm_eval.tasks":
        return ""
    if module.startswith("lm_eval.tasks."):
        return module.removeprefix("lm_eval.tasks.").replace(".", "/")
    return None


def _module_files(module: str, root: str) -> list[str]:
    """Return the file of a module, if it is in a folder of the root."""
    if "/" not in module and os.path.isfile(os.path.join(root, f"{module}.py")) and "__init__.py" in os.listdir(root):
        return []  # a module of the library itself
    candidates = [f"{module}.py", f"{module}/__init__.py"]
    return [name for name in candidates if "/" in name and os.path.isfile(os.path.join(root, name))] or [
        name for name in candidates[:1] if os.path.isfile(os.path.join(root, name))
    ]


def _named_data(name: str, source: bytes, root: str) -> dict[str, bytes]:
    """Return the data files that texts in a file of code name, in its folder or in one above it, up to the root."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        text = node.value if isinstance(node, ast.Constant) else None
        if not isinstance(text, str) or not _DATA_NAME.fullmatch(text):
            continue
        folder = os.path.dirname(name)
        while True:
            other = f"{folder}/{text}" if folder else text
            path = os.path.join(root, other)
            if _is_inside(path, root) and os.path.isfile(path) and os.path.getsize(path) <= _MAX_DATA_BYTES:
                found[other] = _read(path)
                break
            if not folder:
                break
            folder = os.path.dirname(folder)
    return found


def _is_inside(path: str, root: str) -> bool:
    """Whether a path is below the root, also behind links: code must not name files of others, and so get them."""
    return os.path.realpath(path).startswith(os.path.join(os.path.realpath(root), ""))


def _data_files(root: str, folder: str) -> dict[str, bytes]:
    found = {}
    base = os.path.join(root, folder)
    for name in sorted(os.listdir(base)):
        path = os.path.join(base, name)
        if name.endswith(_DATA_ENDINGS) and os.path.isfile(path) and not os.path.islink(path):
            if name.endswith((".yaml", ".yml")) and b"dataset_path" not in _read(path) and b"task:" in _read(path):
                continue
            if os.path.getsize(path) <= _MAX_DATA_BYTES:
                found[os.path.join(folder, name) if folder else name] = _read(path)
    return found if len(found) <= 100 else {}


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as e:
        raise LMEvalTaskError(f"{path} cannot be read: {e.strerror or e}.") from e


# ---- Consent


def is_trusted(digest: str) -> bool:
    """Whether the user has agreed, with a flag or in the lock file, to run the code of this digest."""
    session = current_session()
    lock = session.lock if session.lock is not None else _lock_here()
    return digest in session.trusted_code or (lock is not None and digest in lock.trusted_code())


def _lock_here() -> DataLock | None:
    """Return the lock file in the working directory, for commands that have no data session."""
    return DataLock(LOCK_FILE_NAME) if os.path.exists(LOCK_FILE_NAME) else None


def check_trusted(code: TaskCode, task: str) -> None:
    """Remember the user's consent in the lock file. Raises: ConfigError, which shows how to give it, if there is none."""
    digest = code.digest
    if not is_trusted(digest):
        lines = [f"  {os.path.join(code.root, name)} ({len(content):,} bytes)" for name, content in code.files.items()]
        shown = lines if len(lines) <= 12 else [*lines[:10], f"  and {len(lines) - 10} more"]
        raise ConfigError(
            f"The task {task} has Python code of its own:\n"
            + "\n".join(shown)
            + "\nIt would run in the sandbox, without network, files and keys, but it decides what is asked and scored. Read it, "
            f"then agree to run exactly this code:\n  --trust-task-code {digest}\nThe lock file remembers it."
        )
    lock = current_session().lock
    if lock is not None:
        lock.add_trusted_code(digest, f"lm_eval task {task}")
