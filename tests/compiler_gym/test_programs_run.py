"""The programs compute what they say, before and after LLVM's passes and GCC's options."""

import hashlib
import json
import random
import shutil
import subprocess
import sys
import textwrap
import zlib

import pytest

from helm.compiler_gym.programs import (
    C_DATASET,
    PROGRAMS,
    get_expected_output,
    get_program_uri,
    load_benchmark,
)

_SCRIPT = textwrap.dedent("""
    import ctypes, json, random, sys
    from helm.compiler_gym.backends import llvm_passes
    from helm.compiler_gym.backends.llvm_module import parse_bitcode
    from helm.compiler_gym.backends.llvm_program import load_program
    from helm.compiler_gym.programs import get_program_uri, load_benchmark

    llvm = llvm_passes.import_llvmlite()
    machine = llvm_passes.get_target_machine(2)
    libc = ctypes.CDLL(None)
    shift, step = map(int, sys.argv[1:3])
    for number, program in enumerate(sys.argv[3:]):
        bitcode = load_program(load_benchmark(get_program_uri(program))).bitcode
        for variant in ["-O0", "-O1", "-O2", "-O3", "-Os", "-Oz", 1, 2, 3][(shift + number) % step :: step]:
            module = parse_bitcode(bitcode)
            if isinstance(variant, str):
                llvm_passes.run_pipeline(module, variant, machine)
            else:
                for flag in random.Random(variant).choices(llvm_passes.get_action_flags(), k=25):
                    if flag != "-strip":  # which may rename what we look for
                        llvm_passes.run_pass(module, flag, machine)
            module.verify()
            copy = llvm.parse_bitcode(module.as_bitcode())
            level = 2 if variant in ("-O3", "-Oz") else 0  # of code generation; most of the time would go there
            jit = llvm.create_mcjit_compiler(copy, llvm.Target.from_default_triple().create_target_machine(opt=level))
            jit.finalize_object()
            print(f"== {program} {variant}", flush=True)
            status = ctypes.CFUNCTYPE(ctypes.c_int)(jit.get_function_address("main"))()
            libc.fflush(None)
            print(f"status {status}", flush=True)
    """)

_NAMES = list(PROGRAMS)


def _assert_output_is_kept(programs, *, step, shift=0):
    """Each program is transformed in every `step`-th of nine ways, the next one beginning with the next way."""
    words = [sys.executable, "-c", _SCRIPT, str(shift), str(step), *programs]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-200:] + done.stderr
    runs = [run.partition("\n") for run in done.stdout.split("== ")[1:]]
    assert len(runs) == 9 // step * len(programs)
    for title, _, output in runs:
        assert output == get_expected_output(title.split()[0]) + "status 0\n", title


@pytest.mark.parametrize("first", range(0, len(PROGRAMS), 23))
def test_every_program_does_the_same_whatever_llvm_does_to_it(first):
    _assert_output_is_kept(_NAMES[first : first + 23], step=3, shift=first)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, len(PROGRAMS), 9))
def test_every_program_does_the_same_in_all_ways(first):
    _assert_output_is_kept(_NAMES[first : first + 9], step=1)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a gcc on the machine")
@pytest.mark.parametrize("first", range(0, len(PROGRAMS), 15))
def test_every_c_source_does_the_same_whatever_gcc_does_to_it(first, tmp_path):
    rng = random.Random(first)
    for program in _NAMES[first : first + 15]:
        (tmp_path / "src.c").write_bytes(load_benchmark(get_program_uri(program, C_DATASET)).program.contents)
        command = ["gcc", "-w", rng.choice(["-O0", "-O1", "-O2", "-O3", "-Os"]), "src.c", "-o", program]
        subprocess.run(command, cwd=tmp_path, check=True)
        done = subprocess.run([tmp_path / program], capture_output=True, text=True, timeout=20)
        assert (done.returncode, done.stdout) == (0, get_expected_output(program)), command


def test_what_the_programs_print_is_right():
    """Figures that other implementations give too."""
    state, message = 12345, bytearray()
    for _ in range(1024):
        state = (state * 1103515245 + 12345) % 2**32
        message.append(state >> 16 & 255)
    assert get_expected_output("crc32").startswith(f"{zlib.crc32(message):08x} 1\n")
    text = b"the quick brown fox jumps over the lazy dog; " * 20
    assert get_expected_output("sha256").startswith(hashlib.sha256(text).hexdigest() + "\n")
    digests = [hashlib.md5(b"abcdefghij" * (n // 10)).hexdigest() for n in range(0, 301, 50)]
    assert get_expected_output("md5").split() == digests
    assert get_expected_output("encodings").startswith("bGlnaHQgd29yay4=\n")
    numbers = get_expected_output("bigint").split()
    a, b = 0, 1
    for _ in range(300):
        a, b = b, a + b
    assert numbers[0] == str(_factorial(50)) and numbers[1] == str(a)
    assert numbers[2].startswith("314159265358979323846264338327950288419716939937510")
    words = [word.encode() for word in ("", "a", "abc", "Wikipedia", "The quick brown fox jumps over the lazy dog")]
    found = [line.split()[3] for line in get_expected_output("stringhash").splitlines()]
    assert found == [f"{zlib.adler32(word):08x}" for word in words]
    seeded = random.Random()
    seeded.setstate((3, (*_seed_twister(5489), 624), None))
    assert get_expected_output("random").split()[0] == str(seeded.getrandbits(32))


def _factorial(n):
    return 1 if n == 0 else n * _factorial(n - 1)


def _seed_twister(seed):
    state = [seed]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) % 2**32)
    return state


def test_there_is_an_expected_output_for_every_program_and_for_no_other():
    from importlib import resources

    path = resources.files("helm.compiler_gym.programs").joinpath("expected_output.json")
    assert list(json.loads(path.read_text())) == list(PROGRAMS)
    assert len(PROGRAMS) >= 40


def test_the_ir_belongs_to_the_source_beside_it():
    from importlib import resources

    folder = resources.files("helm.compiler_gym.programs")
    for program in PROGRAMS:
        functions = folder.joinpath(f"{program}.c").read_text()
        ir = load_benchmark(get_program_uri(program)).program.contents.decode()
        names = [line.split("@")[1].split("(")[0] for line in ir.splitlines() if line.startswith("define")]
        assert "main" in names
        assert all(f"{name}(" in functions for name in names)
