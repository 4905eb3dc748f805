"""Files that users must obtain themselves: private and licensed data, given by path."""

import os

from helm.common.errors import ScenarioError, suggest


def check_user_file(scenario: str, path: str, what: str, how_to_get: str = "") -> str:
    """Return the path itself, if there is such a file.

    Args:
        path: the file.
        what: what the file contains, for the error message.
        how_to_get: who provides it to whom, for the error message.

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
