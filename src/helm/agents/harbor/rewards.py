"""What a verifier leaves behind, and what counts of it."""

import json
import math
from collections.abc import Mapping, Sequence

from helm.agents.errors import InfrastructureFailure
from helm.common.agent_request import VERIFIER

REWARD = "reward"
"""The name of the main number."""


def read_rewards(json_file: bytes | None, text_file: bytes | None) -> dict[str, float]:
    """Return the rewards that `reward.json` holds, or else `reward.txt`.

    Args:
        json_file: an object of finite numbers; None if there is no such file.
        text_file: one finite number; None if there is no such file.

    Raises: InfrastructureFailure without either, or if the one that counts holds something else: that is no reward of 0.
    """
    if json_file is not None:
        return _of_object(json_file)
    if text_file is None:
        raise _failure("the verifier left no reward")
    if not text_file.strip():
        raise _failure("reward.txt is empty")
    try:
        value = float(text_file.decode("utf-8"))
    except ValueError:
        raise _failure(f"reward.txt holds no number but {text_file[:80]!r}") from None
    return {REWARD: _finite(REWARD, value)}


def main_reward(rewards: Mapping[str, float]) -> float:
    """Return the main number: `reward`, or else the mean of all. Raises: InfrastructureFailure if there is none."""
    if REWARD in rewards:
        return rewards[REWARD]
    if not rewards:
        raise _failure("reward.json is an empty object")
    return sum(rewards.values()) / len(rewards)


def goes_on(rewards: Mapping[str, float] | None, min_reward: float | Mapping[str, float] | None) -> bool:
    """Return whether the next step is done after one with these rewards; a missing reward is below any minimum."""
    if min_reward is None:
        return True
    wanted = min_reward if isinstance(min_reward, Mapping) else {REWARD: min_reward}
    return all((rewards or {}).get(name, -math.inf) >= value for name, value in wanted.items())


def combine_steps(steps: Sequence[Mapping[str, float]], num_steps: int, strategy: str | None) -> dict[str, float]:
    """Return the rewards of a task of several steps.

    Args:
        steps: the rewards of the steps that were done, in order.
        num_steps: the number of steps of the task. Those that were not reached count as 0.
        strategy: `mean` (the default), or `final` for the rewards of the last step alone.
    """
    if strategy == "final":
        return dict(steps[-1]) if len(steps) == num_steps else {REWARD: 0.0}
    names = sorted({name for rewards in steps for name in rewards}) or [REWARD]
    return {name: sum(rewards.get(name, 0.0) for rewards in steps) / num_steps for name in names}


def _of_object(data: bytes) -> dict[str, float]:
    if not data.strip():
        raise _failure("reward.json is empty")
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise _failure("reward.json holds no JSON") from None
    if not isinstance(found, dict):
        raise _failure("reward.json holds no object of numbers")
    return {str(name): _finite(str(name), value) for name, value in found.items()}


def _finite(name: str, value: object) -> float:
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        raise _failure(f"{name} is {value!r:.80}, which is no finite number")
    return float(value)


def _failure(words: str) -> InfrastructureFailure:
    return InfrastructureFailure(VERIFIER, f"No reward: {words}.")
