"""Reads the job folders of Harbor: a `result.json` for the job and one in the folder of each trial.

A trial's folder may hold the trajectory of its agent (`agent/trajectory.json`) and what its verifier printed
(`verifier/test-stdout.txt`). Nothing else is read, and links are not followed.
"""

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from helm.agents import events
from helm.agents.harbor.rewards import main_reward
from helm.agents.trajectories.atif import from_atif
from helm.agents.trajectories.atif_document import TrajectoryError, read_trajectory
from helm.common.agent_request import (
    AGENT_ROLE,
    HARNESS,
    INFRASTRUCTURE,
    LIMIT,
    MODEL,
    SANDBOX,
    STOPPED,
    USER,
    VERIFIER,
    AgentRequest,
    AgentResult,
    LimitHit,
    RoleUsage,
)
from helm.common.object_spec import ObjectSpec
from helm.results.importing.imported_run import (
    ImportedRun,
    ImportedSample,
    LogError,
    as_dict,
    as_int,
    as_number,
    as_text,
    make_adapter_spec,
    make_instance,
    make_request,
    make_result,
    make_state,
    read_time,
)
from helm.results.importing.json_lines import read_file

SOURCE = "harbor"
RESULT_FILE = "result.json"
_TRAJECTORY = ("agent", "trajectory.json")
_LOG = ("verifier", "test-stdout.txt")
_MAX_LOG = 16_000
_SAID_AGAIN = (events.SCORE, events.ERROR, events.LIMIT)
"""What the trial's result says better than its trajectory."""
_CAUSES = {
    "verif": VERIFIER,
    "reward": VERIFIER,
    "environment": SANDBOX,
    "docker": SANDBOX,
    "sandbox": SANDBOX,
    "modelfailure": MODEL,
    "ratelimit": MODEL,
    "apierror": MODEL,
    "user": USER,
}
"""Parts of the names of exceptions, and what failed; everything else is the harness."""


def is_job(folder: str) -> bool:
    """Whether a folder is a job of Harbor: one of the folders in it has a result of its own."""
    return bool(_trial_folders(folder))


def read_runs(folder: str) -> Iterator[ImportedRun]:
    """Yield a run for each source of tasks, agent and model in a job.

    Raises:
        LogError: The folder is no job, or a file in it is damaged.
        OSError: A file cannot be read.
    """
    folders = _trial_folders(folder)
    if not folders:
        raise LogError(f"{folder}: this is no job of Harbor: no folder in it holds a {RESULT_FILE}.")
    job_path = os.path.join(folder, RESULT_FILE)
    job = read_file(job_path) if os.path.isfile(job_path) else {}
    name = as_text(job.get("job_name")) or os.path.basename(os.path.abspath(folder))
    by_run: dict[tuple[str, str, str], list[_Trial]] = {}
    for one in folders:
        trial = _read_trial(one)
        by_run.setdefault((trial.source or name, trial.agent, trial.model), []).append(trial)
    planned = as_int(job.get("n_total_trials"))
    for (task, agent, model), trials in by_run.items():
        yield _make_run(task, agent, model, trials, name, planned if len(by_run) == 1 else None)


@dataclass(frozen=True)
class _Trial:
    folder: str
    task: str
    source: str
    agent: str
    model: str
    started_at: str
    epoch: int = 0


def _trial_folders(folder: str) -> list[str]:
    found = []
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False) and _is_file(os.path.join(entry.path, RESULT_FILE)):
            found.append(entry.path)
    return found


def _is_file(path: str) -> bool:
    return os.path.isfile(path) and not os.path.islink(path)


def _read_trial(folder: str) -> _Trial:
    path = os.path.join(folder, RESULT_FILE)
    result = read_file(path)
    task = as_text(result.get("task_name"))
    if not task:
        raise LogError(f"{path}: a trial has its 'task_name' there.")
    agent = as_dict(result.get("agent_info"))
    model = as_dict(agent.get("model_info"))
    name = "/".join(part for part in (as_text(model.get("provider")), as_text(model.get("name"))) if part)
    agent_name = as_text(agent.get("name")) or "agent"
    return _Trial(
        folder,
        task,
        as_text(result.get("source")),
        agent_name,
        name or f"agents/{agent_name}",
        as_text(result.get("started_at")),
    )


def _make_run(
    task: str, agent: str, model: str, trials: list[_Trial], job: str, num_planned: int | None
) -> ImportedRun:
    numbered, counts = [], dict[str, int]()
    for trial in sorted(trials, key=lambda trial: (trial.task, trial.started_at, trial.folder)):
        epoch = counts.get(trial.task, 0)
        counts[trial.task] = epoch + 1
        numbered.append(replace(trial, epoch=epoch))
    numbered.sort(key=lambda trial: (trial.epoch, trial.task))

    def read() -> Iterator[ImportedSample]:
        for trial in numbered:
            yield _make_sample(trial)

    return ImportedRun(
        source=SOURCE,
        identity="/".join([job, task, agent, model, *(os.path.basename(trial.folder) for trial in numbered)])[:1000],
        task=task,
        model=model,
        adapter_spec=make_adapter_spec("agent", model),
        open_samples=read,
        task_args={"agent": agent},
        origin={"job": job},
        main_metric="agent_success",
        num_planned=num_planned,
    )


