"""Programs made of a seed: valid, the same everywhere, and the same in what they print however they are optimised."""

import hashlib
import subprocess
import sys

import pytest

from helm.compiler_gym.benchmarks.generators import HELM_STRESS, HelmStressDataset
from helm.compiler_gym.benchmarks.program_sets import list_program_uris
from helm.compiler_gym.benchmarks.random_programs import make_random_program
from helm.compiler_gym.programs import load_benchmark

pytest.importorskip("llvmlite")

_RUN = """
import ctypes, sys
import llvmlite.binding as llvm
from helm.compiler_gym.benchmarks.random_programs import make_random_program

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
level, first, last = map(int, sys.argv[1:])
libc = ctypes.CDLL(None)
for seed in range(first, last):
    module = llvm.parse_assembly(make_random_program(seed), llvm.create_context())
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=level)
    if level:
        options = llvm.create_pipeline_tuning_options(speed_level=level)
        options.slp_vectorization = True
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
    jit = llvm.create_mcjit_compiler(module, machine)
    jit.finalize_object()
    libc.printf(b"seed %d\\n", seed)
    libc.printf(b"status %d\\n", ctypes.CFUNCTYPE(ctypes.c_int)(jit.get_function_address("main"))())
libc.fflush(None)
"""


def _run(level: int, first: int, last: int) -> list[str]:
    """What the programs of the seeds print, compiled at a level, in another process; one text for each."""
    words = [sys.executable, "-c", _RUN, str(level), str(first), str(last)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split("seed ")[1:]


def _check_levels_agree(first: int, last: int) -> None:
    plain, optimised = _run(0, first, last), _run(2, first, last)
    assert len(plain) == last - first
    assert plain == optimised
    assert all(text.endswith("status 0\n") and text.count("\n") >= 4 for text in plain)
    sums = [line for text in plain for line in text.split("\n")[1:-2]]
    assert len(set(sums)) > 0.9 * len(sums)  # they do compute something of their own


def test_optimised_programs_print_what_untouched_ones_do():
    _check_levels_agree(0, 10)


@pytest.mark.slow
def test_many_optimised_programs_print_what_untouched_ones_do():
    _check_levels_agree(10, 30)
    _check_levels_agree(1000, 1300)


def test_a_seed_means_the_same_bytes_for_ever():
    found = [hashlib.sha256(make_random_program(seed).encode()).hexdigest()[:16] for seed in (0, 1, 2**32 - 2)]
    assert found == ["27ed8507589c6517", "d1b0f4cf59632109", "aa28d00a25b7bc89"]


def test_the_programs_hold_what_passes_work_on():
    texts = "\n".join(make_random_program(seed) for seed in range(30))
    for word in (
        *("phi double", "phi <4 x i32>", "switch", "br i1", "select <4 x i1>", "shufflevector", "extractelement"),
        *("sdiv i8", "urem i64", "ashr i16", "sext", "trunc", "fcmp", "fdiv", "load <4 x i32>", "store i64"),
        *("call i64 @f0", "call i64 @recurse", "llvm.memmove", "umul.with.overflow", "llvm.fshl.i16", "alloca"),
    ):
        assert word in texts, word


def test_the_data_set():
    assert list_program_uris("helm-stress-v0", "llvm", 2) == [f"{HELM_STRESS}/0", f"{HELM_STRESS}/1"]
    assert load_benchmark(f"{HELM_STRESS}/7", "llvm").program.contents.decode() == make_random_program(7)
    dataset = HelmStressDataset()
    assert dataset.installed and dataset.size == 0 and dataset.validatable == "Yes"
    for path in ("-1", "x", "", str(2**32 - 1), "１"):
        with pytest.raises(LookupError, match="a whole number from 0 to 4294967294"):
            dataset.benchmark(f"{HELM_STRESS}/{path}")


def test_episodes_on_them_are_validated():
    from helm.compiler_gym import make

    with make("llvm-ic-v0", connection="in_process") as env:
        env.reset(benchmark=HelmStressDataset().benchmark(f"{HELM_STRESS}/5"))
        env.multistep(["-sroa", "-instcombine", "-simplifycfg"])
        assert env.episode_reward > 0
        assert env.get_benchmark().validate(env) == []
        env.reset(benchmark=HelmStressDataset().benchmark(f"{HELM_STRESS}/6"))
        other = HelmStressDataset().benchmark(f"{HELM_STRESS}/5")
        assert [error.type for error in other.validate(env)] == ["Wrong output"]
