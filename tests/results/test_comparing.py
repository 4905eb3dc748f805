"""Comparing runs: matched by task, aligned by instance, refused where they did not do the same."""

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from compare_support import make_ad_run, make_episode_run, make_run, zeros_and_ones
from helm.benchmark.presentation.comparison_report import comparison_rows, format_report, format_reports
from helm.common.errors import ConfigError
from helm.results.comparison.comparing import CompareOptions, Comparer, ComparisonReport, _verdict
from helm.results.comparison.task_matching import Subject, group_subjects, match_tasks, task_key
from helm.results.metric_choice import MetricChoice, parse_metric_choice
from helm.results.run_results import load_run, load_suite


def compare(*folders: Path, **options: Any) -> ComparisonReport:
    runs = [load_run(str(folder)) for folder in folders]
    subjects = [Subject(run.run_spec.adapter_spec.model + f"#{i}" * (i > 1), [run]) for i, run in enumerate(runs)]
    return Comparer(CompareOptions(resamples=500, **options)).compare(subjects)


def reasons(report: ComparisonReport) -> str:
    assert not report.results
    return "\n".join(report.refused)


def test_two_runs_are_compared_instance_by_instance(tmp_path: Path) -> None:
    one = make_run(tmp_path, zeros_and_ones(30, 40))
    two = make_run(tmp_path, zeros_and_ones(10, 40), "b/two")
    (result,) = compare(one, two).results
    assert (result.task, result.metric.name, result.metric.split) == ("task", "exact_match", "test")
    assert [score.value for score in result.scores] == [0.75, 0.25] and result.instances == 40
    (pair,) = result.pairs
    found = pair.comparison
    assert (found.wins, found.ties, found.losses, pair.verdict) == (20, 20, 0, "first")
    assert found.difference.value == 0.5 and found.p_value < 0.001
    assert result.friedman_p is None and result.notes == []


def test_the_order_of_instances_makes_no_difference(tmp_path: Path) -> None:
    scores = zeros_and_ones(12, 30)
    one = make_run(tmp_path, scores)
    two = make_run(tmp_path, dict(reversed(list(scores.items()))), "b/two")
    (result,) = compare(one, two).results
    assert result.pairs[0].verdict == "identical" and result.pairs[0].comparison.ties == 30


@pytest.mark.parametrize("ones, other, verdict", [(40, 0, "first"), (0, 40, "second"), (20, 19, "tie")])
def test_who_is_better(tmp_path: Path, ones: int, other: int, verdict: str) -> None:
    report = compare(
        make_run(tmp_path, zeros_and_ones(ones, 40)), make_run(tmp_path, zeros_and_ones(other, 40), "b/two")
    )
    assert report.results[0].pairs[0].verdict == verdict
    assert (report.standings, report.overall) == ([], []), "one task of two subjects is all there is"


@pytest.mark.parametrize("verdict, p, alpha", [("first", 0.049, 0.05), ("tie", 0.05, 0.05), ("tie", 0.049, 0.01)])
def test_a_p_value_must_be_below_the_level(verdict: str, p: float, alpha: float) -> None:
    assert _verdict(0.5, p, alpha, False) == verdict
    assert _verdict(-0.5, p, alpha, True) == verdict
    assert _verdict(0.5, p, alpha, True) == verdict.replace("first", "second")


def test_the_level_decides_how_long_all_intervals_are(tmp_path: Path) -> None:
    for model, ones in (("a/one", 30), ("b/two", 10)):
        for task in ("t1", "t2"):
            make_run(tmp_path, zeros_and_ones(ones, 40), model, task)
    report = Comparer(CompareOptions(resamples=500, alpha=0.1)).compare(subjects_of(tmp_path))
    of_tasks = [(result.scores[0], result.pairs[0].comparison.difference) for result in report.results]
    assert {found.confidence for pair in of_tasks for found in pair} == {0.9} == {report.confidence}
    (overall,) = report.overall
    assert overall.difference.confidence == 0.9 and overall.difference.clusters == 80
    assert overall.difference.value == 0.5 and overall.verdict == "first" and overall.adjusted_p == overall.p_value
    first, second = report.standings
    assert first.win_rate.confidence == 0.9 and [found.win_rate.value for found in (first, second)] == [1, 0]


