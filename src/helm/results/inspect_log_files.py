"""Writes the episodes of a run as a log of inspect_ai, in JSON or as an archive, which its viewer and its analysis read."""

import json
import os
import uuid
import zipfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from helm.agents import events
from helm.common.agent_request import AGENT_ROLE, BRIDGE_ROLE, AgentResult
from helm.common.codec import structure
from helm.common.errors import HelmError
from helm.common.files import open_atomically
from helm.results.instance_values import iterate_states
from helm.results.run_results import RunResults

_VERSION = 2
_SCORER = "reward"
_LIMITS = {
    "seconds": "time",
    "working_seconds": "working",
    "tokens": "token",
    "cost_usd": "cost",
    "turns": "turn",
    "messages": "message",
}
"""Its names of limits; others are `custom`."""
_ERRORS = {"timeout": "timeout", "permission": "permission", "output": "limit", "memory": "limit", "limit": "limit"}
_SHORT = ("id", "epoch", "input", "target", "scores", "model_usage", "total_time", "working_time", "uuid")
"""What the list of samples says of each."""
_SPACE = uuid.UUID("2f6df4b0-6d5c-5b0e-8a57-27c6a7a2f0c4")


def write_inspect_log(run: RunResults, folder: str) -> int:
    """Write `FOLDER/RUN.json` with all episodes of a run, one at a time, and return their number.

    Raises: HelmError if it is no run of agents; OSError.
    """
    os.makedirs(folder, exist_ok=True)
    summary = _Summary(run)
    with open_atomically(os.path.join(folder, f"{run.folder_name}.json")) as file:
        file.write('{\n"samples": [')
        for number, sample in enumerate(summary.samples()):
            file.write((",\n" if number else "\n") + json.dumps(sample, ensure_ascii=False))
        file.write("\n],\n")
        head = json.dumps(summary.head(), ensure_ascii=False, indent=1)
        file.write(head[1:].lstrip("\n"))
        file.write("\n")
    return summary.count


def write_inspect_archive(run: RunResults, folder: str) -> int:
    """Write `FOLDER/RUN.eval`, the archive that inspect_ai writes by default, and return the number of episodes.

    Only one episode is in memory at a time, and a short line for each.

    Raises: HelmError if it is no run of agents; OSError.
    """
    os.makedirs(folder, exist_ok=True)
    summary, lines = _Summary(run), []
    with (
        open_atomically(os.path.join(folder, f"{run.folder_name}.eval"), binary=True) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
    ):

        def add(name: str, value: Any) -> None:
            entry = zipfile.ZipInfo(name, summary.created.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, json.dumps(value, ensure_ascii=False))

        for sample in summary.samples():
            # Names of tasks may have any characters; the entry is found by what it contains.
            add(f"samples/{sample['id'].replace('/', '_')}_epoch_{sample['epoch']}.json", sample)
            short = {name: sample[name] for name in _SHORT if name in sample}
            lines.append({**short, "message_count": len(sample["messages"]), "completed": "error" not in sample})
            if "error" in sample:
                lines[-1]["error"] = sample["error"]["message"]
            if "limit" in sample:
                lines[-1]["limit"] = sample["limit"]["type"]
        head = summary.head()
        add("_journal/start.json", {name: head[name] for name in ("version", "eval", "plan")})
        add("summaries.json", lines)
        add("header.json", head)
    return summary.count


class _Summary:
    """The samples of a run, and what the head of a log says of all of them."""

    def __init__(self, run: RunResults) -> None:
        self._run = run
        self._model = run.run_spec.adapter_spec.model_deployment or run.run_spec.adapter_spec.model
        self.created = datetime.fromtimestamp(int(os.path.getmtime(run.path)), UTC)
        self.count = 0
        self.ids: dict[str, None] = {}
        self.epochs = 1
        self.rewards: dict[str, list[float]] = {}
        self.usage = {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}

    def samples(self) -> Iterator[dict[str, Any]]:
        """Yield the episodes as samples. Raises: HelmError if the run has none."""
        for state in iterate_states(self._run):
            request: Mapping[str, Any] = state.request
            if request.get("kind") != "agent":
                raise HelmError(
                    f"{self._run.folder_name} has no episodes: only runs of agents are written as logs of inspect_ai."
                )
            if state.result is None:
                continue
            result = structure(state.result, AgentResult)
            sample = _make_sample(request, result, str(state.instance.get("id")), self._model)
            yield sample
            self._add(sample, result)

    def head(self) -> dict[str, Any]:
        """Return a log without its samples, which have been read before."""
        return _make_head(self._run, self._model, self.created.isoformat(), self)

    def _add(self, sample: Mapping[str, Any], result: AgentResult) -> None:
        self.count += 1
        self.ids[sample["id"]] = None
        self.epochs = max(self.epochs, sample["epoch"])
        if result.success and result.reward is not None:
            self.rewards.setdefault(sample["id"], []).append(result.reward)
        for usage in sample["model_usage"].values():
            for name in self.usage:
                self.usage[name] += usage[name]


