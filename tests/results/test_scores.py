"""Scores with intervals: from the scores of instances, kept in `intervals.json`."""

import json
import os
from pathlib import Path

import pytest

from compare_support import make_ad_run, make_episode_run, make_run, zeros_and_ones
from helm.results.comparison.clusters import find_clusters
from helm.results.instance_values import read_instance_facts, read_instance_values
from helm.results.interval_file import needs_intervals
from helm.results.run_files.json_items import JsonItems
from helm.results.run_files.run_folder import RunFileError
from helm.results.run_results import RunResults, load_run
from helm.results.score_facts import ScoreKey
from helm.results.scores import compute_score_facts, get_score_facts, get_scores
from helm.results.timings import find_input_size
from results_support import helm_run

EXACT_MATCH = ScoreKey("exact_match", "test")


def facts(folder: Path, key: ScoreKey = EXACT_MATCH):
    return compute_score_facts(RunResults(str(folder)))[key]


def test_a_score_is_the_mean_over_instances(tmp_path: Path) -> None:
    found = facts(make_run(tmp_path, zeros_and_ones(9, 20)))
    assert (found.mean, found.count, found.clusters, found.is_share) == (0.45, 20, 20, True)


def test_trials_of_an_instance_are_one_cluster(tmp_path: Path) -> None:
    found = facts(make_run(tmp_path, {f"id{i}": [float(i < 9)] * 3 for i in range(20)}))
    once = facts(make_run(tmp_path / "once", zeros_and_ones(9, 20)))
    assert (found.mean, found.count, found.clusters) == (0.45, 60, 20)
    assert found.variance == pytest.approx(once.variance)


def test_the_worst_case_is_over_an_instance_and_its_copies(tmp_path: Path) -> None:
    folder = make_run(tmp_path, zeros_and_ones(20, 20), perturbed={f"id{i}": float(i > 4) for i in range(10)})
    assert facts(folder).mean == 1
    for name in ("robustness", "typos"):
        found = facts(folder, ScoreKey("exact_match", "test", None, name))
        assert (found.mean, found.count, found.clusters) == (0.75, 20, 20)


def test_scores_agree_with_the_stats_of_real_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    suite = helm_run("simple_mcqa:model=simple/model1,data_augmentation=typo_medium,num_train_trials=2",
                     "synthetic_reasoning:mode=induction,model=baseline/majority")  # fmt: skip
    runs = [RunResults(str(folder)) for folder in suite.iterdir() if (folder / "run_spec.json").exists()]
    compared = 0
    for run in runs:
        found = compute_score_facts(run)
        for stat in run.stats():
            perturbation = stat.name.perturbation
            if perturbation is not None and perturbation.computed_on != "worst":
                continue
            name = None if perturbation is None else perturbation.name
            known = found.get(ScoreKey(stat.name.name, stat.name.split, stat.name.sub_split, name))
            if known is not None:
                assert known.mean == pytest.approx(stat.mean, rel=1e-9, abs=1e-12), stat
                compared += 1
    assert compared > 40


def test_times_of_tools_vary_between_runs_not_between_workloads(tmp_path: Path) -> None:
    times = [1.0 + 0.01 * i for i in range(20)]
    folder = make_ad_run(tmp_path, "ad/x", {"primal n=1": times, "primal n=100": [100 * t for t in times]})
    found = facts(folder, ScoreKey("evaluate_time_s", "test"))
    assert found.mean == pytest.approx(101 * 1.095 / 2) and found.count == 40
    assert 0 < found.variance**0.5 < 0.05 * found.mean
    assert ScoreKey("solved", "test") not in compute_score_facts(RunResults(str(folder)))


def test_a_single_timed_run_has_no_error(tmp_path: Path) -> None:
    folder = make_ad_run(tmp_path, "ad/x", {"primal n=1": [1.0], "primal n=2": []})
    found = facts(folder, ScoreKey("primal_time_s", "test"))
    assert found.mean == 1 and found.variance is None


def test_quotients_that_are_all_one_are_no_shares(tmp_path: Path) -> None:
    found = facts(
        make_episode_run(tmp_path, "llvm/Oz", "crc32", 1.0), ScoreKey("instruction_count_reduction_oz", "test")
    )
    assert not found.is_share and found.clusters == 1


def test_the_file_is_made_once_and_again_when_the_run_changes(tmp_path: Path) -> None:
    folder = make_run(tmp_path, zeros_and_ones(9, 20))
    run, path = RunResults(str(folder)), folder / "intervals.json"
    assert needs_intervals(str(folder))
    first = get_score_facts(run)
    assert path.is_file() and not needs_intervals(str(folder))
    content = path.read_text()
    stored = get_score_facts(run)[EXACT_MATCH]
    assert stored.variance == pytest.approx(first[EXACT_MATCH].variance) and stored.is_share
    assert path.read_text() == content
    entries = json.loads((folder / "per_instance_stats.json").read_text())
    (folder / "per_instance_stats.json").write_text(json.dumps(entries[:10], indent=2))
    assert needs_intervals(str(folder)) and get_score_facts(run)[EXACT_MATCH].mean == 0.9
    path.write_text("{")
    assert get_score_facts(run)[EXACT_MATCH].mean == 0.9 and json.loads(path.read_text())["version"] == 4


