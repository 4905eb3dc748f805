"""Agents that an agent calls like a tool, or hands its conversation over to."""

from collections.abc import Sequence
from typing import Any

from helm.agents.agents.agent import take_calls
from helm.agents.episode import Episode
from helm.agents.errors import AgentError
from helm.agents.tools.tool import Tool, ToolResult, ToolSet

_TEXT = {"type": "string"}


class SubAgent:
    """Another agent of the same model, with instructions and tools of its own.

    Args:
        name: letters, digits, '_' and '-'.
        description: when the calling agent should use it.
        instructions: its system message.
        tools: names of the episode's tools that it has; None for all.
        handoff: whether it takes over the conversation, instead of answering like a tool.
        turns: the most calls of the model for one task; of one that answers like a tool.
    """

    def __init__(
        self,
        name: str,
        description: str,
        instructions: str,
        tools: Sequence[str] | None = None,
        handoff: bool = False,
        turns: int = 10,
    ):
        self.name, self.description, self.instructions = name, description, instructions
        self.is_handoff, self.turns = handoff, turns
        self._tools = tools

    def choose_tools(self, offered: ToolSet) -> ToolSet:
        """Return its tools. Raises: AgentError for a name that the episode does not have."""
        if self._tools is None:
            return ToolSet(offered)
        chosen = ToolSet()
        for name in self._tools:
            found = offered.get(name)
            if found is None:
                raise AgentError(f"Sub-agent {self.name}: {offered.unknown(name)}")
            chosen.add(found)
        return chosen


class SubAgentTool(Tool):
    """Gives a sub-agent a task, and returns its last text. The sub-agent sees nothing of the conversation.

    Args:
        episode: its calls of model and tools are those of this episode, and count for its limits.
        subagent: who is asked.
        offered: the tools that it can have.
    """

    def __init__(self, episode: Episode, subagent: SubAgent, offered: ToolSet):
        self.name, self.description = subagent.name, subagent.description
        self.parameters = {
            "type": "object",
            "properties": {
                "task": {**_TEXT, "description": "What is to be done, with all that has to be known for it."}
            },
            "required": ["task"],
            "additionalProperties": False,
        }
        self._episode, self._subagent = episode, subagent
        self._tools = subagent.choose_tools(offered)

    def call(self, arguments: dict[str, Any]) -> ToolResult:
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": self._subagent.instructions},
            {"role": "user", "content": arguments["task"]},
        ]
        text = ""
        for _ in range(self._subagent.turns):
            output = self._episode.ask(messages, tools=self._tools)
            take_calls(self._episode, output, messages, self._tools)
            text = output.text or text
            if not output.tool_calls:
                return ToolResult(text)
        return ToolResult(f"{text}\n(It has used up its {self._subagent.turns} turns.)".strip(), True, "limit")


class HandoffTool(Tool):
    """Hands the conversation over to a sub-agent, which goes on in the agent's place.

    Args:
        subagent: who takes over.
    """

    parameters = {"type": "object", "properties": {}, "additionalProperties": False}

    def __init__(self, subagent: SubAgent):
        self.name, self.description = f"transfer_to_{subagent.name}", subagent.description
        self.subagent = subagent
        self.is_called = False
        """Whether the conversation is to be handed over; whoever does it sets it back."""

    def call(self, arguments: dict[str, Any]) -> ToolResult:
        self.is_called = True
        return ToolResult(f"You are now {self.subagent.name}.")


class Team:
    """The sub-agents of an episode, and who acts.

    Args:
        episode: gets a tool for each of them.
        subagents: their descriptions.
    """

    def __init__(self, episode: Episode, subagents: Sequence[SubAgent]):
        offered = ToolSet(episode.tools)
        self._episode, self._offered = episode, offered
        self._handoffs: list[HandoffTool] = []
        self._acting: SubAgent | None = None
        for subagent in subagents:
            made = HandoffTool(subagent) if subagent.is_handoff else SubAgentTool(episode, subagent, offered)
            if isinstance(made, HandoffTool):
                subagent.choose_tools(offered)  # a wrong name is told now
                self._handoffs.append(made)
            episode.tools.add(made)

    def messages_and_tools(self) -> tuple[list[dict[str, Any]], ToolSet]:
        """Return the conversation and the tools of whoever acts; after a handoff with its system message."""
        for handoff in self._handoffs:
            if handoff.is_called:
                self._acting, handoff.is_called = handoff.subagent, False
        if self._acting is None:
            return self._episode.messages, self._episode.tools
        others = [message for message in self._episode.messages if message["role"] != "system"]
        tools = self._acting.choose_tools(self._offered)
        for tool in self._episode.tools:
            is_own = tool.name == f"transfer_to_{self._acting.name}"
            if tools.get(tool.name) is None and self._offered.get(tool.name) is None and not is_own:
                tools.add(tool)  # submit, and the other sub-agents
        return [{"role": "system", "content": self._acting.instructions}, *others], tools
