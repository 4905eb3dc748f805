"""The answers of `reset` and `step`: as Gymnasium has them, or as Gym had them before version 0.26.

An environment says by its attribute `old_api` which it gives. Whoever reads an answer reads both.
"""

from typing import Any

TRUNCATED = "TimeLimit.truncated"
"""Key of `info`: whether a limit of steps ended the episode."""


def make_result(
    env: Any, observation: Any, reward: Any, terminated: bool, truncated: bool, info: dict[str, Any]
) -> tuple[Any, ...]:
    """Return what a step of this environment answers."""
    if getattr(env, "old_api", False):
        return observation, reward, terminated or truncated, info
    return observation, reward, terminated, truncated, info


def read_result(result: tuple[Any, ...]) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
    """Return the answer of a step as (observation, reward, terminated, truncated, info)."""
    if len(result) == 5:
        return result
    observation, reward, done, info = result
    truncated = bool(done and info.get(TRUNCATED))
    return observation, reward, done and not truncated, truncated, info


def make_start(env: Any, observation: Any, info: dict[str, Any]) -> Any:
    """Return what a reset of this environment answers."""
    return observation if getattr(env, "old_api", False) else (observation, info)


def read_start(env: Any, start: Any) -> tuple[Any, dict[str, Any]]:
    """Return the answer of a reset as (observation, info)."""
    return (start, {}) if getattr(env, "old_api", False) else start
