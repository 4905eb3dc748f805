"""`helm-run -r compiler:...`: sets of programs, validation, budgets, tables, and `helm-compiler-validate`."""

import csv
import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest
from toy_compiler import TOY_BACKEND

from helm.benchmark import run
from helm.benchmark.presentation import summarize
from helm.benchmark.run_specs.compiler_gym_run_specs import get_compiler_spec
from helm.common.errors import ConfigError
from helm.compiler_gym.checks import validate_main
from helm.compiler_gym.replay import read_states

_ENTRIES = [
    "compiler:env=llvm,policy=Oz,benchmarks=embedded,max_programs=3",
    "compiler:env=llvm,policy=random,benchmarks=embedded,max_programs=3,max_compilations=40",
]

VALIDATION_ENTRY = "compiler:env=llvm,policy=random_walk,benchmarks=embedded,episodes=45"
"""As in the Makefile."""


def _runs(folder: Path, suite: str = "s") -> dict[str, Path]:
    """Model -> folder of its run."""
    return {path.name.split("model=")[1]: path for path in (folder / "benchmark_output" / "runs" / suite).glob("comp*")}


def _stats(path: Path) -> dict:
    return {
        (stat["name"]["name"], stat["name"].get("sub_split")): stat
        for stat in json.loads((path / "stats.json").read_text())
    }


