"""Environments, their spaces and their states."""

from typing import Any


def __getattr__(name: str) -> Any:
    from helm.compiler_gym.original_names import find_name

    return find_name(__name__, name)
