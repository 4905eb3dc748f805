"""Sets of run entries by name: HELM's entry for entry, found by every spelling, and those that need nothing."""

import hashlib
import json
import re
from pathlib import Path

import pytest

import helm.config
from helm.benchmark import run
from helm.benchmark.assembly.run_entries import run_entries_to_run_specs
from helm.benchmark.catalogue.suites import (
    GROUPS,
    conf_file_name,
    describe_suite,
    expand_items,
    find_suite,
    suite_defaults,
    suite_entries,
    suite_names,
    suites_by_group,
)
from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.declarative.recipe import placeholders_for_fetched_texts
from helm.benchmark.presentation.run_entry import RunEntry, read_run_entries
from helm.benchmark.run_settings import RunSettings
from helm.benchmark.run_spec import get_run_spec_function_names

OF_HELM = json.loads((Path(__file__).parent.parent / "recorded" / "conf_files.json").read_text("utf-8"))
"""Conf file of crfm-helm 0.5.16 -> its number of entries, and the SHA-256 of their lines `priority|groups|description`."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HELM_OFFLINE", raising=False)
    return tmp_path


@pytest.mark.parametrize("conf_file", OF_HELM)
def test_a_suite_of_helm_is_its_file_entry_for_entry(conf_file):
    name = find_suite(conf_file)
    lines = [f"{priority or ''}|{','.join(groups or [])}|{text}" for text, priority, groups in suite_entries(name)]
    assert [len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()] == OF_HELM[conf_file]
    assert conf_file_name(name) == conf_file
    assert find_suite(conf_file.removesuffix(".conf")) == name


def test_helms_70_files_are_all_there_and_small():
    assert len(OF_HELM) == 70 and sum(number for number, _ in OF_HELM.values()) == 4297
    assert {conf_file_name(name) for name in suite_names()} == {*OF_HELM, None}
    folder = Path(helm.config.__path__[0]) / "run_entries"
    assert sum(path.stat().st_size for path in folder.iterdir()) < 160_000


def test_lists_are_nested_as_their_order_says(folder):
    items = [
        {"entry": "a:x=${x},y=${y}", "priority": 2, "groups": ["g_${y}"], "each": {"x": [1, 2], "y": ["b", "c"]}},
        {"each": {"z": ["p", "q"]}, "entries": [{"entry": "${z}:k=${each}", "each": [0.5]}, {"entry": "last_${z}"}]},
    ]
    assert list(expand_items(items)) == [
        ("a:x=1,y=b", 2, ["g_b"]),
        ("a:x=1,y=c", 2, ["g_c"]),
        ("a:x=2,y=b", 2, ["g_b"]),
        ("a:x=2,y=c", 2, ["g_c"]),
        ("p:k=0.5", None, None),
        ("last_p", None, None),
        ("q:k=0.5", None, None),
        ("last_q", None, None),
    ]


def test_every_suite_is_described_in_one_group():
    groups = suites_by_group()
    assert tuple(groups) == GROUPS and all(groups.values())
    assert sorted(name for names in groups.values() for name in names) == sorted(suite_names())
    for name in suite_names():
        assert 10 < len(describe_suite(name)) < 250 and describe_suite(name).endswith(".")
        assert set(suite_defaults(name)) <= {"models_to_run", "max_eval_instances", "suite"}


@pytest.mark.parametrize("name", ["capabilities", "lite", "lite_20240424", "mmlu", "open_llm", "safety", "smoke"])
def test_the_suites_of_the_page_make_run_specs_for_a_named_model(name):
    register_builtin_configs_from_helm_package()
    with placeholders_for_fetched_texts():
        made = run_entries_to_run_specs(
            read_run_entries([name]).entries, models_to_run=["openai/gpt-4o-2024-05-13"], as_command=True
        )
    assert len(made) >= len(suite_entries(name)) and len({run_spec.name for run_spec in made}) == len(made)


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


@pytest.mark.parametrize("name", ["classic", "run_entries", "run_entries.conf", "RUN_ENTRIES.conf"])
def test_the_file_without_a_name_is_the_suite_classic(name):
    assert find_suite(name) == "classic"


def test_a_folder_of_that_name_does_not_hide_a_suite(folder):
    (folder / "lite").mkdir()
    assert len(read_run_entries(["lite"]).entries) == 281


@pytest.mark.parametrize(
    "name, message",
    [
        (
            "smok",
            "No such file or directory: smok. There is no suite of that name either; helm-run --list suites names all 72.",
        ),
        ("capabilites", " Did you mean 'capabilities'?"),
        ("run_entries_saftey.conf", "names all 72. Did you mean 'safety'?"),
        ("lite_20240424_instuct.conf", " Did you mean 'lite_20240424_instruct'?"),
        ("mine.conf", "No such file or directory: mine.conf\n"),
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


PAGE = Path(__file__).parents[2] / "docs" / "reference-from-helm.md"


def test_the_table_of_conf_files_adds_up_and_names_what_is_missing_here():
    """What needs crfm-helm is printed by benchmarks/compare_entries_with_helm.py; this holds our half of it."""
    pattern = r"^\| (`(run_entries\w*\.conf)`|the other (\d+)|all) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$"
    rows = {}
    for match in re.finditer(pattern, PAGE.read_text("utf-8"), re.MULTILINE):
        rows[match[2] or ("other" if match[3] else "all")] = [int(number) for number in match.groups()[3:]]
    assert all(row[0] == sum(row[1:]) for row in rows.values())
    total, other = rows.pop("all"), rows.pop("other")
    assert [sum(column) + more for column, more in zip(zip(*rows.values(), strict=True), other, strict=True)] == total
    assert len(rows) + 56 == len(OF_HELM) and total[0] == sum(number for number, _ in OF_HELM.values())
    known = set(get_run_spec_function_names())
    for conf_file, (number, *_) in OF_HELM.items():
        names = [text.partition(":")[0] for text, _, _ in suite_entries(find_suite(conf_file))]
        assert set(names) <= known, conf_file
        if conf_file in rows:
            assert rows[conf_file][0] == number
            if "cleva" not in conf_file:
                assert rows[conf_file][3:] == [0, 0], conf_file
