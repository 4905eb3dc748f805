"""Writes episodes as ATIF documents, and reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from helm.agents import events
from helm.agents.trajectories.atif_document import VERSION, Content, Step, Trajectory
from helm.common.agent_request import (
    AGENT_ROLE,
    BRIDGE_ROLE,
    EPISODE_OUTCOMES,
    STOPPED,
    AgentResult,
    EpisodeCounts,
    RoleUsage,
)

_RAW = "_raw"
"""The key of arguments that are no JSON object."""

_ROLES = (AGENT_ROLE, BRIDGE_ROLE)
_USAGE = {
    "prompt_tokens": "prompt_tokens",
    "completion_tokens": "completion_tokens",
    "cached_tokens": "cached_prompt_tokens",
}
"""The names of the format for counts of tokens, and ours."""


@dataclass(frozen=True)
class EpisodeOrigin:
    """Which episode it is."""

    run: str
    instance: str
    epoch: int
    agent: str
    """The class of the agent."""
    model: str


def to_atif(
    result: AgentResult, origin: EpisodeOrigin, tool_definitions: Sequence[Mapping[str, Any]] | None = None
) -> dict[str, Any]:
    """Return an episode as an ATIF document.

    Args:
        result: the episode.
        origin: which one it is.
        tool_definitions: the tools that the agent had, in the form of OpenAI's chat protocol; None if not known.
    """
    agent: dict[str, Any] = {"name": origin.agent, "version": "1", "model_name": origin.model}
    if tool_definitions is not None:
        agent["tool_definitions"] = [dict(tool) for tool in tool_definitions]
    writer = _StepWriter(origin.model)
    for event in result.events:
        writer.add(event)
    usages = [usage for role in _ROLES if (usage := result.usage.get(role)) is not None]
    final: dict[str, Any] = {
        "total_prompt_tokens": sum(usage.prompt_tokens for usage in usages),
        "total_completion_tokens": sum(usage.completion_tokens for usage in usages),
        "total_cached_tokens": sum(usage.cached_prompt_tokens for usage in usages),
        "total_steps": len(writer.steps),
        "extra": {"outcome": result.outcome, "rewards": dict(result.rewards)},
    }
    costs = [usage.cost_usd for usage in usages]
    if None not in costs:
        final["total_cost_usd"] = sum(cost for cost in costs if cost is not None)
    helm = {"run": origin.run, "instance": origin.instance, "epoch": origin.epoch}
    return {
        "schema_version": VERSION,
        "session_id": f"{origin.run}/{origin.instance}/{origin.epoch}",
        "agent": agent,
        "steps": writer.steps,
        "final_metrics": final,
        "extra": {"helm": helm},
    }


class _StepWriter:
    """Makes steps of events; what is not the agent's business, such as the user's calls, is left out."""

    def __init__(self, model: str):
        self.steps: list[dict[str, Any]] = []
        self._model = model
        self._current: dict[str, Any] | None = None
        """The agent's step that gets results."""
        self._requestors: dict[str, str] = {}

    def add(self, event: Mapping[str, Any]) -> None:
        """Add what an event says."""
        kind = event["kind"]
        if kind == events.MESSAGE:
            role = event["role"]
            self._step("agent" if role == "assistant" else role, event["content"] or "")
        elif kind == events.MODEL and event["role"] in _ROLES:
            self._add_answer(event)
        elif kind == events.TOOL_CALL:
            self._requestors[event["id"]] = event["requestor"]
            if event["requestor"] == "script":
                self._current = self._step("agent", "", llm_call_count=0, tool_calls=[_call(event)])
        elif kind == events.TOOL_RESULT and self._requestors.get(event["id"]) != "user":
            self._add_result(event)
        elif kind == events.USER:
            self._step("user", event["content"])
        elif kind == events.LIMIT:
            self._step("system", f"limit {event['name']}: {event['used']:g} of {event['limit']:g}")
        elif kind == events.ERROR and event.get("fatal"):
            self._step("system", f"error in {event['where']}: {event['message']}")

    def _step(self, source: str, message: Any, **fields: Any) -> dict[str, Any]:
        step = {"step_id": len(self.steps) + 1, "source": source, "message": message, **fields}
        self.steps.append(step)
        return step

    def _add_answer(self, event: Mapping[str, Any]) -> None:
        usage = event.get("usage") or {}
        names = {
            "prompt_tokens": "prompt_tokens",
            "completion_tokens": "completion_tokens",
            "cached_tokens": "cached_prompt_tokens",
        }
        metrics = {name: usage[key] for name, key in names.items() if usage.get(key) is not None}
        if event.get("cost_usd") is not None:
            metrics["cost_usd"] = event["cost_usd"]
        extra = {"cached": event["cached"], "latency_s": event["latency_s"], "event": event["n"]}
        fields: dict[str, Any] = {"llm_call_count": 1, "metrics": metrics, "extra": extra}
        if event["model_deployment"] != self._model:
            fields["model_name"] = event["model_deployment"]
        if event.get("thinking"):
            fields["reasoning_content"] = event["thinking"]
        calls = [
            _call({**call, "id": call.get("id") or f"call_{number}"}) for number, call in enumerate(event["tool_calls"])
        ]
        if calls:
            fields["tool_calls"] = calls
        self._current = self._step("agent", event["text"] or "", **fields)

    def _add_result(self, event: Mapping[str, Any]) -> None:
        step = self._current
        if step is None:
            return
        found: dict[str, Any] = {"content": event["content"]}
        if event["id"] in [call["tool_call_id"] for call in step.get("tool_calls", ())]:
            found = {"source_call_id": event["id"], **found}
        if event["is_error"]:
            found["extra"] = {"is_error": True, "error_kind": event["error_kind"]}
        step.setdefault("observation", {"results": []})["results"].append(found)


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    arguments = call["arguments"]
    is_object = isinstance(arguments, Mapping)
    return {
        "tool_call_id": str(call["id"]),
        "function_name": str(call["name"]),
        "arguments": dict(arguments)
        if is_object
        else {_RAW: arguments if isinstance(arguments, str) else str(arguments)},
    }


