"""A person at the terminal: asked before calls of tools, or acting as an agent."""

import json
import re
import sys
import threading
from collections.abc import Callable, Collection
from typing import Any

from helm.agents.errors import AgentError
from helm.common.errors import ConfigError

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_CHOICES = "[y]es, [n]o and why, [a]lways for this tool, [q]uit"


def check_terminal(what: str) -> None:
    """Raise ConfigError if there is no terminal to ask at."""
    if not sys.stdin.isatty():
        raise ConfigError(f"{what} needs a terminal, where a person answers.")


def readable(text: str) -> str:
    """Return a text without characters that could control a terminal."""
    return _CONTROLS.sub("�", text)


class Console:
    """The terminal. One episode has it at a time.

    Args:
        read: shows a prompt, and returns a line; raises EOFError when there are no more.
        write: shows a line.
    """

    def __init__(self, read: Callable[[str], str] = input, write: Callable[[str], object] = print):
        self._read, self._write = read, write
        self.lock = threading.RLock()
        """Held by the episode that has the terminal."""

    def ask(self, prompt: str) -> str:
        """Return what the person types. Raises: AgentError when there is nobody any more."""
        try:
            return self._read(prompt).strip()
        except EOFError:
            raise AgentError("The terminal was closed. The same command goes on from here.") from None

    def show(self, text: str) -> None:
        """Show a text that a program or a model has written."""
        self._write(readable(text))


class Approver:
    """Asks a person before calls of tools.

    Args:
        tools: names of the tools whose calls need it; empty for all but `submit` and `think`.
        console: where the person is.
    """

    def __init__(self, tools: Collection[str], console: Console):
        self._tools, self._console = frozenset(tools), console
        self._allowed: set[str] = set()

    def __call__(self, task: str, name: str, arguments: Any) -> str | None:
        """Return None if the call may be made, else what the model is told. Raises: AgentError to end the command."""
        if (name not in self._tools) if self._tools else name in ("submit", "think"):
            return None
        with self._console.lock:
            if name in self._allowed:
                return None
            self._console.show(f"\nTask {task} calls {name}:\n{_describe(arguments)}")
            while True:
                answer = self._console.ask(f"{_CHOICES}: ")
                choice, _, reason = answer.partition(" ")
                kind = choice[:1].lower()
                if kind == "q":
                    raise AgentError("A person has ended the command. The same command goes on from here.")
                if kind == "a":
                    self._allowed.add(name)
                if kind in ("y", "a"):
                    return None
                if kind == "n":
                    return f"A person did not allow this call{f': {reason.strip()}' if reason.strip() else ''}."


def _describe(arguments: Any) -> str:
    """Return arguments as indented lines, texts as they are and whole: what is not shown is not approved."""
    pairs = arguments.items() if isinstance(arguments, dict) else [("", arguments)]
    lines = [
        f"{name}: {value}" if isinstance(value, str) else f"{name}: {json.dumps(value, ensure_ascii=False)}"
        for name, value in pairs
    ]
    text = "\n".join(lines)
    return "\n".join(f"    {line}" for line in text.split("\n"))
