"""Hooks of a command whose runs are executed elsewhere; they are in the command's own process."""

import json
from collections import Counter

import pytest

import fake_slurm
from cluster_support import MODEL, finish_run
from hooks_support import NAME, RECORDER, RUN


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


SYNTHETIC = f"synthetic_reasoning:mode=pattern_match,model={MODEL}"


def _told(folder):
    """What the hooks were told, without times, places and the numbers of requests; and those numbers by state."""
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    numbers: dict = {}
    for event in events:
        if event["event"] == "request":
            numbers.setdefault(event["state"], []).append(event["number"])
        for name in ("at", "folder", "files", "command", "seconds", "latency_s", "number"):
            event.pop(name, None)
        is_timed = event.get("run", "").startswith("gradbench")
        if is_timed:
            event.pop("score", None)
        for values in (event.get("metrics") or {}, event.get("scores") or {}):
            for name in [key for key in values if is_timed or "runtime" in key]:
                values[name] = "measured"
    return events, {state: sorted(found) for state, found in numbers.items()}


@pytest.mark.ray
@pytest.mark.parametrize("shard_size", [0, 5], ids=["whole runs", "shards"])
def test_workers_of_ray_tell_what_a_local_command_does(ray_cluster, model, tmp_path, shard_size):
    """Every event of runs, instances and requests arrives once, those of a run in their order."""
    told = {}
    for engine in ("local", "ray"):
        folder = tmp_path / engine
        (folder / "prod_env").mkdir(parents=True)
        (folder / "recorder.py").write_text(RECORDER)
        (folder / "prod_env/runner_config.yaml").write_text(json.dumps({"ray_shard_size": shard_size}))
        arguments = ["-r", SYNTHETIC, RUN, "gradbench_hello:model=gradbench/numpy", "-m", "12", "--suite", "cluster"]
        hooks = ["--hooks", "recorder.py", "--hook-texts"]
        finish_run(folder, *arguments, *hooks, "--engine", engine, OPENAI_BASE_URL=model.url)
        told[engine] = _told(folder)
    (here, here_numbers), (there, there_numbers) = told["local"], told["ray"]
    texts = [Counter(json.dumps(event, sort_keys=True) for event in events) for events in (here, there)]
    assert texts[0] == texts[1]
    assert len(here_numbers["sent"]) == len(there_numbers["sent"])
    assert set(there_numbers["sent"]) < set(there_numbers["answered"]), "tools have an event at their end only"
    assert all(len(found) == len(set(found)) for found in there_numbers.values())
    for name in {event["run"] for event in there if "run" in event}:
        kinds = [event["event"] for event in there if event.get("run") == name]
        assert (kinds[0], kinds[-1]) == ("run_start", "run_end")
    assert (there[0]["event"], there[-1]["event"]) == ("command_start", "command_end")
