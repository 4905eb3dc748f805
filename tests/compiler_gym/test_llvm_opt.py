"""The backend `llvm-opt`: passes by the opt of the machine. Most tests need one of llvmlite's version of LLVM."""

import json
import os
import sys
from pathlib import Path

import pytest

from helm.benchmark import run
from helm.compiler_gym.backends import get_session_class
from helm.compiler_gym.backends.llvm_opt import PIPELINE_BY_FLAG, Opt, get_opt, get_wanted_version
from helm.compiler_gym.envs.environment import CompilerEnvironment
from helm.compiler_gym.errors import ServiceInitError
from helm.compiler_gym.programs import get_program_uri, load_benchmark
from helm.compiler_gym.rewards import create_reward
from helm.compiler_gym.runtime.service_client import InProcessConnection

pytest.importorskip("llvmlite")

_VECTORS = Path(__file__).parents[1] / "vectors" / "compiler-gym" / "llvm_actions.json"


def _has_opt() -> bool:
    try:
        get_opt()
    except ServiceInitError:
        return False
    return True


needs_opt = pytest.mark.skipif(not _has_opt(), reason="needs the program opt of llvmlite's version of LLVM")


@pytest.fixture
def env():
    with InProcessConnection("llvm-opt") as connection:
        reward = create_reward("IrInstructionCountOz", connection.observation_spaces)
        env = CompilerEnvironment(connection, load_benchmark(get_program_uri("crc32")), reward)
        env.reset()
        yield env


def _write_tool(folder: Path, name: str, body: str) -> str:
    path = folder / name
    path.write_text(f"#!{sys.executable}\nimport sys, time, os\n{body}\n")
    path.chmod(0o755)
    return str(path)


_FAKE_OPT = """
if sys.argv[1] == "--version":
    print("  LLVM version {version}.1.8")
elif sys.argv[1] == "-print-passes":
    print("Function passes:\\n  sroa\\n  gvn")
else:
    {action}
"""


def _fake_opt(folder: Path, action: str, version: int | None = None) -> str:
    return _write_tool(folder, "my-opt", _FAKE_OPT.format(version=version or get_wanted_version(), action=action))


def test_without_opt_the_error_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("HELM_OPT", raising=False)
    get_opt.cache_clear()
    with pytest.raises(ServiceInitError, match=r"needs the program opt of LLVM \d+. Install it .*HELM_OPT"):
        get_opt()
    monkeypatch.setenv("HELM_OPT", "nowhere/opt")
    with pytest.raises(ServiceInitError, match="There is no program nowhere/opt"):
        get_opt()
    get_opt.cache_clear()


def test_an_opt_of_another_version_is_refused(tmp_path):
    with pytest.raises(ServiceInitError, match="is of LLVM 14.1.8, but llvmlite is of LLVM"):
        Opt(_fake_opt(tmp_path, "pass", version=14))
    with pytest.raises(ServiceInitError, match="is not LLVM's opt"):
        Opt(_write_tool(tmp_path, "other", "print('other 1.0')"))


def test_only_passes_that_the_opt_has_are_actions(tmp_path):
    opt = Opt(_fake_opt(tmp_path, "pass"))
    assert opt.pipelines == {"-gvn": "gvn", "-sroa": "sroa"}
    assert get_session_class(f"llvm-opt:{opt.command}").describe()[2].startswith(f"{get_wanted_version()}.1.8 ")


@pytest.mark.parametrize(
    "action, error, message",
    [
        ("os.kill(os.getpid(), 11)", Exception, "failed with status -11"),
        ("time.sleep(60)", TimeoutError, "did not end within 0.5 seconds"),
        ("open('out.bc', 'wb').write(b'no bitcode')", Exception, "Failed to read what .*my-opt -passes=gvn wrote"),
    ],
    ids=["crash", "hang", "nonsense"],
)
def test_an_opt_that_fails_costs_one_action_only(tmp_path, monkeypatch, action, error, message):
    command = _fake_opt(tmp_path, f"({action}) if 'gvn' in sys.argv[1] else os.link('in.bc', 'out.bc')")
    with InProcessConnection(f"llvm-opt:{command}") as connection:
        reward = create_reward("IrInstructionCount", connection.observation_spaces)
        env = CompilerEnvironment(connection, load_benchmark(get_program_uri("crc32")), reward)
        env.reset()
        assert env.step("sroa") == 0
        monkeypatch.setattr("helm.compiler_gym.backends.llvm_opt._TIMEOUT_S", 0.5)
        with pytest.raises(error, match=message):
            env.step("gvn")
        monkeypatch.undo()
        assert env.step("sroa") == 0 and env.actions == ["-sroa", "-sroa"]
        assert not list(connection._service._scratch.path.glob("opt-*"))


