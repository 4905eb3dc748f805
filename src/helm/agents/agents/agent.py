"""The contract of agents."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from helm.agents.episode import assistant_message, tool_message
from helm.common.request import GeneratedOutput

if TYPE_CHECKING:
    from helm.agents.environments.environment import Environment
    from helm.agents.episode import Episode
    from helm.agents.tools.tool import ToolSet


class Agent(ABC):
    """Drives a model through one episode. Its constructor takes the arguments of the run spec."""

    needs_model: bool = True
    """Whether it asks the model of the run."""

    asks_for_calls: bool = True
    """Whether its calls of tools go through `episode.call_tool`, so that a person can be asked before them."""

    def check_machine(self) -> None:
        """Raise ConfigError, with what to install, if this machine lacks what the agent needs."""

    def prepare(self, environment: "Environment | None") -> None:
        """Tell the environment, before it starts, what the agent needs there. Raises: AgentError."""

    @abstractmethod
    def run(self, episode: "Episode") -> None:
        """Act until the task is done: ask the model, call tools, submit an answer.

        It lets the exceptions of `episode` pass: they end the episode, which is then scored or tried again.
        """


def take_calls(
    episode: "Episode",
    output: GeneratedOutput,
    messages: list[dict[str, Any]] | None = None,
    tools: "ToolSet | None" = None,
) -> list[str]:
    """Append a model's answer to the conversation, make its tool calls in order, and append their results.

    Every call is answered, so that the conversation stays valid for the provider, even if the episode ends in between.

    Args:
        episode: makes the calls.
        output: the answer.
        messages: another conversation than that of the episode.
        tools: other tools than those of the episode.

    Returns: the names of the tools that were called without an error.
    """
    talk = episode.messages if messages is None else messages
    message = assistant_message(output, episode.counts.tool_calls)
    talk.append(message)
    done: list[str] = []
    calls = zip(output.tool_calls or [], message.get("tool_calls") or [], strict=True)
    waiting = [sent["id"] for sent in message.get("tool_calls") or []]
    try:
        for call, sent in calls:
            result = episode.call_tool(sent["function"]["name"], call.get("arguments"), sent["id"], tools=tools)
            waiting.pop(0)
            talk.append(tool_message(sent["id"], result.content))
            if not result.is_error:
                done.append(sent["function"]["name"])
            if episode.is_over:
                break
    finally:
        talk.extend(tool_message(call_id, "Not executed.") for call_id in waiting)
    return done