def test_a_folder_that_cannot_be_written_to_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_run(tmp_path, zeros_and_ones(9, 20))

    def refuse(path: str, value: object) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("helm.results.interval_file.write_text_atomically", refuse)
    assert get_score_facts(RunResults(str(folder)))[EXACT_MATCH].mean == 0.45
    assert not (folder / "intervals.json").exists()


def test_scores_hold_the_interval(tmp_path: Path) -> None:
    (score, *_) = get_scores(load_run(str(make_run(tmp_path, zeros_and_ones(9, 20)))))
    assert score.key == EXACT_MATCH and score.estimate.low == pytest.approx(0.24944826)


def test_bookkeeping_is_no_score(tmp_path: Path) -> None:
    run = RunResults(str(make_run(tmp_path, zeros_and_ones(1, 4), metric="num_prompt_tokens")))
    assert compute_score_facts(run) == {}
    assert read_instance_values(run, {"num_prompt_tokens"}).metrics


@pytest.mark.parametrize("damage", ["[1, 2]", "[\n  {\n    5\n  }\n]", '[\n  {\n    "stats": 5\n  }\n]', "["])
def test_damaged_files_are_named(tmp_path: Path, damage: str) -> None:
    folder = make_run(tmp_path, zeros_and_ones(1, 4))
    (folder / "per_instance_stats.json").write_text(damage)
    with pytest.raises(RunFileError, match="per_instance_stats.json"):
        compute_score_facts(RunResults(str(folder)))


def test_items_of_any_layout_are_read_into_types(tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    for text in ['[{"a": 1, "b": 2}]', '[\n  {\n    "a": 1,\n    "b": NaN\n  }\n]']:
        path.write_text(text)
        assert list(JsonItems(str(path), item_type=dict[str, float]))[0]["a"] == 1
    path.write_text('[{"a": "x"}]')
    with pytest.raises(RunFileError, match=r"\[0\]"):
        list(JsonItems(str(path), item_type=dict[str, float]))


# --- sources ----------------------------------------------------------------------------------------------------------

PASSAGE = "Once upon a time there was a passage that is long enough to be one, and a bit longer.\n"


def test_a_common_instruction_is_no_passage() -> None:
    instances = {f"id{i}": {"input": {"text": f"{PASSAGE}Question {i}"}} for i in range(50)}
    assert len(set(find_clusters(instances).values())) == 50
    instances = {f"id{i}": {"input": {"text": f"{i // 2} {PASSAGE}Question {i}"}} for i in range(50)}
    assert len(set(find_clusters(instances).values())) == 25


def test_equal_questions_are_one_source() -> None:
    instances = {f"id{i}": {"input": {"text": f"Question {i // 2}"}} for i in range(40)}
    assert len(set(find_clusters(instances).values())) == 20


def test_odd_instances_are_sources_of_their_own() -> None:
    instances = {
        "a": {},
        "b": {"input": None, "extra_data": []},
        "c": {"input": "bare text", "extra_data": {"cluster": None}},
    }
    assert find_clusters(instances) == {"a": "a", "b": "b", "c": "c"}
    assert find_clusters({"a": {"extra_data": {"k": 1}}, "b": {"extra_data": {"k": 1}}}, "k") == {
        "a": "k 1",
        "b": "k 1",
    }


def test_facts_are_of_the_instance_not_of_its_copies(tmp_path: Path) -> None:
    folder = make_run(tmp_path, zeros_and_ones(1, 3), perturbed={"id0": 1.0})
    found = read_instance_facts(RunResults(str(folder)))
    assert list(found) == ["id0", "id1", "id2"] and found["id0"].split == "test"


@pytest.mark.parametrize(
    "description, value, size",
    [
        ("n=16,m=128", None, 2048), ("2_5_1000", None, 10000), ("n=1000", {}, 1000), (None, {"x": [1, 2, [3.5]]}, 3),
        (None, 7.0, 1), ("no number", {"min_runs": 3, "x": [1]}, 1), (None, {"min_seconds": 1}, None), ("1.5", None, None),
        ("n=0", [1, 2], 2), (None, [True, "a", None], None),
    ],
)  # fmt: skip
def test_the_size_of_a_workload(description: str | None, value: object, size: float | None) -> None:
    assert find_input_size(description, value) == size


def test_intervals_are_not_made_for_runs_of_others_without_instances(tmp_path: Path) -> None:
    folder = make_run(tmp_path, zeros_and_ones(1, 4))
    os.unlink(folder / "scenario_state.json")
    assert not needs_intervals(str(folder))


def test_the_memory_for_intervals_and_coverage_does_not_hold_the_texts(tmp_path: Path) -> None:
    import tracemalloc

    texts = {f"id{i}": f"{i} " + "word " * 400 for i in range(3000)}
    run = RunResults(str(make_run(tmp_path, zeros_and_ones(1000, 3000), texts=texts)))
    size = (tmp_path / run.folder_name / "scenario_state.json").stat().st_size
    tracemalloc.start()
    try:
        compute_score_facts(run)
        assert run.coverage().instances.total == 3000
        assert tracemalloc.get_traced_memory()[1] < 3_000_000 < size / 2
    finally:
        tracemalloc.stop()
