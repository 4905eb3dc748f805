"""The programs compute what they say, before and after LLVM's passes."""

import subprocess
import sys
import textwrap

import pytest

from helm.compiler_gym.programs import PROGRAMS, get_program_uri, load_benchmark

_SCRIPT = textwrap.dedent("""
    import ctypes, random, sys
    from helm.compiler_gym.backends import llvm_passes
    from helm.compiler_gym.backends.llvm_module import parse_bitcode
    from helm.compiler_gym.backends.llvm_program import load_program
    from helm.compiler_gym.programs import load_benchmark

    llvm = llvm_passes.import_llvmlite()
    bitcode = load_program(load_benchmark(sys.argv[1])).bitcode
    machine = llvm_passes.get_target_machine(2)
    libc = ctypes.CDLL(None)
    for variant in ["-O0", "-O1", "-O2", "-O3", "-Os", "-Oz", 1, 2, 3]:
        module = parse_bitcode(bitcode)
        if isinstance(variant, str):
            llvm_passes.run_pipeline(module, variant, machine)
        else:
            for flag in random.Random(variant).choices(llvm_passes.get_action_flags(), k=25):
                if flag != "-strip":  # which may rename what we look for
                    llvm_passes.run_pass(module, flag, machine)
        module.verify()
        copy = llvm.parse_bitcode(module.as_bitcode())
        jit = llvm.create_mcjit_compiler(copy, llvm.Target.from_default_triple().create_target_machine())
        jit.finalize_object()
        print(f"{variant}:", flush=True)
        status = ctypes.CFUNCTYPE(ctypes.c_int)(jit.get_function_address("main"))()
        libc.fflush(None)
        print(f"status {status}", flush=True)
    """)


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_does_the_same_whatever_llvm_does_to_it(program):
    command = [sys.executable, "-c", _SCRIPT, get_program_uri(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    outputs: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        if line.rstrip(":") in ("-O0", "-O1", "-O2", "-O3", "-Os", "-Oz", "1", "2", "3") and line.endswith(":"):
            current = outputs.setdefault(line, [])
        else:
            current.append(line)
    assert len(outputs) == 9
    untouched = outputs["-O0:"]
    assert untouched[-1] == "status 0", "the program's own checks fail"
    for variant, output in outputs.items():
        assert output == untouched, variant


def test_what_the_programs_print_is_right():
    """Figures that other implementations give too."""
    import zlib

    state, message = 12345, bytearray()
    for _ in range(1024):
        state = (state * 1103515245 + 12345) % 2**32
        message.append(state >> 16 & 255)
    assert _run("crc32").startswith(f"{zlib.crc32(message):08x} 1\n")
    import hashlib

    text = b"the quick brown fox jumps over the lazy dog; " * 20
    assert _run("sha256").startswith(hashlib.sha256(text).hexdigest() + "\n")


def _run(program: str) -> str:
    script = _SCRIPT.replace('["-O0", "-O1", "-O2", "-O3", "-Os", "-Oz", 1, 2, 3]', '["-O0"]')
    command = [sys.executable, "-c", script, get_program_uri(program)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.removeprefix("-O0:\n")


def test_the_ir_belongs_to_the_source_beside_it():
    from importlib import resources

    folder = resources.files("helm.compiler_gym.programs")
    for program in PROGRAMS:
        functions = folder.joinpath(f"{program}.c").read_text()
        ir = load_benchmark(get_program_uri(program)).program.contents.decode()
        names = [line.split("@")[1].split("(")[0] for line in ir.splitlines() if line.startswith("define")]
        assert "main" in names
        assert all(f"{name}(" in functions for name in names)
