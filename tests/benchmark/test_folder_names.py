"""Names of suites and runs are folders inside the output folder, each its own; what cannot be one is refused at once."""

import json
import os
from dataclasses import replace

import pytest

from helm.benchmark import run
from helm.benchmark.commands import compare, export, gate, rescore, watch
from helm.benchmark.presentation import create_plots, summarize
from helm.benchmark.run_spec import get_run_spec_function, run_spec_function
from helm.benchmark.running.run_instances import get_kept_instances
from helm.benchmark.scenarios.scenario import Scenario, ScenarioSpec
from helm.benchmark.server import command as server
from helm.common.commands.output_path import check_run_name, check_suite_name
from helm.common.errors import ConfigError
from registries_support import empty_registries

COMMANDS = {
    "helm-run": (run, ["-r", "simple_mcqa:model=simple/model1", "-m", "1", "--suite"]),
    "helm-summarize": (summarize, ["--suite"]),
    "helm-summarize --suites": (summarize, ["--release", "r", "--suites"]),
    "helm-summarize --release": (summarize, ["--suites", "mine", "--release"]),
    "helm-rescore": (rescore, ["--suite"]),
    "helm-rescore --to-suite": (rescore, ["--suite", "mine", "--to-suite"]),
    "helm-server": (server, ["--suite"]),
    "helm-server --release": (server, ["--release"]),
    "helm-watch": (watch, ["--once", "--suite"]),
    "helm-export": (export, ["--suite"]),
    "helm-compare": (compare, ["--suite"]),
    "helm-gate": (gate, ["--fail-under", "exact_match=0", "--suite"]),
    "helm-create-plots": (create_plots, ["--suite"]),
}


def tree(folder):
    return sorted(
        os.path.relpath(os.path.join(path, name), folder) for path, _, names in os.walk(folder) for name in names
    )


