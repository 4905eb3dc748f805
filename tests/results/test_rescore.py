"""`helm-rescore` with runs as they are: changed, elsewhere, damaged, unfinished."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.commands import rescore
from helm.results import load_run
from helm.results.interval_file import read_score_facts
from helm.results.score_facts import ScoreKey
from helm.results.scores import get_score_facts
from registries_support import empty_registries
from results_support import edit_json, helm_run, read_bytes

MCQA, SIMPLE = "simple_mcqa:model=simple_model1", "simple1:model=simple_model1"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return folder / helm_run("simple_mcqa:model=simple/model1", "simple1:model=simple/model1")


@pytest.fixture
def suite(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(finished, tmp_path / "benchmark_output" / "runs" / "s")
    return Path("benchmark_output/runs/s")


def helm_rescore(*args: str, status: int = 0) -> None:
    with empty_registries():
        if status == 0:
            rescore.main(args)
            return
        with pytest.raises(SystemExit) as exit_:
            rescore.main(args)
        assert exit_.value.code == status


def answer_all_right(value: Any) -> None:
    for state in value["request_states"]:
        letter = next(
            letter
            for letter, text in state["output_mapping"].items()
            for reference in state["instance"]["references"]
            if reference["tags"] and reference["output"]["text"] == text
        )
        for completion in state["result"]["completions"]:
            completion["text"] = letter


def means(folder: Path) -> dict[str, float]:
    return {stat.name.name: stat.mean or 0 for stat in load_run(str(folder)).stats() if stat.name.perturbation is None}


def test_rescoring_changes_nothing_and_does_not_touch_files(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in suite.rglob("*.json")}
    helm_rescore("--suite", "s")
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in suite.rglob("*.json")} == before
    out = capsys.readouterr().out
    assert f"{MCQA}: 81 stats, none changed\n" in out and "2 of 2 runs scored." in out


def test_new_answers_give_new_scores_and_twice_is_once(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = suite / MCQA
    assert means(folder)["exact_match"] < 1
    edit_json(folder / "scenario_state.json", answer_all_right)
    stale = read_bytes(folder)
    helm_rescore(str(folder), "--dry-run")
    assert read_bytes(folder) == stale and sorted(p.name for p in Path().iterdir()) == ["benchmark_output"]
    assert re.search(r"^  exact_match, test: 0\S* -> 1$", capsys.readouterr().out, re.MULTILINE)
    helm_rescore(str(folder), "--keep-old")
    first = read_bytes(folder)
    assert means(folder)["exact_match"] == 1
    assert first["stats.old-1.json"] == stale["stats.json"]
    assert first["per_instance_stats.old-1.json"] == stale["per_instance_stats.json"]
    helm_rescore(str(folder), "--keep-old")
    assert read_bytes(folder) == first
    stored = read_score_facts(str(folder))
    assert stored is not None and stored[ScoreKey("exact_match", "test")].mean == 1
    (folder / "intervals.json").unlink()
    get_score_facts(load_run(str(folder)))
    assert read_bytes(folder) == first  # as they are from its files
    assert load_run(str(folder)).scenario_state()  # and the folder still is a run


def test_other_metrics_are_written_down_in_the_run_spec(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = suite / MCQA
    edit_json(folder / "run_spec.json", lambda value: value.update(of_a_newer_version=1))
    name = "helm.benchmark.metrics.basic_metrics.BasicGenerationMetric"
    helm_rescore(str(folder), "--metric-spec", name + ':{"names": ["prefix_exact_match"]}')
    stored = json.loads((folder / "run_spec.json").read_text())
    assert stored["metric_specs"] == [{"class_name": name, "args": {"names": ["prefix_exact_match"]}}]
    assert stored["of_a_newer_version"] == 1
    assert "prefix_exact_match" in means(folder) and "exact_match" not in means(folder)
    out = capsys.readouterr().out
    assert "  exact_match, test: 0" in out and " -> nothing\n" in out


def test_missing_statistics_are_made(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = read_bytes(suite / MCQA)
    for name in ("stats.json", "per_instance_stats.json", "coverage.json"):
        (suite / MCQA / name).unlink()
    helm_rescore(str(suite / MCQA))
    assert read_bytes(suite / MCQA) == before
    out = capsys.readouterr().out
    assert re.search(rf"^{MCQA}: 81 stats: 81 new, \d+ per-instance entries differ$", out, re.MULTILINE)
    assert "  and 61 more (--dry-run shows all)\n" in out


def test_metrics_can_be_added_by_a_plugin(suite: Path) -> None:
    Path("shouting.py").write_text(
        "from helm.benchmark.metrics.metric import Metric, MetricName, Stat\n"
        "class ShoutingMetric(Metric):\n"
        "    def __init__(self, mark='!'):\n"
        "        self.mark = mark\n"
        "    def evaluate_generation(self, adapter_spec, request_state, metric_service, eval_cache_path):\n"
        "        return [Stat(MetricName('marks')).add(request_state.result.completions[0].text.count(self.mark))]\n"
    )
    before = json.loads((suite / MCQA / "stats.json").read_text())
    helm_rescore("--suite", "s", "--runs", "simple_mcqa*", "--plugins", "shouting.py",
                 "--add-metric-spec", "shouting.ShoutingMetric:mark=?")  # fmt: skip
    after = json.loads((suite / MCQA / "stats.json").read_text())
    assert after[: len(before)] == before and after[len(before)]["name"]["name"] == "marks"
    assert "marks" not in means(suite / SIMPLE)
    assert load_run(str(suite / MCQA)).run_spec.metric_specs[-1].args == {"mark": "?"}


def test_another_suite_gets_complete_runs(suite: Path) -> None:
    edit_json(suite / MCQA / "scenario_state.json", answer_all_right)
    before = {path: path.read_bytes() for path in suite.rglob("*.json")}
    helm_rescore("--suite", "s", "--to-suite", "anew")
    assert {path: path.read_bytes() for path in suite.rglob("*.json")} == before
    other = suite.parent / "anew"
    assert means(other / MCQA)["exact_match"] == 1
    assert read_bytes(other / SIMPLE) == read_bytes(suite / SIMPLE)
    assert not load_run(str(other / MCQA)).missing


def test_one_failed_run_is_left_alone_and_the_others_go_on(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit_json(suite / MCQA / "scenario_state.json", answer_all_right)
    edit_json(suite / SIMPLE / "run_spec.json",
              lambda value: value["metric_specs"].append({"class_name": "helm.nowhere.Metric"}))  # fmt: skip
    before = read_bytes(suite / SIMPLE)
    helm_rescore("--suite", "s", status=1)
    assert read_bytes(suite / SIMPLE) == before
    assert means(suite / MCQA)["exact_match"] == 1
    captured = capsys.readouterr()
    assert "1 of 2 runs scored." in captured.out and f"Failed: {SIMPLE}" in captured.out
    assert "was left as it was: Cannot import the metric helm.nowhere.Metric" in captured.out + captured.err


@pytest.mark.parametrize(
    "args, message",
    [
        ([], "Nothing to score"),
        (["--suite", "ss"], "Did you mean 's'"),
        (["--suite", "s", "--runs", "x*"], r"None of 2 runs matches x*"),
        (["--suite", "s", "-n", "0"], "--num-threads takes 1 or more"),
        (["--suite", "s", "--metric-spec", "a.B:{oops"], "Cannot read the metric 'a.B:{oops'"),
        (["--suite", "s", "--keep-old", "--to-suite", "x"], "cannot be given together"),
    ],
)
def test_bad_arguments_are_said(args: list, message: str, suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    helm_rescore(*args, status=1)
    assert message in capsys.readouterr().err


def test_a_run_with_unanswered_requests_is_not_scored(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit_json(suite / MCQA / "scenario_state.json", lambda value: value["request_states"][0].pop("result"))
    before = read_bytes(suite / MCQA)
    helm_rescore(str(suite / MCQA), status=1)
    captured = capsys.readouterr()
    assert "1 of 12 requests have no result" in captured.out + captured.err
    assert read_bytes(suite / MCQA) == before


def test_metrics_of_another_kind_of_request_are_named(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    helm_rescore(str(suite / MCQA), "--metric-spec", "helm.gradbench.metrics.ValidityMetric", status=1)
    captured = capsys.readouterr()
    assert "the metric ValidityMetric is for EvaluateRequest" in captured.out + captured.err


def test_unfinished_runs_of_a_suite_are_left_out_and_said(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (suite / SIMPLE / "scenario_state.json").unlink()
    helm_rescore("--suite", "s")
    out = capsys.readouterr().out
    assert f"{SIMPLE}: left out, because it has no scenario_state.json\n" in out and "1 of 1 run scored." in out
    helm_rescore(str(suite / SIMPLE), status=1)


@pytest.mark.parametrize(
    "class_name, hint",
    [
        ("helm.benchmark.basic_metrics.BasicMetric", "divided it into BasicGenerationMetric"),
        ("helm.benchmark.metrics.basic_metrics.BasicGenerationMetrik", "Did you mean 'helm.benchmark.metrics.basic_m"),
        ("helm.benchmark.basic_metrics.BasicReferenceMetric", "'helm.benchmark.metrics.basic_metrics.BasicReferenceM"),
        ("no.such.module.Metric", "No module named 'no'."),
    ],
)
def test_metrics_that_moved_are_suggested(
    class_name: str, hint: str, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    helm_rescore(str(suite / MCQA), "--metric-spec", class_name, status=1)
    captured = capsys.readouterr()
    assert hint in captured.out + captured.err