def test_no_difference_is_a_tie_with_what_could_have_been_seen(tmp_path: Path) -> None:
    one = make_run(tmp_path, zeros_and_ones(20, 40))
    two = make_run(tmp_path, zeros_and_ones(19, 40), "b/two")
    report = compare(one, two)
    (pair,) = report.results[0].pairs
    assert pair.verdict == "tie" and 0 < pair.comparison.minimum_detectable < 0.2
    assert "tie (seen from " in format_report(report)


def test_trials_are_averaged_within_an_instance(tmp_path: Path) -> None:
    one = make_run(tmp_path, {f"id{i}": [1.0, 0.0] for i in range(20)})
    two = make_run(tmp_path, {f"id{i}": [0.0, 0.0] for i in range(20)}, "b/two")
    (result,) = compare(one, two).results
    assert result.instances == 20 and [score.value for score in result.scores] == [0.5, 0.0]
    assert result.pairs[0].comparison.mcnemar_p is None


def test_perturbed_copies_count_only_when_asked_for(tmp_path: Path) -> None:
    scores = zeros_and_ones(20, 20)
    one = make_run(tmp_path, scores, perturbed={f"id{i}": 0.0 for i in range(5)})
    two = make_run(tmp_path, scores, "b/two", perturbed={f"id{i}": 1.0 for i in range(5)})
    assert compare(one, two).results[0].pairs[0].verdict == "identical"
    for name in ("robustness", "typos"):
        (result,) = compare(one, two, metrics=[MetricChoice("exact_match", perturbation=name)]).results
        assert [score.value for score in result.scores] == [0.75, 1.0] and result.instances == 20
    with pytest.raises(ConfigError, match="no perturbation 'typo'; there are typos"):
        compare(one, two, metrics=[MetricChoice("exact_match", perturbation="typo")])
    with pytest.raises(ConfigError, match="no perturbation 'fairness'"):
        compare(one, two, metrics=[MetricChoice("exact_match", perturbation="fairness")])


def test_without_perturbed_copies_the_instances_are_the_worst_case(tmp_path: Path) -> None:
    one, two = (make_run(tmp_path, zeros_and_ones(n, 20), model) for n, model in ((10, "a/one"), (5, "b/two")))
    (result,) = compare(one, two, metrics=[MetricChoice("exact_match", perturbation="robustness")]).results
    assert [score.value for score in result.scores] == [0.5, 0.25]


def change_stats(folder: Path, change: Any) -> Path:
    """Replace the statistics of each instance, of which `make_run` makes one."""
    path = folder / "per_instance_stats.json"
    entries = json.loads(path.read_text())
    for entry in entries:
        entry["stats"] = change(*entry["stats"])
    path.write_text(json.dumps(entries, indent=2))
    return folder


def named(stat: dict[str, Any], mean: float | None = None, **name: Any) -> dict[str, Any]:
    """The statistic with another name or value."""
    value = stat["mean"] if mean is None else mean
    return {**stat, "name": {**stat["name"], **name}, "mean": value, "sum": value, "min": value, "max": value}


def test_values_of_sub_splits_are_averaged_within_an_instance(tmp_path: Path) -> None:
    one, two = (
        change_stats(
            make_run(tmp_path, zeros_and_ones(n, 12), model),
            lambda stat: [named(stat, sub_split="x"), named(stat, 0.5, sub_split="y")],
        )
        for n, model in ((12, "a/one"), (0, "b/two"))
    )
    (result,) = compare(one, two).results
    assert [score.value for score in result.scores] == [0.75, 0.25] and result.instances == 12


def test_the_worst_of_the_copies_counts_where_lower_is_better_too(tmp_path: Path) -> None:
    scores = {f"id{i}": [0.5] for i in range(12)}
    one, two = (
        make_run(tmp_path, scores, model, perturbed=dict.fromkeys(scores, value))
        for model, value in (("a/one", 0.75), ("b/two", 0.25))
    )
    for lower_is_better, expected in ((True, [0.75, 0.5]), (False, [0.5, 0.25])):
        metric = MetricChoice("exact_match", perturbation="typos", lower_is_better=lower_is_better)
        (result,) = compare(one, two, metrics=[metric]).results
        assert [score.value for score in result.scores] == expected
        assert result.pairs[0].verdict == ("second" if lower_is_better else "first")


