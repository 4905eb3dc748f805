"""Hooks of a command whose runs are elsewhere: they hear of the command and of the runs, in the command's own process."""

import json

import pytest

import fake_slurm
from cluster_support import finish_run
from hooks_support import NAME, RECORDER, RUN

OTHER = "simple_classification:model=simple/model1"


def events_of(folder, *arguments, **environment):
    """The events of a command, and its last one of each run."""
    (folder / "recorder.py").write_text(RECORDER)
    flags = ["-m", "3", "--suite", "cluster", "--hooks", "recorder.py"]
    finish_run(folder, *arguments, *flags, **environment)
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    assert events[0]["event"] == "command_start" and events[-1]["event"] == "command_end"
    return [event["event"] for event in events[1:-1]], {e["run"]: e["state"] for e in events if e["event"] == "run_end"}


def test_a_slurm_job_has_a_beginning_and_an_end(tmp_path):
    environment = fake_slurm.install(tmp_path)
    (tmp_path / "prod_env").mkdir()
    (tmp_path / "prod_env/runner_config.yaml").write_text("slurm_monitor_interval: 1\n")
    kinds, ends = events_of(tmp_path, "-r", RUN, "--engine", "slurm", **environment)
    assert kinds == ["run_start", "run_end"]
    assert ends == {NAME: "done"}


@pytest.mark.ray
def test_runs_on_ray_have_a_beginning_and_an_end_each(ray_cluster, tmp_path):
    kinds, ends = events_of(tmp_path, "-r", RUN, OTHER, "--engine", "ray")
    assert sorted(kinds) == ["run_end", "run_end", "run_start", "run_start"]
    assert ends == {NAME: "done", OTHER.replace("/", "_"): "done"}