def _make_head(run: RunResults, model: str, created: str, summary: _Summary) -> dict[str, Any]:
    means = [sum(values) / len(values) for values in summary.rewards.values()]
    metrics = {"mean": {"name": "mean", "value": sum(means) / len(means), "params": {}}} if means else {}
    score = {
        "name": _SCORER, "scorer": _SCORER, "reducer": "mean", "params": {}, "metrics": metrics,
        "scored_samples": len(means), "unscored_samples": len(summary.ids) - len(means),
    }  # fmt: skip
    identity = uuid.uuid5(_SPACE, run.name).hex[:22]
    task = run.name.partition(",model=")[0].partition(":model=")[0]
    return {
        "version": _VERSION,
        "status": "success",
        "eval": {
            "eval_id": identity,
            "run_id": identity,
            "created": created,
            "task": task,
            "task_id": identity,
            "task_version": 0,
            "task_attribs": {},
            "task_args": {},
            "dataset": {
                "name": task, "samples": len(summary.ids), "sample_ids": list(summary.ids), "shuffled": False,
            },
            "model": model,
            "model_args": {},
            "config": {"epochs": summary.epochs, "epochs_reducer": ["mean"]},
            "packages": {},
            "metadata": {"helm_run": run.name},
        },
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": {"total_samples": summary.count, "completed_samples": summary.count, "scores": [score]},
        "stats": {"started_at": created, "completed_at": created, "model_usage": {model: summary.usage}},
    }  # fmt: skip


def _make_sample(request: Mapping[str, Any], result: AgentResult, instance: str, model: str) -> dict[str, Any]:
    messages = _make_messages(result, model)
    given = [message for message in messages if message["role"] in ("system", "user")]
    first = next((str(message["content"]) for message in given if message["role"] == "user"), "")
    told = [usage for role in (AGENT_ROLE, BRIDGE_ROLE) if (usage := result.usage.get(role)) is not None]
    used = {
        "input_tokens": sum(usage.prompt_tokens - usage.cached_prompt_tokens for usage in told),
        "output_tokens": sum(usage.completion_tokens for usage in told),
        "input_tokens_cache_read": sum(usage.cached_prompt_tokens for usage in told),
        "total_tokens": sum(usage.prompt_tokens + usage.completion_tokens for usage in told),
    }
    names = {_SCORER: result.reward, **{k: v for k, v in result.rewards.items() if k != "reward"}}
    sample: dict[str, Any] = {
        "id": instance,
        "epoch": int(request.get("epoch") or 0) + 1,
        "input": first,
        "target": "",
        "messages": messages,
        "output": {"model": model, "choices": [], "completion": result.answer or ""},
        "scores": {
            name: {"value": value, "answer": result.answer} for name, value in names.items() if value is not None
        }
        if result.success
        else {},
        "metadata": {"outcome": result.outcome, "checks": result.checks},
        "store": {},
        "events": [],
        "model_usage": {model: used} if told else {},
        "attachments": {},
        "uuid": uuid.uuid5(_SPACE, f"{request.get('task')}/{instance}/{request.get('epoch')}").hex[:22],
        "total_time": result.elapsed_s,
        "working_time": result.working_s,
    }
    if result.limit is not None:
        sample["limit"] = {"type": _LIMITS.get(result.limit.name, "custom"), "limit": result.limit.limit}
    if not result.success:
        message = f"{result.cause}: {result.error}"
        sample["error"] = {"message": message, "traceback": message, "traceback_ansi": message}
    return sample


def _make_messages(result: AgentResult, model: str) -> list[dict[str, Any]]:
    """Return the conversation of the agent; what a simulated user does by itself is left out."""
    found: list[dict[str, Any]] = []
    calls: dict[str, Mapping[str, Any]] = {}
    for event in result.events:
        kind = event["kind"]
        if kind == events.MESSAGE:
            found.append({"role": event["role"], "content": event["content"] or ""})
        elif kind == events.USER:
            found.append({"role": "user", "content": event["content"]})
        elif kind == events.MODEL and event["role"] in (AGENT_ROLE, BRIDGE_ROLE):
            found.append(_make_answer(event, model))
        elif kind == events.TOOL_CALL:
            calls[event["id"]] = event
            if event["requestor"] == "script":
                call = _make_call(event["id"], event["name"], event["arguments"])
                found.append({"role": "assistant", "content": "", "tool_calls": [call], "model": model})
        elif kind == events.TOOL_RESULT and calls.get(event["id"], {}).get("requestor") != "user":
            found.append(_make_result(event, calls.get(event["id"], {})))
    return found


def _make_answer(event: Mapping[str, Any], model: str) -> dict[str, Any]:
    content: Any = event["text"] or ""
    if event.get("thinking"):
        content = [{"type": "reasoning", "reasoning": event["thinking"]}, {"type": "text", "text": content}]
    message = {"role": "assistant", "content": content, "model": event.get("model_deployment") or model}
    made = [
        _make_call(str(call.get("id") or f"call_{number}"), call.get("name"), call.get("arguments"))
        for number, call in enumerate(event["tool_calls"] or [])
    ]
    return {**message, "tool_calls": made} if made else message


def _make_call(call_id: str, name: Any, arguments: Any) -> dict[str, Any]:
    is_object = isinstance(arguments, Mapping)
    call = {"id": call_id, "function": str(name), "arguments": dict(arguments) if is_object else {}, "type": "function"}
    return call if is_object else {**call, "parse_error": f"These arguments are no JSON object: {arguments}"}


def _make_result(event: Mapping[str, Any], call: Mapping[str, Any]) -> dict[str, Any]:
    message = {"role": "tool", "content": event["content"], "tool_call_id": event["id"], "function": call.get("name")}
    if event["is_error"]:
        kind = "parsing" if call.get("problem") else _ERRORS.get(str(event.get("error_kind")), "unknown")
        message["error"] = {"type": kind, "message": event["content"]}
    return message
