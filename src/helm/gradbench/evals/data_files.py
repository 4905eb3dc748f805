"""Files of problems that a user has, for example those of ADBench."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from helm.common.errors import HelmError


def find_data_file(folder: Path, pattern: str) -> Optional[Path]:
    """The first file of ``folder``, by name, that matches ``pattern``; None when there is none.

    Raises: HelmError when there is no such folder.
    """
    if not folder.is_dir():
        raise HelmError(f"{folder} is no folder; --data takes one that holds files {pattern}.")
    return min(folder.glob(pattern), default=None)
