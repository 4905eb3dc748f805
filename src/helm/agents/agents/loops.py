"""Agents that are a loop around a language model."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from helm.agents.agents.agent import Agent, take_calls
from helm.agents.agents.compaction import Compaction
from helm.agents.agents.subagents import SubAgent, Team
from helm.agents.episode import Episode, assistant_message
from helm.agents.errors import AgentError, ProtocolBroken

_MOST_REMINDERS = 3
"""How often in a row a model that neither calls a tool nor submits is told to go on."""

_CONTINUE = "Please go on with the task. When it is done, call the tool `submit` with your answer."


class SingleTurnToolUse(Agent):
    """Asks once. The calls in the answer are the answer; nothing is executed."""

    def run(self, episode: Episode) -> None:
        output = episode.ask()
        episode.messages.append(assistant_message(output, 0))


class ReactLoop(Agent):
    """Asks, makes all calls of the answer, appends their results, and asks again until the model submits.

    If the episode has a simulated user, the model can ask it by the tool `ask_user`.

    Args:
        submit: whether the model has to call `submit`; otherwise a text without calls ends the episode.
        attempts: how often it may submit. After a wrong answer it is told that it is wrong, if further attempts are left.
        continue_message: what a model is told that neither calls a tool nor submits, at most three times in a row.
        compaction: arguments of `Compaction`, such as `{kind: trim}`; None lets a conversation grow.
        subagents: arguments of `SubAgent` for each agent that this one can call or hand over to.
    """

    def __init__(
        self,
        submit: bool = True,
        attempts: int = 1,
        continue_message: str = _CONTINUE,
        compaction: Mapping[str, Any] | None = None,
        subagents: Sequence[Mapping[str, Any]] = (),
    ):
        if attempts < 1:
            raise AgentError(f"ReactLoop: attempts must be at least 1, not {attempts}.")
        self._submits, self._attempts, self._continue = submit, attempts, continue_message
        try:
            self._compaction = Compaction(**compaction) if compaction is not None else None
            self._subagents = [SubAgent(**one) for one in subagents]
        except TypeError as e:
            raise AgentError(f"ReactLoop: {e}") from e

    def run(self, episode: Episode) -> None:
        from helm.agents.tools.submit import AskUser, Submit

        team = Team(episode, self._subagents)
        if episode.user is not None and episode.tools.get(AskUser.name) is None:
            episode.tools.add(AskUser(episode))
        if self._submits:
            if episode.tools.get(Submit.name) is None:  # in a further step of a task, it is there
                episode.tools.add(Submit(episode))
        reminders = 0
        for attempt in range(1, self._attempts + 1):
            while not episode.is_over:
                if self._compaction is not None:
                    self._compaction.apply(episode)
                messages, tools = team.messages_and_tools()
                output = episode.ask(messages, tools=tools)
                take_calls(episode, output, tools=tools)
                if output.tool_calls:
                    reminders = 0
                elif not self._submits or reminders >= _MOST_REMINDERS:
                    return
                else:
                    reminders += 1
                    episode.messages.append({"role": "user", "content": self._continue})
            if attempt == self._attempts or not episode.reopen():
                return
            episode.messages.append({"role": "user", "content": "This answer is not right. Please try again."})


class ConversationLoop(Agent):
    """Talks with the user: what the model says without a call goes to the user, whose answer comes back.

    Args:
        greeting: what the agent says first; empty if the user begins.
        stop: ends the conversation when the agent says it.
        most_errors: number of tool calls with an error that ends the episode; None sets no limit.
    """

    def __init__(self, greeting: str = "", stop: str = "###STOP###", most_errors: int | None = None):
        self._greeting, self._stop, self._most_errors = greeting, stop, most_errors

    def run(self, episode: Episode) -> None:
        said = self._greeting
        if said:
            episode.say("assistant", said)
        while True:
            reply = episode.reply_of_user(said)
            episode.messages.append({"role": "user", "content": reply.text})
            if reply.stop is not None:
                return
            output = episode.ask()
            take_calls(episode, output)
            while output.tool_calls:
                if self._most_errors is not None and episode.counts.tool_errors >= self._most_errors:
                    raise ProtocolBroken(f"{episode.counts.tool_errors} tool calls with an error")
                output = episode.ask()
                take_calls(episode, output)
            said = output.text
            if not said.strip():
                raise ProtocolBroken("an empty message to the user")
            if self._stop and self._stop in said:
                return


_BLOCK = re.compile(r"^```[^\n`]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
_DONE = "DONE"


class OneCommandPerTurn(Agent):
    """For models without tool calls: the last fenced block of an answer is a command, and `DONE` alone ends the episode.

    Args:
        tool: the tool that runs commands.
        argument: its argument that takes the command.
    """

    def __init__(self, tool: str = "bash", argument: str = "command"):
        self._tool, self._argument = tool, argument

    def run(self, episode: Episode) -> None:
        if episode.tools.get(self._tool) is None:
            raise AgentError(f"OneCommandPerTurn needs a tool '{self._tool}', which the environment does not offer.")
        episode.say(
            "user",
            "Answer with one command in a fenced block (```), and nothing after it. You are shown its output, and can then give "
            f"the next one. When the task is done, answer {_DONE} alone.",
        )
        reminders = 0
        while True:
            text = episode.ask(with_tools=False).text
            episode.messages.append({"role": "assistant", "content": text})
            if text.strip().strip("`*. \n").upper() == _DONE:
                return
            blocks = _BLOCK.findall(text)
            if blocks:
                reminders = 0
                said = episode.call_tool(self._tool, {self._argument: blocks[-1].rstrip("\n")}).content or "(no output)"
            elif reminders >= _MOST_REMINDERS:
                raise ProtocolBroken("no command in a fenced block")
            else:
                reminders += 1
                said = f"There is no command in a fenced block. Answer with one, or with {_DONE} alone."
            episode.messages.append({"role": "user", "content": said})
