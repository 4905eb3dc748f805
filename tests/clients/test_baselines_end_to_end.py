"""The embedded baselines through the command: they make runs, and the numbers are those of a floor."""

import json
import subprocess
import sys

import pytest

EXPECTED = {
    # Of the numbers 21 to 99, 39 are even; the examples and the choices name Even first.
    "simple_mcqa:model=baseline/majority": ("exact_match", 39 / 79, 39 / 79),
    "simple_mcqa:model=baseline/random": ("exact_match", 0.35, 0.65),
    "simple_mcqa:model=baseline/ppm": ("exact_match", 39 / 79, 39 / 79),
    "simple_classification:model=baseline/ppm": ("exact_match", 0.3, 0.6),
    "dyck_language:num_parenthesis_pairs=2,model=baseline/ppm": ("exact_match_indicator", 0.1, 0.5),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    command = [sys.executable, "-m", "helm.benchmark.run", "--suite", "s", "-m", "100", "-r", *EXPECTED]
    completed = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return folder / "benchmark_output" / "runs" / "s"


@pytest.mark.parametrize("entry", EXPECTED)
def test_baseline_scores_like_a_floor(entry, runs):
    metric, low, high = EXPECTED[entry]
    name = entry.replace("baseline/", "baseline_").replace(
        "dyck_language:num_parenthesis_pairs=2,", "dyck_language_np=2:"
    )
    stats = json.loads((runs / name / "stats.json").read_text())
    (stat,) = [
        s
        for s in stats
        if s["name"]["name"] == metric and s["name"]["split"] == "test" and "perturbation" not in s["name"]
    ]
    assert low - 1e-9 <= stat["mean"] <= high + 1e-9
    states = json.loads((runs / name / "scenario_state.json").read_text())["request_states"]
    assert all(state["result"]["success"] and not state["result"]["cached"] for state in states)
    assert all(completion["logprob"] <= 0 for state in states for completion in state["result"]["completions"])
