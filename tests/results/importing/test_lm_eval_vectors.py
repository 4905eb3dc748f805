"""Results that lm-evaluation-harness wrote give the scores that they state."""

import json
import math
import shutil

import pytest

from helm.results.importing.imported_run import LogError
from helm.results.run_results import RunResults
from importing_support import LOGS, import_all, lm_eval_files, means


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def tiny():
    return {result.name.partition(":")[0]: RunResults(result.run_path) for result in import_all(lm_eval_files("tiny"))}


def test_the_scores_are_those_that_the_results_state(tiny):
    stated = json.loads(lm_eval_files("tiny").read_text())["results"]
    assert sorted(tiny) == ["cities_choice", "cities_generate", "cities_likelihood"]  # and not the group 'cities'
    for task in ("cities_choice", "cities_likelihood"):
        for metric in ("acc", "acc_norm", "perplexity"):
            if f"{metric},none" in stated[task]:
                assert means(tiny[task])[metric] == pytest.approx(stated[task][f"{metric},none"])
    for name in ("strict", "flexible"):
        assert means(tiny["cities_generate"])[f"exact_match_{name}"] == stated["cities_generate"][f"exact_match,{name}"]


def test_a_perplexity_is_not_the_mean_of_its_samples(tiny):
    run = tiny["cities_likelihood"]
    found = means(run)
    assert found["perplexity"] == pytest.approx(math.exp(-found["perplexity_per_sample"]))
    per_instance = {stat.name.name for entry in run.iterate_per_instance_stats() for stat in entry.stats}
    assert per_instance == {"acc", "perplexity_per_sample"}
    directions = {spec.args["name"]: spec.args.get("lower_is_better") for spec in run.run_spec.metric_specs}
    assert directions == {"acc": False, "perplexity": True, "perplexity_per_sample": None}


def test_each_choice_is_a_request_with_its_log_probability(tiny):
    run = tiny["cities_choice"]
    states = [state for state in run.iterate_request_states() if state.instance.id == "0"]
    assert [(state.reference_index, state.request_mode, state.request.prompt) for state in states] == [
        (0, "original", "Capital of France?"),
        (1, "original", "Capital of France?"),
    ]
    assert [(r.output.text, r.is_correct) for r in states[0].instance.references] == [("Paris", True), ("Rome", False)]
    (line,) = [
        line
        for path in (LOGS / "lm-eval/tiny").glob("samples_cities_choice*")
        for line in path.open()
        if '"doc_id": 0' in line
    ]
    wanted = [float(pair[0][0]) for pair in json.loads(line)["resps"]]
    assert [state.result.completions[0].logprob for state in states] == wanted
    assert all(state.result.completions[0].tokens == [] for state in states)
    assert run.coverage().coverage == 1


def test_repeats_are_completions_and_settings_are_kept(tiny):
    run = tiny["cities_generate"]
    state = next(iter(run.iterate_request_states()))
    assert [completion.text for completion in state.result.completions] == ["lol", "lol"]
    assert state.annotations == {"filtered": {"answers": ["lol"]}}
    adapter = run.run_spec.adapter_spec
    assert (adapter.max_tokens, adapter.temperature, adapter.stop_sequences) == (16, 0.0, ["\n"])
    assert adapter.model == "made-up/tiny"


def test_a_file_of_samples_finds_its_results():
    (samples,) = (LOGS / "lm-eval/small").glob("samples_cities_choice*")
    names = [result.name for result in import_all(samples, lm_eval_files("small"))]
    assert names == ["cities_choice:model=made-up_small", "cities_generate:model=made-up_small"]


def test_results_without_samples_have_only_scores(tmp_path):
    path = shutil.copy(lm_eval_files("small"), tmp_path)
    for result in import_all(path):
        assert result.num_samples == 0 and result.scores
        assert result.notes == ["there are no samples beside the results (--log_samples writes them), only the scores"]


def test_samples_without_results_are_refused(tmp_path):
    (samples,) = (LOGS / "lm-eval/small").glob("samples_cities_choice*")
    with pytest.raises(
        LogError, match="results_.*json of the same date, which says what was evaluated, is not beside it"
    ):
        import_all(shutil.copy(samples, tmp_path))


def test_the_layout_of_older_versions_is_read(tmp_path):
    results = {
        "results": {"old": {"acc,none": 0.5, "acc_stderr,none": 0.1, "alias": "old"}},
        "configs": {"old": {"task": "old", "output_type": "multiple_choice"}},
        "config": {"model": "hf", "model_args": "pretrained=a/b,dtype=float"},
        "date": 1.0,
    }
    rows = [
        {
            "doc_id": i, "doc": {"q": "?"}, "target": "1", "arguments": [["Q", " no"], ["Q", " yes"]],
            "resps": [[["-2.0", "False"]], [["-1.0", "False"]]], "filtered_resps": [], "acc": float(i),
        }
        for i in range(2)
    ]  # fmt: skip
    (tmp_path / "results_2024.json").write_text(json.dumps(results))
    (tmp_path / "samples_old_2024.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (result,) = import_all(tmp_path / "results_2024.json")
    assert result.name == "old:model=a_b"
    assert result.scores == {"acc": 0.5}
    assert result.notes == []
