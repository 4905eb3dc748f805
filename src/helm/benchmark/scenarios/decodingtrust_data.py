"""Locates the data of DecodingTrust, and checks options of its scenarios."""

import os
from collections.abc import Iterable

from helm.common.errors import ScenarioError, suggest
from helm.common.general import ensure_file_downloaded

DATA_REPO_HASH = "38972f6ccbf376a8d0660babafb4d2b3b9cca3f4"
DATA_URL = f"https://raw.githubusercontent.com/AI-secure/DecodingTrust-Data-Legacy/{DATA_REPO_HASH}/data/"


def fetch(address: str, path: str) -> str:
    """Download a file of the repository's folder `data` to `path`; returns `path`."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    ensure_file_downloaded(DATA_URL + address, path)
    return path


def check_option(scenario: str, name: str, value: str, options: Iterable[str]) -> None:
    """Check an option. Raises: ScenarioError that names the argument, the valid values and the nearest one."""
    known = list(options)
    if value not in known:
        raise ScenarioError(
            f"Scenario {scenario}: {name} must be one of {', '.join(known)}, not '{value}'.{suggest(str(value), known)}"
        )