def _make_sample(trial: _Trial) -> ImportedSample:
    from helm.agents.metrics import get_agent_figures

    result = _read_result(trial)
    first = [{"role": e["role"], "content": e["content"]} for e in result.events if e["kind"] == events.MESSAGE]
    text = "\n\n".join(message["content"] for message in first if message["role"] == "user")
    request = AgentRequest(
        task=trial.task,
        messages=list(first),
        model=trial.model,
        model_deployment=trial.model,
        agent=ObjectSpec(trial.agent),
        epoch=trial.epoch,
    )
    blank = make_state(
        make_instance(trial.task, text, []),
        make_request(make_adapter_spec("agent", trial.model)),
        make_result([]),
        trial.epoch,
    )
    state = replace(blank, request=request, result=result)
    return ImportedSample([state], get_agent_figures(state))


def _read_result(trial: _Trial) -> AgentResult:
    said = read_file(os.path.join(trial.folder, RESULT_FILE))
    result = _read_trajectory(os.path.join(trial.folder, *_TRAJECTORY))
    found = [event for event in result.events if event["kind"] not in _SAID_AGAIN]

    def add(kind: str, **fields: Any) -> None:
        found.append({"n": len(found), "t": 0.0, "kind": kind, **fields})

    rewards = _rewards_of(said)
    exception = as_dict(said.get("exception_info"))
    kind, message = as_text(exception.get("exception_type")), as_text(exception.get("exception_message"))
    seconds = _seconds_of(as_dict(said.get("agent_execution")))
    limit = None
    if "Timeout" in kind and "Agent" in kind and "Setup" not in kind:
        limit = LimitHit("seconds", seconds or 0.0, seconds or 0.0)
        add(events.LIMIT, name=limit.name, limit=limit.limit, used=limit.used)
    is_scored = bool(rewards)
    cause = None if is_scored else next((c for part, c in _CAUSES.items() if part in kind.lower()), HARNESS)
    error = None if is_scored else f"{kind}: {message}".strip(": ") or "The trial has no reward."
    if is_scored:
        log = _read_log(os.path.join(trial.folder, *_LOG))
        add(events.SCORE, reward=rewards["reward"], rewards=rewards, checks={}, log=log, elapsed_s=None)
        if kind and limit is None:
            add(events.ERROR, where="agent", message=f"{kind}: {message}", fatal=False)
    else:
        add(events.ERROR, where=cause, message=error, fatal=True)
    return replace(
        result,
        success=is_scored,
        outcome=INFRASTRUCTURE if not is_scored else LIMIT if limit is not None else STOPPED,
        cause=cause,
        error=error,
        limit=limit,
        reward=rewards.get("reward"),
        rewards=rewards,
        events=found,
        usage=_usage_of(as_dict(said.get("agent_result")), result),
        elapsed_s=_seconds_of(said),
        working_s=seconds,
        environment={"name": trial.task, "sha256": as_text(said.get("task_checksum"))},
    )


def _rewards_of(said: dict[str, Any]) -> dict[str, float]:
    """Return the rewards by name; `reward` is the only one, or the mean if none is called so."""
    given = as_dict(as_dict(said.get("verifier_result")).get("rewards"))
    found = {name: float(number) for name, value in given.items() if (number := as_number(value)) is not None}
    found = {name: value for name, value in found.items() if math.isfinite(value)}
    return {"reward": main_reward(found), **found} if found else {}


def _usage_of(said: dict[str, Any], result: AgentResult) -> dict[str, RoleUsage]:
    """Return the use of models that the trial states, or else that of its trajectory."""
    prompt, completion = as_int(said.get("n_input_tokens")), as_int(said.get("n_output_tokens"))
    if prompt is None and completion is None:
        return result.usage
    cost = as_number(said.get("cost_usd"))
    cached = as_int(said.get("n_cache_tokens")) or 0
    return {AGENT_ROLE: RoleUsage(result.counts.turns, prompt or 0, completion or 0, 0, cached, cost)}


def _seconds_of(timing: dict[str, Any]) -> float | None:
    start, end = read_time(timing.get("started_at")), read_time(timing.get("finished_at"))
    return float(end - start) if start is not None and end is not None and end >= start else None


def _read_trajectory(path: str) -> AgentResult:
    if not _is_file(path):
        return AgentResult(success=True, outcome=STOPPED)
    try:
        return from_atif(read_trajectory(read_file(path)))
    except TrajectoryError as e:
        raise LogError(f"{path}: {e}") from e


def _read_log(path: str) -> str:
    """Return the end of what the verifier printed."""
    if not _is_file(path):
        return ""
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - _MAX_LOG))
        return file.read(_MAX_LOG).decode("utf-8", "replace")
