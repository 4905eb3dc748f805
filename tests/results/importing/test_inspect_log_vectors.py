"""Logs that inspect_ai wrote give the scores that they state, whichever way they are stored."""

import json
import zipfile
from pathlib import Path

import pytest

from helm.common.agent_request import AgentResult
from helm.results.importing.inspect_archive import open_archive
from importing_support import LOGS, import_one, means

EVAL = sorted((LOGS / "inspect").glob("*.eval"))
MEANS = ("accuracy", "mean")


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def read_header(path: Path):
    with open_archive(str(path)) as archive:
        return json.loads(archive.read("header.json"))


def stated_scores(header):
    """The means that the log states, by what it calls them."""
    found = {}
    for entry in header["results"]["scores"]:
        reducer = entry.get("reducer", "mean")
        name = entry["name"] if reducer == "mean" else f"{entry['name']}_{reducer}"
        for key in MEANS:
            if key in entry["metrics"]:
                found[name] = entry["metrics"][key]["value"]
    return found


@pytest.mark.parametrize("path", EVAL, ids=lambda path: path.stem)
@pytest.mark.parametrize("suffix", [".eval", ".json"])
def test_the_scores_are_those_that_the_log_states(path, suffix):
    stated = stated_scores(read_header(path))
    header = json.loads(path.with_suffix(".json").read_text())
    assert stated_scores(header) == stated
    run, result = import_one(path.with_suffix(suffix))
    assert stated
    assert {name: value for name, value in means(run).items() if name in stated} == pytest.approx(stated)
    assert result.notes == []


def _said(result):
    if isinstance(result, AgentResult):
        return result.events
    return [(c.text, c.finish_reason, c.tool_calls) for c in result.completions]


@pytest.mark.parametrize("path", EVAL, ids=lambda path: path.stem)
def test_both_containers_give_the_same_run_but_for_times_and_order(path):
    def facts(suffix):
        run, _ = import_one(path.with_suffix(suffix), suite=suffix[1:])
        states = {
            (state.instance.id, state.train_trial_index): (
                state.instance.input,
                state.instance.references,
                state.request,
                _said(state.result),
                state.result.success,
                state.result.error,
                state.result.usage,
            )
            for state in run.iterate_request_states()
        }
        scores = {name: value for name, value in means(run).items() if not name.endswith("seconds")}
        return run.run_spec, states, run.coverage(), scores

    assert facts(".eval") == facts(".json")


def test_letters_become_numbers_and_scorers_become_metrics():
    run, result = import_one(LOGS / "inspect/capitals-model.eval")
    values = {
        entry.instance_id: {stat.name.name: stat.mean for stat in entry.stats}
        for entry in run.iterate_per_instance_stats()
    }
    assert values["fr"] == {"match": 1, "includes": 1, "partial": 1, "length": len("Paris, please"), "polite": 1}
    assert values["jp"]["partial"] == 0.5
    assert values["ke"]["partial"] == 0
    assert list(result.scores)[0] == "match"
    assert run.run_spec.scenario_spec.args["main_metric"] == "match"
    assert run.run_spec.scenario_spec.args["task_args"] == {"hint": "small"}
    adapter = run.run_spec.adapter_spec
    assert (adapter.temperature, adapter.max_tokens, adapter.model) == (0.5, 64, "mockllm/model")


def test_what_was_asked_and_answered_is_kept():
    run, _ = import_one(LOGS / "inspect/capitals-model.eval")
    state = next(iter(run.iterate_request_states()))
    assert state.request.messages == [
        {"role": "system", "content": "Answer in one word."},
        {"role": "user", "content": "Capital of France?"},
    ]
    assert state.request.top_p == 0.9
    assert state.result.completions[0].text == "Paris, please"
    assert state.result.completions[0].tokens == []
    assert (state.result.usage.prompt_tokens, state.result.usage.completion_tokens) == (11, 4)
    assert state.annotations["partial"]["explanation"] == "first letters compared"
    assert state.instance.extra_data == {"continent": "Europe"}


