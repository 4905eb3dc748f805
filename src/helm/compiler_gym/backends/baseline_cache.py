"""The costs of programs after LLVM's default pipelines, kept on disk, because -Oz takes seconds for large programs.

There is one JSON file for each program, `FOLDER/VERSION/DI/GEST.json`: cost and pipeline -> number. The digest is that of
the program's bitcode; the version includes that of LLVM, its target, and its build. Processes may share the folder: files
are replaced whole. If two processes write at once, one number may get lost; it is then measured again, like everything
that cannot be read.
"""

import hashlib
import json
import logging
import os
from functools import cache
from pathlib import Path

from helm.common.files import write_text_atomically
from helm.compiler_gym.backends.llvm_passes import get_triple, import_llvmlite

BASELINE_CACHE_VARIABLE = "HELM_COMPILER_CACHE"
"""Environment variable with the folder of the cache; `off` turns it off."""

_OFF = "off"
_FORMAT = 1
"""Part of the version; raise it when a cost is measured in another way."""

_logger = logging.getLogger(__name__)


def get_cache_folder(kind: str) -> Path | None:
    """Return a folder of `$HELM_COMPILER_CACHE`, else of the user's cache; None if it is off, or there is no home folder.

    Args:
        kind: its name, for example `baselines`.
    """
    named = os.environ.get(BASELINE_CACHE_VARIABLE)
    if named:
        return None if named.lower() == _OFF else Path(named).expanduser() / kind
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "helm" / "compiler_gym" / kind if os.path.isabs(base) else None


def name_library(version: str, file_name: str) -> str:
    """Return the folder of the numbers that a libLLVM measured."""
    return f"libllvm-{version}-{file_name}-{get_triple()}-{_FORMAT}"


@cache
def _get_version() -> str:
    llvm = import_llvmlite()
    version = ".".join(str(part) for part in llvm.llvm_version_info)
    assertions = getattr(llvm.config, "llvm_assertions_state", "on")
    return f"llvm-{version}-{get_triple()}-assertions-{assertions}-{_FORMAT}"


def _get_path(bitcode: bytes, llvm: str) -> Path | None:
    folder = get_cache_folder("baselines")
    if folder is None:
        return None
    digest = hashlib.sha256(bitcode).hexdigest()
    return folder / (llvm or _get_version()) / digest[:2] / f"{digest[2:]}.json"


def read_baselines(bitcode: bytes, llvm: str = "") -> dict[str, int]:
    """Return the known numbers of a program; none if the file is absent, damaged or in another format.

    Args:
        bitcode: the program.
        llvm: name of the LLVM that measured them, as the name of a folder. Default: llvmlite's.
    """
    path = _get_path(bitcode, llvm)
    if path is None:
        return {}
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(known, dict) or not all(type(value) is int and value >= 0 for value in known.values()):
        return {}
    return known


def add_baseline(bitcode: bytes, name: str, value: int, llvm: str = "") -> None:
    """Remember one number of a program; `llvm` as above. A folder that cannot be written to is not an error."""
    path = _get_path(bitcode, llvm)
    if path is None:
        return
    known = {**read_baselines(bitcode, llvm), name: value}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text_atomically(str(path), json.dumps(known, sort_keys=True) + "\n")
    except OSError as error:
        _logger.debug("The baseline %s is not kept: %s", name, error)