def test_a_metric_on_several_splits_asks_for_one(tmp_path: Path) -> None:
    one, two = (
        change_stats(
            make_run(tmp_path, zeros_and_ones(n, 12), model), lambda stat: [stat, named(stat, 1.0, split="valid")]
        )
        for n, model in ((12, "a/one"), (0, "b/two"))
    )
    choice = MetricChoice("exact_match")
    with pytest.raises(ConfigError, match="on the splits test, valid: name one as exact_match:SPLIT"):
        compare(one, two, metrics=[choice])
    for split, expected in (("test", [1, 0]), ("valid", [1, 1])):
        (result,) = compare(one, two, metrics=[MetricChoice("exact_match", split)]).results
        assert [score.value for score in result.scores] == expected


def test_the_first_subject_says_which_metric_is_the_main_one(tmp_path: Path) -> None:
    one, two = (
        change_stats(
            make_run(tmp_path, zeros_and_ones(6, 12), model, groups=[group]),
            lambda stat: [stat, named(stat, name="f1_score")],
        )
        for model, group in (("a/one", "simple_mcqa"), ("b/two", "narrative_qa"))
    )
    assert [result.metric.name for result in compare(one, two).results] == ["exact_match"]
    assert [result.metric.name for result in compare(two, one).results] == ["f1_score"]
    (result,) = compare(one, two, metrics=[MetricChoice("f1_score")]).results
    assert result.metric.lower_is_better is False


def test_one_subject_or_no_instance_that_both_have_is_an_error(tmp_path: Path) -> None:
    one = make_run(tmp_path, {"id0": [1.0], "id1": [None]})
    two = make_run(tmp_path, {"id0": [None], "id1": [1.0]}, "b/two")
    with pytest.raises(ConfigError, match="needs at least two subjects"):
        compare(one)
    with pytest.raises(
        ConfigError, match="task: there is no instance for which all subjects have a value of exact_match"
    ):
        compare(one, two)


def test_questions_about_one_passage_are_one_source(tmp_path: Path) -> None:
    texts = {f"id{i}": f"{'A long passage about something. ' * 5}number {i // 4}\nQuestion {i}?" for i in range(60)}
    one = make_run(tmp_path, zeros_and_ones(32, 60), texts=texts)
    two = make_run(tmp_path, zeros_and_ones(20, 60), "b/two", texts=texts)
    (result,) = compare(one, two).results
    assert result.clusters == 15 and result.pairs[0].comparison.mcnemar_p is None
    assert "60 instances from 15 sources" in format_report(compare(one, two))


