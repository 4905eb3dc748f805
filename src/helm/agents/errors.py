"""How an episode ends early, and what ends it."""

from helm.common.agent_request import INVALID, REFUSED, LimitHit
from helm.common.errors import HelmError


class AgentError(HelmError):
    """An agent, tool, environment or check is described wrongly: the run cannot start."""


class InfrastructureFailure(Exception):
    """Something that is not the agent failed. The episode is tried again, and is never scored.

    Args:
        cause: one of `helm.common.agent_request.CAUSES`.
        message: what failed.
    """

    def __init__(self, cause: str, message: str):
        super().__init__(message)
        self.cause = cause


class EpisodeEnd(Exception):
    """The agent's turn to act is over, and the episode is scored."""

    outcome: str


class LimitReached(EpisodeEnd):
    """A limit of the episode is used up."""

    outcome = "limit"

    def __init__(self, hit: LimitHit):
        super().__init__(f"limit {hit.name}: {hit.used:g} of {hit.limit:g}")
        self.hit = hit


class Refused(EpisodeEnd):
    """The model refused, or a content filter withheld its answer."""

    outcome = REFUSED


class ProtocolBroken(EpisodeEnd):
    """The agent's messages cannot be used."""

    outcome = INVALID


class RequestRefused(Exception):
    """The provider does not take a request of an outside program, such as one with too long a prompt; the program is told."""


class ToolFailure(Exception):
    """A tool could not do what it was asked; the model is shown the text.

    Args:
        message: for the model.
        kind: `timeout`, `output`, `memory`, `permission`, `tool` or `limit`.
    """

    def __init__(self, message: str, kind: str = "tool"):
        super().__init__(message)
        self.kind = kind
