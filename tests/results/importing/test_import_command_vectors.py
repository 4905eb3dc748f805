"""Imported runs are runs: they are compared, summarized, exported and guarded like others."""

import json
import os
import shutil
from pathlib import Path

import pytest

from helm.benchmark.commands import compare, export, gate, import_results, rescore
from helm.benchmark.presentation import summarize
from helm.benchmark.running.scoring import create_metrics
from helm.benchmark.scenarios.scenario import create_scenario
from helm.common.errors import MetricError, ScenarioError
from helm.results.run_results import RunResults
from importing_support import LOGS, import_all, import_one, lm_eval_files, means
from registries_support import empty_registries

CAPITALS = (LOGS / "inspect/capitals-model.eval", LOGS / "inspect/capitals-other.eval")


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def command(*arguments) -> None:
    import_results.main([str(argument) for argument in arguments])


def test_the_command_says_what_it_imported(capsys):
    command(*CAPITALS, LOGS / "inspect/errors.json", "--suite", "mine")
    assert capsys.readouterr().out.splitlines() == [
        "capitals:hint=small,model=mockllm_model: 4 samples; match 0.5, includes 0.5, partial 0.625, length 7.75 and 1 more",
        "capitals:hint=small,model=mockllm_other: 4 samples; match 0.75, includes 0.75, partial 0.625, length 7.25 and 1 more",
        "errors:model=mockllm_model: 5 samples, 2 failed; match 0.75",
        "Next: helm-summarize --suite mine --auto-generate-schema",
    ]


def test_the_comparison_of_two_imported_runs_is_that_by_hand(capsys):
    command(*CAPITALS, "--suite", "mine")
    capsys.readouterr()
    compare.main(["--suite", "mine"])
    # match: model 1 1 0 0, other 1 0 1 1 for fr, pe, jp, ke: one better, one equal, two worse
    text = capsys.readouterr().out
    assert "1/1/2" in text and "-0.25" in text
    # Exact McNemar of 1 against 2 discordant pairs, mid-p: 2 * (P(0) + P(1) / 2) = 2 * (1/8 + 3/16)
    assert "0.625" in text
    assert "nothing says which way" not in text  # an accuracy is better when it is larger


def test_summaries_have_the_main_metric_of_the_log(capsys):
    command(*CAPITALS, lm_eval_files("tiny"), "--suite", "mine")
    with empty_registries():
        summarize.main(["--suite", "mine", "--auto-generate-schema"])
    text = capsys.readouterr().out
    assert "match ↑" in text and "acc ↑" in text
    assert "0.75 ±0.48" in text


def test_gates_judge_imported_runs(capsys):
    command(*CAPITALS, LOGS / "inspect/errors.eval", "--suite", "mine")
    gate.main(["--suite", "mine", "--runs", "capitals*", "--fail-under", "match=0.5", "--min-answered", "1"])
    assert "4 passed, 0 failed, 0 error, 0 skipped." in capsys.readouterr().out
    with pytest.raises(SystemExit) as caught:
        gate.main(["--suite", "mine", "--fail-under", "match=0.6", "--min-answered", "0.9"])
    assert caught.value.code == 3
    text = capsys.readouterr().out
    assert "errors:model=mockllm_model: 2 of 5 requests answered" in text
    assert "mockllm_model: match is 0.5 " in text and "FAILED" in text


def test_pages_of_instances_show_all_imported_scores():
    command(CAPITALS[0], lm_eval_files("tiny"), "--suite", "mine")
    with empty_registries():
        summarize.main(["--suite", "mine"])
    folder = Path("benchmark_output/runs/mine")
    shown = json.loads((folder / "capitals:hint=small,model=mockllm_model/display_predictions.json").read_text())
    assert shown[0]["stats"] == {"match": 1, "includes": 1, "partial": 1, "length": 13, "polite": 1}
    choices = json.loads((folder / "cities_choice:model=made-up_tiny/display_predictions.json").read_text())
    assert len(choices) == 5  # of the two choices of a question, the page shows the most likely one
    assert all(choice["reference_index"] == choice["stats"]["predicted_index"] for choice in choices)