def test_extra_data_names_the_source(tmp_path: Path) -> None:
    extra = {f"id{i}": {"passage_id": i // 2, "author": i // 10} for i in range(40)}
    one = make_run(tmp_path, zeros_and_ones(30, 40), extra_data=extra)
    two = make_run(tmp_path, zeros_and_ones(20, 40), "b/two", extra_data=extra)
    assert compare(one, two).results[0].clusters == 20
    assert compare(one, two, cluster_key="author").results[0].clusters == 4


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_different_instances_are_refused_unless_allowed(tmp_path: Path) -> None:
    one = make_run(tmp_path, zeros_and_ones(20, 40))
    two = make_run(tmp_path, zeros_and_ones(20, 42), "b/two")
    assert reasons(compare(one, two)) == "task: 2 instances only in b/two: id40, id41 (--allow instances)"
    (result,) = compare(one, two, allowed={"instances"}).results
    assert result.instances == 40 and "2 instances only in b/two: id40, id41 (allowed)" in result.notes


def test_changed_instances_are_refused(tmp_path: Path) -> None:
    one = make_run(tmp_path, zeros_and_ones(2, 12))
    two = make_run(tmp_path, zeros_and_ones(2, 12), "b/two", texts={"id3": "What is 3?"})
    assert "1 instances of the same id differ in input or references: id3" in reasons(compare(one, two))


def test_different_prompts_are_refused_with_the_settings_that_differ(tmp_path: Path) -> None:
    one = make_run(tmp_path, zeros_and_ones(2, 12))
    two = make_run(tmp_path, zeros_and_ones(2, 12), "b/two", prompt="Please: {}")
    spec = json.loads((two / "run_spec.json").read_text())
    spec["adapter_spec"]["instructions"] = "Please"
    (two / "run_spec.json").write_text(json.dumps(spec, indent=2))
    text = reasons(compare(one, two))
    assert (
        "12 instances were asked in another way: id0, id1, id10 and 9 more (adapter: instructions '' and 'Please')"
        in text
    )
    assert "(--allow prompts)" in text
    assert compare(one, two, allowed={"prompts"}).results


def test_different_numbers_of_trials_are_refused(tmp_path: Path) -> None:
    one = make_run(tmp_path, {f"id{i}": [1.0, 0.0] for i in range(12)})
    two = make_run(tmp_path, zeros_and_ones(2, 12), "b/two")
    assert "2 and 1 trials" in reasons(compare(one, two))


def test_different_metrics_are_refused(tmp_path: Path) -> None:
    one = make_run(tmp_path, zeros_and_ones(2, 12))
    two = make_run(tmp_path, zeros_and_ones(2, 12), "b/two", metric_args={"names": ["x"]})
    text = reasons(compare(one, two))
    assert (
        "a/one has BasicReferenceMetric, b/two has BasicReferenceMetric(names=['x'])" in text
        and "--allow metrics" in text
    )


def test_a_further_metric_is_no_obstacle(tmp_path: Path) -> None:
    one = make_run(tmp_path, zeros_and_ones(2, 12))
    two = make_run(tmp_path, zeros_and_ones(2, 12), "b/two")
    spec = json.loads((two / "run_spec.json").read_text())
    spec["metric_specs"].append({"class_name": "my.OtherMetric", "args": {}})
    (two / "run_spec.json").write_text(json.dumps(spec, indent=2))
    (result,) = compare(one, two).results
    assert result.notes == ["metrics only of b/two: OtherMetric"]


def test_different_scenarios_are_refused_for_that_alone(tmp_path: Path) -> None:
    one = make_run(tmp_path, zeros_and_ones(2, 12))
    two = make_run(tmp_path, zeros_and_ones(2, 11), "b/two", scenario="my.OtherScenario")
    assert (
        reasons(compare(one, two)) == "task: the scenarios are my.TaskScenario and my.OtherScenario (--allow instances)"
    )


def test_unanswered_requests_and_missing_values_are_said(tmp_path: Path) -> None:
    scores = zeros_and_ones(9, 12)
    one = make_run(tmp_path, {**scores, "id0": [None], "id1": [float("nan")]}, answers={"id0": None})
    two = make_run(tmp_path, scores, "b/two")
    (result,) = compare(one, two).results
    assert result.instances == 10
    assert "a/one: 11 of 12 requests answered: 1 failed" in result.notes
    assert "a/one has no exact_match for 2 of 12 instances" in result.notes
    assert "a/one: 1 values of exact_match are not finite" in result.notes


def test_an_unknown_metric_names_the_nearest(tmp_path: Path) -> None:
    one, two = make_run(tmp_path, zeros_and_ones(2, 12)), make_run(tmp_path, zeros_and_ones(2, 12), "b/two")
    with pytest.raises(
        ConfigError, match="no scores of single instances named 'exact_mach'. Did you mean 'exact_match'"
    ):
        compare(one, two, metrics=[MetricChoice("exact_mach")])


def test_a_run_without_known_main_metric_asks_for_one(tmp_path: Path) -> None:
    options = {"metric": "brevity", "groups": ["mine"]}
    one = make_run(tmp_path, zeros_and_ones(2, 12), **options)
    two = make_run(tmp_path, zeros_and_ones(9, 12), "b/two", **options)
    with pytest.raises(ConfigError, match="Name one with --metric, for example brevity"):
        compare(one, two)
    (result,) = compare(one, two, metrics=[MetricChoice("brevity")]).results
    assert result.notes == ["nothing says which way brevity is better: more is taken as better"]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("exact_match", MetricChoice("exact_match")),
        ("f1:valid", MetricChoice("f1", "valid")),
        ("f1@robustness:test", MetricChoice("f1", "test", "robustness")),
    ],
)
def test_metrics_are_written_with_perturbation_and_split(text: str, expected: MetricChoice) -> None:
    assert parse_metric_choice(text) == expected and str(expected) == text


