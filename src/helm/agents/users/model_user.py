"""A user that a language model plays."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from helm.agents.tools.tool import Tool, ToolSet
from helm.agents.users.user import SimulatedUser, UserReply
from helm.common.agent_request import USER_ROLE
from helm.common.request import Request

if TYPE_CHECKING:
    from helm.agents.episode import Episode

_MOST_CALLS = 20
"""Tool calls of the user before it has to say something."""


class ModelUser(SimulatedUser):
    """A language model in the role of a person.

    It sees the conversation with the roles swapped, without the agent's tool calls. If the environment has a method
    `user_tools`, these are its tools, whose results only it sees.

    Args:
        instructions: its system message: who it is, and what it wants.
        model_deployment: the model; empty for the one that acts as agent.
        stop: texts that end the conversation when it says them.
        temperature: of its answers.
        max_tokens: largest number of tokens of one answer.
    """

    def __init__(
        self,
        instructions: str,
        model_deployment: str = "",
        stop: Sequence[str] = ("###STOP###",),
        temperature: float = 0.0,
        max_tokens: int = 1024,
    ):
        self._model_deployment, self._stop = model_deployment, list(stop)
        self._temperature, self._max_tokens = temperature, max_tokens
        self._messages: list[dict[str, Any]] = [{"role": "system", "content": instructions}]

    def reply(self, text: str, episode: "Episode") -> UserReply:
        """Return the answer. Raises: InfrastructureFailure when the model gives none."""
        from helm.agents.episode import assistant_message, tool_message

        if text:
            self._messages.append({"role": "user", "content": text})
        tools = ToolSet(_user_tools(episode))
        for turn in range(_MOST_CALLS + 1):
            output = episode.send(self._request(episode, tools if turn < _MOST_CALLS else None), USER_ROLE)
            message = assistant_message(output, len(self._messages))
            self._messages.append(message)
            if not output.tool_calls:
                break
            for call, sent in zip(output.tool_calls, message["tool_calls"], strict=True):
                name = sent["function"]["name"]
                result = episode.call_tool(name, call.get("arguments"), sent["id"], requestor=USER_ROLE, tools=tools)
                self._messages.append(tool_message(sent["id"], result.content))
        return UserReply(output.text, next((token for token in self._stop if token in output.text), None))

    def _request(self, episode: "Episode", tools: ToolSet | None) -> Request:
        own = self._model_deployment
        return Request(
            model=own or episode.request.model,
            model_deployment=own or episode.request.model_deployment,
            messages=list(self._messages),
            temperature=self._temperature,
            max_tokens=self._max_tokens,
            tools=tools.functions if tools else None,
            random=episode.draw,
        )


def _user_tools(episode: "Episode") -> Iterable[Tool]:
    offer = getattr(episode.environment, "user_tools", None)
    return offer() if offer is not None else []