def from_atif(trajectory: Trajectory) -> AgentResult:
    """Return a trajectory as an episode. What the document does not say, such as hashes, is missing in its events."""
    reader = _StepReader(trajectory.agent.model_name or trajectory.agent.name)
    for step in trajectory.steps:
        reader.add(step)
    said = trajectory.final_metrics.extra if trajectory.final_metrics is not None else None
    said = said or {}
    outcome = said.get("outcome") if said.get("outcome") in EPISODE_OUTCOMES else STOPPED
    given: Any = said.get("rewards") if isinstance(said.get("rewards"), dict) else {}
    rewards = {str(key): float(value) for key, value in given.items() if isinstance(value, (int, float))}
    return AgentResult(
        success=outcome != "infrastructure",
        outcome=str(outcome),
        reward=rewards.get("reward"),
        rewards=rewards,
        answer=reader.answer,
        events=reader.events,
        usage={AGENT_ROLE: reader.usage} if reader.usage.calls else {},
        counts=EpisodeCounts(**reader.counts),
    )


class _StepReader:
    def __init__(self, model: str):
        self.events: list[dict[str, Any]] = []
        self.answer: str | None = None
        self.usage = RoleUsage()
        self.counts = asdict(EpisodeCounts())
        self._model, self._has_begun = model, False

    def _add(self, kind: str, **fields: Any) -> None:
        self.events.append({"n": len(self.events), "t": 0.0, "kind": kind, **fields})

    def add(self, step: Step) -> None:
        """Add the events of a step."""
        text = _text_of(step.message)
        if step.source == "system" or (step.source == "user" and not self._has_begun):
            self._add(events.MESSAGE, role=step.source, content=text)
        elif step.source == "user":
            self._add(events.USER, content=text, stop=None)
            self.counts["user_turns"] += 1
        elif step.llm_call_count is None and not step.tool_calls and step.metrics is None and not self._has_begun:
            self._add(events.MESSAGE, role="assistant", content=text)
            self._has_begun = True
        else:
            self._has_begun = True
            self._add_agent_step(step, text)

    def _add_agent_step(self, step: Step, text: str) -> None:
        is_script = step.llm_call_count == 0
        calls = [
            {"id": call.tool_call_id, "name": call.function_name, "arguments": call.arguments.get(_RAW, call.arguments)}
            for call in step.tool_calls or []
        ]
        if not is_script:
            self._add_answer(step, text, calls)
        results = list(step.observation.results) if step.observation is not None else []
        for call in calls:
            is_valid = isinstance(call["arguments"], dict)
            requestor, problem = "script" if is_script else "agent", None if is_valid else "no_json"
            self._add(events.TOOL_CALL, **call, requestor=requestor, valid=is_valid, problem=problem)
            self.counts["tool_calls"] += 1
            self.counts["invalid_tool_calls"] += not is_valid
            for result in [result for result in results if result.source_call_id == call["id"]]:
                self._add_result(call["id"], result)

    def _add_answer(self, step: Step, text: str, calls: list[dict[str, Any]]) -> None:
        metrics, usage = step.metrics, None
        if metrics is not None and metrics.prompt_tokens is not None and metrics.completion_tokens is not None:
            usage = {"prompt_tokens": metrics.prompt_tokens, "completion_tokens": metrics.completion_tokens}
            if metrics.cached_tokens is not None:
                usage["cached_prompt_tokens"] = metrics.cached_tokens
        cost = metrics.cost_usd if metrics is not None else None
        self._add(
            events.MODEL,
            role=AGENT_ROLE,
            model_deployment=step.model_name or self._model,
            request_sha256=None,
            text=text,
            thinking=step.reasoning_content,
            tool_calls=calls,
            finish_reason="tool_calls" if calls else "stop",
            usage=usage,
            cost_usd=cost,
            cached=bool((step.extra or {}).get("cached")),
            latency_s=(step.extra or {}).get("latency_s"),
            request_outcome="ok",
            num_messages=None,
        )
        self.counts["turns"] += step.llm_call_count or 1
        found, old = usage or {}, self.usage
        self.usage = RoleUsage(
            old.calls + 1,
            old.prompt_tokens + found.get("prompt_tokens", 0),
            old.completion_tokens + found.get("completion_tokens", 0),
            0,
            old.cached_prompt_tokens + found.get("cached_prompt_tokens", 0),
            None if cost is None or old.cost_usd is None else old.cost_usd + cost,
        )
        self.answer = text or self.answer

    def _add_result(self, call_id: str, result: Any) -> None:
        extra = result.extra or {}
        is_error = extra.get("is_error") is True
        self._add(
            events.TOOL_RESULT,
            id=call_id,
            content=_text_of(result.content),
            is_error=is_error,
            error_kind=extra.get("error_kind"),
            cut_bytes=0,
            returncode=None,
            elapsed_s=None,
            sha256=None,
        )
        self.counts["tool_errors"] += is_error


def _text_of(content: Content | None) -> str:
    """Return a message as text; images and sound are named, not copied."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(getattr(part, "text", None) or f"[{part.source.media_type}]" for part in content)  # type: ignore[union-attr]
