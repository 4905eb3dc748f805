"""The reader: what was written comes back, from us and from HELM, of today and of some years ago."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.running.run_writer import iterate_per_instance_json
from helm.common.codec import dump_json, iterate_json
from helm.results import ResultsError, RunFileError, load, load_run, load_suite
from results_support import edit_json, helm_run

ENTRIES = [
    "simple1:model=simple/model1,num_outputs=3",
    "simple_mcqa:model=simple/model1,num_train_trials=2,max_train_instances=2,data_augmentation=lower",
    "synthetic_reasoning:mode=pattern_match,model=baseline/ppm",
    "gradbench_hello:model=gradbench/numpy",
]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return folder / helm_run(*ENTRIES)


@pytest.fixture
def suite(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "benchmark_output" / "runs" / "s"))


@pytest.fixture
def run_path(suite: Path) -> Path:
    return next(path for path in suite.iterdir() if "lower" in path.name)


def test_loading_and_writing_is_the_identity_on_bytes(suite: Path) -> None:
    runs = load_suite(str(suite))
    assert len(runs) == len(ENTRIES)
    for run in runs:
        folder = Path(run.path)
        assert "".join(iterate_json(run.run_spec)) == (folder / "run_spec.json").read_text()
        assert dump_json(run.scenario) == (folder / "scenario.json").read_text()
        assert "".join(iterate_json(run.scenario_state())) == (folder / "scenario_state.json").read_text()
        assert "".join(iterate_json(run.stats())) == (folder / "stats.json").read_text()
        per_instance = "".join(iterate_per_instance_json(run.per_instance_stats()))
        assert per_instance == (folder / "per_instance_stats.json").read_text()
        assert dump_json(run.coverage()) == (folder / "coverage.json").read_text()
        assert not run.notes and not run.missing


def test_states_of_one_instance_share_it(run_path: Path) -> None:
    state = load_run(str(run_path)).scenario_state()
    trials = {request_state.train_trial_index for request_state in state.request_states}
    assert trials == {0, 1}
    assert len(state.instances) * 2 == len(state.request_states)
    for instance in state.instances:
        assert len(state.get_request_states(1, instance, None)) == 1


def test_instances_of_one_id_that_differ_stay_apart(run_path: Path) -> None:
    def give_style(state: Any, suffix: str) -> None:
        state["instance"]["perturbation"] = {
            "name": "style", "robustness": True, "fairness": False, "computed_on": "perturbed", "suffix": suffix,
        }  # fmt: skip

    def edit(value: Any) -> None:
        first = value["request_states"][0]
        second = json.loads(json.dumps(first))
        give_style(first, "in oil")
        give_style(second, "in ink")
        value["request_states"] = [first, second]

    edit_json(run_path / "scenario_state.json", edit)
    run = load_run(str(run_path))
    state = run.scenario_state()
    first, second = (instance.perturbation for instance in state.instances)
    assert first != second and first is not None and type(first) is type(second) and first.name == "style"
    assert "".join(iterate_json(state)) == (run_path / "scenario_state.json").read_text()


def test_what_this_version_does_not_know_is_ignored_with_one_note(run_path: Path) -> None:
    def edit(value: Any) -> None:
        for state in value["request_states"]:
            state["result"]["completions"][0]["beam"] = 1
            state["request"]["sampler"] = "x"
            state["instance"]["input"] = state["instance"]["input"]["text"]  # as HELM 0.2 wrote it
            for reference in state["instance"]["references"]:
                reference["output"] = reference["output"]["text"]

    before = load_run(str(run_path)).scenario_state()
    edit_json(run_path / "scenario_state.json", edit)
    edit_json(run_path / "run_spec.json", lambda value: value.update(extra=1))
    run = load_run(str(run_path))
    assert "".join(iterate_json(run.scenario_state())) == "".join(iterate_json(before))
    assert run.name and run.notes == [
        f"{run_path}/scenario_state.json: ignored: GeneratedOutput.beam",
        f"{run_path}/scenario_state.json: ignored: Request.sampler",
        f"{run_path}/run_spec.json: ignored: RunSpec.extra",
    ]


def test_missing_files_are_said(run_path: Path) -> None:
    for name in ("scenario.json", "coverage.json", "stats.json"):
        (run_path / name).unlink()
    run = load_run(str(run_path))
    assert run.scenario is None and run.notes == [f"{run_path}: no scenario.json"]
    assert run.missing == ["scenario.json", "stats.json"]
    assert run.coverage().coverage == 1.0  # counted anew
    with pytest.raises(RunFileError, match=r"no stats.json. There: run_spec.json, scenario_state.json, per_inst"):
        run.stats()


@pytest.mark.parametrize(
    "name, edit, message",
    [
        (
            "scenario_state.json",
            lambda value: value["request_states"][3]["request"].update(prompt=7),
            r"request_states\[3\]: \$.request.prompt: expected str, got int",
        ),
        ("scenario_state.json", lambda value: value["request_states"][1].pop("instance"), r"\[1\]: .*'instance'"),
        ("scenario_state.json", lambda value: value.pop("adapter_spec"), "'adapter_spec' is missing"),
        ("stats.json", lambda value: value[2].pop("name"), r"\[2\]: .*lacks the key 'name'"),
        ("stats.json", lambda value: value.insert(0, 5), r"\[0\]: "),
        ("run_spec.json", lambda value: value.pop("scenario_spec"), "lacks the key 'scenario_spec'"),
        ("coverage.json", lambda value: value.update(requests=[]), r"\$.requests: expected an object"),
    ],
)
def test_damaged_files_are_named_with_the_place(name: str, edit: Any, message: str, run_path: Path) -> None:
    edit_json(run_path / name, edit)
    run = load_run(str(run_path))
    with pytest.raises(RunFileError, match=message) as error:
        [run.run_spec, run.scenario_state(), run.stats(), run.coverage()]
    assert str(run_path / name) in str(error.value)


def test_load_takes_a_run_a_suite_and_an_output_folder(suite: Path, run_path: Path, tmp_path: Path) -> None:
    assert [run.path for run in load(str(run_path))] == [str(run_path)]
    assert len(load(str(suite))) == len(ENTRIES)
    assert len(load(str(tmp_path / "benchmark_output"))) == len(ENTRIES)


def test_what_is_not_there_is_said_with_the_nearest_name(suite: Path, tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="Did you mean 's'"):
        load(str(suite.parent / "ss"))
    with pytest.raises(ResultsError, match="It holds 4 runs.*load_suite"):
        load_run(str(suite))
    (tmp_path / "empty").mkdir()
    with pytest.raises(ResultsError, match="There are no runs"):
        load(str(tmp_path / "empty"))


def test_states_come_one_at_a_time(run_path: Path) -> None:
    run = load_run(str(run_path))
    states = run.iterate_request_states()
    first = next(states)
    assert first.instance.id == run.scenario_state().request_states[0].instance.id
    assert isinstance(run.scenario_state(), ScenarioState)
