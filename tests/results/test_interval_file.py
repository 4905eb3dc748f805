"""`intervals.json`: what `helm-run` writes from memory is what is computed from the run's files."""

import json
import os
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from compare_support import make_run, zeros_and_ones
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import PerInstanceStats, Stat
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.files import open_atomically
from helm.results.headline import read_outcome
from helm.results.interval_file import needs_intervals, read_score_facts
from helm.results.run_results import RunResults
from helm.results.score_facts import ScoreFacts, ScoreKey
from helm.results.scores import get_score_facts
from helm.results.statistics.intervals import gather_mean
from results_support import edit_json, helm_run

ENTRIES = (
    "simple_mcqa:model=simple/model1",
    "simple_mcqa:model=simple/model1,data_augmentation=typo_medium,num_train_trials=2",
    "simple_mcqa:model=simple/model1,epochs=3",
    "synthetic_reasoning:mode=pattern_match,model=simple/model1",
    "llvm:program=crc32,model=llvm/Oz",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_run_writes_what_its_files_give(folder: Path, entry: str) -> None:
    (path,) = [path.parent for path in helm_run(entry).glob("*/run_spec.json")]
    written = (path / "intervals.json").read_bytes()
    assert json.loads(written)["scores"] and not needs_intervals(str(path))
    (path / "intervals.json").unlink()
    get_score_facts(RunResults(str(path)))
    assert (path / "intervals.json").read_bytes() == written


def test_tools_are_left_to_their_files(folder: Path) -> None:
    """Their intervals are those of times over repeated runs."""
    (path,) = [path.parent for path in helm_run("gradbench_hello:tool=numpy").glob("*/run_spec.json")]
    assert not (path / "intervals.json").exists()


def test_the_headline_of_a_finished_run_has_the_stored_interval(folder: Path) -> None:
    (path,) = [path.parent for path in helm_run(ENTRIES[0]).glob("*/run_spec.json")]
    (score,) = read_outcome(str(path)).scores
    stored = read_score_facts(str(path))
    assert stored is not None and score.facts == stored[ScoreKey("exact_match", "test")]


def entry(number: int, value: float, sub_split: str | None) -> PerInstanceStats:
    stats = [
        Stat(MetricName("exact_match", "test", sub_split)).add(value),
        Stat(MetricName("num_bytes", "test")).add(5),
    ]
    return PerInstanceStats(f"id{number}", None, 0, stats)


def test_a_headline_over_sub_splits_has_an_interval() -> None:
    values = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0]
    entries = [entry(i, value, "ab"[i % 2]) for i, value in enumerate(values)]
    instances = [Instance(Input(f"question {i}"), [], split="test", id=f"id{i}") for i in range(len(values))]
    found = ScoreFacts.of_results(entries, instances)
    assert found.over_sub_splits("exact_match", "test") == gather_mean([values[i] for i in (0, 2, 4, 1, 3, 5)])
    assert found.by_key[ScoreKey("exact_match", "test", "a")].count == 3
    assert found.over_sub_splits("exact_match", "valid") is None
    assert ScoreKey("num_bytes", "test") not in found.by_key  # it is no score


def test_entries_with_other_names_and_numbers_that_are_none_are_told_apart() -> None:
    names = [MetricName("a", "test"), MetricName("b", "test")]
    stats = [
        [Stat(names[0]).add(1), Stat(names[1]).add(0)],
        [Stat(names[1]).add(0.5)],
        [Stat(names[1]).add(float("inf")), Stat(names[0])],
        [Stat(names[0]).add(0), Stat(names[1]).add(1)],
    ]
    entries = [PerInstanceStats(f"id{i}", None, 0, found) for i, found in enumerate(stats)]
    instances = [Instance(Input(f"question {i}"), [], split="test", id=f"id{i}") for i in range(len(stats))]
    found = ScoreFacts.of_results(entries, instances)
    assert found.over_sub_splits("a", "test") == gather_mean([1, 0])
    assert found.over_sub_splits("b", "test") == gather_mean([0, 0.5, 1])


def test_values_beyond_the_range_of_a_float_have_no_interval(tmp_path: Path) -> None:
    """A run that is finished does not fail for it, and the file can be read."""
    for name, values, mean in (("sums", [1e308] * 3, None), ("squares", [1e200, 0.0, 0.0], 1e200 / 3)):
        folder = make_run(tmp_path / name, {f"id{i}": [value] for i, value in enumerate(values)})
        get_score_facts(RunResults(str(folder)))
        stored = read_score_facts(str(folder))
        assert stored is not None
        facts = stored.get(ScoreKey("exact_match", "test"))
        assert (facts is None) if mean is None else (facts.mean == mean and facts.variance is None)


def touch(path: Path) -> None:
    """As if it had been written a second later than the last file of the folder: a coarse clock may give both the same time."""
    time_ns = max(other.stat().st_mtime_ns for other in path.parent.iterdir()) + 1_000_000_000
    os.utime(path, ns=(time_ns, time_ns))


def test_it_is_for_these_sizes_and_this_time(tmp_path: Path) -> None:
    folder = make_run(tmp_path, zeros_and_ones(9, 20))
    get_score_facts(RunResults(str(folder)))
    content = (folder / "intervals.json").read_text()
    assert "time" not in json.loads(content)["made_from"] and not needs_intervals(str(folder))
    kept, other = tmp_path / "kept", tmp_path / "other"
    shutil.copytree(folder, kept)
    assert not needs_intervals(str(kept))
    shutil.copytree(folder, other, copy_function=shutil.copyfile)
    assert needs_intervals(str(other))  # the times are others
    get_score_facts(RunResults(str(other)))
    assert (other / "intervals.json").read_text() == content and not needs_intervals(str(other))
    for name in ("scenario_state.json", "per_instance_stats.json"):
        touch(folder / name)
        assert needs_intervals(str(folder)) and read_score_facts(str(folder)) is None
        get_score_facts(RunResults(str(folder)))
        assert not needs_intervals(str(folder))


def test_a_changed_score_of_the_same_size_is_noticed(tmp_path: Path) -> None:
    folder = make_run(tmp_path, zeros_and_ones(9, 20))
    run, key = RunResults(str(folder)), ScoreKey("exact_match", "test")
    assert get_score_facts(run)[key].mean == 0.45
    path = folder / "per_instance_stats.json"
    size = path.stat().st_size

    def fail_one(entries: list[dict[str, Any]]) -> None:
        entries[0]["stats"][0]["mean"] = 0.0

    edit_json(path, fail_one)
    touch(path)
    assert path.stat().st_size == size and get_score_facts(run)[key].mean == 0.4


def test_files_have_the_rights_that_the_umask_leaves(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        with open_atomically(str(tmp_path / "a"), binary=True) as file:
            file.write(b"x")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640 and os.listdir(tmp_path) == ["a"]