def test_every_eval_ever_and_back_gives_the_same_scores(capsys):
    command(*CAPITALS, LOGS / "inspect/colours.eval", lm_eval_files("tiny"), "--suite", "mine")
    with empty_registries():
        export.main(["--suite", "mine", "--format", "eee", "--to", "first", "--samples"])
    records = sorted(path for path in Path("first").rglob("*.json"))
    assert len(records) == 6
    command(*records, "--suite", "back")
    with empty_registries():
        export.main(["--suite", "back", "--format", "eee", "--to", "second", "--samples"])
    assert "samples give" not in capsys.readouterr().err

    def facts(folder):
        found = {}
        for path in Path(folder).rglob("*.json"):
            record = json.loads(path.read_text())
            lines = path.with_name(path.stem + "_samples.jsonl").read_text().splitlines()
            samples = [json.loads(line) for line in lines]
            kept = ("sample_id", "sample_hash", "input", "output", "evaluation", "metadata")
            found[record["model_info"]["id"], record["evaluation_results"][0]["evaluation_name"]] = (
                [result["score_details"] for result in record["evaluation_results"]],
                [result["metric_config"] for result in record["evaluation_results"]],
                [{key: sample.get(key) for key in kept} for sample in samples],
            )
        return found

    first, second = facts("first"), facts("second")
    assert first.keys() == second.keys()
    for key, (scores, configs, samples) in first.items():
        again = second[key]
        assert [s["score"] for s in again[0]] == [s["score"] for s in scores]
        assert again[1] == configs
        if key[1] != "cities_choice":  # whose choices are one request in the record
            assert again[2] == samples


def test_a_changed_file_of_samples_is_refused(capsys):
    command(CAPITALS[0], "--suite", "mine")
    with empty_registries():
        export.main(["--suite", "mine", "--format", "eee", "--to", "first", "--samples"])
    (record,) = Path("first").rglob("*.json")
    samples = record.with_name(record.stem + "_samples.jsonl")
    samples.write_text(samples.read_text().replace("Paris", "Lutetia"))
    with pytest.raises(SystemExit):
        command(record, "--suite", "back")
    assert "its SHA-256 is not the one that" in capsys.readouterr().err
    assert not Path("benchmark_output/runs/back").exists() or not os.listdir("benchmark_output/runs/back")


def test_an_imported_run_cannot_be_run_or_scored_again(capsys):
    run, _ = import_one(CAPITALS[0], output=Path("benchmark_output"))
    scenario = create_scenario(run.run_spec.scenario_spec)
    assert scenario.get_metadata().main_metric == "match"
    with pytest.raises(ScenarioError, match="'capitals' was imported from a log of inspect_ai, which does not say how"):
        scenario.get_instances(".")
    metric = create_metrics(run.run_spec.metric_specs)[0]
    with pytest.raises(MetricError, match="'match' was computed by inspect_ai and imported"):
        metric.evaluate(run.scenario_state(), None, ".", 1)
    before = means(run)
    with pytest.raises(SystemExit), empty_registries():
        rescore.main([run.path])
    assert "computed by inspect_ai and imported" in capsys.readouterr().out
    assert means(RunResults(run.path)) == before


def test_importing_again_replaces_and_gives_the_same_bytes():
    first, result = import_one(CAPITALS[0])
    before = {path.name: path.read_bytes() for path in Path(first.path).iterdir()}
    assert not result.was_replaced
    (Path(first.path) / "intervals.json").write_text("{}")
    _, again = import_one(CAPITALS[0])
    assert again.was_replaced
    assert {path.name: path.read_bytes() for path in Path(first.path).iterdir()} == before


def test_another_log_of_the_same_name_is_refused(tmp_path, capsys):
    other = tmp_path / "other.json"
    text = (LOGS / "inspect/errors.json").read_text()
    log_id = json.loads(text)["eval"]["eval_id"]
    other.write_text(text.replace(log_id, "another"))
    import_one(LOGS / "inspect/errors.json", output=Path("benchmark_output"))
    with pytest.raises(SystemExit):
        command(other, "--suite", "s")
    assert "is in the suite already and was imported from another log. Name another suite" in capsys.readouterr().err
    command(other, "--suite", "s", "--replace")
    with pytest.raises(SystemExit):
        command(other, LOGS / "inspect/errors.json", "--suite", "new")
    assert "both give the run 'errors:model=mockllm_model'" in capsys.readouterr().err


def test_a_failed_import_leaves_the_earlier_run(tmp_path):
    run, _ = import_one(LOGS / "inspect/errors.json")
    before = {path.name: path.read_bytes() for path in Path(run.path).iterdir()}
    broken = tmp_path / "broken.json"
    text = (LOGS / "inspect/errors.json").read_text()
    broken.write_text(text[: text.rindex('"uuid"')])
    with pytest.raises(Exception, match="cut off|not valid JSON"):
        import_all(broken)
    assert {path.name: path.read_bytes() for path in Path(run.path).iterdir()} == before


def test_a_read_only_place_is_named(tmp_path, capsys):
    shutil.copy(CAPITALS[0], tmp_path / "log.eval")
    (tmp_path / "benchmark_output").write_text("a file")
    with pytest.raises(SystemExit):
        command("log.eval", "--suite", "s")
    assert "Cannot write to the folder of the run" in capsys.readouterr().err
