"""Runs of `helm-run` with hooks, as processes of their own."""

import os
import subprocess
import sys
from pathlib import Path

RUN = "simple_mcqa:model=simple/model1"
NAME = "simple_mcqa:model=simple_model1"
OTHER_PROCESS_S = 120

RECORDER = """
import json
from dataclasses import asdict, fields

from helm.common.telemetry.hooks import Hooks


class Recorder(Hooks):
    def __init__(self):
        self.file = open("events.jsonl", "w")

    def write(self, kind, event):
        values = {item.name: getattr(event, item.name) for item in fields(event)}
        print(json.dumps({"event": kind, **values}, default=dict), file=self.file, flush=True)

    def on_command_start(self, event): self.write("command_start", event)
    def on_command_end(self, event): self.write("command_end", event)
    def on_run_start(self, event): self.write("run_start", event)
    def on_run_end(self, event): self.write("run_end", event)
    def on_run_failure(self, event): self.write("run_failure", event)
    def on_instance(self, event): self.write("instance", event)
    def on_request(self, event): self.write("request", event)
"""


def helm_run(folder: Path, *arguments: str, entry: str = RUN, **environment: str) -> subprocess.CompletedProcess:
    """Run three instances; a failure of the command is for the caller to look at."""
    command = [sys.executable, "-m", "helm.benchmark.run", "-r", entry, "-m", "3", "--suite", "s", *arguments]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))}
    return subprocess.run(
        command, cwd=folder, env={**environ, **environment}, capture_output=True, text=True, timeout=OTHER_PROCESS_S
    )
