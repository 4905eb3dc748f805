"""LLVM's own programs on this machine: `llvm-extract`, `llvm-reduce`, `opt`, `mlir-opt`, ..."""

import re
import shutil
from pathlib import Path

_FOLDERS = ("/usr/lib/llvm-*/bin", "/usr/local/opt/llvm*/bin", "/opt/llvm*/bin")
_VERSION = re.compile(r"llvm-?(\d+)")


def find_llvm_tool(name: str, major: int | None = None) -> str | None:
    """Return the path of one of LLVM's programs: the newest in LLVM's own folders, else that on the path of commands.

    None if there is none.

    Args:
        name: such as `llvm-reduce`.
        major: only of this version of LLVM.
    """
    candidates: list[tuple[int, str]] = []
    for pattern in _FOLDERS:
        for folder in Path("/").glob(pattern.lstrip("/")):
            version = _VERSION.search(folder.as_posix())
            if (folder / name).is_file() and version and major in (None, int(version[1])):
                candidates.append((int(version[1]), str(folder / name)))
    if candidates:
        return max(candidates)[1]
    return shutil.which(name if major is None else f"{name}-{major}")
