"""Files that whoever runs a scenario has to get: private and licensed data, given by path."""

import os

from helm.common.errors import ScenarioError, suggest


def check_user_file(scenario: str, path: str, what: str, how_to_get: str = "") -> str:
    """The path itself, if there is such a file.

    Args:
        what: what the file holds, for the error.
        how_to_get: who gives it to whom, for the error.

    Raises: ScenarioError that names the path, the nearest name in its folder, and how to get the file.
    """
    if os.path.isfile(path):
        return path
    folder, name = os.path.split(os.path.abspath(path))
    nearest = suggest(name, sorted(os.listdir(folder))) if os.path.isdir(folder) else ""
    raise ScenarioError(
        f"Scenario {scenario}: there is no file {path}, where {what} should be.{nearest}"
        + (f" {how_to_get}" if how_to_get else "")
    )
