"""Writes the episodes of a run as a job folder of Harbor, which its viewer and other tools read."""

import json
import os
import re
import uuid
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from helm.agents import events
from helm.agents.trajectories.atif import EpisodeOrigin, to_atif
from helm.common.agent_request import AGENT_ROLE, BRIDGE_ROLE, AgentResult, RoleUsage
from helm.common.codec import structure
from helm.common.errors import HelmError
from helm.common.files import write_text_atomically
from helm.results.instance_values import iterate_states
from helm.results.run_results import RunResults

_NOT_IN_NAMES = re.compile(r"[^\w.=-]+")
_SPACE = uuid.UUID("6f1c7c9e-7d3f-5f0a-9a39-5c1f9a6c2b11")
"""The identifiers of jobs and trials are made of their names, so that the same run gives the same files."""


def write_harbor_job(run: RunResults, folder: str) -> int:
    """Write `FOLDER/RUN/` with `result.json` and a folder for each episode, and return the number of episodes.

    Raises: HelmError if it is no run of agents; OSError.
    """
    job = os.path.join(folder, run.folder_name)
    ended = datetime.fromtimestamp(int(os.path.getmtime(run.path)), UTC)
    stats = _Stats()
    for trial, result, trajectory in _trials(run, ended):
        place = os.path.join(job, trial["trial_name"])
        _write(os.path.join(place, "result.json"), trial)
        _write(os.path.join(place, "config.json"), trial["config"])
        if trajectory["steps"]:
            _write(os.path.join(place, "agent", "trajectory.json"), trajectory)
        if result.rewards:
            _write(os.path.join(place, "verifier", "reward.json"), result.rewards)
            log = next((str(e.get("log") or "") for e in result.events if e["kind"] == events.SCORE), "")
            _write_text(os.path.join(place, "verifier", "test-stdout.txt"), log)
        stats.add(trial)
    _write(
        os.path.join(job, "result.json"),
        {
            "id": str(uuid.uuid5(_SPACE, run.name)),
            "started_at": ended.isoformat(),
            "finished_at": ended.isoformat(),
            "n_total_trials": stats.count,
            "stats": stats.finish(),
        },
    )
    return stats.count


def _trials(run: RunResults, ended: datetime) -> Iterator[tuple[dict[str, Any], AgentResult, dict[str, Any]]]:
    source = run.name.partition(":")[0]
    for state in iterate_states(run):
        request: Mapping[str, Any] = state.request
        if request.get("kind") != "agent":
            raise HelmError(f"{run.folder_name} has no episodes: only runs of agents are written as jobs of Harbor.")
        if state.result is None:
            continue
        result = structure(state.result, AgentResult)
        instance, epoch = str(state.instance.get("id")), int(request.get("epoch") or 0)
        task = str(request.get("task") or instance)
        agent = str((request.get("agent") or {}).get("class_name", "agent")).rpartition(".")[2]
        model = str(request.get("model_deployment") or "")
        provider, _, name = model.rpartition("/")
        trial_name = f"{_NOT_IN_NAMES.sub('_', instance).lstrip('.')[:80]}__{epoch + 1}"
        began = ended - timedelta(seconds=result.elapsed_s or 0.0)
        told = [usage for role in (AGENT_ROLE, BRIDGE_ROLE) if (usage := result.usage.get(role)) is not None]
        timing = {"started_at": began.isoformat(), "finished_at": ended.isoformat()}
        environment = result.environment or {}
        trial = {
            "id": str(uuid.uuid5(_SPACE, f"{run.name}/{trial_name}")),
            "task_name": task,
            "trial_name": trial_name,
            "trial_uri": f"{run.folder_name}/{trial_name}",
            "task_id": {"path": task},
            "source": source,
            "task_checksum": str(environment.get("sha256") or ""),
            "config": {
                "task": {"path": task},
                "trial_name": trial_name,
                "agent": {"name": agent, "model_name": model},
            },
            "agent_info": {
                "name": agent,
                "version": "1",
                "model_info": {"name": name, "provider": provider or None},
            },
            "agent_result": _agent_result(told, result),
            "verifier_result": {"rewards": dict(result.rewards)} if result.rewards else None,
            "exception_info": _exception(result, ended),
            **timing,
            "agent_execution": timing,
        }
        origin = EpisodeOrigin(run.name, instance, epoch, agent, model)
        yield trial, result, to_atif(result, origin)


def _agent_result(told: list[RoleUsage], result: AgentResult) -> dict[str, Any]:
    costs = [usage.cost_usd for usage in told]
    return {
        "n_input_tokens": sum(usage.prompt_tokens for usage in told),
        "n_cache_tokens": sum(usage.cached_prompt_tokens for usage in told),
        "n_output_tokens": sum(usage.completion_tokens for usage in told),
        "cost_usd": None if None in costs else sum(cost for cost in costs if cost is not None),
        "metadata": {"outcome": result.outcome, "turns": result.counts.turns, "tool_calls": result.counts.tool_calls},
    }


def _exception(result: AgentResult, ended: datetime) -> dict[str, Any] | None:
    """Return what Harbor has as an exception: a failure that is not the agent's, or the end of its time."""
    if result.cause is not None:
        kind, message = f"{result.cause.capitalize()}Failure", result.error or ""
    elif result.limit is not None and result.limit.name == "seconds":
        kind, message = "AgentTimeoutError", f"Agent execution timed out after {result.limit.limit:g} seconds"
    else:
        return None
    return {
        "exception_type": kind,
        "exception_message": message,
        "exception_traceback": "",
        "occurred_at": ended.isoformat(),
    }


class _Stats:
    def __init__(self) -> None:
        self.count = 0
        self._num_errors = 0
        self._evals: dict[str, dict[str, Any]] = {}

    def add(self, trial: Mapping[str, Any]) -> None:
        self.count += 1
        agent = trial["agent_info"]
        key = "__".join([agent["name"], agent["model_info"]["name"], trial["source"]])
        found = self._evals.setdefault(
            key, {"n_trials": 0, "n_errors": 0, "metrics": [], "reward_stats": {}, "exception_stats": {}}
        )
        found["n_trials"] += 1
        if trial["exception_info"] is not None:
            self._num_errors += 1
            found["n_errors"] += 1
            found["exception_stats"].setdefault(trial["exception_info"]["exception_type"], []).append(
                trial["trial_name"]
            )
        for name, value in ((trial["verifier_result"] or {}).get("rewards") or {}).items():
            found["reward_stats"].setdefault(name, {}).setdefault(str(value), []).append(trial["trial_name"])

    def finish(self) -> dict[str, Any]:
        """Return the numbers of all trials. Means are over those that were scored."""
        for found in self._evals.values():
            means = {}
            for name, by_value in found["reward_stats"].items():
                values = [float(value) for value, names in by_value.items() for _ in names]
                means[name] = sum(values) / len(values)
            if means:
                found["metrics"] = [{"mean": means["reward"], **means} if "reward" in means else means]
        return {"n_completed_trials": self.count, "n_errored_trials": self._num_errors, "evals": self._evals}


def _write(path: str, value: Any) -> None:
    _write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def _write_text(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_text_atomically(path, text)
