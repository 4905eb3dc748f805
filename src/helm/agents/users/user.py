"""Simulated users: the contract, and those that need no model."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helm.agents.episode import Episode


@dataclass(frozen=True)
class UserReply:
    """What a user says."""

    text: str

    stop: str | None = None
    """The token in the text that ends the conversation; None if it goes on."""


class SimulatedUser(ABC):
    """Answers the agent's messages."""

    @abstractmethod
    def reply(self, text: str, episode: "Episode") -> UserReply:
        """Return the answer to the agent's last text.

        Raises: InfrastructureFailure when the user cannot answer.
        """


class ScriptedUser(SimulatedUser):
    """Says given texts in order, and then that it is over.

    Args:
        replies: the texts.
        stop: ends the conversation, and is said after the last text.
    """

    def __init__(self, replies: Sequence[str], stop: str = "###STOP###"):
        self._replies, self._stop = list(replies), stop

    def reply(self, text: str, episode: "Episode") -> UserReply:
        said = self._replies.pop(0) if self._replies else self._stop
        return UserReply(said, self._stop if self._stop in said else None)
