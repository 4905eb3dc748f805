"""The numbers of runs with epochs: those of one epoch are those of a run without, with perturbations, trials and all."""

import json

import pytest

from helm.benchmark import run

RECIPES = {
    "joint": "simple_mcqa:model=baseline/ppm,data_augmentation=typo_easy,num_train_trials=2",
    "separate": "custom_mcqa:path=q.jsonl,method=multiple_choice_separate_calibrated,model=baseline/ppm",
    "generation": "synthetic_reasoning:mode=pattern_match,model=baseline/ppm,num_outputs=2,temperature=0.8",
}


def make_question(number):
    references = [{"output": {"text": "yes"}, "tags": ["correct"]}, {"output": {"text": "no"}, "tags": []}]
    return {"input": {"text": f"Is {number} a number?"}, "references": references, "split": "test"}


def helm_run(folder, monkeypatch, entry):
    monkeypatch.chdir(folder)
    data = folder / "benchmark_output" / "scenarios" / "custom_mcqa" / "q.jsonl"
    data.parent.mkdir(parents=True, exist_ok=True)
    data.write_text("".join(json.dumps(make_question(i)) + "\n" for i in range(6)))
    run.main(["-r", entry, "-m", "6", "--suite", str(len(list(folder.glob("benchmark_output/runs/*"))))])
    newest = max(folder.glob("benchmark_output/runs/*/*/stats.json"), key=lambda path: int(path.parts[-3]))
    return newest.parent


def read(folder, name):
    return json.loads((folder / name).read_text())


def is_time(stat):
    return stat["name"]["name"] == "inference_runtime"


def without(stats, *marks):
    return [stat for stat in stats if not is_time(stat) and not any(mark in stat["name"]["name"] for mark in marks)]


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("reducer", ["mean", "max+majority"])
def test_one_epoch_has_the_numbers_of_a_run_without_epochs(tmp_path, monkeypatch, recipe, reducer):
    plain = helm_run(tmp_path, monkeypatch, RECIPES[recipe])
    once = helm_run(tmp_path, monkeypatch, f"{RECIPES[recipe]},epochs=1,reducer={reducer}")
    assert without(read(once, "stats.json"), "[majority]") == without(read(plain, "stats.json"))
    expected = [{**entry, "stats": without(entry["stats"])} for entry in read(plain, "per_instance_stats.json")]
    found = read(once, "per_instance_stats.json")
    assert any("[epoch=1]" in stat["name"]["name"] for entry in found for stat in entry["stats"])
    assert [{**entry, "stats": without(entry["stats"], "[epoch=1]", "[majority]")} for entry in found] == expected


def test_several_epochs_average_to_the_mean_of_their_values(tmp_path, monkeypatch):
    folder = helm_run(tmp_path, monkeypatch, f"{RECIPES['joint']},temperature=1.5,epochs=4,reducer=mean+pass@2+max")
    entries = read(folder, "per_instance_stats.json")
    seen, differing = 0, 0
    for entry in entries:
        values = {stat["name"]["name"]: stat.get("mean") for stat in entry["stats"]}
        epochs = [values.get(f"exact_match[epoch={i}]") for i in range(1, 5)]
        if None in epochs:
            continue
        seen += 1
        differing += len(set(epochs)) > 1
        c = sum(epochs)
        assert values["exact_match"] == pytest.approx(c / 4)
        assert values["exact_match[max]"] == max(epochs)
        assert values["exact_match[pass@2]"] == pytest.approx(1 - (4 - c) * (3 - c) / 12)
    assert seen >= 12 and differing  # two trials of at least six instances, and epochs are different draws
    for stat in read(folder, "stats.json"):
        name = stat["name"]
        if name["name"].startswith("exact_match"):
            assert stat["count"] == 2  # trials
    by_name = {
        (stat["name"]["name"], stat["name"].get("perturbation", {}).get("computed_on")): stat.get("mean")
        for stat in read(folder, "stats.json")
    }
    assert by_name["exact_match[pass@2]", "worst"] <= by_name["exact_match[pass@2]", None]


def test_values_that_are_not_right_or_wrong_keep_their_mean(caplog):
    from helm.benchmark.adaptation.adapter_spec import AdapterSpec
    from helm.benchmark.adaptation.request_state import new_request_state
    from helm.benchmark.adaptation.scenario_state import ScenarioState
    from helm.benchmark.metrics.metric import MetricName, MetricResult, PerInstanceStats, Stat
    from helm.benchmark.running.epochs.reduction import Answers, evaluate_in_epochs
    from helm.benchmark.scenarios.scenario import Input, Instance
    from helm.benchmark.specs import EpochSpec
    from helm.common.request import Request

    instance = Instance(Input("?"), [], "test", id="id0")
    states = [new_request_state(instance, Request(), epoch=epoch) for epoch in (1, 2, 3)]
    state = ScenarioState(AdapterSpec(), states)

    def judge(part):
        """A score of 1 to 5; and one that is not a mean over instances."""
        epoch = part.request_states[0].epoch
        assert len(part.request_states) == 1
        stats = [Stat(MetricName("rating", "test")).add(epoch), Stat(MetricName("f1", "test")).add(1)]
        total = Stat(MetricName("f1", "test")).add(epoch / 10)
        return MetricResult([stats[0].copy(), total], [PerInstanceStats("id0", None, 0, stats)])

    result = evaluate_in_epochs(judge, state, Answers(state), EpochSpec(3, ["pass@2", "max"]))
    (entry,) = result.per_instance_stats
    values = {stat.name.name: stat.mean for stat in entry.stats}
    assert (values["rating"], values["rating[max]"], values["f1"]) == (2, 3, 1)
    assert {stat.name.name: pytest.approx(stat.mean) for stat in result.aggregated_stats} == {
        "rating": 2, "f1": 0.2, "rating[max]": 3,
    }  # fmt: skip
    assert "rating: values outside 0 to 1 are not correct or wrong, so pass@2 does not apply" in caplog.text
