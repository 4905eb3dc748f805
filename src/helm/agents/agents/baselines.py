"""Agents without a model: what can be had by doing nothing, by chance, and by knowing the solution."""

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from helm.agents.agents.agent import Agent
from helm.agents.episode import Episode
from helm.agents.errors import AgentError

_WORD = re.compile(r"\w[\w./@-]*")
_MOST_WORDS = 2000


class NothingAgent(Agent):
    """Ends at once. Its score is what a task gives for nothing."""

    needs_model = False

    def run(self, episode: Episode) -> None:
        return


class ScriptedAgent(Agent):
    """Makes given calls in order.

    Args:
        calls: `{"name": ..., "arguments": {...}}` for each call.
        answer: what is submitted in the end; None submits nothing.
    """

    needs_model = False

    def __init__(self, calls: Sequence[Mapping[str, Any]] = (), answer: str | None = None):
        self._calls, self._answer = [dict(call) for call in calls], answer

    def run(self, episode: Episode) -> None:
        for call in self._calls:
            episode.call_tool(call.get("name", ""), dict(call.get("arguments") or {}), requestor="script")
        if self._answer is not None:
            episode.submit(self._answer)


class OracleAgent(Agent):
    """Does what the task's own solution says: its environment's `solve`, or its gold calls and answer.

    The solution is an argument, which the task's source gives, so that it is not in the request of any other agent.

    Args:
        solution: `{"calls": [...], "answer": ...}`; None asks the environment.
    """

    needs_model = False

    def __init__(self, solution: Mapping[str, Any] | None = None):
        self._solution = solution

    def run(self, episode: Episode) -> None:
        if self._solution is not None:
            ScriptedAgent(self._solution.get("calls") or (), self._solution.get("answer")).run(episode)
            return
        solve = getattr(episode.environment, "solve", None)
        if solve is None:
            raise AgentError(f"Task {episode.request.task} has no solution, so agents/oracle cannot do it.")
        solve(episode)


class RandomAgent(Agent):
    """Makes valid calls with arguments drawn from the schemas of the tools and the words of the conversation.

    Args:
        calls: the number of calls.
    """

    needs_model = False

    def __init__(self, calls: int = 8):
        self._calls = calls

    def run(self, episode: Episode) -> None:
        tools = list(episode.tools)
        draw, seen = episode.random, _words(str(message.get("content")) for message in episode.messages)
        for _ in range(self._calls if tools else 0):
            chosen = draw.choice(tools)
            result = episode.call_tool(chosen.name, _draw(chosen.parameters, draw, seen), requestor="script")
            seen = (seen + _words([result.content]))[-_MOST_WORDS:]
        if seen:
            episode.answer = draw.choice(seen)


def _words(texts: Any) -> list[str]:
    return [word for text in texts for word in _WORD.findall(text)][:_MOST_WORDS]


def _draw(schema: Any, draw: random.Random, words: Sequence[str]) -> Any:
    """Return a value that fits a schema, as far as the words allow."""
    schema = schema if isinstance(schema, Mapping) else {}
    if schema.get("enum"):
        return draw.choice(list(schema["enum"]))
    if schema.get("anyOf"):
        return _draw(draw.choice(list(schema["anyOf"])), draw, words)
    kind = schema.get("type", "string")
    kind = draw.choice(kind) if isinstance(kind, list) else kind
    if kind == "object":
        required = schema.get("required") or []
        properties = schema.get("properties") or {}
        chosen = [name for name in properties if name in required or draw.random() < 0.5]
        return {name: _draw(properties[name], draw, words) for name in chosen}
    if kind == "array":
        return [_draw(schema.get("items"), draw, words) for _ in range(draw.randint(1, 3))]
    if kind in ("integer", "number"):
        low = schema.get("minimum", 0)
        number = draw.randint(int(low), int(max(low, schema.get("maximum", low + 100))))
        return number if kind == "integer" else float(number)
    if kind == "boolean":
        return draw.random() < 0.5
    return None if kind == "null" else draw.choice(words) if words else "a"
