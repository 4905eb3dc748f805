"""Reads trajectories in ATIF: a file, or a folder with one for each episode."""

import os
from collections.abc import Iterator
from dataclasses import replace

from helm.agents.trajectories.atif import from_atif
from helm.agents.trajectories.atif_document import Trajectory, TrajectoryError, read_trajectory
from helm.benchmark.adaptation.request_state import RequestState
from helm.common.agent_request import AgentRequest
from helm.common.object_spec import ObjectSpec
from helm.results.importing.imported_run import (
    ImportedRun,
    ImportedSample,
    LogError,
    as_dict,
    as_int,
    as_text,
    make_adapter_spec,
    make_instance,
    make_request,
    make_result,
    make_state,
)
from helm.results.importing.json_lines import read_file

SOURCE = "atif"


def read_runs(path: str) -> Iterator[ImportedRun]:
    """Yield a run for each task and model in a file, or in the files of a folder.

    The task of documents that helm-export wrote is that of their run; of others, it is the name of the file or folder.

    Raises:
        LogError: A file is no trajectory, or there is none.
        OSError: A file cannot be read.
    """
    paths = _files_in(path) if os.path.isdir(path) else [path]
    if not paths:
        raise LogError(f"{path}: there is no .json file in this folder.")
    by_run: dict[tuple[str, str], list[str]] = {}
    for one in paths:
        document = _read(one)
        by_run.setdefault((_task_of(document, path), _model_of(document)), []).append(one)
    for (task, model), files in by_run.items():
        yield _make_run(task, model, files)


def _files_in(folder: str) -> list[str]:
    names = sorted(name for name in os.listdir(folder) if name.endswith(".json") and not name.startswith("."))
    return [os.path.join(folder, name) for name in names]


def _read(path: str) -> Trajectory:
    try:
        return read_trajectory(read_file(path))
    except TrajectoryError as e:
        raise LogError(f"{path}: {e}") from e


def _origin(document: Trajectory) -> dict[str, object]:
    return as_dict(as_dict(document.extra).get("helm"))


def _task_of(document: Trajectory, path: str) -> str:
    run = as_text(_origin(document).get("run"))
    if run:
        head, _, arguments = run.partition(":")
        kept = [one for one in arguments.split(",") if one and not one.startswith(("model=", "model_deployment="))]
        return f"{head}:{','.join(kept)}" if kept else head
    name = os.path.basename(os.path.normpath(path))
    return name.removesuffix(".json") or "trajectories"


def _model_of(document: Trajectory) -> str:
    return document.agent.model_name or document.agent.name


def _make_run(task: str, model: str, files: list[str]) -> ImportedRun:
    adapter_spec = make_adapter_spec("agent", model)

    def read() -> Iterator[ImportedSample]:
        for file in files:
            yield _make_sample(_read(file), file, model)

    return ImportedRun(
        source=SOURCE,
        identity="/".join([task, model, *map(os.path.basename, files)])[:1000],
        task=task,
        model=model,
        adapter_spec=adapter_spec,
        open_samples=read,
        main_metric="agent_success",
        num_planned=len(files),
    )


def _make_sample(document: Trajectory, path: str, model: str) -> ImportedSample:
    from helm.agents.metrics import get_agent_figures

    origin, result = _origin(document), from_atif(document)
    name = as_text(origin.get("instance")) or document.session_id or os.path.basename(path).removesuffix(".json")
    epoch = as_int(origin.get("epoch")) or 0
    first = [{"role": e["role"], "content": e["content"]} for e in result.events if e["kind"] == "message"]
    text = "\n\n".join(message["content"] for message in first if message["role"] == "user")
    request = AgentRequest(
        task=name,
        messages=list(first),
        model=model,
        model_deployment=model,
        agent=ObjectSpec(document.agent.name),
        epoch=epoch,
    )
    # The blank request and result are replaced: the helper makes those of single questions.
    blank = make_state(
        make_instance(name, text, []), make_request(make_adapter_spec("agent", model)), make_result([]), epoch
    )
    state: RequestState = replace(blank, request=request, result=result)
    return ImportedSample([state], get_agent_figures(state))