def test_a_metric_of_no_form_is_refused() -> None:
    with pytest.raises(ConfigError, match="is not a metric"):
        parse_metric_choice("two words")


# --- several subjects and tasks ---------------------------------------------------------------------------------------


def subjects_of(suite: Path) -> list[Subject]:
    found: dict = {}
    for run in load_suite(str(suite)):
        found.setdefault(run.run_spec.adapter_spec.model, []).append(run)
    return [Subject(name, runs) for name, runs in found.items()]


def test_three_subjects_on_two_tasks(tmp_path: Path) -> None:
    for task, counts in {"t1": (30, 20, 10), "t2": (25, 25, 5)}.items():
        for model, ones in zip(("a/one", "b/two", "c/three"), counts, strict=True):
            make_run(tmp_path, zeros_and_ones(ones, 40), model, task)
    make_run(tmp_path, zeros_and_ones(1, 4), "a/one", "t3")
    report = Comparer(CompareOptions(resamples=500)).compare(subjects_of(tmp_path))
    assert report.unmatched == ["t3: not b/two, c/three"]
    assert [(r.task, len(r.pairs)) for r in report.results] == [("t1", 3), ("t2", 3)]
    raw = [pair.comparison.p_value for result in report.results for pair in result.pairs]
    adjusted = [pair.adjusted_p for result in report.results for pair in result.pairs]
    assert min(adjusted) == pytest.approx(6 * min(raw)) and all(a >= p for a, p in zip(adjusted, raw, strict=True))
    assert report.results[1].pairs[0].verdict == "identical" and report.results[0].friedman_p < 0.001
    assert [o.verdict for o in report.overall] == ["first"] * 3
    assert [s.win_rate.value for s in report.standings] == [0.875, 0.625, 0.0]
    text = format_report(report, with_details=True)
    assert "All 2 tasks, each counting the same" in text and "Win rates" in text and "Not done by all" in text


def test_tasks_are_matched_without_the_subject(tmp_path: Path) -> None:
    run = load_run(str(make_run(tmp_path, zeros_and_ones(1, 2), task="mmlu:subject=a")))
    run.run_spec.__dict__["name"] = "mmlu:subject=a,model=x_y,method=m"
    assert task_key(run) == "mmlu:subject=a,method=m"


def test_a_task_done_twice_is_refused(tmp_path: Path) -> None:
    one = load_run(str(make_run(tmp_path / "s1", zeros_and_ones(1, 4))))
    again = load_run(str(make_run(tmp_path / "s2", zeros_and_ones(1, 4))))
    with pytest.raises(ConfigError, match="are the same task"):
        match_tasks([Subject("a", [one, again]), Subject("b", [one])])


def test_nothing_in_common_is_an_error_that_lists_the_tasks(tmp_path: Path) -> None:
    runs = [load_run(str(make_run(tmp_path, zeros_and_ones(1, 4), task=task))) for task in ("t1", "t2", "t3")]
    with pytest.raises(ConfigError, match="no task in common") as error:
        Comparer(CompareOptions()).compare([Subject("a", runs[:2]), Subject("b", runs[2:])])
    assert "t1: only a" in str(error.value) and "t3: only b" in str(error.value)


def test_tasks_that_are_refused_leave_nothing_to_rank(tmp_path: Path) -> None:
    runs = [make_run(tmp_path, zeros_and_ones(1, n), model) for n, model in ((4, "a/1"), (5, "b/2"), (5, "c/3"))]
    report = compare(*runs)
    assert "task: a/1 and b/2: 1 instances only in b/2: id4 (--allow instances)" in report.refused
    assert all("b/2 and c/3" not in reason for reason in report.refused)
    assert (report.results, report.standings, report.overall) == ([], [], [])


