"""Writes the episodes of a run as trajectories, one file for each."""

import json
import os
import re
from typing import Any

from helm.agents.trajectories.atif import EpisodeOrigin, to_atif
from helm.common.agent_request import AgentResult
from helm.common.codec import structure
from helm.common.errors import HelmError
from helm.common.files import write_text_atomically
from helm.results.instance_values import iterate_states
from helm.results.run_results import RunResults

_NOT_IN_NAMES = re.compile(r"[^\w.=-]+")


def write_trajectories(run: RunResults, folder: str) -> int:
    """Write `FOLDER/RUN/INSTANCE_epoch_N.json` for each episode of a run in ATIF, and return their number.

    Raises: HelmError if it is no run of agents; OSError.
    """
    count = 0
    for state in iterate_states(run):
        request: dict[str, Any] = state.request
        if request.get("kind") != "agent":
            raise HelmError(f"{run.folder_name} has no episodes: only runs of agents are written as trajectories.")
        if state.result is None:
            continue
        instance, epoch = str(state.instance.get("id")), int(request.get("epoch") or 0)
        agent = (request.get("agent") or {}).get("class_name", "agent")
        origin = EpisodeOrigin(run.name, instance, epoch, agent, str(request.get("model_deployment") or ""))
        document = to_atif(structure(state.result, AgentResult), origin)
        name = f"{_NOT_IN_NAMES.sub('_', instance).lstrip('.')}_epoch_{epoch + 1}.json"
        path = os.path.join(folder, run.folder_name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_text_atomically(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
        count += 1
    return count
