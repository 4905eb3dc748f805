"""Sets of run entries by name: HELM's entry for entry, found by every spelling, and those that need nothing."""

import hashlib
import json

import pytest

from helm.benchmark import run
from helm.benchmark.assembly.run_entries import run_entries_to_run_specs
from helm.benchmark.catalogue.suites import describe_suite, find_suite, suite_defaults, suite_entries, suite_names
from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.declarative.recipe import placeholders_for_fetched_texts
from helm.benchmark.presentation.run_entry import RunEntry, read_run_entries
from helm.benchmark.run_settings import RunSettings

OF_HELM = {
    # name: entries, SHA-256 of their lines `priority|groups|description` in crfm-helm 0.5.16
    "lite": (281, "02b1a6617e6dd191e2debddad9f2a8ee209bf41fdf2f86b92c98762c97e0ebef"),
    "lite_20240424": (108, "520179983b1affe6cdd4a9f1b0f7cb70a0c38c4cb01ed95b81b9a4641509ff5c"),
    "mmlu": (57, "08aaadda465e8608906370d0489dead2f13e6bc13ec3da93ad17b3870bc3825f"),
    "capabilities": (5, "757e80ad89d164fb72dc0c218198d90ad95007c2c4d8dfbe8a3d423c90197574"),
    "safety": (5, "bd350e6b85c653ade28bd516fce1bb811dda3c517f338263fd9d97c75b38cc1c"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HELM_OFFLINE", raising=False)
    return tmp_path


@pytest.mark.parametrize("name", OF_HELM)
def test_a_suite_of_helm_is_its_file_entry_for_entry(name):
    lines = [f"{priority or ''}|{','.join(groups or [])}|{text}" for text, priority, groups in suite_entries(name)]
    assert (len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()) == OF_HELM[name]


@pytest.mark.parametrize("name", suite_names())
def test_every_suite_makes_run_specs_for_a_named_model(name):
    register_builtin_configs_from_helm_package()
    with placeholders_for_fetched_texts():
        made = run_entries_to_run_specs(
            read_run_entries([name]).entries, models_to_run=["openai/gpt-4o-2024-05-13"], as_command=True
        )
    assert len(made) >= len(suite_entries(name)) and len({run_spec.name for run_spec in made}) == len(made)
    assert len(describe_suite(name)) > 20
    assert set(suite_defaults(name)) <= {"models_to_run", "max_eval_instances", "suite"}


def test_the_open_llm_suite_has_all_its_parts():
    register_builtin_configs_from_helm_package()
    made = run_entries_to_run_specs(
        read_run_entries(["open_llm"]).entries, models_to_run=["simple/model1"], as_command=True
    )
    groups = [run_spec.groups[0] for run_spec in made]
    expected = {"ifeval": 1, "big_bench_hard": 27, "math_chain_of_thought": 7, "gpqa": 3, "musr": 3, "mmlu_pro": 1}
    assert {group: groups.count(group) for group in groups} == expected


@pytest.mark.parametrize("name", ["lite", "Lite", "run_entries_lite", "run_entries_lite.conf"])
def test_a_suite_is_found_by_its_name_and_by_that_of_helms_file(name):
    assert find_suite(name) == "lite"
    assert len(read_run_entries([name]).entries) == 281


@pytest.mark.parametrize("name", ["lites", "conf/lite", "./lite", "lite.txt"])
def test_nothing_else_is_a_suite(name):
    assert find_suite(name) is None


@pytest.mark.parametrize("name", ["lite", "run_entries_lite.conf"])
def test_a_file_of_that_name_wins(name, folder):
    (folder / name).write_text('entries: [{description: "simple_mcqa:model=simple/model1"}]')
    assert read_run_entries([name]).entries == [RunEntry("simple_mcqa:model=simple/model1")]


def test_a_folder_of_that_name_does_not_hide_a_suite(folder):
    (folder / "lite").mkdir()
    assert len(read_run_entries(["lite"]).entries) == 281


@pytest.mark.parametrize(
    "name, message",
    [
        ("smok", "No such file or directory: smok. There is no suite of that name either: capabilities, lite, "),
        ("capabilites", " Did you mean 'capabilities'?"),
        ("run_entries_saftey.conf", "run_entries_saftey.conf. Did you mean 'safety'?"),
    ],
)
def test_an_unknown_name_is_an_error_with_the_nearest_suite(name, message, capsys):
    with pytest.raises(SystemExit) as caught:
        run.main(["-c", name, "-m", "1"])
    assert caught.value.code == 1
    assert message in capsys.readouterr().err


def test_the_smoke_suite_runs_alone_and_without_network(folder, capsys, monkeypatch):
    import socket

    def refuse(*args, **kwargs):
        raise AssertionError("something wants the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    run.main(["-c", "smoke"])
    assert "helm-summarize --suite smoke" in capsys.readouterr().out
    runs = sorted(folder.glob("benchmark_output/runs/smoke/*/run_spec.json"))
    assert len(runs) == len(suite_entries("smoke")) == 5
    specs = [json.loads(path.read_text())["adapter_spec"] for path in runs]
    assert {(spec["model"], spec["max_eval_instances"]) for spec in specs} == {("baseline/ppm", 10)}


def test_what_the_command_line_says_replaces_the_defaults_of_a_suite():
    words = ["-c", "smoke", "--models-to-run", "simple/model1", "--limit", "2", "--suite", "mine"]
    settings = RunSettings.of(run.parse_args(words))
    assert (settings.models_to_run, settings.max_eval_instances, settings.suite) == (["simple/model1"], 2, "mine")


def test_a_suite_with_other_entries_has_no_defaults():
    for words in (
        ["-c", "smoke", "mmlu", "-m", "3"],
        ["-c", "smoke", "-m", "3", "-r", "simple_mcqa:model=simple/model1"],
    ):
        settings = RunSettings.of(run.parse_args(words))
        assert (settings.models_to_run, settings.suite) == (None, "default")


@pytest.mark.parametrize("flag", ["-m", "--max-eval-instances", "--limit", "--lim"])
@pytest.mark.parametrize("value, expected", [("7", 7), ("all", None)])
def test_limit_is_another_name_of_the_maximum(flag, value, expected):
    for words in ([flag, value], [f"{flag}={value}"]):
        if not (flag == "-m" and "=" in words[0]):
            settings = RunSettings.of(run.parse_args(["-r", "gsm8k:model=simple/model1", *words]))
            assert settings.max_eval_instances == expected


def test_without_a_limit_the_usage_error_is_helms(capsys):
    with pytest.raises(SystemExit) as caught:
        run.main(["-c", "mmlu", "--models-to-run", "simple/model1"])
    assert caught.value.code == 2
    assert "error: the following arguments are required: -m/--max-eval-instances\n" in capsys.readouterr().err


def test_helm_data_knows_suites_and_aliases(folder, capsys):
    from helm.benchmark.commands.manage_data import main

    with pytest.raises(SystemExit):
        main(["check", "-c", "open_llm", "--offline"])
    shown = capsys.readouterr().out
    assert "big_bench_hard:task=navigate" in shown and "multistep_soft_reasoning:task=team_allocation" in shown
    with pytest.raises(SystemExit):
        main(["check", "gsm8k", "--offline"])
    assert "train.jsonl" in capsys.readouterr().out
