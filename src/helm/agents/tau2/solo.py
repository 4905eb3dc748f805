"""An agent that does a customer's task without the customer."""

from typing import Any

from helm.agents.agents.agent import Agent, take_calls
from helm.agents.episode import Episode
from helm.agents.errors import ProtocolBroken
from helm.agents.tools.tool import Tool, ToolResult


class Done(Tool):
    """Says that the task is done."""

    name = "done"
    description = "Say that the task is done. The task ends with this call."

    def __init__(self, episode: Episode):
        self._episode = episode

    def call(self, arguments: dict[str, Any]) -> ToolResult:
        self._episode.submit(self._episode.answer or "")
        return ToolResult("Done.")


class SoloAgent(Agent):
    """Works on a ticket with the tools of both sides, by calls alone, until it calls `done`. Any other text is against the rules.

    Args:
        stop: a text that ends the episode, too.
        most_errors: number of tool calls with an error that ends the episode.
    """

    def __init__(self, stop: str = "###STOP###", most_errors: int = 10):
        self._stop, self._most_errors = stop, most_errors

    def run(self, episode: Episode) -> None:
        if episode.tools.get(Done.name) is None:  # in the package, it is one of the tools
            episode.tools.add(Done(episode))
        while not episode.is_over:
            output = episode.ask()
            take_calls(episode, output)
            if not output.tool_calls:
                if self._stop in output.text:
                    return
                raise ProtocolBroken("a text to nobody, in place of a call")
            if episode.counts.tool_errors >= self._most_errors:
                raise ProtocolBroken(f"{episode.counts.tool_errors} tool calls with an error")
