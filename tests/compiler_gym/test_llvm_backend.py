import random

import pytest

from helm.compiler_gym import proto
from helm.compiler_gym.backends.llvm_passes import get_action_flags
from helm.compiler_gym.envs.environment import CompilerEnvironment
from helm.compiler_gym.programs import PROGRAMS, load_benchmark
from helm.compiler_gym.rewards import create_reward
from helm.compiler_gym.runtime.service_client import InProcessConnection

_EMPTY = b"define i32 @f(i32 %x) {\n  %y = add i32 %x, 0\n  ret i32 %y\n}\n"


@pytest.fixture(scope="module")
def llvm():
    with InProcessConnection("llvm") as connection:
        yield connection


def _make_env(connection, benchmark, reward="IrInstructionCountOz"):
    env = CompilerEnvironment(connection, benchmark, create_reward(reward, connection.observation_spaces))
    env.reset()
    return env


def _program(text: bytes):
    return proto.Benchmark(uri="benchmark://test-v0/x", program=proto.File(contents=text))


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_loads_verifies_and_gets_smaller_under_oz(llvm, program):
    env = _make_env(llvm, load_benchmark(f"benchmark://helm-v0/{program}"))
    costs = env.observe(["IrInstructionCount", "IrInstructionCountO0", "IrInstructionCountOz"])
    assert costs["IrInstructionCount"] == costs["IrInstructionCountO0"] > 200
    assert costs["IrInstructionCountOz"] < 0.7 * costs["IrInstructionCountO0"]
    assert env.step("-Oz") == pytest.approx(1.0)
    assert env["IrInstructionCount"] == costs["IrInstructionCountOz"]
    env.close()


def test_the_programs_have_no_triple_and_name_no_processor():
    for program in PROGRAMS:
        text = load_benchmark(f"benchmark://helm-v0/{program}").program.contents.decode()
        assert "target triple" not in text and "target-cpu" not in text and "noinline" not in text


@pytest.mark.parametrize("seed", range(4))
def test_a_fork_observes_the_same_and_goes_its_own_way(llvm, seed):
    rng = random.Random(seed)
    env = _make_env(llvm, load_benchmark("benchmark://helm-v0/crc32"))
    for _ in range(6):
        env.step(rng.choice(env.action_names))
    forked = env._episode.copy()
    names = ["IrSha1", "IrInstructionCount", "ObjectTextSizeBytes"]
    before = env.observe(names)
    assert forked.apply([], [], [env.get_spec(name) for name in names]).observe() == list(before.values())
    forked.apply([], ["sroa", "reg2mem"])
    env._observed.clear()
    assert env.observe(names) == before
    env.close()


def test_an_action_without_effect_is_reported(llvm):
    env = _make_env(llvm, _program(_EMPTY))
    assert env._episode.apply([], ["-loop-rotate"]).outcome.action_had_no_effect
    assert not env._episode.apply([], ["-instcombine"]).outcome.action_had_no_effect
    assert env["IrInstructionCount"] == 1


def test_debug_info_and_named_metadata_are_dropped(llvm):
    text = b"""
define i32 @f(i32 %x) !dbg !5 {
  %y = add i32 %x, 1, !dbg !9
    #dbg_value(i32 %y, !10, !DIExpression(), !9)
  ret i32 %y, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, isOptimized: false, emissionKind: FullDebug)
!1 = !DIFile(filename: "secret.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!9 = !DILocation(line: 1, column: 1, scope: !5)
!10 = !DILocalVariable(name: "y", scope: !5, file: !1, line: 1, type: !11)
!11 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
"""
    ir = _make_env(llvm, _program(text))["Ir"]
    assert "dbg" not in ir and "secret" not in ir and "module.flags" not in ir
    assert ir.startswith("; ModuleID = '-'\nsource_filename = \"-\"\n")


def test_bitcode_is_accepted_and_gives_the_same_program(llvm):
    env = _make_env(llvm, load_benchmark("benchmark://helm-v0/bitcount"))
    bitcode = env["Bitcode"].tobytes()
    assert bitcode.startswith(b"BC\xc0\xde")
    assert _make_env(llvm, _program(bitcode))["IrSha1"] == env["IrSha1"]


@pytest.mark.parametrize(
    "contents, complaint",
    [
        (b"", 'Failed to parse LLVM bitcode: "benchmark://test-v0/x"'),
        (b"BC\xc0\xderubbish", 'Failed to parse LLVM bitcode: "benchmark://test-v0/x"'),
        (b"define i32 @f() { ret i33 0 }", 'Failed to parse LLVM IR: "benchmark://test-v0/x"'),
        (b"hello", 'Failed to parse LLVM bitcode: "benchmark://test-v0/x"'),
    ],
    ids=["empty", "broken-bitcode", "broken-text", "something-else"],
)
def test_a_program_that_llvm_cannot_read_is_the_callers_error(llvm, contents, complaint):
    with pytest.raises(ValueError) as error:
        _make_env(llvm, _program(contents))
    assert complaint in str(error.value)


def test_programs_are_read_from_files_by_the_service(llvm, tmp_path):
    path = tmp_path / "f.ll"
    path.write_bytes(_EMPTY)
    env = _make_env(llvm, proto.Benchmark(uri="benchmark://test-v0/f", program=proto.File(uri=f"file:///{path}")))
    assert env["IrInstructionCount"] == 2
    for name, complaint, error in (
        ("missing.ll", "File not found", FileNotFoundError),
        ("empty.ll", "File is empty", ValueError),
    ):
        (tmp_path / "empty.ll").touch()
        program = proto.File(uri=f"file:///{tmp_path / name}")
        with pytest.raises(error, match=complaint):
            _make_env(llvm, proto.Benchmark(uri=f"benchmark://test-v0/{name}", program=program))


def test_a_module_for_another_processor_has_counts_but_no_object_size(llvm):
    env = _make_env(llvm, _program(b'target triple = "sparc-unknown-none"\n' + _EMPTY))
    assert env["IrInstructionCount"] == 2
    with pytest.raises(ValueError, match="Failed to compute .text size cost: the module is for sparc"):
        env["ObjectTextSizeBytes"]


def test_pass_names_are_checked(llvm):
    env = _make_env(llvm, _program(_EMPTY))
    for action, complaint in (
        ("-instcmbine", "Did you mean '-instcombine'"),
        ("gvn", "cannot be run through llvmlite"),
        ("-Ox", "Invalid value for llvm.apply_baseline_optimizations: -Ox"),
        (4711, "Action 4711 is not in range"),
    ):
        with pytest.raises(ValueError, match=complaint):
            env.step(action)
    assert env.actions == []


def test_a_pass_on_which_assertions_abort_is_not_offered(llvm):
    env = _make_env(llvm, _program(_EMPTY))
    assert env.action_names == get_action_flags()
    if "-loop-reduce" not in get_action_flags():
        with pytest.raises(ValueError, match="not offered"):
            env.step("-loop-reduce")


def test_the_same_actions_give_the_same_program_every_time(llvm):
    rng = random.Random(5)
    actions = rng.choices(get_action_flags(), k=12)
    digests = set()
    for _ in range(3):
        env = _make_env(llvm, load_benchmark("benchmark://helm-v0/quicksort"))
        rewards = [env.step(action) for action in actions]
        digests.add((env["IrSha1"], tuple(rewards)))
    assert len(digests) == 1


def test_elf_text_size_refuses_other_files():
    from helm.compiler_gym.backends.llvm_object import get_text_size_bytes

    with pytest.raises(ValueError, match="not an ELF object file"):
        get_text_size_bytes(b"MZ" + bytes(100))