def test_one_task_of_three_subjects_is_ranked_and_tasks_of_several_scales_are_not_added(tmp_path: Path) -> None:
    models = ("a/one", "b/two", "c/three")
    for model, ones in zip(models, (30, 20, 10), strict=True):
        make_run(tmp_path / "three", zeros_and_ones(ones, 40), model)
    report = Comparer(CompareOptions(resamples=200)).compare(subjects_of(tmp_path / "three"))
    assert [standing.win_rate.value for standing in report.standings] == [1, 0.5, 0] and report.overall == []
    for model, value in (("a/one", 3.0), ("b/two", 5.0)):
        values = {f"id{i}": [value + i] for i in range(12)}
        make_run(tmp_path / "two", values, model, "t1")
        make_run(tmp_path / "two", values, model, "t2", metric="bits_per_byte", groups=["the_pile"])
    report = Comparer(CompareOptions(resamples=200)).compare(subjects_of(tmp_path / "two"))
    assert [result.metric.lower_is_better for result in report.results] == [False, True]
    assert [result.pairs[0].verdict for result in report.results] == ["second", "first"]
    assert report.overall == [] and [standing.win_rate.value for standing in report.standings] == [0.5, 0.5]


def test_a_task_of_one_instance_beside_another_shows_nothing_overall(tmp_path: Path) -> None:
    for model, ones in (("a/one", 40), ("b/two", 0)):
        make_run(tmp_path, zeros_and_ones(ones, 40), model, "t1")
        make_run(tmp_path, zeros_and_ones(ones, 1), model, "t2")
    report = Comparer(CompareOptions(resamples=200)).compare(subjects_of(tmp_path))
    assert [result.pairs[0].verdict for result in report.results] == ["first", "unknown"]
    (overall,) = report.overall
    assert (overall.p_value, overall.difference.low, overall.verdict) == (1.0, None, "tie")


def test_few_instances_in_all_tasks_together_have_no_verdict(tmp_path: Path) -> None:
    for model, ones in (("a/one", 2), ("b/two", 0)):
        for task in ("t1", "t2"):
            make_run(tmp_path, zeros_and_ones(ones, 2), model, task)
    (overall,) = Comparer(CompareOptions(resamples=200)).compare(subjects_of(tmp_path)).overall
    assert (overall.verdict, overall.difference.clusters) == ("too few", 4)


def test_subjects_of_different_kinds_come_apart(tmp_path: Path) -> None:
    for model in ("a/one", "b/two"):
        make_run(tmp_path, zeros_and_ones(1, 4), model)
    make_ad_run(tmp_path, "ad/x", {"primal n=1": [1.0]})
    groups = group_subjects(subjects_of(tmp_path))
    assert sorted([subject.label for subject in group] for group in groups) == [["a/one", "b/two"], ["ad/x"]]


def test_of_three_subjects_with_gaps_the_instances_that_all_have_are_compared(tmp_path: Path) -> None:
    scores = {f"id{i}": [float(i % 2)] for i in range(24)}
    gaps = ({"id0": [None]}, {"id1": [None], "id2": [None]}, {"id3": [None]})
    runs = [
        make_run(tmp_path, {**scores, **gap}, model)
        for gap, model in zip(gaps, ("a/one", "b/two", "c/three"), strict=True)
    ]
    subjects = [Subject(run.run_spec.adapter_spec.model, [run]) for run in (load_run(str(path)) for path in runs)]
    (result,) = Comparer(CompareOptions(resamples=200)).compare(subjects).results
    assert result.instances == 20 and {pair.comparison.difference.count for pair in result.pairs} == {20}
    assert [pair.verdict for pair in result.pairs] == ["identical"] * 3
    for label, missing in (("a/one", 1), ("b/two", 2), ("c/three", 1)):
        assert f"{label} has no exact_match for {missing} of 24 instances" in result.notes


