"""The table at the end of helm-run."""

import json
import os

import pytest

from helm.benchmark.presentation.tables.run_table import run_table
from helm.common.telemetry.progress import RunProgress, counting
from helm.results.headline import HeadlineScore, RunOutcome
from helm.results.metric_labels import MetricLabel
from helm.results.statistics.intervals import gather_mean

EM = MetricLabel("EM", False)


def ended(name, cost=None, error=None):
    run = RunProgress(name, clock=iter([100.0, 102.5]).__next__)
    try:
        with counting(run):
            if cost is not None:
                run.pay(cost)
            if error is not None:
                run.stage = "execution"
                raise error
    except ValueError:
        pass
    return run


def outcome(values, model="lab/a", answered=None):
    facts = gather_mean(values)
    score = HeadlineScore("exact_match", EM, facts.mean, facts)
    return RunOutcome(model, [score], len(values), len(values) if answered is None else answered)


def test_a_row_says_score_answers_cost_and_time():
    runs = [ended("mmlu:subject=anatomy,model=lab_a", cost=0.5), ended("gsm:model=lab_b", error=ValueError("no"))]
    text = run_table(runs, {runs[0].name: outcome([1, 1, 0, 1], answered=3)})
    lines = text.splitlines()
    assert lines[0].split() == ["Run", "Model", "Metric", "Score", "Answered", "Cost", "Time"]
    assert lines[2].split() == "mmlu:subject=anatomy lab/a EM ↑ 0.75 ±0.48 3 of 4 $0.5 2.50 s".split()
    assert "failed at execution" in lines[3] and lines[3].startswith("gsm ") and "lab_b" in lines[3]
    assert lines[-1] == "↑ more is better; ± reach of the 95% interval"


def test_runs_that_paid_nothing_have_no_column_for_it():
    run = ended("gsm:model=lab_a")
    assert "Cost" not in run_table([run], {run.name: outcome([1, 0])})
    unpriced = RunProgress("gsm:model=lab_b", clock=iter([1.0, 2.0]).__next__)
    with counting(unpriced):
        unpriced.pay(None)
    assert "Cost" not in run_table([unpriced], {unpriced.name: outcome([1, 0])})


def test_without_results_there_is_no_table():
    assert run_table([ended("a:model=b", error=ValueError())], {}) == "" and run_table([], {}) == ""


def test_very_many_runs_share_rows_by_kind_and_model():
    runs = [ended(f"mmlu:subject={i},model=lab_{m}") for i in range(40) for m in "ab"]
    outcomes = {run.name: outcome([1, 0] if run.name.endswith("a") else [1, 1], f"lab/{run.name[-1]}") for run in runs}
    lines = run_table(runs, outcomes).splitlines()
    assert len(lines) == 6
    assert lines[2].startswith("mmlu (40 runs)  lab/a  EM ↑    0.5 ±") and "80 of 80" in lines[2]
    assert lines[3].startswith("mmlu (40 runs)  lab/b  EM ↑     1 ±")
    assert "scores of several runs are means" in lines[-1]


def test_names_are_cut_where_the_terminal_is_narrow():
    run = ended("a" * 90 + ":model=lab_a")
    lines = run_table([run], {run.name: outcome([1, 0, 1])}, 80).splitlines()
    assert max(map(len, lines[:3])) <= 80 and "…" in lines[2]


@pytest.fixture
def helm(tmp_path, monkeypatch, capfd):
    from helm.benchmark import run

    monkeypatch.chdir(tmp_path)

    def helm(*flags):
        try:
            run.main([*flags, "--suite", "s"])
            status = 0
        except SystemExit as e:
            status = e.code
        captured = capfd.readouterr()
        return status, captured.out, captured.err

    return helm


ENTRIES = ("-r", "simple_mcqa:model=baseline/majority", "simple_mcqa:model=simple/model1", "-m", "20")


def test_the_command_is_quiet_and_ends_with_what_summarize_shows(helm, tmp_path, capfd, monkeypatch):
    from helm.benchmark.live import views
    from helm.benchmark.presentation import summarize

    monkeypatch.setattr(views, "_LINE_EVERY_S", 600.0)  # what takes longer shows a line of progress
    for name in ("HELM_LOG_LEVEL", "LOG_LEVEL"):
        monkeypatch.delenv(name, raising=False)
    status, out, err = helm(*ENTRIES)
    assert status == 0 and err == ""
    rows = [line.split() for line in out.splitlines() if line.startswith("simple_mcqa")]
    assert [row[1] for row in rows] == ["baseline/majority", "simple/model1"]
    assert out.endswith("The results are in benchmark_output/runs/s.\nNext: helm-summarize --suite s\n")
    summarize.main(["--suite", "s"])
    table = capfd.readouterr().out
    for row, name in zip(rows, ("Majority choice", "Simple Model 1"), strict=True):
        (line,) = [line for line in table.splitlines() if line.startswith(name)]
        assert " ".join(row[4:6]) in line, "score and interval are the same"
    kept_status, kept, _ = helm(*ENTRIES, "--skip-completed-runs")
    kept_rows = [line.split() for line in kept.splitlines() if line.startswith("simple_mcqa")]
    assert kept_status == 0 and [row[:-2] for row in rows] == [row[:-1] for row in kept_rows]
    assert all(row[-1] == "kept" for row in kept_rows)


def test_verbose_tells_every_stage_on_standard_error(helm, monkeypatch):
    for name in ("HELM_LOG_LEVEL", "LOG_LEVEL"):
        monkeypatch.delenv(name, raising=False)
    status, out, err = helm(*ENTRIES, "-v")
    assert status == 0 and "2 entries produced 2 run specs" in err and "INFO" not in out


def test_skipped_runs_read_no_values_of_instances(helm, tmp_path):
    assert helm(*ENTRIES)[0] == 0
    for folder, _, names in os.walk(tmp_path / "benchmark_output" / "runs" / "s"):
        for name in names:
            if name in ("per_instance_stats.json", "scenario_state.json"):
                with open(os.path.join(folder, name), "w") as file:
                    file.write("damaged")
    status, out, _ = helm(*ENTRIES, "--skip-completed-runs")
    assert status == 0 and out.count(" kept") == 2


def test_an_error_quotes_the_request_in_a_few_words(helm, tmp_path, monkeypatch):
    monkeypatch.setenv("HELM_RETRIES", "0")
    status, _, err = helm("-r", "simple_mcqa:model=openai-compat/x@http://127.0.0.1:1/v1", "-m", "1")
    assert status == 1 and "Request(" not in err
    (line,) = [line for line in err.splitlines() if "cannot connect" in line]
    assert "Request: instance id" in line and "even or odd?" in line and len(line) < 400
    (path,) = tmp_path.glob("benchmark_output/runs/s/*/error.json")
    error = json.loads(path.read_text())
    assert "Request: Request(" in error["message"] and "max_tokens=5" in error["message"]


def test_all_instances(helm, tmp_path):
    status, out, _ = helm("-r", "simple_mcqa:model=simple/model1", "-m", "all")
    (path,) = tmp_path.glob("benchmark_output/runs/s/*/run_spec.json")
    assert status == 0 and "max_eval_instances" not in path.read_text()
    assert helm("-r", "simple_mcqa:model=simple/model1", "-m", "some")[0] == 2
