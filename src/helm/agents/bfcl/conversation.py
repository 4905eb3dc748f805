"""Multi-turn entries: the environment of simulated programs, and the agent that goes through the turns."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.agents.agents.agent import Agent, take_calls
from helm.agents.bfcl.backends.backend import Backend, execute_calls
from helm.agents.bfcl.backends.long_texts import LongTexts, LongTextsError, read_long_texts
from helm.agents.bfcl.functions import BfclFunction
from helm.agents.bfcl.multi_turn import create_backends
from helm.agents.environments.environment import Environment
from helm.agents.episode import Episode
from helm.agents.errors import AgentError, ProtocolBroken
from helm.agents.tools.tool import Tool
from helm.common.agent_request import EpisodeLimits

_MOST_STEPS = 20
"""Calls of the model in one turn of the user, as on the leaderboard."""

_MORE_FUNCTIONS = "Further functions are available now. Please go on with my last request."


class BfclPrograms(Environment):
    """The simulated programs of an entry.

    Args:
        classes: their names.
        config: their states by name.
        functions: documentation of the functions that are offered from the beginning.
        held_back: further documentation by the number of the turn, as a text, in which the functions appear.
        long_texts: path of the file with the texts of long contexts; None without them.
    """

    name = "bfcl"

    def __init__(
        self,
        classes: Sequence[str],
        config: Mapping[str, Any],
        functions: Sequence[Mapping[str, Any]],
        held_back: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
        long_texts: str | None = None,
    ):
        self.classes, self.config = list(classes), dict(config)
        self._functions, self._held_back = list(functions), dict(held_back or {})
        self._long_texts = long_texts
        self._backends: list[Backend] = []
        self.turns: list[list[str]] = []
        """The calls of each turn of the user that was begun, as Python."""
        self.is_forced = False
        """Whether a turn was cut off."""

    def start(self, limits: EpisodeLimits) -> None:
        try:
            self._backends = create_backends(self.classes, self.config, self.long_texts)
        except (ValueError, LongTextsError) as e:
            raise AgentError(str(e)) from e

    @property
    def long_texts(self) -> LongTexts | None:
        """The texts of long contexts; None without them. Raises: LongTextsError."""
        return read_long_texts(self._long_texts) if self._long_texts is not None else None

    def offered_tools(self) -> list[Tool]:
        return [BfclFunction(document, execute=self.execute) for document in self._functions]

    def begin_turn(self) -> list[Tool]:
        """Begin the next turn of the user, and return the tools that appear in it."""
        documents = self._held_back.get(str(len(self.turns)), ())
        self.turns.append([])
        return [BfclFunction(document, execute=self.execute) for document in documents]

    def execute(self, call: str) -> str:
        """Make a call of the current turn, and return its result as the model sees it."""
        if not self.turns:
            self.turns.append([])
        self.turns[-1].append(call)
        return execute_calls(self._backends, [call])[0]

    def state(self) -> Any:
        return {type(backend).__name__: backend.state() for backend in self._backends}

    def solve(self, episode: Episode) -> None:
        """Make the expected calls of the check, for `OracleAgent`."""
        for calls in getattr(episode.check, "expected", []):
            self.begin_turn()
            for call in calls:
                self.execute(call)


class BfclConversation(Agent):
    """Asks in each turn of the user until the model makes no call.

    Args:
        turns: the messages of the further turns; the first ones begin the conversation.
    """

    def __init__(self, turns: Sequence[Sequence[Mapping[str, Any]]]):
        self._turns = [list(turn) for turn in turns]

    def run(self, episode: Episode) -> None:
        programs = episode.environment
        if not isinstance(programs, BfclPrograms):
            raise AgentError("BfclConversation needs the environment BfclPrograms.")
        for number, messages in enumerate([None, *self._turns]):
            appeared = programs.begin_turn()
            for tool in appeared:
                episode.tools.add(tool)
            for message in messages or []:
                episode.say(str(message["role"]), str(message["content"]))
            if appeared and number and not messages:
                episode.say("user", _MORE_FUNCTIONS)
            for step in range(_MOST_STEPS + 1):
                if step == _MOST_STEPS:
                    programs.is_forced = True
                    raise ProtocolBroken(f"more than {_MOST_STEPS} calls of the model in turn {number + 1}")
                output = episode.ask()
                take_calls(episode, output)
                if not output.tool_calls:
                    break