def _results(path: Path) -> list[dict]:
    return [s["result"] for s in json.loads((path / "scenario_state.json").read_text())["request_states"]]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with two runs over three programs."""
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run.main(["-r", *_ENTRIES, "--suite", "s", "-m", "100"])
    return folder


def test_an_instance_is_a_program_and_a_request_an_episode(finished):
    path = _runs(finished)["llvm_Oz"]
    states = json.loads((path / "scenario_state.json").read_text())["request_states"]
    assert [state["instance"]["sub_split"] for state in states] == ["adpcm", "aes128", "bigint"]
    for state in states:
        result = state["result"]
        assert result["actions"] == ["-Oz"] and len(result["rewards"]) == 1
        assert result["validation"]["status"] == "valid" and len(result["program_sha256"]) == 64
        assert result["observations"]["IrInstructionCount"] == result["observations"]["IrInstructionCountOz"]
        assert 0 < result["policy_s"] <= result["elapsed_s"]
    spec = json.loads((path / "run_spec.json").read_text())
    assert spec["adapter_spec"]["model"] == "llvm/Oz" and spec["executor_spec"]["args"]["backend"] == "llvm"


def test_geometric_means_have_intervals_and_programs_their_own_figures(finished):
    stats = _stats(_runs(finished)["llvm_Oz"])
    assert stats["instruction_count_reduction_oz_geomean", None]["mean"] == 1.0
    o3 = [stats["program_reduction_o3", name]["mean"] for name in ("adpcm", "aes128", "bigint")]
    middle = stats["instruction_count_reduction_o3_geomean", None]["mean"]
    assert middle == pytest.approx(math.prod(o3) ** (1 / 3))
    low, high = (stats[f"instruction_count_reduction_o3_geomean_{end}", None]["mean"] for end in ("low", "high"))
    assert min(o3) <= low < middle < high <= max(o3)
    assert stats["validated", None]["mean"] == 1 and stats["num_instances", None]["mean"] == 3
    assert stats["episode_invalid", None]["mean"] == 0 and stats["compile_time_s", None]["count"] == 3


def test_a_budget_ends_the_search_and_keeps_the_best_so_far(finished):
    for result in _results(_runs(finished)["llvm_random"]):
        assert result["is_budget_used_up"] and result["success"]
        assert result["num_actions_tried"] - len(result["actions"]) <= 40
        assert sum(result["rewards"]) >= 0
    assert _stats(_runs(finished)["llvm_random"])["budget_used_up", None]["mean"] == 1


def test_tables_show_policies_by_programs(finished, monkeypatch):
    monkeypatch.chdir(finished)
    summarize.main(["--suite", "s"])
    folder = finished / "benchmark_output" / "runs" / "s" / "groups"
    tables = {table["title"]: table for table in json.loads((folder / "compiler_sets_llvm.json").read_text())}
    programs = tables["Programs vs -Oz"]
    assert [cell["value"] for cell in programs["header"]] == [
        "Policy", "LLVM - adpcm", "LLVM - aes128", "LLVM - bigint",
    ]  # fmt: skip
    assert [row[0]["value"] for row in programs["rows"]] == ["LLVM -Oz", "LLVM random search"]
    assert [cell["value"] for cell in programs["rows"][0][1:]] == [1.0, 1.0, 1.0]
    assert [cell["value"] for cell in tables["Reductions"]["header"]][1] == "LLVM - Instr. vs -Oz"
    assert tables["Validation"]["rows"][0][1]["value"] == 1.0


# helm-compiler-validate ------------------------------------------------------------------------------------------------


def _validate(*arguments: object, capsys) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        validate_main.main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return ended.value.code, printed.out + printed.err


def test_a_finished_run_is_verified_from_its_files(finished, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = _runs(finished)["llvm_Oz"]
    code, text = _validate(path, "--to-csv", "out.csv", "--to-json", "out.json", capsys=capsys)
    assert code == 0, text
    assert "✅  helm-v0/adpcm  1.0000" in text and "3 of 3 episodes are as recorded" in text
    assert "the scores follow from the episodes" in text and "Programs that were run: 3 of 3" in text
    with open("out.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["benchmark"] == "benchmark://helm-v0/adpcm" and rows[0]["reward"] == "1.0"
    assert rows[0]["commandline"] == "opt -Oz input.bc -o output.bc"
    assert len(json.loads(Path("out.json").read_text())) == 3
    # The leaderboard can be validated itself, and replayed by a run.
    code, text = _validate("out.csv", "--env", "llvm", "--no-execution", capsys=capsys)
    assert code == 0 and "Geometric mean IrInstructionCountOz: 1.000" in text
    run.main(["-r", "compiler:policy=replay,states=out.csv,max_programs=2", "--suite", "again", "-m", "9"])
    assert [result["actions"] for result in _results(_runs(tmp_path, "again")["llvm_replay"])] == [["-Oz"], ["-Oz"]]


@pytest.mark.parametrize(
    "field, value, complaint",
    [
        ("rewards", [0.5], "Other rewards"),
        ("actions", ["-O3"], "Other"),
        ("actions", ["-no-such-pass"], "Action replay failed"),
        ("program_sha256", "0" * 64, "has changed"),
    ],
)
def test_a_changed_file_is_found_out(finished, capsys, tmp_path, field, value, complaint):
    path = tmp_path / "changed"
    shutil.copytree(_runs(finished)["llvm_Oz"], path)
    states = json.loads((path / "scenario_state.json").read_text())
    states["request_states"] = states["request_states"][:1]
    states["request_states"][0]["result"][field] = value
    (path / "scenario_state.json").write_text(json.dumps(states))
    code, text = _validate(path, "--no-execution", "--no-scores", "--connection", "in_process", capsys=capsys)
    assert code == 1 and "❌" in text and complaint in text


def test_changed_scores_are_found_out(finished, capsys, tmp_path):
    path = tmp_path / "changed"
    shutil.copytree(_runs(finished)["llvm_Oz"], path)
    text = (path / "stats.json").read_text()
    assert '"mean": 1.0' in text
    (path / "stats.json").write_text(text.replace('"mean": 1.0', '"mean": 1.5', 1))
    code, text = _validate(path, "--no-execution", "--summary-only", "--connection", "in_process", capsys=capsys)
    assert code == 1 and "do not follow from the episodes" in text


def test_what_is_not_there_is_a_wrong_argument(capsys, tmp_path):
    assert _validate(tmp_path / "nothing", capsys=capsys)[0] == 2


# Failures --------------------------------------------------------------------------------------------------------------


def _run_toy(tmp_path: Path, policy: str, **policy_args: Any) -> Path:
    """The folder of a run of a policy on two programs of the toy compiler."""
    for folder in ("programs", "prod_env"):
        (tmp_path / folder).mkdir()
    for name in ("one.toy", "two.toy"):
        (tmp_path / "programs" / name).write_text("hello")
    client = {"backend": TOY_BACKEND, "policy": {"class_name": policy, "args": policy_args}}
    deployment = {
        "name": "toy/crash",
        "client_spec": {"class_name": "helm.compiler_gym.compiler_client.CompilerClient", "args": client},
    }
    (tmp_path / "prod_env" / "model_deployments.yaml").write_text(json.dumps({"model_deployments": [deployment]}))
    entry = f"compiler:env={TOY_BACKEND},policy=toy/crash,benchmarks=programs,reward=cost"
    run.main(["-r", entry, "--suite", "s", "-m", "9"])
    (path,) = _runs(tmp_path).values()
    return path


def test_crashes_are_counted_not_scored_and_told_with_their_replay(tmp_path, monkeypatch, capsys):
    """The toy's action 8 ends its process."""
    monkeypatch.chdir(tmp_path)
    path = _run_toy(tmp_path, "helm.compiler_gym.policies.FixedActions", actions=["0", "8"])
    stats = _stats(path)
    assert stats["episode_crashed", None]["mean"] == 1 and stats["episode_failed", None]["sum"] == 2
    assert ("episode_reward", None) not in stats and stats["validated", None]["mean"] == 0
    states = json.loads((path / "scenario_state.json").read_text())["request_states"]
    assert [state["result"]["failed_actions"] for state in states] == [["0", "8"]] * 2
    code, text = _validate(path, "--failures-only", capsys=capsys)
    assert code == 1 and "one.toy  not scored: crashed" in text and "0 8" in text
    assert "2 of 2 episodes were recorded as failed" in text


