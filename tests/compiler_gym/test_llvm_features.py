"""The LLVM backend against recorded features; the whole file takes a few seconds."""

import base64
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

from helm.compiler_gym import proto
from helm.compiler_gym.backends.llvm_features import AUTOPHASE_NAMES, INST_COUNT_NAMES, get_autophase, get_inst_count
from helm.compiler_gym.backends.llvm_module import parse_bitcode
from helm.compiler_gym.runtime.service_client import InProcessConnection
from vectors_support import load_vectors, vector_cases


@pytest.fixture(scope="module")
def llvm() -> Iterator[InProcessConnection]:
    with InProcessConnection("llvm") as connection:
        yield connection


def _apply(connection: InProcessConnection, session_id: int, action: str) -> None:
    if f"-{action}" in ("-O1", "-O2", "-O3", "-Os", "-Oz"):
        parameter = proto.SessionParameter(key="llvm.apply_baseline_optimizations", value=f"-{action}")
        request: Any = proto.SendSessionParameterRequest(session_id=session_id, parameter=[parameter])
        connection.call("SendSessionParameter", request)
    else:
        connection.call("Step", proto.StepRequest(session_id=session_id, action=[proto.Event(string_value=action)]))


def _observe(connection: InProcessConnection, session_id: int, *names: str) -> list[Any]:
    known = [space.name for space in connection.observation_spaces]
    request = proto.StepRequest(session_id=session_id, observation_space=[known.index(name) for name in names])
    return list(connection.call("Step", request).observation)


def test_vector_llvm22_features(llvm):
    modules = load_vectors("compiler-gym/llvm22_features.json")["modules"]
    for case in vector_cases("compiler-gym/llvm22_features.json"):
        program = proto.File(contents=modules[case["module"]].encode())
        benchmark = proto.Benchmark(uri=f"benchmark://test-v0/{case['module']}", program=program)
        session_id = llvm.call("StartSession", proto.StartSessionRequest(benchmark=benchmark)).session_id
        for action in case["actions"]:
            _apply(llvm, session_id, action)
        names = ("IrInstructionCount", "InstCount", "Autophase", "ObjectTextSizeBytes")
        count, inst_count, autophase, size = _observe(llvm, session_id, *names)
        assert count.int64_value == case["ir_instruction_count"], case["id"]
        assert size.int64_value == case["object_text_size"], case["id"]
        counts = dict(zip(INST_COUNT_NAMES, inst_count.int64_tensor.value, strict=True))
        assert {name: n for name, n in counts.items() if n} == case["inst_count"], case["id"]
        features = dict(zip(AUTOPHASE_NAMES, autophase.int64_tensor.value, strict=True))
        assert {name: n for name, n in features.items() if n} == case["autophase"], case["id"]
        llvm.call("EndSession", proto.EndSessionRequest(session_id=session_id))


def test_vector_llvm_actions_name_the_same_methods():
    from helm.compiler_gym.backends.llvm_passes import PASSES, UNAVAILABLE_PASSES, get_pass_flag

    for action in vector_cases("compiler-gym/llvm_actions.json", key="actions"):
        flag, method = action["action"], action["llvmlite_method"]
        if method is None:
            assert flag.lstrip("-") in UNAVAILABLE_PASSES
            with pytest.raises(ValueError, match="cannot be run through llvmlite"):
                get_pass_flag(flag)
        else:
            assert f"add_{PASSES[flag]}_pass" == method
            names = (flag, flag.lstrip("-"), PASSES[flag], action["llvm22_pipeline"])
            assert {get_pass_flag(name) for name in names} == {flag}


def test_vector_llvm_baselines_are_the_pipelines_applied_to_the_untouched_program(llvm):
    modules = load_vectors("compiler-gym/llvm22_features.json")["modules"]
    expected: dict[str, dict[str, dict]] = {}
    for case in vector_cases("compiler-gym/llvm22_features.json"):
        if case["actions"] in ([], ["O3"], ["Oz"]):
            expected.setdefault(case["module"], {})["".join(case["actions"]) or "O0"] = case
    for module, cases in expected.items():
        benchmark = proto.Benchmark(uri="benchmark://test-v0/b", program=proto.File(contents=modules[module].encode()))
        session_id = llvm.call("StartSession", proto.StartSessionRequest(benchmark=benchmark)).session_id
        for level, case in cases.items():
            names = (f"IrInstructionCount{level}", f"ObjectTextSize{level}")
            found = [event.int64_value for event in _observe(llvm, session_id, *names)]
            assert found == [case["ir_instruction_count"], case["object_text_size"]], case["id"]
        llvm.call("EndSession", proto.EndSessionRequest(session_id=session_id))


def test_vector_features_of_llvm_10_bitcode_that_a_newer_llvm_loads():
    for case in vector_cases("compiler-gym/llvm_features.json"):
        module = parse_bitcode(zlib.decompress(base64.b64decode(case["bitcode"])))
        for names, extract, key in (
            (INST_COUNT_NAMES, get_inst_count, "inst_count"),
            (AUTOPHASE_NAMES, get_autophase, "autophase"),
        ):
            expected = {**dict.fromkeys(names, 0), **case[key], **case.get(f"llvm22_{key}_changes", {})}
            assert dict(zip(names, extract(module), strict=True)) == expected, (case["id"], key)


@pytest.mark.parametrize("program", ["sudoku", "json", "lu"])
def test_walking_in_compiled_code_and_from_python_agree(program, monkeypatch):
    """The second is for systems that do not let a process run what it has compiled."""
    from helm.compiler_gym.backends import llvm_walk
    from helm.compiler_gym.backends.llvm_passes import get_target_machine, run_pass
    from helm.compiler_gym.backends.llvm_program import load_program
    from helm.compiler_gym.programs import DATASET, load_benchmark

    module = load_program(load_benchmark(DATASET + program)).parse()
    for flag in ("-sroa", "-simplifycfg", "-loop-unroll", "-break-crit-edges"):
        run_pass(module, flag, get_target_machine(codegen_level=2))
        compiled, count = llvm_walk.walk_module(module), llvm_walk.count_instructions(module)
        autophase = get_autophase(module)
        with monkeypatch.context() as patch:
            patch.setattr(llvm_walk, "_compile", lambda library: None)
            walk = llvm_walk.walk_module(module)
            assert llvm_walk.count_instructions(module) == count == len(walk.instructions)
            assert get_autophase(module) == autophase
        assert walk.num_functions == compiled.num_functions
        for part in ("blocks", "instructions", "operands"):
            assert (getattr(walk, part) == getattr(compiled, part)).all(), part


def test_a_module_without_instructions_has_features(llvm):
    from helm.compiler_gym.backends.llvm_module import parse_text

    module = parse_text("declare i32 @f(i32)")
    assert get_inst_count(module)[:3] == [0, 0, 1] and sum(get_inst_count(module)) == 1
    assert sum(get_autophase(module)) == 1


def test_every_opcode_has_a_code_of_its_own():
    from helm.compiler_gym.backends import llvm_features

    assert len(set(llvm_features._CODES)) == len(llvm_features.OPCODES)