@needs_opt
def test_the_actions_are_those_of_compiler_gym_as_the_table_has_them():
    wanted = {entry["action"]: entry["llvm22_pipeline"] for entry in json.loads(_VECTORS.read_text())["actions"]}
    if get_wanted_version() == 22:
        assert get_opt().pipelines == {flag: text for flag, text in sorted(wanted.items()) if text is not None}
    assert set(PIPELINE_BY_FLAG) <= {flag.lstrip("-") for flag in wanted}


@needs_opt
def test_passes_pipelines_and_texts_are_actions(env):
    assert {"-gvn", "-licm", "-inline"} <= set(env.action_names)
    before = env["IrInstructionCount"]
    for action in ("mem2reg", "-gvn", "function(early-cse<memssa>,simplifycfg)", "-Oz"):
        env.step(action)
    assert env.actions == ["-mem2reg", "-gvn", "function(early-cse<memssa>,simplifycfg)", "-Oz"]
    assert env["IrInstructionCount"] < before
    (trial,) = env.try_actions([["-inline", "-Oz", "cgscc(inline)"]])
    assert len(trial.rewards) == 3 and trial.error is None


@needs_opt
@pytest.mark.parametrize(
    "action, message",
    [
        ("-gvnn", "Did you mean '-gvn'"),
        ("function(nope)", "unknown function pass 'nope'"),
        ("../x", "is not a textual pipeline"),
        ("embed-bitcode --output=x", "is not a textual pipeline"),
    ],
)
def test_what_is_no_pass_is_refused_and_changes_nothing(env, action, message):
    env.step("-mem2reg")
    digest = env["IrSha1"]
    with pytest.raises(ValueError, match=message):
        env.step(action)
    env._observed.clear()
    assert env["IrSha1"] == digest and env.actions == ["-mem2reg"]


@needs_opt
def test_a_run_with_opt(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    entry = "compiler:env=llvm-opt,policy=random,benchmarks=crc32,max_compilations=20"
    run.main(["-r", entry, "--suite", "s", "-m", "9"])
    (path,) = (tmp_path / "benchmark_output" / "runs" / "s").glob("comp*")
    (state,) = json.loads((path / "scenario_state.json").read_text())["request_states"]
    assert state["result"]["success"] and state["result"]["validation"]["status"] == "valid"
    assert os.path.exists(path / "stats.json")


@needs_opt
@pytest.mark.parametrize("program", ["crc32", "sha256"])
def test_what_opt_made_is_what_is_observed(program):
    """Of a small program, whose text is compared, and of one whose bitcode is."""
    import llvmlite.binding as llvm

    from helm.compiler_gym.envs.llvm_env import LlvmEnv

    with LlvmEnv("llvm-opt", benchmark=get_program_uri(program), connection="in_process") as env:
        env.reset()
        before, as_read = int(env.observation["IrInstructionCount"]), env.observation["IrSha1"]
        _, _, terminated, _, info = env.step("-sroa")
        assert not terminated and not info["action_had_no_effect"]
        assert int(env.observation["IrInstructionCount"]) < before and env.observation["IrSha1"] != as_read
        module = llvm.parse_bitcode(env.observation["Bitcode"].tobytes())
        in_bitcode = sum(len(list(block.instructions)) for function in module.functions for block in function.blocks)
        assert in_bitcode == int(env.observation["IrInstructionCount"])
        with env.fork() as fork:
            assert fork.observation["IrSha1"] == env.observation["IrSha1"]
        assert env.step("-sroa")[-1]["action_had_no_effect"]