def test_crashes_in_the_search_are_written_to_a_file_that_replays_them(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = _run_toy(tmp_path, "compiler_policies.Trying", sequences=[["0", "6"], ["0"], ["1", "8"]])
    code, text = _validate(path, "--failures-only", "--to-csv", "failures.csv", capsys=capsys)
    assert code == 1 and "2 of 2 episodes were recorded as failed" in text and "1 8" in text
    rows = [(Path(state.benchmark).name, state.reward, state.commandline) for state in read_states("failures.csv")]
    assert rows == [("one.toy", None, "1 8"), ("two.toy", None, "1 8")]
    code, text = _validate("failures.csv", "--env", TOY_BACKEND, "--reward", "cost", capsys=capsys)
    assert code == 1 and text.count("Action replay failed") == 4 and "returncode: 7" in text


def test_failures_that_a_search_survives_are_listed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = _run_toy(tmp_path, "compiler_policies.Trying", sequences=[["0", "6"], ["0"]])
    code, text = _validate(path, "--failures-only", "--to-csv", "failures.csv", capsys=capsys)
    assert code == 1 and "0 of 2 episodes were recorded as failed\n2 sequences failed when they were tried" in text
    assert "one.toy  failed when it was tried\n        INTERNAL: os\n        0 6" in text
    assert [state.commandline for state in read_states("failures.csv")] == ["0 6", "0 6"]


def test_a_program_has_several_episodes_with_other_random_actions_each(tmp_path, monkeypatch):
    """A small form of what `make validate-compilers` does."""
    monkeypatch.chdir(tmp_path)
    programs = "compiler:env=llvm,policy=random_walk,benchmarks=embedded,max_programs=2,episodes=3"
    run.main(["-r", f"{programs},connection=in_process", "--suite", "s", "-m", "9"])
    (path,) = _runs(tmp_path).values()
    states = json.loads((path / "scenario_state.json").read_text())["request_states"]
    assert [state["request"]["seed"] for state in states] == [0, 0, 1, 1, 2, 2]
    assert len({tuple(state["result"]["actions"]) for state in states}) == 6
    assert {len(state["result"]["actions"]) for state in states} == {50}
    assert len({state["instance"]["id"] for state in states}) == 6
    assert _stats(path)["validated", None]["mean"] == 1


def test_further_observations_are_recorded_before_and_after(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    entry = "compiler:env=llvm,policy=Oz,benchmarks=crc32,observe=Ir+Autophase+IrInstructionCount,connection=in_process"
    run.main(["-r", entry, "--suite", "s", "-m", "9"])
    (path,) = _runs(tmp_path).values()
    (result,) = _results(path)
    before, after = result["initial_observations"], result["observations"]
    assert "define" in before["Ir"] and "minsize" not in before["Ir"] and "minsize" in after["Ir"]
    assert len(after["Autophase"]) == 56 and list(after).count("IrInstructionCount") == 1
    with pytest.raises(SystemExit):
        run.main(["-r", entry.replace("observe=Ir+", "observe=Irr+"), "--suite", "t", "-m", "9"])


def test_the_makefile_runs_the_same_validation():
    assert VALIDATION_ENTRY in (Path(__file__).parents[2] / "Makefile").read_text()


@pytest.mark.slow
def test_random_episodes_break_no_program(tmp_path, monkeypatch):
    """A tenth of what `make validate-compilers` does."""
    monkeypatch.chdir(tmp_path)
    run.main(["-r", VALIDATION_ENTRY.replace("episodes=45", "episodes=4"), "--suite", "s", "-m", "100000", "-n", "4"])
    (path,) = _runs(tmp_path).values()
    stats = _stats(path)
    assert stats["num_instances", None]["sum"] == 45 * 4
    failed = [
        (state["request"]["benchmark"], state["result"]["status"], state["result"].get("failed_actions"))
        for state in json.loads((path / "scenario_state.json").read_text())["request_states"]
        if not state["result"]["success"]
    ]
    assert failed == []
    assert stats["validated", None]["mean"] == 1


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"policy": "greedy", "rounds": 2}, "rounds and show can only be used with policy=lm"),
        ({"policy": "replay"}, "policy=replay needs it"),
        ({"policy": "lm", "show": "featurs"}, "Did you mean 'features'"),
        ({"max_compilations": 0}, "max_compilations takes a whole number, at least 1"),
        ({"episodes": 0}, "episodes takes a whole number, at least 1"),
        ({"validate": "yes"}, "validate takes true, false"),
        ({"env": "llmv", "policy": "Oz"}, "not 'llmv'. Did you mean 'llvm'"),
        (
            {"env": "gcc", "policy": "greedy"},
            "policy=greedy cannot be used with gcc.*Take random, evolution or nevergrad",
        ),
        (
            {"env": "gc:gcc-14", "policy": "Os"},
            "env takes llvm, llvm-library, llvm-opt, gcc, mlir, loop_tool, gcc:COMMAND or the class path",
        ),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises(ConfigError, match=message):
        get_compiler_spec(**arguments)


