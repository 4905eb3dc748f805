"""Optimised programs are run and compared with what they have to print."""

import shutil
import subprocess

import pytest

from helm.compiler_gym.backends.llvm_module import parse_text
from helm.compiler_gym.backends.llvm_program import load_program
from helm.compiler_gym.budget import BudgetedEnvironment
from helm.compiler_gym.checks import program_runner
from helm.compiler_gym.checks.program_check import ProgramCheck, get_options
from helm.compiler_gym.checks.program_runner import (
    LinkError,
    NotRunnableError,
    ProgramRun,
    compare_runs,
    link_object,
    run_bitcode,
    run_executable,
)
from helm.compiler_gym.programs import get_expected_output, get_program_uri, load_benchmark
from helm.compiler_gym.rewards import create_reward
from helm.compiler_gym.runtime.service_client import InProcessConnection


def _bitcode(body: str) -> bytes:
    return parse_text(f"define i32 @main() {{\n{body}\n}}\ndeclare void @abort()\n").as_bitcode()


def test_one_of_our_programs_prints_what_it_should():
    bitcode = load_program(load_benchmark(get_program_uri("crc32"))).bitcode
    ended = run_bitcode(bitcode, is_trusted=True)
    assert (ended.output.decode(), ended.returncode, ended.error) == (get_expected_output("crc32"), 0, None)


@pytest.mark.parametrize(
    "body, error",
    [
        ("store i32 1, ptr null\nret i32 0", "Segmentation fault"),
        ("call void @abort()\nunreachable", "Runtime error (-6)"),
        ("br label %again\nagain:\nbr label %again", "Execution timeout"),
    ],
    ids=["segfault", "abort", "hang"],
)
def test_how_a_program_fails_is_named(body, error, monkeypatch):
    monkeypatch.setattr(program_runner, "_START_S", 1.5)
    assert run_bitcode(_bitcode(body), timeout_s=0.5, is_trusted=True).error == error


def test_a_status_is_no_error_of_its_own():
    ended = run_bitcode(_bitcode("ret i32 3"), is_trusted=True)
    assert (ended.returncode, ended.error) == (3, None)
    assert compare_runs(ended, ended) is None
    assert compare_runs(ProgramRun(b"", 0, None, "", 0), ended) == ("Runtime error (3)", "expected status 0.")


def test_the_first_line_that_differs_is_told():
    expected, found = (ProgramRun(text, 0, None, "", 0) for text in (b"1\n2\n3\n", b"1\n4\n3\n"))
    assert compare_runs(expected, found) == ("Wrong output", "line 2: expected '2', found '4'")
    assert compare_runs(expected, ProgramRun(b"1\n2\n", 0, None, "", 0)) == (
        "Wrong output",
        "expected 6 bytes, found 4",
    )


def test_what_has_no_main_cannot_be_run():
    with pytest.raises(NotRunnableError, match="no function main"):
        run_bitcode(parse_text("define i32 @f() {\n  ret i32 0\n}\n").as_bitcode(), is_trusted=True)


def test_what_llvm_does_not_accept_failed_to_compile():
    assert run_bitcode(b"BC\xc0\xdenonsense", is_trusted=True).error == "Compilation failed"


def test_without_a_sandbox_only_our_own_programs_are_run(monkeypatch):
    monkeypatch.setenv("HELM_SANDBOX", "podman")
    monkeypatch.setenv("PATH", "/nowhere")
    from helm.common.sandbox import selection

    selection._find_sandbox.cache_clear()
    with pytest.raises(NotRunnableError, match="there is no sandbox"):
        run_bitcode(_bitcode("ret i32 0"))
    assert run_bitcode(_bitcode("ret i32 4"), is_trusted=True).returncode == 4
    selection._find_sandbox.cache_clear()


def _environment(connection, uri: str) -> BudgetedEnvironment:
    reward = create_reward("IrInstructionCount", connection.observation_spaces)
    env = BudgetedEnvironment(connection, load_benchmark(uri), reward)
    env.reset()
    return env


@pytest.mark.sandbox
def test_any_program_is_compared_with_what_it_was(tmp_path):
    path = tmp_path / "mine.ll"
    path.write_text(
        "define i32 @main() {\n  %p = alloca i32\n  store i32 5, ptr %p\n  %x = load i32, ptr %p\n  ret i32 %x\n}\n"
    )
    with InProcessConnection("llvm") as connection:
        env, check = _environment(connection, path.as_uri()), ProgramCheck()
        untouched = check.prepare(env)
        env.step("-sroa")
        assert check.check(env, untouched)["status"] == "valid"
        other = parse_text("define i32 @main() {\n  ret i32 6\n}\n").as_bitcode()
        found = check.check(env, other)
        assert (found["status"], found["error"]) == ("invalid", "Runtime error (5)")
        env.close()


@pytest.mark.sandbox
def test_a_program_that_fails_before_it_is_optimised_is_not_checked(tmp_path):
    path = tmp_path / "mine.ll"
    path.write_text("define i32 @main() {\n  store i32 1, ptr null\n  ret i32 0\n}\n")
    with InProcessConnection("llvm") as connection:
        env, check = _environment(connection, path.as_uri()), ProgramCheck()
        found = check.check(env, check.prepare(env))
        assert found["status"] == "not_checked" and "Segmentation fault" in found["details"]
        env.close()


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a gcc on the machine")
def test_an_object_file_is_linked_and_run(tmp_path):
    (tmp_path / "a.c").write_text("int main(void) { return 7; }\n")
    subprocess.run(["gcc", "-c", "a.c"], cwd=tmp_path, check=True)
    program = link_object(["gcc", "-O2"], (tmp_path / "a.o").read_bytes())
    assert run_executable(program, is_trusted=True).returncode == 7
    with pytest.raises(LinkError, match="failed with status 1"):
        link_object(["gcc"], b"no object file")


def test_the_options_of_a_command_line():
    assert get_options("gcc -O2 -fno-inline -w -c src.c -o obj.o") == ["gcc", "-O2", "-fno-inline"]
