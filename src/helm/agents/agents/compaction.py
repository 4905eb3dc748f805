"""Shortens a conversation before it exceeds what the model can read."""

from typing import Any

from helm.agents import events
from helm.agents.episode import Episode
from helm.agents.errors import AgentError
from helm.common.agent_request import AGENT_ROLE

TRIM, SUMMARY = "trim", "summary"

_KEPT = 4
"""Messages at the end that stay as they are."""

_SUMMARIZE = (
    "The conversation becomes too long. Write down everything that is needed to go on without it: the task, what was done and "
    "found, and what is left to do. Call no tools."
)


class Compaction:
    """Shortens the conversation when the last prompt has used a share of the context.

    `trim` replaces old results of tools by a line; `summary` lets the model replace everything but the beginning by a summary.
    Each time is an event of the transcript.

    Args:
        kind: `trim` or `summary`.
        context_tokens: what the model can read; None takes the length of its deployment.
        share: of the context, from which on the conversation is shortened.
    """

    def __init__(self, kind: str, context_tokens: int | None = None, share: float = 0.8):
        if kind not in (TRIM, SUMMARY):
            raise AgentError(f"compaction takes {TRIM} or {SUMMARY}, not '{kind}'.")
        self._kind, self._context, self._share = kind, context_tokens, share
        self._seen = 0

    def apply(self, episode: Episode) -> None:
        """Shorten the conversation of an episode if it is time to."""
        if self._context is None:
            self._context = _context_of(episode.request.model_deployment)
        last = next(
            (e for e in reversed(episode.log.events) if e["kind"] == events.MODEL and e["role"] == AGENT_ROLE), None
        )
        if last is None or last["n"] <= self._seen:
            return
        usage = last.get("usage") or {}
        used = usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
        if used < self._share * self._context:
            return
        before = _size(episode.messages)
        kept = _trim(episode) if self._kind == TRIM else _summarize(episode)
        self._seen = len(episode.log.events) - 1
        after = round(used * _size(episode.messages) / max(1, before))
        episode.log.add(events.COMPACTION, tokens_before=used, tokens_after=after, kept=kept)


def _context_of(deployment: str) -> int:
    from helm.benchmark.model_deployment_registry import get_model_deployment

    length = get_model_deployment(deployment).max_sequence_length
    if length is None:
        raise AgentError(f"The context of {deployment} is not known: name context_tokens.")
    return length


def _size(messages: list[dict[str, Any]]) -> int:
    return sum(
        len(str(message.get("content") or "")) + len(str(message.get("tool_calls") or "")) for message in messages
    )


def _trim(episode: Episode) -> list[int]:
    """Leave out old results of tools, and return the numbers of the messages that stay as they are."""
    kept = []
    for number, message in enumerate(episode.messages):
        is_old = number < len(episode.messages) - _KEPT
        content = str(message.get("content") or "")
        words = f"(left out: {len(content)} characters)"
        if message["role"] == "tool" and is_old and len(content) > len(words):
            episode.messages[number] = {**message, "content": words}
        else:
            kept.append(number)
    return kept


def _summarize(episode: Episode) -> list[int]:
    """Replace all but the beginning by the model's summary, and return the numbers of the messages that stay."""
    first = next((n for n, message in enumerate(episode.messages) if message["role"] == "assistant"), 0)
    asked = [*episode.messages, {"role": "user", "content": _SUMMARIZE}]
    summary = episode.ask(asked, with_tools=False).text
    episode.messages[first:] = [{"role": "user", "content": f"What has happened so far:\n{summary}"}]
    return list(range(first))