def test_a_subject_named_twice_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        run.main(["-r", "compiler:policy=Oz,model=llvm/O3", "--suite", "s", "-m", "9"])
    assert "names its subject twice: model=llvm/O3" in capsys.readouterr().err


def test_a_policy_for_another_compiler_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        run.main(["-r", "compiler:env=llvm,policy=gcc/Os,benchmarks=crc32", "--suite", "s", "-m", "9"])
    (path,) = _runs(tmp_path).values()
    assert "is made for the compiler 'gcc'" in json.loads((path / "error.json").read_text())["message"]


def test_a_policy_for_any_compiler_needs_a_run_that_names_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        run.main(["-r", "llvm:program=crc32,model=compiler/greedy", "--suite", "s", "-m", "9"])
    (path,) = (tmp_path / "benchmark_output" / "runs" / "s").glob("llvm*")
    assert "compiler:env=... names one" in json.loads((path / "error.json").read_text())["message"]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a gcc on the machine")
def test_gcc_programs_are_compared_with_their_baselines_and_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "hello.c").write_text('#include <stdio.h>\nint main(void) { puts("hello"); return 3; }\n')
    (tmp_path / "mine" / "part.c").write_text("int twice(int x) { return 2 * x; }\n")
    run.main(["-r", "compiler:env=gcc,policy=Os,benchmarks=mine", "--suite", "s", "-m", "9"])
    (path,) = _runs(tmp_path).values()
    hello, part = _results(path)
    assert part["validation"]["status"] == "not_checked"
    assert hello["validation"]["status"] in ("valid", "not_checked")  # there may be no sandbox
    assert set(hello["baselines"]) >= {"O0", "O3"}
    stats = _stats(path)
    assert stats["obj_size_reduction_o3_geomean", None]["mean"] > 0
    assert stats["not_checked", None]["sum"] >= 1
