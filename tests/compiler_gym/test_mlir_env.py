"""`mlir-v0`: passes of an installed mlir-opt as actions. All but the last tests need one."""

import shutil

import pytest

import helm.compiler_gym
from helm.common.errors import ScenarioError
from helm.compiler_gym.backends import llvm_tools
from helm.compiler_gym.backends.mlir import compile_program
from helm.compiler_gym.backends.mlir_actions import ACTIONS, LOWERING, make_flag
from helm.compiler_gym.backends.mlir_printing import add_printing
from helm.compiler_gym.backends.mlir_tools import get_mlir
from helm.compiler_gym.benchmarks.mlir_programs import KERNELS, MatmulBenchmark, write_program
from helm.compiler_gym.benchmarks.program_sets import list_program_uris
from helm.compiler_gym.checks.program_runner import run_bitcode
from helm.compiler_gym.data_sets import find_program, get_data_sets
from helm.compiler_gym.errors import EnvironmentNotSupported, ServiceInitError


def _has_mlir() -> bool:
    try:
        get_mlir()
    except EnvironmentNotSupported:
        return False
    return True


needs_mlir = pytest.mark.skipif(not _has_mlir(), reason="needs MLIR's program mlir-opt")


def _make(**arguments):
    return helm.compiler_gym.make("mlir-v0", connection="in_process", **arguments)


@needs_mlir
def test_an_episode_is_lowered_run_and_replayed():
    with _make(observation_space="MlirOpCounts", reward_space="IrInstructionCount") as env:
        counts, _ = env.reset()
        assert counts["linalg.matmul"] == 1 and env.compiler_version.startswith("MLIR ")
        first = env.observation["IrInstructionCount"]
        counts, reward, terminated, _, info = env.step("-convert-linalg-to-affine-loops")
        assert "linalg.matmul" not in counts and counts["affine.for"] >= 3
        assert not info["action_had_no_effect"] and not terminated
        env.multistep(["affine-loop-tile=tile-size=16", env.action_space.names.index("-cse")])
        _, _, _, _, info = env.step("-cse")
        assert info["action_had_no_effect"]
        assert env.ir.count("affine.for") == 10  # three loops over tiles and three in them; two and two for linalg.fill
        # The reward is the decrease of the instructions that LLVM makes of the module.
        assert env.episode_reward == first - env.observation["IrInstructionCount"]
        assert env.observation["IrInstructionCountO0"] == first
        assert env.state.commandline == (
            "mlir-opt -convert-linalg-to-affine-loops -affine-loop-tile=tile-size=16 -cse -cse input.mlir -o output.mlir"
        )
        result = env.validate()
        assert result.okay() and result.benchmark_semantics_validated and result.reward_validated


@needs_mlir
def test_pipelines_are_actions_and_what_mlir_refuses_changes_nothing():
    with _make(benchmark="helm-mlir-v0/stencil") as env:
        env.reset()
        env.step("builtin.module(func.func(affine-loop-unroll{unroll-factor=2}))")
        before = env.ir
        assert before.count("affine.load") == 10 and env.state.commandline.count("unroll-factor=2") == 1
        assert env.commandline_to_actions(env.commandline()) == env.actions
        for action, message in [
            ("builtin.module(func.func(no-such-pass))", "refuses the module"),
            (
                "builtin.module(func.func(cse),transform-preload-library{transform-library-paths=/etc})",
                "neither a pass nor",
            ),
            ("-affine-loop-tyle=tile-size=16", "affine-loop-tile=tile-size=16"),
            (10_000, "not in range"),
        ]:
            with pytest.raises((ValueError, LookupError), match=message):
                env.step(action)
            assert env.in_episode and env.ir == before
        fork = env.fork()
        fork.step("-lower-affine")
        assert "affine.for" not in fork.ir and env.ir == before
        fork.close()


@needs_mlir
@pytest.mark.parametrize(
    "name", ["conv2d", *(pytest.param(n, marks=pytest.mark.slow) for n in ("pointwise", "shortest_paths"))]
)
def test_transformed_programs_print_what_they_printed_before(name, tmp_path):
    mlir = get_mlir()
    flags = [
        "-linalg-fuse-elementwise-ops",
        "-convert-linalg-to-affine-loops",
        "-affine-loop-fusion",
        "-affine-scalrep",
    ]
    flags += ["-affine-loop-tile=tile-size=8", "-affine-super-vectorize=virtual-vector-size=4"]
    untouched = write_program(KERNELS[name])
    expected = run_bitcode(compile_program(mlir, untouched, tmp_path), is_trusted=True)
    text = mlir.transform(untouched, flags, tmp_path)
    text = mlir.transform(text, [make_flag("-affine-loop-unroll=unroll-factor=2")], tmp_path)
    found = run_bitcode(compile_program(mlir, text, tmp_path), is_trusted=True)
    assert expected.returncode == 0 and float(expected.output) > 0
    assert (found.returncode, found.output) == (0, expected.output)


