"""Files that an episode leaves, kept in the run's folder."""

import hashlib
import os
import re
import shutil
from collections.abc import Mapping
from typing import Any

from helm.common.errors import HelmError

_NOT_IN_NAMES = re.compile(r"[^\w.-]+")
_MAX_NAME = 80


def keep_artifacts(files: Mapping[str, bytes], folder: str) -> list[dict[str, Any]]:
    """Write files into a folder, which is replaced, and return `path`, `bytes`, `sha256` and `file` of each.

    Args:
        files: contents by the path inside the environment, which comes from a hostile program and becomes no path here.
        folder: made if there are files; `file` is relative to the folder that holds its parent.

    Raises: HelmError when they cannot be written.
    """
    found = []
    try:
        shutil.rmtree(folder, ignore_errors=True)
        for number, (path, data) in enumerate(sorted(files.items())):
            os.makedirs(folder, exist_ok=True)
            base = _NOT_IN_NAMES.sub("_", path.rpartition("/")[2]).lstrip(".")[-_MAX_NAME:]
            name = f"{number}-{base or 'file'}"
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
            parent, own = os.path.split(folder)
            place = "/".join([os.path.basename(parent), own, name])
            found.append({"path": path, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), "file": place})
    except OSError as e:
        raise HelmError(f"Cannot write {e.filename or folder}, where an episode's files are kept: {e.strerror}.") from e
    return found