@pytest.mark.parametrize("suite", ["../../out", "mine/../../../out", "/tmp/out", "..", ".", "", "a\0b", "x" * 256])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_takes_a_suite_that_is_no_folder_of_the_output_folder(command, suite, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    if suite == "" and ("rescore" in command or command in ("helm-export", "helm-compare", "helm-gate")):
        return  # as if it was not given
    (tmp_path / "benchmark_output" / "runs" / "mine").mkdir(parents=True)
    before = tree(tmp_path)
    module, argv = COMMANDS[command]
    with pytest.raises(SystemExit) as raised:
        module.main([*argv, suite])
    captured = capsys.readouterr()
    flag = argv[-1] + ("s" if argv[-1] == "--suite" and command == "helm-rescore" and False else "")
    assert raised.value.code == 1
    assert (
        f"{flag} takes the name of a folder" in captured.err + captured.out
        or f"{flag}: the name" in captured.err + captured.out
    )
    assert tree(tmp_path) == before


@pytest.mark.parametrize("suite", ["mine", "mine/first", "mine/", "v1.0", "...", "a b", "a\nb", "ä", "x" * 255])
def test_suites_that_are_folders(suite):
    check_suite_name(suite)


@pytest.mark.parametrize("name", ["..", ".", "", "eval_cache", "groups", "a\0b", "x" * 256, "ä" * 128])
def test_runs_that_are_no_folders(name):
    with pytest.raises(ConfigError):
        check_run_name(name)


@run_spec_function("folder_names_tagged")
def get_tagged_spec(tag: str = ""):
    return replace(get_run_spec_function("simple_mcqa")(), name=f"tagged:tag={tag}")


@pytest.fixture
def helm(tmp_path, monkeypatch, capsys):
    """Runs `helm-run` with entries whose name holds their `tag`; returns exit status and standard error."""
    monkeypatch.chdir(tmp_path)

    def helm(*entries, flags=()):
        status = 0
        try:
            run.main(["-r", *entries, "-m", "1", *flags])
        except SystemExit as e:
            status = e.code
        return status, capsys.readouterr().err

    with empty_registries():
        yield helm


def test_two_entries_whose_folders_would_be_one_are_refused_with_both_named(helm, tmp_path):
    one, other = (f"folder_names_tagged:tag={tag},model=simple/model1" for tag in ("a/b", "a_b"))
    status, message = helm(one, other)
    assert status == 1 and message.count("\n") == 1
    assert f"'{one}' and '{other}' would share the folder" in message and "Write another tag" in message
    assert not (tmp_path / "benchmark_output/runs").exists()
    assert helm(one)[0] == 0 and helm(one, one.replace("a/b", "c_b"), flags=["--dry-run"])[0] == 0
    assert sorted(path.name for path in (tmp_path / "benchmark_output/runs/default").glob("tagged*")) == [
        "tagged:tag=a_b,model=simple_model1",
        "tagged:tag=c_b,model=simple_model1",
    ]


@run_spec_function("folder_names_described")
def get_described_spec(tag: str = ""):
    """What `tag` stands for is in the run spec, too."""
    spec = get_run_spec_function("simple_mcqa")()
    adapter_spec = replace(spec.adapter_spec, instructions=f"Questions about {tag}.")
    return replace(spec, name=f"described:tag={tag}", adapter_spec=adapter_spec)


@pytest.mark.parametrize("first, second", [("a/b", "a_b"), ("a_b", "a/b"), ("x/y_z", "x_y/z")])
@pytest.mark.parametrize("flags", [[], ["--skip-completed-runs"], ["--dry-run"]])
def test_a_run_is_not_put_over_another_one_of_an_earlier_command(helm, tmp_path, first, second, flags):
    entry = "folder_names_described:tag={},model=simple/model1"
    assert helm(entry.format(first))[0] == 0
    folder = tmp_path / "benchmark_output/runs/default" / f"described:tag={first.replace('/', '_')},model=simple_model1"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    other = entry.format("other")
    status, message = helm(other, entry.format(second), flags=flags)
    assert status == 1 and message.count("\n") == 1
    assert f"would overwrite another one in benchmark_output/runs/default/{folder.name}" in message
    assert f"in which instructions is 'Questions about {first}.', not 'Questions about {second}.'" in message
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert not list(folder.parent.glob("described:tag=other*")), "nothing was begun"
    assert helm(entry.format(first), flags=[*flags, "-n", "1"])[0] == 0
    assert helm(entry.format(second), flags=[*flags, "--suite", "another"])[0] == 0


def test_a_folder_that_holds_a_run_of_another_name_is_not_overwritten(helm, tmp_path):
    """As where a file system takes two names for one."""
    entry = "folder_names_tagged:tag=a,model=simple/model1"
    assert helm(entry)[0] == 0
    path = tmp_path / "benchmark_output/runs/default/tagged:tag=a,model=simple_model1/run_spec.json"
    text = path.read_text()
    path.write_text(text.replace("tagged:tag=a,", "tagged:tag=A,"))
    status, message = helm(entry)
    assert status == 1 and "named 'tagged:tag=A,model=simple_model1'" in message and message.count("\n") == 1
    for damaged in ("", "[]", "[" * 100_000, text[:50]):
        path.write_text(damaged)
        assert helm(entry)[0] == 0 and path.read_text() == text, "what cannot be read is made anew"


@pytest.mark.parametrize("flags", [[], ["--engine", "slurm"]])
def test_a_name_that_is_too_long_is_refused_before_anything_is_made(helm, tmp_path, flags):
    length = 300 if not flags else 210
    good = "folder_names_tagged:tag=good,model=simple/model1"
    status, message = helm(good, f"folder_names_tagged:tag={'x' * length},model=simple/model1", flags=flags)
    assert status == 1 and message.count("\n") == 1
    assert "bytes long, and a folder's name can have" in message and "xxx..." in message
    suite = tmp_path / "benchmark_output/runs/default"
    assert not list(suite.glob("tagged*"))


def test_a_folder_of_kept_instances_with_too_long_a_name_is_named(tmp_path):
    class LongScenario(Scenario):
        name, description, tags = "long", "", []

        def get_instances(self, output_path):
            return []

    with pytest.raises(ConfigError, match="--cache-instances: the name of the folder for long with its arguments is 3"):
        get_kept_instances(LongScenario(), ScenarioSpec("x.LongScenario", {"path": "y" * 300}), "", str(tmp_path))


def test_json_of_names_is_what_helm_writes(helm, tmp_path):
    assert helm("folder_names_tagged:tag=a/b,model=simple/model1")[0] == 0
    path = tmp_path / "benchmark_output/runs/default/tagged:tag=a_b,model=simple_model1/run_spec.json"
    assert json.loads(path.read_text())["name"] == path.parent.name
