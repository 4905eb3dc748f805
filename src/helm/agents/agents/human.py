"""A person at the terminal as the agent."""

import json
from functools import cached_property

from helm.agents.agents.agent import Agent
from helm.agents.console import Console, check_terminal
from helm.agents.episode import Episode

_SHELL = "bash"
_HELP = """\
A line is a command for the shell, if the task has one. Others begin with a slash:
    /tools                   list the tools
    /call NAME {...}         call a tool with arguments in JSON
    /submit ANSWER           submit an answer, and end
    /done                    end without an answer"""


class HumanAgent(Agent):
    """Lets a person do the task: what people achieve with the same tools and limits. The time that they take counts.

    Args:
        console: where the person is; the terminal by default.
    """

    needs_model = False

    def __init__(self, console: Console | None = None):
        self._console = console

    @cached_property
    def console(self) -> Console:
        return self._console or _TERMINAL

    def check_machine(self) -> None:
        if self._console is None:
            check_terminal("agents/human")

    def run(self, episode: Episode) -> None:
        console = self.console
        with console.lock:
            console.show(f"\n=== Task {episode.request.task}")
            for message in episode.messages:
                console.show(f"[{message.get('role')}]\n{message.get('content')}")
            console.show(_HELP)
            while not episode.is_over and self._do(episode, console.ask("> ")):
                episode.check_limits()

    def _do(self, episode: Episode, line: str) -> bool:
        """Do what a line says; return whether the person goes on."""
        console = self.console
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if word == "/done":
            return False
        if word == "/submit":
            episode.submit(rest)
        elif word == "/tools":
            for tool in episode.tools:
                console.show(
                    f"{tool.name}: {tool.description}\n    {json.dumps(tool.parameters.get('properties', {}))}"
                )
        elif word == "/call":
            name, _, text = rest.partition(" ")
            try:
                arguments = json.loads(text or "{}")
            except ValueError as e:
                console.show(f"The arguments are no JSON: {e}")
                return True
            self._call(episode, name, arguments)
        elif line.startswith("/") and episode.tools.get(_SHELL) is None or word in ("/help", "/?"):
            console.show(_HELP)
        elif line and episode.tools.get(_SHELL) is not None:
            self._call(episode, _SHELL, {"command": line})
        elif line:
            console.show(f"The task has no shell.\n{_HELP}")
        return True

    def _call(self, episode: Episode, name: str, arguments: object) -> None:
        result = episode.call_tool(name, arguments)
        self.console.show(result.content)


_TERMINAL = Console()
