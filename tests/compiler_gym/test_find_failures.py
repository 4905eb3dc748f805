"""Failing sequences are made small and become reports that can be replayed."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("llvmlite")

from helm.common.errors import HelmError  # noqa: E402
from helm.compiler_gym.checks.bug_report import make_report, name_report, read_report  # noqa: E402
from helm.compiler_gym.checks.failure_test import CRASH, FailureTest  # noqa: E402
from helm.compiler_gym.checks.program_reduction import reduce_program  # noqa: E402
from helm.compiler_gym.checks.program_runner import can_run_programs  # noqa: E402
from helm.compiler_gym.checks.reduction import reduce_list  # noqa: E402
from helm.compiler_gym.errors import ServiceInitError  # noqa: E402

_BROKEN = "broken_llvm.BrokenLlvm"
_CRC = "benchmark://helm-v0/crc32"


@pytest.mark.parametrize("seed", range(20))
def test_what_is_left_of_a_list_fails_and_nothing_can_be_left_out(seed):
    rng = random.Random(seed)
    items = [rng.randrange(10) for _ in range(rng.randrange(1, 40))]
    wanted = {rng.choice(items) for _ in range(rng.randrange(1, 4))}
    asked = []

    def fails(part):
        asked.append(tuple(part))
        return wanted <= set(part)

    left = reduce_list(items, fails)
    assert sorted(left) == sorted(wanted)
    rest = iter(items)
    assert all(item in rest for item in left), "the order is kept"


def test_a_list_that_fails_without_any_item_becomes_empty():
    assert reduce_list([1, 2, 3], lambda part: True) == []
    assert reduce_list([], lambda part: True) == []
    order = reduce_list([3, 1, 2, 1], lambda part: any(b < a for a, b in zip(part, part[1:], strict=False)))
    assert len(order) == 2 and order[0] > order[1]


@pytest.fixture(scope="module")
def broken():
    with FailureTest(_BROKEN, timeout_s=30) as test:
        yield test


def test_a_crash_is_reduced_to_the_passes_that_cause_it(broken, tmp_path):
    actions = "-simplifycfg -dce -sroa".split()
    report = make_report(broken, _BROKEN, _CRC, actions, budget_s=0)
    assert report is not None and report.actions == ["-simplifycfg", "-sroa"] and report.kind == CRASH
    report.write(tmp_path / "report")
    assert read_report(tmp_path / "report") == report
    text = (tmp_path / "report" / "report.md").read_text()
    assert "opt -passes='simplifycfg,sroa' -S program.ll" in text and "reduced to 2" in text
    assert name_report(report) == "helm-v0-crc32-simplifycfg-sroa"
    assert "define" in (tmp_path / "report" / "program.ll").read_text()
    with pytest.raises(HelmError, match="has no report"):
        read_report(tmp_path)


def test_what_does_not_fail_has_no_report(broken):
    if not can_run_programs():
        pytest.skip("there is no sandbox")
    assert make_report(broken, _BROKEN, _CRC, ["-dce", "-sroa"], budget_s=0) is None
    assert make_report(broken, _BROKEN, _CRC, ["-no-such-pass"], budget_s=0) is None


def test_programs_with_undefined_values_are_not_taken(broken, tmp_path):
    import llvmlite.binding as llvm

    def assemble(value):
        text = f"define i32 @main() {{\n  %r = add i32 {value}, 1\n  ret i32 0\n}}\n"
        return llvm.parse_assembly(text, llvm.create_context()).as_bitcode()

    assert broken.has_undefined_values(assemble("undef")) and broken.has_undefined_values(assemble("poison"))
    assert not broken.has_undefined_values(assemble("5"))
    assert not broken.is_defined(assemble("undef"))
    if can_run_programs():
        assert broken.is_defined(assemble("5"))


_REDUCER = """\
import subprocess, sys
arguments = [word.removeprefix("--test-arg=") for word in sys.argv[1:] if word.startswith("--test-arg=")]
test = next(word.removeprefix("--test=") for word in sys.argv[1:] if word.startswith("--test="))
contents = open(sys.argv[-1], "rb").read()
for size in range(len(contents), 0, -1):
    open("candidate", "wb").write(contents[:size])
    if subprocess.run([test, *arguments, "candidate"]).returncode != 0:
        break
"""


def test_a_reducer_asks_us_and_a_broken_question_is_a_no(tmp_path):
    program = tmp_path / "reducer"
    program.write_text(f"#!{sys.executable}\n{_REDUCER}")
    program.chmod(0o755)

    def fails(candidate):
        if len(candidate) < 5:
            raise ValueError("too short")
        return candidate.startswith(b"abcdef"[: len(candidate)])

    assert reduce_program(str(program), b"abcdefgh", fails, budget_s=60) == b"abcde"
    assert reduce_program(str(program), b"abcdefgh", fails, budget_s=0) == b"abcdefgh"
    assert reduce_program(str(tmp_path / "none"), b"abc", fails, budget_s=5) == b"abc"


@pytest.mark.slow
def test_the_command_writes_reports_and_replays_them(tmp_path):
    (tmp_path / "states.csv").write_text(
        f"{_CRC},,0,opt -dce -sroa -adce -simplifycfg input.bc -o output.bc\n{_CRC},,0,opt -dce input.bc -o output.bc\n"
    )
    command = [sys.executable, "-m", "helm.compiler_gym.checks.validate_main"]
    folders = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folder for folder in folders if folder)}

    def run(*arguments):
        return subprocess.run([*command, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True)

    done = run("states.csv", "--env", _BROKEN, "--reduce", "found", "--reduce-seconds", "0")
    assert done.returncode == 1 and "Compiler crashed: -sroa -simplifycfg" in done.stdout, done.stderr
    assert "1 of 2 sequences fail" in done.stdout
    again = run("--replay-report", "found/helm-v0-crc32-sroa-simplifycfg")
    assert again.returncode == 1 and "Compiler crashed" in again.stdout, again.stderr
    refused = run("states.csv", "--env", "gcc", "--reduce", "found")
    assert refused.returncode == 2 and "LLVM's family" in refused.stderr


@pytest.mark.slow
def test_the_known_defect_of_attributor(tmp_path):
    """Three passes miscompile a program of ours with LLVM 22; a version without the defect is skipped."""
    from helm.compiler_gym.backends.llvm_c import load_llvm

    try:
        load_llvm()
    except ServiceInitError:
        pytest.skip("needs a libLLVM")
    if not can_run_programs():
        pytest.skip("there is no sandbox")
    uri, actions = (
        "benchmark://helm-v0/encodings",
        "-early-cse -strip -attributor -early-cse-memssa -coro-early".split(),
    )
    with FailureTest("llvm-library", timeout_s=30) as test:
        report = make_report(test, "llvm-library", uri, actions, budget_s=0)
    if report is None:
        pytest.skip("this LLVM does not have the defect")
    assert report.actions == ["-early-cse", "-attributor", "-early-cse-memssa"] and report.kind != CRASH