def test_without_scipy_the_rank_tests_are_missing_and_the_rest_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [
        make_run(tmp_path, zeros_and_ones(n, 40), model) for n, model in ((30, "a/one"), (20, "b/two"), (10, "c/three"))
    ]
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    subjects = [Subject(run.run_spec.adapter_spec.model, [run]) for run in (load_run(str(path)) for path in runs)]
    report = Comparer(CompareOptions(resamples=200)).compare(subjects)
    (result,) = report.results
    assert result.friedman_p is None and all(pair.comparison.wilcoxon_p is None for pair in result.pairs)
    assert all(pair.verdict == "first" and pair.comparison.mcnemar_p is not None for pair in result.pairs)
    text = format_report(report, with_details=True)
    assert "Friedman" not in text and "Wilcoxon's test needs scipy: pip install 'helm-evals[statistics]'" in text


def test_few_instances_have_no_verdict_however_clear(tmp_path: Path) -> None:
    one = make_run(tmp_path, zeros_and_ones(5, 5))
    two = make_run(tmp_path, zeros_and_ones(0, 5), "b/two")
    report = compare(one, two)
    assert report.results[0].pairs[0].verdict == "too few"
    text = format_report(report)
    assert "too few: fewer than 6 instances" in text and "is better" not in text
    programs = [("llvm/Oz", 1.0), ("llvm/greedy", 1.1)]
    suite = tmp_path / "compilers"
    for name in ("crc32", "sha1", "fft", "sort"):
        for policy, reduction in programs:
            make_episode_run(suite, policy, name, reduction + len(name) / 100)
    (result,) = Comparer(CompareOptions(resamples=200)).compare(subjects_of(suite)).results
    assert result.pairs[0].verdict == "too few" and result.pairs[0].comparison.p_value == 0.125


# --- times and compilers ----------------------------------------------------------------------------------------------

FAST = [0.010, 0.011, 0.012, 0.013, 0.014, 0.015, 0.016, 0.017]


def test_times_of_tools_are_compared_by_ratios(tmp_path: Path) -> None:
    workloads = {
        f"{function} n={n}": [n * s for s in FAST] for n in (1, 10, 100, 1000) for function in ("primal", "gradient")
    }
    one = make_ad_run(tmp_path, "ad/one", workloads)
    two = make_ad_run(tmp_path, "ad/two", {name: [2 * s for s in times] for name, times in workloads.items()})
    report = compare(one, two)
    assert [result.metric.name for result in report.results] == ["solved", "primal_time_s", "derivative_time_s"]
    solved, primal, _ = report.results
    assert solved.pairs[0].verdict == "identical" and solved.workloads == []
    assert primal.metric.is_ratio and primal.instances == 4 and len(primal.workloads) == 4
    assert next(comparison_rows(ComparisonReport([], 0.95, [primal])))["difference"] == pytest.approx(0.5)
    workload = primal.workloads[0]
    assert workload.name == "primal n=1" and workload.medians[0].value == pytest.approx(0.0135)
    assert workload.ratios[0] is None and workload.ratios[1].value == pytest.approx(0.5)
    assert workload.ratios[1].low < 0.5 < workload.ratios[1].high
    assert {found.confidence for found in (*workload.medians, workload.ratios[1])} == {0.95}
    assert workload.medians[1].value == pytest.approx(0.027) and primal.friedman_p is None
    (_, loose, _) = compare(one, two, alpha=0.2).results
    assert {loose.workloads[0].medians[0].confidence, loose.workloads[0].ratios[1].confidence} == {0.8}
    text = format_report(report)
    assert "×0.5" in text and "ad/one / ad/two" in text and "13.5 ms" in text


def test_an_evaluation_that_failed_has_no_time(tmp_path: Path) -> None:
    one = make_ad_run(tmp_path, "ad/one", {"primal n=1": FAST, "primal n=2": FAST})
    two = make_ad_run(tmp_path, "ad/two", {"primal n=1": FAST, "primal n=2": []})
    solved, primal = compare(one, two).results
    assert solved.scores[1].value == 0.5
    assert primal.instances == 1 and "ad/two has no primal_time_s for 1 of 2 instances" in primal.notes
    assert primal.pairs[0].verdict == "identical"
    assert [workload.name for workload in primal.workloads] == ["primal n=1", "primal n=2"]
    assert primal.workloads[1].medians[1] is None and primal.workloads[1].ratios == [None, None]


