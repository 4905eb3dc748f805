"""Whole pipelines as actions of a search."""

import math

import pytest

from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.executing.execution import create_subject_client
from helm.compiler_gym import proto
from helm.compiler_gym.backends.llvm_passes import PIPELINES, get_target_machine, run_pipeline
from helm.compiler_gym.backends.llvm_program import load_program, measure_instruction_count
from helm.compiler_gym.envs.environment import CompilerEnvironment
from helm.compiler_gym.policies import BeamSearch, Greedy
from helm.compiler_gym.programs import get_program_uri, load_benchmark
from helm.compiler_gym.rewards import create_reward
from helm.compiler_gym.runtime.service_client import InProcessConnection

pytest.importorskip("llvmlite")


@pytest.fixture
def connection():
    with InProcessConnection("llvm") as connection:
        yield connection


def _make_env(connection, program: str) -> CompilerEnvironment:
    reward = create_reward("IrInstructionCountOz", connection.observation_spaces)
    env = CompilerEnvironment(connection, load_benchmark(get_program_uri(program)), reward)
    env.reset()
    return env


@pytest.mark.parametrize("in_one_call", [True, False], ids=["one-call", "forks"])
def test_a_pipeline_can_be_tried_and_is_worth_what_a_step_earns(connection, in_one_call):
    env = _make_env(connection, "crc32")
    env._can_try_in_one_call = in_one_call
    trials = env.try_actions([["-Oz"], ["-sroa", "-O2-simplification"], ["-O9"]])
    assert trials[0].rewards == [1.0]
    assert trials[2].error is not None and "-O9" in trials[2].error
    assert [env.step("-sroa"), env.step("-O2-simplification")] == pytest.approx(trials[1].rewards)


def test_a_step_takes_the_name_of_a_pipeline_as_text(connection):
    session_id = connection.call(
        "StartSession", proto.StartSessionRequest(benchmark=load_benchmark(get_program_uri("crc32")))
    ).session_id
    event = proto.Event(string_value="-Oz")
    assert not connection.call("Step", proto.StepRequest(session_id=session_id, action=[event])).action_had_no_effect
    with pytest.raises(ValueError, match="-Oy"):
        connection.call("Step", proto.StepRequest(session_id=session_id, action=[proto.Event(string_value="-Oy")]))


def test_a_simplification_inlines_nothing():
    """What a pipeline of functions does not touch: calls of functions that -O2 inlines."""
    program = load_program(load_benchmark(get_program_uri("nqueens")))

    def count_calls(pipeline: str) -> int:
        module = program.parse()
        run_pipeline(module, pipeline, get_target_machine(codegen_level=2))
        module.verify()
        names = {function.name for function in module.functions if not function.is_declaration}
        return sum(1 for line in str(module).splitlines() if " call " in line and any(f"@{n}(" in line for n in names))

    assert count_calls("-O2") < count_calls("-O2-simplification")


def test_size_pipelines_mark_functions_and_others_do_not():
    program = load_program(load_benchmark(get_program_uri("crc32")))
    for name in PIPELINES:
        module = program.parse()
        run_pipeline(module, name, get_target_machine(codegen_level=2))
        assert ("minsize" in str(module)) == name.startswith("-Oz"), name
        assert ("optsize" in str(module)) == name.startswith(("-Os", "-Oz")), name
        assert (measure_instruction_count(module) < measure_instruction_count(program.parse())) == (name != "-O0"), name


@pytest.mark.parametrize("policy, least", [("greedy", 1.06), ("beam", 1.06)])
def test_the_shipped_searches_beat_oz(connection, policy, least, isolated_registries):
    """A few small programs; the whole set is in docs/tutorial-compilers.md."""
    register_builtin_configs_from_helm_package()
    spec = create_subject_client(f"llvm/{policy}").policy
    make = {"greedy": Greedy, "beam": BeamSearch}[policy]
    args = {**spec.args, "width": 1, "patience": 1} if policy == "beam" else spec.args
    ratios = []
    for program in ("crc32", "stackvm"):
        env = _make_env(connection, program)
        actions = make(**args).run(env)
        env.reset()
        for action in actions:
            env.step(action)
        ratios.append(env["IrInstructionCountOz"] / env["IrInstructionCount"])
    assert min(ratios) >= 1
    assert math.prod(ratios) ** (1 / len(ratios)) > least
