"""Calls of models in a transcript: their events, and the results that these stand for when an episode is repeated."""

from collections import deque
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from helm.agents import events
from helm.common.request import FILTERED, GeneratedOutput, Request, RequestResult, Thinking, Usage


def index_events(earlier: Sequence[events.Event]) -> tuple[dict[str, "deque[events.Event]"], "deque[events.Event]"]:
    """Return the answered model calls by the digest of their request, and the tool results in order."""
    answers: dict[str, deque[events.Event]] = {}
    results: deque[events.Event] = deque()
    for event in earlier:
        if events.is_answer(event):
            answers.setdefault(str(event.get("request_sha256")), deque()).append(event)
        elif event.get("kind") == events.TOOL_RESULT:
            results.append(event)
    return answers, results


def model_fields(
    asked: Request, result: RequestResult, output: GeneratedOutput, role: str, digest: str, cost: float | None
) -> dict[str, Any]:
    """Return the fields of the event of a model call."""
    usage = result.usage
    return {
        "role": role,
        "model_deployment": asked.model_deployment,
        "request_sha256": digest,
        "text": output.text,
        "thinking": output.thinking.text if output.thinking is not None else None,
        "tool_calls": [dict(call) for call in output.tool_calls or []],
        "finish_reason": (output.finish_reason or {}).get("reason"),
        "usage": {key: value for key, value in asdict(usage).items() if value is not None} if usage else None,
        "cost_usd": cost,
        "cached": result.cached,
        "latency_s": result.request_time,
        "request_outcome": result.outcome or ("ok" if result.success else "server"),
        "num_messages": len(asked.messages or [asked.prompt]),
        **({} if result.success else {"error": result.error}),
    }


def result_of(event: events.Event) -> RequestResult:
    """Return the result of a model call that an interrupted attempt recorded."""
    thinking = event.get("thinking")
    output = GeneratedOutput(
        text=str(event.get("text") or ""),
        logprob=0,
        tokens=[],
        finish_reason={"reason": event["finish_reason"]} if event.get("finish_reason") else None,
        thinking=Thinking(thinking) if thinking is not None else None,
        tool_calls=list(event.get("tool_calls") or []) or None,
    )
    is_filtered = event.get("request_outcome") == FILTERED
    return RequestResult(
        success=not is_filtered,
        embedding=[],
        completions=[output],
        cached=bool(event.get("cached")),
        request_time=event.get("latency_s"),
        error=event.get("error"),
        outcome=event.get("request_outcome"),
        usage=Usage(**event["usage"]) if event.get("usage") else None,
    )