def test_times_of_models_have_no_workloads(tmp_path: Path) -> None:
    one, two = (
        make_run(tmp_path, {f"id{i}": [i + more] for i in range(12)}, model, metric="inference_runtime")
        for model, more in (("a/one", 1.0), ("b/two", 2.0))
    )
    (result,) = compare(one, two, metrics=[MetricChoice("inference_runtime")]).results
    assert (result.metric.lower_is_better, result.pairs[0].verdict, result.workloads) == (True, "first", [])


def test_of_several_programs_each_is_named_where_it_cannot_be_compared(tmp_path: Path) -> None:
    for policy in ("llvm/Oz", "llvm/greedy"):
        for program in ("crc32", "sha1"):
            make_episode_run(tmp_path, policy, program, 1.0)
    path = tmp_path / "llvm:program=sha1,model=llvm_Oz" / "scenario_state.json"
    path.write_text(path.read_text().replace("benchmark://x/sha1", "benchmark://x/sha2"))
    report = Comparer(CompareOptions(resamples=200)).compare(subjects_of(tmp_path))
    assert report.refused and all(
        reason.startswith("llvm (2 programs): llvm:program=sha1: ") for reason in report.refused
    )


def test_a_quotient_of_zero_has_no_logarithm(tmp_path: Path) -> None:
    for i, program in enumerate(["crc32", "sha1", "fft", "matmul", "sort", "mm"]):
        make_episode_run(tmp_path, "llvm/Oz", program, float(i))
        make_episode_run(tmp_path, "llvm/greedy", program, 1.0 + i)
    (result,) = Comparer(CompareOptions(resamples=200)).compare(subjects_of(tmp_path)).results
    assert not result.metric.is_ratio and [score.value for score in result.scores] == [2.5, 3.5]


def test_programs_of_a_compiler_are_one_task(tmp_path: Path) -> None:
    for i, program in enumerate(["crc32", "sha1", "fft", "matmul", "sort", "mm"]):
        make_episode_run(tmp_path, "llvm/Oz", program, 1.0)
        make_episode_run(tmp_path, "llvm/greedy", program, 1.05 + 0.01 * i)
    report = Comparer(CompareOptions(resamples=500)).compare(subjects_of(tmp_path))
    (result,) = report.results
    assert result.task == "llvm (6 programs)" and result.instances == 6 and result.metric.is_ratio
    assert result.pairs[0].verdict == "second" and result.scores[1].low > 1.03
    assert "Geometric mean" in format_report(report)


def test_one_program_tells_nothing(tmp_path: Path) -> None:
    one, two = (make_episode_run(tmp_path, f"llvm/{p}", "crc32", v) for p, v in [("Oz", 1.0), ("greedy", 1.1)])
    report = compare(one, two)
    assert report.results[0].pairs[0].verdict == "unknown" and "a single instance cannot tell" in format_report(report)


# --- output -----------------------------------------------------------------------------------------------------------


def test_reports_for_programs_hold_the_numbers(tmp_path: Path) -> None:
    report = compare(make_run(tmp_path, zeros_and_ones(30, 40)), make_run(tmp_path, zeros_and_ones(10, 40), "b/two"))
    (data,) = json.loads(format_reports([report], "json"))
    assert data["results"][0]["pairs"][0]["comparison"]["wins"] == 20
    (values,) = csv.DictReader(format_reports([report], "csv").splitlines())
    assert (values["first"], values["difference"], values["result"]) == ("a/one", "0.5", "first")
    markdown = format_reports([report], "markdown")
    assert "| a/one - b/two | +0.5 |" in markdown and "### task: exact_match (test)" in markdown


def test_hostile_names_are_shown_without_effect(tmp_path: Path) -> None:
    scores = zeros_and_ones(5, 12)
    bad = "=cmd|' \x1b[31m<script>\n| x"
    one = make_run(tmp_path, scores, texts={})
    two = make_run(tmp_path, scores, "b/two")
    subjects = [Subject(bad, [load_run(str(one))]), Subject("ok", [load_run(str(two))])]
    report = Comparer(CompareOptions(resamples=200)).compare(subjects)
    assert "\x1b" not in format_report(report)
    assert "<script>" not in format_report(report, is_markdown=True)
    assert ",'=cmd" in format_reports([report], "csv")