@needs_mlir
def test_all_passes_of_the_tables_exist_and_run(tmp_path):
    mlir = get_mlir()
    if int(mlir.version.split(".")[0]) >= 22:
        assert mlir.actions == list(ACTIONS) and len(mlir._lowering) == len(LOWERING)
    flags = [make_flag(action) for action in mlir.actions]
    pipelines = [flag for flag in flags if flag.startswith("--pass-pipeline=")]
    assert 0 < len(pipelines) < 10
    mlir.transform("module {}", [flag for flag in flags if flag not in pipelines], tmp_path)
    for flag in pipelines:
        mlir.transform("module {}", [flag], tmp_path)


@needs_mlir
def test_times_of_runs_and_sizes_of_products():
    from helm.compiler_gym.wrappers import RuntimePointEstimateReward

    env = _make(benchmark="generator://mlir-matmul-v0/48x40x32")
    with RuntimePointEstimateReward(env, runtime_count=3) as timed:
        timed.reset()
        _, reward, *_ = timed.step("-canonicalize")
        assert isinstance(reward, float) and len(env.observation["Runtime"]) == 3
        assert "memref<48x32xf32>" in env.ir and "memref<32x40xf32>" in env.ir
    assert b"memref<2x4xf32>" in MatmulBenchmark.create("x", m=2, n=3, k=4).proto.program.contents


@needs_mlir
def test_a_program_of_ones_own(tmp_path):
    path = tmp_path / "mine.mlir"
    path.write_text("func.func @f(%x: i32) -> i32 {\n  %y = arith.addi %x, %x : i32\n  return %x : i32\n}\n")
    with _make(benchmark=str(path), observation_space="MlirOpCount") as env:
        before, _ = env.reset()
        after, *_ = env.step("-canonicalize")
        assert after == before - 1 and env.observation["Runtime"] is None and not env.observation["IsRunnable"]
        broken = tmp_path / "broken.mlir"
        broken.write_text("func.func @f(")
        with pytest.raises(ValueError, match="Failed to parse MLIR"):
            env.reset(benchmark=str(broken))


@needs_mlir
def test_a_module_that_cannot_be_lowered_ends_the_episode(tmp_path):
    path = tmp_path / "gpu.mlir"
    path.write_text("func.func @f(%x: !shape.shape) -> !shape.shape {\n  return %x : !shape.shape\n}\n")
    with _make(benchmark=str(path), observation_space="IrInstructionCount") as env:
        env.reset(observation_space=None)
        _, _, terminated, _, info = env.step("-cse", observation_spaces=["IrInstructionCount"])
        assert terminated and "cannot be translated to LLVM IR" in info["error_details"]


def test_sizes_and_names_that_do_not_exist():
    sets = get_data_sets("mlir")
    with pytest.raises(LookupError, match="stencil"):
        sets.benchmark("helm-mlir-v0/stencill")
    for wrong in ("0x1x1", "3x3", "5000x1x1"):
        with pytest.raises(LookupError, match="MxNxK|from 1 to 4096"):
            sets.benchmark(f"generator://mlir-matmul-v0/{wrong}")
    uris = list_program_uris("embedded", "mlir")
    assert uris == [f"benchmark://helm-mlir-v0/{name}" for name in KERNELS]
    assert list_program_uris("mlir-matmul-v0", "mlir", 2)[1] == "generator://mlir-matmul-v0/16x16x32"
    with pytest.raises(ScenarioError, match="data set for mlir"):
        list_program_uris("crc32", "mlir")
    assert find_program("benchmark://helm-mlir-v0/stencil", "mlir").program.contents.startswith(b"func.func @kernel")


def test_what_is_missing_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("HELM_MLIR_OPT", str(tmp_path / "mlir-opt"))
    with pytest.raises(EnvironmentNotSupported, match=r"There is no program .*apt-get install mlir-22-tools"):
        _make()
    monkeypatch.delenv("HELM_MLIR_OPT")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(llvm_tools, "_FOLDERS", ())
    with pytest.raises(EnvironmentNotSupported, match=r"MLIR's program mlir-opt is missing. Install it"):
        _make()
    program = tmp_path / "mlir-opt"
    program.write_text("#!/bin/sh\necho something else\n")
    program.chmod(0o755)
    with pytest.raises(EnvironmentNotSupported, match="There is no mlir-translate beside"):
        _make()
    shutil.copy(program, tmp_path / "mlir-translate")
    with pytest.raises(ServiceInitError, match="is not MLIR's mlir-opt"):
        _make()


def test_printing_functions_are_defined_once():
    text = "declare void @printF64(double)\n\ndeclare void @printNewline()\n\ndeclare void @other()\n"
    changed = add_printing(text)
    assert changed.count("define internal void @printF64(double %argument)") == 1
    assert changed.count("declare i32 @printf(ptr, ...)") == 1 and "declare void @other()" in changed
    assert add_printing("declare void @other()\n") == "declare void @other()\n"
