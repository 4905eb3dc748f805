"""The tool by which an agent ends its episode, and others that need no environment."""

from typing import TYPE_CHECKING, Any

from helm.agents.errors import ToolFailure
from helm.agents.tools.tool import Tool, ToolResult

if TYPE_CHECKING:
    from helm.agents.episode import Episode


class Submit(Tool):
    """Ends the episode with an answer."""

    name = "submit"
    description = "Submit the final answer. The task ends with this call."
    parameters = {
        "type": "object",
        "properties": {
            "answer": {"type": "string", "description": "The answer, or a short sentence that the task is done."}
        },
        "required": ["answer"],
        "additionalProperties": False,
    }

    def __init__(self, episode: "Episode"):
        self._episode = episode

    def call(self, arguments: dict[str, Any]) -> ToolResult:
        self._episode.submit(arguments["answer"])
        return ToolResult("Submitted.")


class AskUser(Tool):
    """Asks the simulated user of the episode, for agents that do not converse by plain text."""

    name = "ask_user"
    description = "Ask the user a question, and get the answer. For what only the user knows or may decide."
    parameters = {
        "type": "object",
        "properties": {"question": {"type": "string"}},
        "required": ["question"],
        "additionalProperties": False,
    }

    def __init__(self, episode: "Episode"):
        self._episode, self._has_left = episode, False

    def call(self, arguments: dict[str, Any]) -> ToolResult:
        if self._has_left:
            raise ToolFailure("The user has left.")
        reply = self._episode.reply_of_user(arguments["question"])
        if reply.stop is None:
            return ToolResult(reply.text)
        self._has_left = True
        return ToolResult(f"{reply.text.replace(reply.stop, '').strip()}\n(The user has left.)".strip())


class Think(Tool):
    """Lets a model write down a thought; it does nothing."""

    name = "think"
    description = "Write down a thought. Nothing is changed and nothing is looked up."
    parameters = {
        "type": "object",
        "properties": {"thought": {"type": "string"}},
        "required": ["thought"],
        "additionalProperties": False,
    }

    def call(self, arguments: dict[str, Any]) -> ToolResult:
        return ToolResult("Noted.")
