"""Checks: what scores an episode when the agent has ended."""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from helm.agents.errors import InfrastructureFailure
from helm.common.agent_request import VERIFIER
from helm.common.object_spec import get_class_by_name

if TYPE_CHECKING:
    from helm.agents.episode import Episode


@dataclass(frozen=True)
class Score:
    """The verdict on an episode."""

    reward: float
    """The main number, usually from 0 to 1."""

    rewards: dict[str, float] = field(default_factory=dict)
    """Further numbers by name."""

    checks: dict[str, Any] = field(default_factory=dict)
    """Details, as JSON values."""

    log: str = ""
    """What the check has printed."""

    def __post_init__(self) -> None:
        for name, value in {"reward": self.reward, **self.rewards}.items():
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
                raise InfrastructureFailure(VERIFIER, f"The check's {name} is {value!r}, which is no finite number.")


class Check(ABC):
    """Scores an episode, also one that a limit has ended."""

    @abstractmethod
    def score(self, episode: "Episode") -> Score:
        """Return the verdict. The environment is as the agent has left it.

        Raises: InfrastructureFailure when there is none.
        """


class AnswerCheck(Check):
    """Gives 1 if the answer is one of those accepted, else 0.

    Letters and white space do not count; with `contains`, the accepted answer may stand within the answer, as whole words.

    Args:
        accepted: answers.
        contains: whether further words are allowed.
    """

    def __init__(self, accepted: Sequence[str], contains: bool = False):
        self._accepted, self._contains = [_plain(answer) for answer in accepted], contains

    def score(self, episode: "Episode") -> Score:
        answer = _plain(episode.answer or "")
        if self._contains:
            is_right = any(re.search(rf"(?<!\w){re.escape(accepted)}(?!\w)", answer) for accepted in self._accepted)
        else:
            is_right = answer in self._accepted
        return Score(float(is_right))


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


class DomainCheck(Check):
    """Asks the environment's Python object, by its method `check`, which returns a number, or numbers by name.

    Args:
        method: the name of the method.
        arguments: its keyword arguments.
    """

    def __init__(self, method: str = "check", arguments: Mapping[str, Any] | None = None):
        self._method, self._arguments = method, dict(arguments or {})

    def score(self, episode: "Episode") -> Score:
        domain = getattr(episode.environment, "domain", None)
        method = getattr(domain, self._method, None)
        if method is None or self._method.startswith("_"):
            raise InfrastructureFailure(VERIFIER, f"{type(domain).__name__} has no method '{self._method}'.")
        return as_score(method(**self._arguments))


class FunctionCheck(Check):
    """Calls a Python function with the episode; it returns a number, or numbers by name.

    Args:
        function: class path of the function, which the run spec names.
        arguments: further keyword arguments.
    """

    def __init__(self, function: str, arguments: Mapping[str, Any] | None = None):
        self._function, self._arguments = get_class_by_name(function), dict(arguments or {})

    def score(self, episode: "Episode") -> Score:
        return as_score(self._function(episode, **self._arguments))


def as_score(value: Any) -> Score:
    """Return numbers as a score: one number, or an object with `reward` and further numbers.

    Raises: InfrastructureFailure for anything else.
    """
    if isinstance(value, Score):
        return value
    if isinstance(value, (bool, int, float)):
        return Score(float(value))
    if isinstance(value, Mapping) and "reward" in value:
        return Score(value["reward"], {key: number for key, number in value.items() if key != "reward"})
    raise InfrastructureFailure(
        VERIFIER, f"The check returned {value!r}, which is no number, nor numbers with a 'reward'."
    )
