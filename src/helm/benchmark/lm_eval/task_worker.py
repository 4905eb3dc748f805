"""Does jobs about tasks: in the sandbox if the task has code of its own, else here."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any

from helm.benchmark.lm_eval.task_code import TaskCode, check_trusted
from helm.benchmark.lm_eval.worker.documents import Sources
from helm.benchmark.lm_eval.worker.failures import CODE_FOLDER, TaskFailure
from helm.benchmark.lm_eval.worker.job import run_job
from helm.benchmark.lm_eval.worker.tables import Dataset, DatasetDict
from helm.common.errors import HelmError
from helm.common.sandbox.contract import SandboxLimits

Tables = dict[str, Any]
"""A table as it is sent: `{path, name, split, rows, labels}`; of all splits `{path, name, split: None, splits}`."""

LoadTables = Callable[[str, str | None, str | None, dict[str, Any]], list[Tables]]
"""Returns the tables of path, configuration, split (None: all) and further arguments."""

_WORKER = "helm_worker"

_PROGRAM = f"""\
import os, sys
sys.path.insert(0, os.getcwd())
from {_WORKER}.main import main
main()
"""

LIMITS = SandboxLimits(
    wall_s=600.0,
    memory_bytes=4 << 30,
    processes=64,
    output_bytes=1 << 30,
    scratch_bytes=256 << 20,
    open_files=256,
    address_space_bytes=16 << 30,
)
"""What a task's code may use for one job: for all documents together, not for each."""

_MAX_ROUNDS = 64
"""How many data sets the code of a task may ask for, one after the other."""


class TaskError(HelmError):
    """A job about a task has failed; the message names the task, the part, the document and the line of its code."""


def do_job(
    job: Mapping[str, Any],
    task: str,
    code: TaskCode | None,
    load: LoadTables,
    limits: SandboxLimits = LIMITS,
) -> dict[str, Any]:
    """Do a job; see `worker.job.run_job`.

    Args:
        task: its name, for messages.
        code: the task's code, which needs the user's consent. None for a task without code.
        load: loads the data sets that the task asks for.

    Raises: TaskError; ConfigError without consent; SandboxError if there is no sandbox.
    """
    if code is None:
        try:
            return run_job(dict(job), LocalSources(load))
        except TaskFailure as e:
            raise TaskError(f"lm_eval: task {task}: {e}") from e
    check_trusted(code, task)
    tables: list[Tables] = []
    for _ in range(_MAX_ROUNDS):
        answer = _ask(job, task, code, tables, limits)
        if "result" in answer:
            return dict(answer["result"])
        if "failure" in answer:
            raise TaskError(f"lm_eval: task {task}: {answer['failure']}")
        if "again" in answer:  # in a new process, where nothing is drawn yet
            job = {**job, "examples_first": True, "processes_again": answer["again"] is True}
            continue
        wanted = answer["needs"]
        tables += load(wanted["path"], wanted["name"], wanted["split"], wanted["arguments"])
    raise TaskError(f"lm_eval: task {task}: its code asks for more than {_MAX_ROUNDS} data sets.")


def _ask(
    job: Mapping[str, Any], task: str, code: TaskCode, tables: list[Tables], limits: SandboxLimits
) -> dict[str, Any]:
    from helm.common.sandbox.selection import run_python

    files: dict[str, bytes | str] = {f"{CODE_FOLDER}/{name}": content for name, content in code.files.items()}
    files.update(worker_files())
    sent = json.dumps({**job, "tables": tables}).encode("utf-8", "surrogatepass")
    result = run_python(_PROGRAM, stdin=sent, files=files, limits=limits)
    said = result.stderr.decode(errors="replace").strip()[-1500:]
    if result.status != "ok":
        raise TaskError(f"lm_eval: task {task}: its code was ended: {_reason(result.status, limits)}. {said}")
    try:
        answer = json.loads(result.stdout)
    except ValueError as e:
        raise TaskError(
            f"lm_eval: task {task}: its code ended without a result (status {result.returncode}). {said}"
        ) from e
    if not isinstance(answer, dict) or not {"result", "failure", "needs", "again"} & set(answer):
        raise TaskError(f"lm_eval: task {task}: its code wrote something else in place of the result.")
    return answer


def _reason(status: str, limits: SandboxLimits) -> str:
    reasons = {
        "timeout": f"it took longer than {limits.wall_s:g} s",
        "memory": f"it used more than {limits.memory_bytes >> 20:,} MiB of memory",
        "processes": f"it started more than {limits.processes} processes",
        "output": f"it wrote more than {limits.output_bytes >> 20:,} MiB",
        "killed": "by a signal",
    }
    return reasons.get(status, status)


@cache
def worker_files() -> dict[str, bytes]:
    """Return the files of the worker, as they are sent into the sandbox."""
    folder = resources.files("helm.benchmark.lm_eval.worker")
    return {f"{_WORKER}/{item.name}": item.read_bytes() for item in folder.iterdir() if item.name.endswith(".py")}


class LocalSources(Sources):
    """The data sets of a task that runs here."""

    def __init__(self, load: LoadTables):
        self._load = load

    def load(self, path: str, name: str | None, split: str | None, arguments: dict[str, Any]) -> Any:
        tables = {one["split"]: one for one in self._load(path, name, split, arguments)}
        made = {key: Dataset(one["rows"], one["labels"], key) for key, one in tables.items() if key is not None}
        return made[split] if split is not None else DatasetDict(made)


__all__ = ["LIMITS", "LoadTables", "LocalSources", "TaskError", "do_job", "worker_files"]
