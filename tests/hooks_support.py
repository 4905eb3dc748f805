"""Runs of `helm-run` with hooks, as processes of their own."""

import os
import subprocess
import sys
from pathlib import Path

RUN = "simple_mcqa:model=simple/model1"
NAME = "simple_mcqa:model=simple_model1"
OTHER_PROCESS_S = 120


def helm_run(folder: Path, *arguments: str, entry: str = RUN, **environment: str) -> subprocess.CompletedProcess:
    """Run three instances; a failure of the command is for the caller to look at."""
    command = [sys.executable, "-m", "helm.benchmark.run", "-r", entry, "-m", "3", "--suite", "s", *arguments]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))}
    return subprocess.run(
        command, cwd=folder, env={**environ, **environment}, capture_output=True, text=True, timeout=OTHER_PROCESS_S
    )
