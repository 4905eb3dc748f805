"""Gates: thresholds, answered requests, regressions; exit status and JUnit."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from compare_support import make_ad_run, make_run, zeros_and_ones
from helm.benchmark.commands import gate
from helm.common.errors import ConfigError
from helm.results.comparison.comparing import CompareOptions
from helm.results.comparison.gates import FAILED, GateOptions, Threshold, check_baseline, find_score, parse_threshold
from helm.results.comparison.task_matching import Subject
from helm.results.metric_choice import MetricCatalogue, MetricChoice
from helm.results.run_results import RunResults, load_run


def run_gate(*arguments: object) -> int:
    try:
        gate.main([*map(str, arguments), "--resamples", "1000"])
    except SystemExit as e:
        return int(e.code or 0)
    return 0


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return make_run(tmp_path / "new", zeros_and_ones(80, 100))


@pytest.mark.parametrize(
    "arguments, status, text",
    [
        (
            ["--fail-under", "exact_match=0.8"],
            0,
            "PASSED  task:model=a_one: exact_match is 0.8 (95% interval 0.7112 to 0.8677)",
        ),
        (["--fail-under", "exact_match=0.81"], 3, "FAILED  task:model=a_one"),
        (["--fail-under", "exact_match=0.8", "--strict"], 3, "demanded: at least 0.8"),
        (["--fail-under", "exact_match=0.7", "--strict"], 0, "1 passed, 0 failed"),
        (["--fail-over", "exact_match=0.9"], 0, "demanded: at most 0.9"),
        (["--fail-over", "exact_match=0.8"], 0, "demanded: at most 0.8"),
        (["--fail-over", "exact_match=0.5"], 3, "FAILED"),
        (["--fail-over", "exact_match=0.85", "--strict"], 3, "(95% interval 0.7112 to 0.8677); demanded: at most 0.85"),
        (["--fail-under", "exact_mach=0.5"], 1, "ERROR   all runs: No run has exact_mach."),
        (["--min-answered", "1"], 0, "100 of 100 requests answered."),
        ([], 1, "No gate"),
        (["--fail-under", "exact_match"], 1, "is not a threshold"),
        (["--baseline", "nowhere"], 1, "There is no folder nowhere"),
        (["--fail-under", "exact_match=1", "--alpha", "2"], 1, "--alpha takes a number between 0 and 1"),
    ],
)
def test_thresholds_decide_the_exit_status(
    run: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, text: str
) -> None:
    assert run_gate(run, *arguments) == status
    assert text in "".join(capsys.readouterr())


def make_baseline(tmp_path: Path, ones: int) -> Path:
    return make_run(tmp_path / "old", zeros_and_ones(ones, 100))


@pytest.mark.parametrize(
    "ones_before, arguments, status, text",
    [
        (80, [], 0, "exact_match:test went from 0.8 to 0.8 on 100 instances: worse by more than 0 is ruled out."),
        (95, ["--max-regression", "0.02"], 3, "worse by more than 0.02 is shown"),
        (95, ["--max-regression", "0.3"], 0, "is ruled out"),
        (81, [], 0, "neither shown nor ruled out"),
        (81, ["--strict"], 3, "neither shown nor ruled out"),
        (60, [], 0, "ruled out"),
        (80, ["--max-regression", "-1"], 1, "--max-regression takes a number of at least 0"),
    ],
)
def test_regressions_decide_the_exit_status(
    run: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    ones_before: int,
    arguments: list[str],
    status: int,
    text: str,
) -> None:
    baseline = make_baseline(tmp_path, ones_before)
    assert run_gate(run, "--baseline", baseline, *arguments) == status
    assert text in "".join(capsys.readouterr())


def test_a_baseline_that_did_something_else_is_an_error(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    baseline = make_run(tmp_path / "old", zeros_and_ones(10, 90))
    assert run_gate(run, "--baseline", baseline) == 1
    assert "10 instances only in candidate" in capsys.readouterr().out


def test_a_run_that_vanished_is_an_error(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_baseline(tmp_path, 80)
    make_run(tmp_path / "old", zeros_and_ones(5, 10), task="other")
    assert run_gate(tmp_path / "new", "--baseline", tmp_path / "old") == 1
    assert "ERROR   other: Only the baseline has this run." in capsys.readouterr().out
    assert run_gate(tmp_path / "new", "--baseline", tmp_path / "old", "--runs", "task*") == 0


def test_a_run_without_results_is_an_error(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (make_run(tmp_path / "new", zeros_and_ones(5, 10), task="other") / "stats.json").unlink()
    assert run_gate(tmp_path / "new", "--fail-under", "exact_match=0.5") == 1
    assert "ERROR   other:model=a_one: The run has no results" in capsys.readouterr().out


def test_unanswered_requests_fail_their_gate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = make_run(tmp_path, zeros_and_ones(5, 10), answers={"id1": None, "id2": ""})
    assert run_gate(run, "--min-answered", "0.9") == 3
    assert "8 of 10 requests answered." in capsys.readouterr().out


def test_times_may_get_longer_by_a_share(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    times = {f"primal n={n}": [n * (1 + 0.01 * i) for i in range(8)] for n in range(1, 9)}
    old = make_ad_run(tmp_path / "old", "ad/x", times)
    slower = {name: [1.05 * s * (1 + 0.001 * i) for s in found] for i, (name, found) in enumerate(times.items())}
    new = make_ad_run(tmp_path / "new", "ad/x", slower)
    assert run_gate(new, "--baseline", old, "--max-regression", "0.02") == 3
    assert "worse by more than 2.00% is shown" in capsys.readouterr().out
    assert run_gate(new, "--baseline", old, "--max-regression", "0.1") == 0


def test_junit_holds_every_gate(run: Path, tmp_path: Path) -> None:
    other = make_run(tmp_path / "new", {"id0": [1.0], "id1": [0.0]}, task="other\x01<", metric="f1")
    path = tmp_path / "report.xml"
    arguments = ["--fail-under", "exact_match=0.9", "--fail-over", "f1=0.6", "--junit", path]
    assert run_gate(run, other, *arguments) == 3
    root = ElementTree.parse(path).getroot()
    counts = {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "4", "failures": "1", "errors": "0", "skipped": "2"}
    cases: list[tuple[str | None, str]] = [(case.get("name"), case[0].tag) for case in root.iter("testcase")]
    assert ("exact_match >= 0.9", "failure") in cases and ("f1 <= 0.6", "system-out") in cases
    assert "\ufffd<" in {suite.get("name", "")[5:7] for suite in root.iter("testsuite")}


def test_a_report_that_cannot_be_written_is_an_error(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_gate(run, "--min-answered", "0", "--junit", tmp_path / "no/report.xml") == 1
    assert "Cannot write" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["exact_match", "=0.5", "exact_match=", "exact_match=x", "a b=1", "m=1e"])
def test_thresholds_of_no_form_are_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        parse_threshold(text, False)


def test_thresholds_name_split_and_perturbation() -> None:
    assert str(parse_threshold("f1@robustness:valid=-1e-3", False)) == "f1@robustness:valid >= -0.001"


# --- the score that a threshold is checked against --------------------------------------------------------------------


def stat_of(value: float, count: int = 1, metric: str = "exact_match", **name: Any) -> dict[str, Any]:
    """A statistic of `stats.json`: the mean of `count` equal values."""
    total = value * count
    return {"name": {"name": metric, **name}, "count": count, "sum": total, "mean": value, "min": value, "max": value}


def with_stats(run: Path, *stats: dict[str, Any]) -> RunResults:
    (run / "stats.json").write_text(json.dumps(stats))
    return load_run(str(run))


def test_a_score_over_sub_splits_counts_each_value_the_same(run: Path) -> None:
    loaded = with_stats(
        run, stat_of(0.5, 1, split="test", sub_split="easy"), stat_of(0.9, 3, split="test", sub_split="hard")
    )
    found = find_score(loaded, MetricChoice("exact_match"), 0.95)
    assert found is not None and found.value == pytest.approx((0.5 + 3 * 0.9) / 4) and found.low is None


def test_a_metric_on_several_splits_asks_for_one(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loaded = with_stats(run, stat_of(0.5, split="test"), stat_of(0.9, split="valid"))
    with pytest.raises(ConfigError, match="on the splits test, valid: name one as exact_match:SPLIT"):
        find_score(loaded, MetricChoice("exact_match"), 0.95)
    valid = find_score(loaded, MetricChoice("exact_match", "valid"), 0.95)
    assert valid is not None and valid.value == 0.9
    assert run_gate(run, "--fail-under", "exact_match=0.1") == 1
    assert "ERROR" in capsys.readouterr().out


def test_of_perturbed_scores_the_worst_case_is_taken(run: Path) -> None:
    typos = {"split": "test", "perturbation": {"name": "typos", "computed_on": "worst"}}
    original = {"split": "test", "perturbation": {"name": "typos", "computed_on": "original"}}
    loaded = with_stats(
        run, stat_of(0.9, split="test"), stat_of(0.8, **original), stat_of(0.3, **typos), stat_of(0.1, metric="f1")
    )
    plain, worst, none = (
        find_score(loaded, MetricChoice("exact_match", perturbation=name), 0.95) for name in (None, "typos", "dialect")
    )
    assert plain is not None and plain.value == 0.9 and worst is not None and worst.value == 0.3 and none is None


def test_a_score_that_is_no_number_is_an_error(run: Path) -> None:
    loaded = with_stats(run, stat_of(float("nan"), split="test"))
    with pytest.raises(ConfigError, match="is not a number"):
        find_score(loaded, MetricChoice("exact_match"), 0.95)


def test_a_score_has_an_interval_only_where_the_instances_give_it(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = find_score(load_run(str(run)), MetricChoice("exact_match"), 0.9)
    assert (
        found is not None and found.confidence == 0.9 and found.low is not None and found.low < 0.8 < (found.high or 0)
    )
    other = find_score(with_stats(run, stat_of(0.81, split="test")), MetricChoice("exact_match"), 0.9)
    assert other is not None and (other.value, other.low) == (0.81, None)
    assert run_gate(run, "--fail-under", "exact_match=0.5") == 0
    assert run_gate(run, "--fail-under", "exact_match=0.5", "--strict") == 1
    assert "there is no interval, which --strict needs" in capsys.readouterr().out


def test_a_regression_of_few_instances_is_not_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = make_run(tmp_path / "old", {f"id{i}": [1.0] for i in range(4)})
    new = make_run(tmp_path / "new", {f"id{i}": [0.0] for i in range(4)})
    assert run_gate(new, "--baseline", old) == 0
    assert "neither shown nor ruled out (p = 0.0625)" in capsys.readouterr().out
    assert run_gate(new, "--baseline", old, "--strict") == 3
    assert run_gate(new, "--baseline", old, "--alpha", "0.0625") == 0, "a p-value has to be below the level"
    assert run_gate(new, "--baseline", old, "--alpha", "0.07") == 3
    assert "is shown (p = 0.0625)" in capsys.readouterr().out


@pytest.mark.parametrize("alpha, status", [("0.0625", 3), ("0.07", 0)])
def test_an_improvement_of_few_instances_rules_little_out(tmp_path: Path, alpha: str, status: int) -> None:
    old = make_run(tmp_path / "old", {f"id{i}": [0.0] for i in range(4)})
    new = make_run(tmp_path / "new", {f"id{i}": [1.0] for i in range(4)})
    assert run_gate(new, "--baseline", old, "--strict", "--alpha", alpha) == status


def test_unless_told_otherwise_nothing_may_get_worse(tmp_path: Path) -> None:
    subjects = [
        Subject(name, [load_run(str(make_run(tmp_path / name, zeros_and_ones(ones, 40))))])
        for name, ones in (("new", 20), ("old", 40))
    ]
    (found,) = check_baseline(*subjects, GateOptions(), CompareOptions(margin=0.0), MetricCatalogue())
    assert (found.run, found.gate, found.outcome) == ("task", "exact_match:test regression <= 0", FAILED)
    assert str(Threshold(MetricChoice("f1"), 0.5)) == "f1 >= 0.5"


def test_of_several_tasks_the_level_is_for_all_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """6 of 6 worse has a p-value of 1/64, which is more than a fifth of 5%."""
    for number in range(5):
        make_run(tmp_path / "old", {f"id{i}": [1.0] for i in range(6)}, task=f"t{number}")
        make_run(tmp_path / "new", {f"id{i}": [0.0] for i in range(6)}, task=f"t{number}")
    arguments = (tmp_path / "new", "--baseline", tmp_path / "old")
    assert run_gate(*arguments) == 0
    assert capsys.readouterr().out.count("neither shown nor ruled out (p = 0.0781)") == 5
    assert run_gate(*arguments, "--runs", "t0*") == 3
    assert "is shown (p = 0.0156)" in capsys.readouterr().out


@pytest.mark.parametrize(
    "value, off, has_interval",
    [(0.8, 0.0, True), (0.8, 5e-10, True), (0.8, 1.5e-9, False), (800, 4e-7, True), (800, 1e-6, False)],
)
def test_an_interval_is_that_of_the_score_but_for_rounding(
    tmp_path: Path, value: float, off: float, has_interval: bool
) -> None:
    path = make_run(tmp_path, {f"id{i}": [value + (i - 4.5) * value / 10] for i in range(10)})
    found = find_score(with_stats(path, stat_of(value + off, split="test")), MetricChoice("exact_match"), 0.95)
    assert found is not None and (found.low is not None) == has_interval


def test_the_interval_of_a_score_over_sub_splits_is_not_that_of_one(run: Path) -> None:
    halves = [stat_of(0.8, split="test", sub_split=name) for name in "ab"]
    found = find_score(with_stats(run, *halves), MetricChoice("exact_match"), 0.9)
    assert found is not None and (found.value, found.low, found.confidence) == (pytest.approx(0.8), None, 0.9)


def test_a_statistic_without_values_is_none(run: Path) -> None:
    empty = {"name": {"name": "exact_match", "split": "valid"}, "count": 0, "sum": 0, "min": None, "max": None}
    found = find_score(with_stats(run, stat_of(0.8, split="test"), empty), MetricChoice("exact_match"), 0.9)
    assert found is not None and found.value == 0.8


def test_answers_that_nobody_can_count_are_an_error(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = run / "scenario_state.json"
    state = json.loads(path.read_text())
    for request_state in state["request_states"]:
        del request_state["result"]
    path.write_text(json.dumps(state, indent=2))
    assert run_gate(run, "--min-answered", "0.5") == 1
    assert "ERROR   task:model=a_one: Nothing was asked." in capsys.readouterr().out
    path.write_text("{")
    assert run_gate(run, "--min-answered", "0.5") == 1
    output = capsys.readouterr().out
    assert (
        "ERROR   task:model=a_one: " in output
        and "scenario_state.json" in output
        and "0 passed, 0 failed, 1 error" in output
    )


def test_of_the_parts_of_a_threshold_the_one_that_is_wrong_is_named() -> None:
    with pytest.raises(ConfigError, match="'a b' is not a metric"):
        parse_threshold("a b=1", False)
    with pytest.raises(ConfigError, match="'m=1e' is not a threshold: expected METRIC=NUMBER"):
        parse_threshold("m=1e", False)
