"""Runs with epochs, from the run entry to the files: what is sent, what is kept, and what the numbers are."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from epochs_support import (
    ENTRY,
    NUM_QUESTIONS,
    SeededServer,
    helm_run,
    instance_values,
    mean_of,
    read,
    run_folder,
    start,
    write_questions,
)  # fmt: skip


@pytest.fixture
def server():
    server = SeededServer()
    yield server
    server.close()


@pytest.fixture
def place(tmp_path):
    write_questions(tmp_path)
    return tmp_path


def test_three_epochs_are_three_requests_and_growing_to_five_sends_two_more(place, server):
    helm_run(place, server, f"{ENTRY},epochs=3")
    assert server.asked == {(i, epoch): 1 for i in range(NUM_QUESTIONS) for epoch in (1, 2, 3)}
    folder = run_folder(place)
    spec = read(folder, "run_spec.json")
    assert spec["epochs"] == {"number": 3, "reducers": ["mean"]}
    states = read(folder, "scenario_state.json")["request_states"]
    assert [(state["instance"]["id"], state["epoch"]) for state in states] == [
        (f"id{i}", epoch) for i in range(NUM_QUESTIONS) for epoch in (1, 2, 3)
    ]
    assert [state["request"].get("random") for state in states[:3]] == [None, "1", "2"]

    assert instance_values(folder, "exact_match") == pytest.approx({"id0": 1, "id1": 1 / 3, "id2": 0, "id3": 0})
    assert instance_values(folder, "exact_match[epoch=2]") == {"id0": 1, "id1": 1, "id2": 0, "id3": 0}
    assert mean_of(folder, "exact_match") == pytest.approx(1 / 3)
    assert read(folder, "coverage.json")["epochs"] == {
        "number": 3, "reducers": ["mean"], "instances": 4, "complete": 4, "fewer": 0, "too_few": {}, "tied_votes": 0,
    }  # fmt: skip

    helm_run(place, server, f"{ENTRY},epochs=5")
    assert server.asked == {(i, epoch): 1 for i in range(NUM_QUESTIONS) for epoch in range(1, 6)}
    assert mean_of(run_folder(place, "epochs=5"), "exact_match") == pytest.approx((5 + 3 + 1) / 20)


def test_the_first_epoch_is_the_run_without_epochs(place, server):
    helm_run(place, server, ENTRY)
    plain = run_folder(place)
    assert "epochs" not in read(plain, "run_spec.json") and "epochs" not in read(plain, "coverage.json")
    assert all("epoch" not in state for state in read(plain, "scenario_state.json")["request_states"])
    helm_run(place, server, f"{ENTRY},epochs=2")
    assert set(server.asked.values()) == {1}


def test_all_reducers_in_one_run(place, server):
    helm_run(place, server, f"{ENTRY},epochs=5,reducer=majority+mean+max+pass@2+pass^2+at_least_3")
    folder = run_folder(place)
    expected = {
        "exact_match": [1, 1, 0, 0],
        "exact_match[mean]": [1, 0.6, 0.2, 0],
        "exact_match[max]": [1, 1, 1, 0],
        "exact_match[pass@2]": [1, 0.9, 0.4, 0],
        "exact_match[pass^2]": [1, 0.3, 0, 0],
        "exact_match[at_least_3]": [1, 1, 0, 0],
    }
    for name, values in expected.items():
        assert list(instance_values(folder, name).values()) == pytest.approx(values), name
        assert mean_of(folder, name) == pytest.approx(sum(values) / 4)
    # Numbers of tokens and the like are not reduced.
    names = {stat["name"]["name"] for stat in read(folder, "stats.json")}
    assert "num_output_tokens" in names and not [name for name in names if re.match(r"(num_|inference_).*\[", name)]


def test_the_interval_counts_instances(place, server):
    from helm.results.run_results import RunResults
    from helm.results.score_facts import ScoreKey
    from helm.results.scores import compute_score_facts

    helm_run(place, server, f"{ENTRY},epochs=5")
    found = compute_score_facts(RunResults(str(run_folder(place))))[ScoreKey("exact_match", "test")]
    assert (found.count, found.clusters) == (4, 4)
    values = [1, 0.6, 0.2, 0]
    mean = sum(values) / 4
    assert found.variance == pytest.approx(sum((value - mean) ** 2 for value in values) / 3 / 4)
    assert not [key for key in compute_score_facts(RunResults(str(run_folder(place)))) if "[epoch=" in key.name]


def test_a_failed_request_is_not_a_wrong_answer(place, server):
    server.failing = {(0, 2), (1, 1), (1, 3)}
    output = helm_run(place, server, f"{ENTRY},epochs=3,reducer=mean+pass@2", "--on-failure", "exclude")
    folder = run_folder(place)
    assert instance_values(folder, "exact_match") == {"id0": 1, "id1": 1, "id2": 0, "id3": 0}
    assert instance_values(folder, "exact_match[epoch=1]") == {"id0": 1, "id2": 0, "id3": 0}
    assert instance_values(folder, "exact_match[pass@2]") == {"id0": 1, "id1": None, "id2": 0, "id3": 0}
    assert list(instance_values(folder, "exact_match")) == ["id0", "id1", "id2", "id3"]
    counts = read(folder, "coverage.json")["epochs"]
    assert (counts["complete"], counts["fewer"], counts["too_few"]) == (2, 2, {"pass@2": 1})
    assert "2 of 4 instances have fewer than 3 epochs, because requests failed" in output


def test_a_tie_goes_to_the_first_answer_and_is_said(place, server):
    output = helm_run(place, server, f"{ENTRY},epochs=4,reducer=majority")
    folder = run_folder(place)
    # BABA: a tie, and B came first.
    assert instance_values(folder, "exact_match") == {"id0": 1, "id1": 0, "id2": 0, "id3": 0}
    assert read(folder, "coverage.json")["epochs"]["tied_votes"] == 1
    assert "1 of 4 votes were ties, won by the answer that came first" in output


@pytest.mark.parametrize("flags", [(), ("--disable-cache",)], ids=["cache", "no-cache"])
def test_kill_9_and_resume_send_no_request_twice(place, server, flags):
    server.delay_s = 0.1
    process = start(place, server, f"{ENTRY},epochs=5", "-n", "1", *flags)
    deadline = time.monotonic() + 60
    while sum(server.asked.values()) < 6 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert not (run_folder(place) / "stats.json").exists()
    num_sent = sum(server.asked.values())
    server.delay_s = 0.0
    output = helm_run(place, server, f"{ENTRY},epochs=5", *flags)
    assert "Resuming: " in output
    assert set(server.asked) == {(i, epoch) for i in range(NUM_QUESTIONS) for epoch in range(1, 6)}
    # Only what was in flight when the process was killed may come again.
    assert sum(server.asked.values()) <= 20 + 1 and num_sent >= 6


def test_the_same_entry_gives_the_same_bytes_and_rescoring_changes_none(place, server):
    helm_run(place, server, f"{ENTRY},epochs=3,reducer=mean+majority", "--suite", "one")
    helm_run(place, server, f"{ENTRY},epochs=3,reducer=mean+majority", "--suite", "two")
    one, two = sorted(place.glob("benchmark_output/runs/*/custom_mcqa*"))
    for name in ("run_spec.json", "stats.json", "per_instance_stats.json"):
        assert (one / name).read_bytes() == (two / name).read_bytes(), name
    before = {name: (one / name).read_bytes() for name in os.listdir(one) if name.endswith(".json")}
    rescore = [sys.executable, "-m", "helm.benchmark.commands.rescore", "--suite", "one"]
    environment = {**os.environ, "OPENAI_BASE_URL": server.url}
    subprocess.run(rescore, cwd=place, env=environment, check=True, timeout=120, capture_output=True)
    assert {name: (one / name).read_bytes() for name in before} == before
    asked = dict(server.asked)
    arguments = ["--reducer", "max+pass@2", "--to-suite", "best"]
    subprocess.run([*rescore, *arguments], cwd=place, env=environment, check=True, timeout=120, capture_output=True)
    (best,) = place.glob("benchmark_output/runs/best/custom_mcqa*")
    assert read(best, "run_spec.json")["epochs"] == {"number": 3, "reducers": ["max", "pass@2"]}
    helm_run(place, server, f"{ENTRY},epochs=3,reducer=max+pass@2", "--suite", "asked")
    (asked_so,) = place.glob("benchmark_output/runs/asked/custom_mcqa*")
    assert (best / "per_instance_stats.json").read_bytes() == (asked_so / "per_instance_stats.json").read_bytes()
    assert server.asked == asked
    wrong = subprocess.run(
        [*rescore, "--reducer", "pass@9"], cwd=place, env=environment, capture_output=True, text=True
    )
    assert wrong.returncode == 1 and "needs at least 9 epochs" in wrong.stdout + wrong.stderr
