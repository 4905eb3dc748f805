"""Samples of inspect_ai in which a model used tools, as episodes of agents."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.agents import events
from helm.common.agent_request import (
    AGENT_ROLE,
    HARNESS,
    INFRASTRUCTURE,
    LIMIT,
    STOPPED,
    AgentRequest,
    AgentResult,
    EpisodeCounts,
    LimitHit,
    RoleUsage,
)
from helm.common.object_spec import ObjectSpec
from helm.common.request import Usage
from helm.results.importing.imported_run import as_dict, as_list, as_number, as_text
from helm.results.importing.inspect_messages import flatten_content

_LIMITS = {
    "time": "seconds",
    "working": "working_seconds",
    "token": "tokens",
    "cost": "cost_usd",
    "turn": "turns",
}
"""Our names of limits; others keep theirs."""


def uses_tools(messages: Any) -> bool:
    """Whether a conversation has calls of tools."""
    found = map(as_dict, as_list(messages))
    return any(message.get("role") == "tool" or message.get("tool_calls") for message in found)


def make_episode_request(
    task: str, model: str, asked: Sequence[Mapping[str, str]], epoch: int, solver: str
) -> AgentRequest:
    """Return the request of an episode.

    Args:
        task: id of the sample.
        model: that acted.
        asked: the messages before its first answer.
        epoch: from 0.
        solver: what drove the model, by its name in the log.
    """
    return AgentRequest(
        task=task,
        messages=[dict(message) for message in asked],
        model=model,
        model_deployment=model,
        agent=ObjectSpec(solver),
        epoch=epoch,
    )


def make_episode_result(
    asked: Sequence[Mapping[str, str]],
    said: Sequence[Mapping[str, Any]],
    attachments: dict[str, str],
    model: str,
    scores: Mapping[str, float],
    usage: Usage | None,
    limit: Any,
    error: str | None,
    seconds: tuple[float | None, float | None],
) -> AgentResult:
    """Return the result of an episode.

    Args:
        asked: the messages before the first answer.
        said: the first answer, and all that follows.
        attachments: long texts by their hash.
        model: that acted.
        scores: by name; the first one is the reward.
        usage: of the model.
        limit: what ended the sample, as in the log; None if no limit did.
        error: why the sample failed; None if it did not.
        seconds: wall time, and that without waiting.
    """
    writer = _EventWriter(attachments, model)
    for message in asked:
        writer.add_event(events.MESSAGE, role=message["role"], content=message["content"])
    for item in said:
        writer.add(item)
    hit = _limit_of(limit)
    if hit is not None:
        writer.add_event(events.LIMIT, name=hit.name, limit=hit.limit, used=hit.used)
    if error is not None:
        writer.add_event(events.ERROR, where=HARNESS, message=error, fatal=True)
    reward = next(iter(scores.values()), None)
    rewards = {**({"reward": float(reward)} if reward is not None else {}), **{k: float(v) for k, v in scores.items()}}
    if rewards:
        writer.add_event(events.SCORE, reward=reward, rewards=rewards, checks={}, log="", elapsed_s=None)
    counts = EpisodeCounts(**writer.counts)
    used = RoleUsage(
        counts.turns,
        usage.prompt_tokens if usage else 0,
        usage.completion_tokens if usage else 0,
        (usage.reasoning_tokens or 0) if usage else 0,
        (usage.cached_prompt_tokens or 0) if usage else 0,
        None,
    )
    return AgentResult(
        success=error is None,
        outcome=INFRASTRUCTURE if error is not None else LIMIT if hit is not None else STOPPED,
        cause=HARNESS if error is not None else None,
        error=error,
        limit=hit,
        answer=writer.answer,
        reward=float(reward) if reward is not None else None,
        rewards=rewards,
        events=writer.events,
        usage={AGENT_ROLE: used},
        counts=counts,
        elapsed_s=seconds[0],
        working_s=seconds[1],
    )


def _limit_of(limit: Any) -> LimitHit | None:
    if limit is None:
        return None
    kind, number = as_text(as_dict(limit).get("type")), as_number(as_dict(limit).get("limit"))
    value = float(number) if number is not None else 0.0
    return LimitHit(_LIMITS.get(kind, kind or "custom"), value, value)


class _EventWriter:
    def __init__(self, attachments: dict[str, str], model: str):
        self.events: list[dict[str, Any]] = []
        self.answer: str | None = None
        self.counts = {"turns": 0, "tool_calls": 0, "invalid_tool_calls": 0, "tool_errors": 0, "user_turns": 0}
        self._attachments, self._model = attachments, model
        self._calls: dict[str, tuple[str, Any]] = {}

    def add_event(self, kind: str, **fields: Any) -> None:
        """Add an event; a log has no times of messages."""
        self.events.append({"n": len(self.events), "t": 0.0, "kind": kind, **fields})

    def add(self, message: Mapping[str, Any]) -> None:
        """Add a message of the log."""
        role = as_text(message.get("role"))
        text, thoughts = flatten_content(message.get("content"), self._attachments)
        if role == "assistant":
            self._add_answer(message, text, thoughts)
        elif role == "tool":
            self._add_result(message, text)
        else:
            self.add_event(events.MESSAGE, role=role, content=text)

    def _add_answer(self, message: Mapping[str, Any], text: str, thoughts: str) -> None:
        calls = []
        for number, call in enumerate(map(as_dict, as_list(message.get("tool_calls")))):
            call_id = as_text(call.get("id")) or f"call_{len(self.events)}_{number}"
            name, arguments = as_text(call.get("function")), call.get("arguments")
            self._calls[call_id] = (name, arguments)
            calls.append({"id": call_id, "name": name, "arguments": arguments})
        self.add_event(
            events.MODEL,
            role=AGENT_ROLE,
            model_deployment=as_text(message.get("model")) or self._model,
            request_sha256=None,
            text=text,
            thinking=thoughts or None,
            tool_calls=calls,
            finish_reason="tool_calls" if calls else "stop",
            usage=None,
            cost_usd=None,
            cached=False,
            latency_s=None,
            request_outcome="ok",
            num_messages=None,
        )
        self.counts["turns"] += 1
        self.answer = text or self.answer

    def _add_result(self, message: Mapping[str, Any], text: str) -> None:
        call_id = as_text(message.get("tool_call_id"))
        name, arguments = self._calls.get(call_id, (as_text(message.get("function")), {}))
        failed = as_dict(message.get("error"))
        content = text or as_text(failed.get("message"))
        problem = {"parsing": "no_json", "unknown": None}.get(as_text(failed.get("type")))
        self.add_event(
            events.TOOL_CALL,
            id=call_id,
            name=name,
            arguments=arguments,
            requestor="agent",
            valid=problem is None,
            problem=problem,
        )
        self.add_event(
            events.TOOL_RESULT,
            id=call_id,
            content=content,
            is_error=bool(failed),
            error_kind=as_text(failed.get("type")) or "tool" if failed else None,
            cut_bytes=0,
            returncode=None,
            elapsed_s=None,
            sha256=None,
        )
        self.counts["tool_calls"] += 1
        self.counts["invalid_tool_calls"] += problem is not None
        self.counts["tool_errors"] += bool(failed)
