"""Files of a run, written into place together or not at all."""

import json
import os

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics.metric import PerInstanceStats
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.running.run_writer import (
    RunWriter,
    iterate_per_instance_json,
    remove_per_instance_stats_nans,
    remove_stats_nans,
)
from helm.benchmark.specs import ScenarioSpec
from helm.common.codec import dump_json
from helm.common.errors import HelmError
from helm.results.coverage import Coverage, InstanceCounts, RequestCounts

SPEC = RunSpec("name", ScenarioSpec("a.Scenario"), AdapterSpec(), [])
NAN = float("nan")


def stat(name, value):
    return Stat(MetricName(name)).add(value)


def test_what_is_no_number_is_left_out_and_warned_of(caplog):
    good, bad = stat("good", 1), stat("bad", NAN)
    assert remove_stats_nans([good, bad]) == [good]
    assert caplog.text.count("Removing stat bad because its value is NaN") == 1
    entries = [PerInstanceStats("id0", None, 0, [good, bad]), PerInstanceStats("id1", None, 0, [good])]
    kept = remove_per_instance_stats_nans([*entries, PerInstanceStats("id2", None, 0, [bad])])
    assert [(entry.instance_id, entry.stats) for entry in kept] == [("id0", [good]), ("id1", [good]), ("id2", [])]
    assert kept[1] is entries[1] and len(entries[0].stats) == 2


def test_an_error_is_told_with_its_place_and_its_run(tmp_path):
    try:
        raise ValueError("why")
    except ValueError as e:
        RunWriter(str(tmp_path)).write_error(SPEC, "metrics", e, "id7", "helm-run -r x")
    text = (tmp_path / "error.json").read_text()
    content = json.loads(text)
    assert text == json.dumps(content, indent=2)
    assert {key: content[key] for key in ("run", "stage", "instance_id", "error_type", "message", "command")} == {
        "run": "name",
        "stage": "metrics",
        "instance_id": "id7",
        "error_type": "ValueError",
        "message": "why",
        "command": "helm-run -r x",
    }
    assert "test_run_writer.py" in content["traceback"] and content["run_spec"]["name"] == "name"


def write(folder, **more):
    entries = [PerInstanceStats("id0", None, 0, [stat("a", 1), stat("b", NAN)])]
    RunWriter(str(folder)).write(SPEC, {"scenario": 1}, {"state": 1}, [stat("a", 1), stat("b", NAN)], entries, **more)


FILES = {"run_spec.json", "scenario.json", "scenario_state.json", "stats.json", "per_instance_stats.json"}
COVERAGE = Coverage(1.0, RequestCounts(), InstanceCounts())


def test_files_of_an_earlier_attempt_go(tmp_path):
    (tmp_path / "error.json").write_text("{}")
    sources = {"files": [{"path": "x"}], "data_sets": []}
    write(tmp_path, coverage=COVERAGE, sources=sources)
    assert set(os.listdir(tmp_path)) == FILES | {"coverage.json", "data_sources.json"}
    assert "NaN" not in (tmp_path / "stats.json").read_text() + (tmp_path / "per_instance_stats.json").read_text()
    write(tmp_path, sources={"files": [], "data_sets": []})
    assert set(os.listdir(tmp_path)) == FILES
    write(tmp_path, sources={"files": [], "data_sets": [{"name": "x"}]})
    assert set(os.listdir(tmp_path)) == FILES | {"data_sources.json"}


def test_scores_alone_can_be_replaced(tmp_path):
    write(tmp_path)
    before = {name: (tmp_path / name).read_bytes() for name in FILES}
    RunWriter(str(tmp_path)).write_scores([stat("c", 2)], [PerInstanceStats("id0", None, 0, [stat("c", NAN)])])
    after = {name: (tmp_path / name).read_bytes() for name in FILES}
    assert set(os.listdir(tmp_path)) == FILES
    assert {name for name in FILES if before[name] != after[name]} == {"stats.json", "per_instance_stats.json"}
    assert b"NaN" not in after["per_instance_stats.json"]
    RunWriter(str(tmp_path)).write_scores([stat("c", NAN)], [], COVERAGE)
    assert json.loads((tmp_path / "stats.json").read_text()) == [] and (tmp_path / "coverage.json").exists()


@pytest.mark.parametrize("name", ["run_spec.json", "stats.json", "per_instance_stats.json"])
def test_a_folder_in_the_place_of_a_file_leaves_the_other_files_alone(tmp_path, name):
    write(tmp_path)
    (tmp_path / name).unlink()
    (tmp_path / name).mkdir()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    with pytest.raises(HelmError, match=f"{name}: there is a folder with this name. Existing files were not changed"):
        RunWriter(str(tmp_path)).write(SPEC, {"scenario": 2}, {"state": 2}, [stat("c", 1)], [])
    assert before == {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}


def test_scores_of_instances_are_written_as_json_although_each_statistic_is_written_once():
    shared, typos = stat("shared", 0.5), PerturbationDescription("typos", robustness=True)
    entries = [
        PerInstanceStats("id0", None, 0, [shared, stat("own", 1)]),
        PerInstanceStats("id0", typos, 1, [shared]),
        PerInstanceStats("id1", None, 0, []),
    ]
    for some in (entries, entries[2:], []):
        assert "".join(iterate_per_instance_json(some)) == dump_json(some)


def test_what_a_killed_process_left_half_written_is_removed(tmp_path):
    for name in (".stats.json.abc.tmp", "stats.tmp", ".other"):
        (tmp_path / name).write_text("")
    write(tmp_path)
    assert set(os.listdir(tmp_path)) == FILES | {"stats.tmp", ".other"}


def test_all_files_are_new_or_none_is(tmp_path):
    write(tmp_path, coverage=COVERAGE)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(TypeError):
        RunWriter(str(tmp_path)).write(SPEC, {"scenario": 2}, {"state": object()}, [stat("c", 1)], [])
    assert before == {path.name: path.read_bytes() for path in tmp_path.iterdir()}


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(HelmError, match="Cannot write .*/gone/stats.json: No such file or directory. Existing files"):
        RunWriter(str(tmp_path / "gone")).write_scores([], [])