def test_epochs_are_trials_and_reducers_are_metrics():
    run, _ = import_one(LOGS / "inspect/colours.eval")
    scores = {}
    for entry in run.iterate_per_instance_stats():
        for stat in entry.stats:
            scores.setdefault(stat.name.name, {}).setdefault(entry.instance_id, []).append(stat.mean)
    wanted = {}
    for sample in json.loads((LOGS / "inspect/colours.json").read_text())["samples"]:
        wanted.setdefault(str(sample["id"]), []).append(int(sample["scores"]["choice"]["value"] == "C"))
    assert scores["choice"] == wanted
    assert {key: sum(values) for key, values in wanted.items()} == {"1": 2, "2": 1, "3": 3}
    assert scores["choice_mode"] == {"1": [1], "2": [0], "3": [1]}
    assert scores["choice_pass_at_2"]["2"] == [pytest.approx(2 / 3)]  # 1 - C(2,2)/C(3,2)
    assert run.run_spec.adapter_spec.num_train_trials == 3
    state = next(iter(run.iterate_request_states()))
    assert [(r.output.text, r.is_correct) for r in state.instance.references] == [
        ("dog", False),
        ("red", True),
        ("seven", False),
    ]


def test_errors_and_limits_are_not_answers():
    run, result = import_one(LOGS / "inspect/errors.eval")
    states = {state.instance.id: state for state in run.iterate_request_states()}
    assert states["breaks"].result.error == "ValueError('the tool went away')"
    assert states["long"].result.error == "stopped at the message limit of 4.0"
    assert not states["long"].result.success
    assert result.num_failed == 2
    requests = run.coverage().requests
    assert (requests.asked, requests.answered, requests.empty, requests.failed) == (5, 2, 1, 2)
    assert (requests.cut_at_max_tokens, requests.excluded) == (1, 1)
    scored = {entry.instance_id for entry in run.iterate_per_instance_stats()}
    assert scored == {"good", "long", "cut", "empty"}


def test_samples_with_tool_calls_are_episodes():
    run, _ = import_one(LOGS / "inspect/sums.eval")
    (state,) = run.iterate_request_states()
    assert state.request.messages == [{"role": "user", "content": "What is 1+1?"}]
    kinds = [event["kind"] for event in state.result.events if event["kind"] != "score"]
    assert kinds == ["message", "model", "tool_call", "tool_result", "model"]
    assert (state.result.events[2]["name"], state.result.events[2]["arguments"]) == ("add", {"x": 1, "y": 1})
    assert state.result.events[3]["content"] == state.result.answer == "2"
    assert state.result.usage["agent"].completion_tokens == 10
    assert means(run)["agent_turns"] == 2


def test_images_are_named_and_not_copied():
    run, _ = import_one(LOGS / "inspect/pictures.eval")
    (state,) = run.iterate_request_states()
    assert state.request.messages[0]["content"].startswith("What colour is it?\n[image/png, ")


def test_the_tokens_of_a_judge_are_not_those_of_the_model():
    run, _ = import_one(LOGS / "inspect/graded.eval")
    assert [state.result.usage.prompt_tokens for state in run.iterate_request_states()] == [11, 11]
    assert "GRADE" not in (Path(run.path) / "scenario.json").read_text()


def test_a_log_that_was_not_finished_is_imported_as_far_as_it_goes(tmp_path):
    path = tmp_path / "unfinished.eval"
    with open_archive(str(LOGS / "inspect/errors.eval")) as archive, zipfile.ZipFile(path, "w") as copy:
        for name in ("_journal/start.json", "samples/good_epoch_1.json"):
            copy.writestr(name, archive.read(name))
    run, result = import_one(path)
    assert means(run) == {"match": 1}
    assert result.notes == ["the log's status is started", "4 of 5 samples are not in the log"]
    assert run.coverage().requests.unsent == 4


def test_scores_that_contradict_the_samples_are_reported(tmp_path):
    path = tmp_path / "changed.json"
    text = (LOGS / "inspect/errors.json").read_text()
    path.write_text(text.replace('"value": 0.75', '"value": 0.95'))
    run, result = import_one(path)
    assert means(run)["match"] == 0.75
    assert result.notes == ["match: the log states 0.95, its samples give 0.75, which is imported"]
