"""Hooks of a command whose run is a Slurm job: they hear of the command and of the run, in the command's own process."""

import json

import fake_slurm
from cluster_support import finish_run
from hooks_support import NAME, RECORDER, RUN


def test_a_run_elsewhere_has_a_beginning_and_an_end(tmp_path):
    (tmp_path / "recorder.py").write_text(RECORDER)
    environment = fake_slurm.install(tmp_path)
    arguments = ["-r", RUN, "-m", "3", "--suite", "cluster", "--engine", "slurm", "--hooks", "recorder.py"]
    finish_run(tmp_path, *arguments, **environment)
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    kinds = [event["event"] for event in events]
    assert kinds[0] == "command_start" and kinds[-1] == "command_end"
    assert kinds[1:-1] == ["run_start", "run_end"]
    ends = {event["run"]: event["state"] for event in events if event["event"] == "run_end"}
    assert ends == {NAME: "done"}
