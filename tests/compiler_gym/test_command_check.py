"""Checks by commands, as cBench's programs need them: a small made-up data set in cBench's layout."""

import io
import json
import shutil
import tarfile
from types import SimpleNamespace

import pytest

from data_server import DataServer
from helm.common.errors import ScenarioError
from helm.compiler_gym import data_sets
from helm.compiler_gym.benchmarks import public_datasets
from helm.compiler_gym.checks.command_check import CommandCheck, make_command_validation, read_checks
from helm.compiler_gym.checks.program_runner import can_run_programs

llvm = pytest.importorskip("llvmlite.binding")
pytest.importorskip("gymnasium")

needs_sandbox = pytest.mark.skipif(
    not can_run_programs() or shutil.which("cc") is None, reason="needs a sandbox and a C compiler"
)

_COPY = r"""
@r = private constant [2 x i8] c"r\00"
@w = private constant [2 x i8] c"w\00"
@name = private constant [8 x i8] c"out.txt\00"
@format = private constant [4 x i8] c"%d\0A\00"
declare ptr @fopen(ptr, ptr)
declare i32 @fgetc(ptr)
declare i32 @fputc(i32, ptr)
declare i32 @fclose(ptr)
declare i32 @printf(ptr, ...)

define i32 @main(i32 %n, ptr %words) {
  %place = getelementptr ptr, ptr %words, i64 1
  %path = load ptr, ptr %place
  %in = call ptr @fopen(ptr %path, ptr @r)
  %c = call i32 @fgetc(ptr %in)
  %out = call ptr @fopen(ptr @name, ptr @w)
  %put = call i32 @fputc(i32 %c, ptr %out)
  %closed = call i32 @fclose(ptr %out)
  %told = call i32 (ptr, ...) @printf(ptr @format, i32 %c)
  ret i32 0
}
"""
_CHECK = CommandCheck("$BIN $D/inputs/1.txt", files=("inputs",), outputs=("out.txt",), timeout_s=20)


def _bitcode(text: str) -> bytes:
    module = llvm.parse_assembly(text, llvm.create_context())
    module.triple = llvm.get_default_triple()
    return module.as_bitcode()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / "1.txt").write_text("A")
    return tmp_path


def _find(changed: str, folder, check: CommandCheck = _CHECK) -> list[str]:
    validate = make_command_validation(check, folder, _bitcode(_COPY))
    return [error.type for error in validate(SimpleNamespace(observation={"Bitcode": _bitcode(changed)}))]


@needs_sandbox
@pytest.mark.parametrize(
    ("old", "new", "errors"),
    [
        ("", "", []),
        ("@printf(ptr @format, i32 %c)", "@printf(ptr @format, i32 7)", ["Wrong output"]),
        ("@fputc(i32 %c, ptr %out)", "@fputc(i32 66, ptr %out)", ["Wrong output (file)"]),
        ('c"out.txt', 'c"put.txt', ["Output not generated"]),
        ("ret i32 0", "ret i32 3", ["Runtime error (3)"]),
        ("ret i32 0", "store i32 0, ptr null\n  ret i32 0", ["Segmentation fault"]),
        ("@fclose", "@no_such_function", ["Compilation failed"]),
    ],
)
def test_how_a_program_differs_is_named(folder, old, new, errors):
    assert _find(_COPY.replace(old, new) if old else _COPY, folder) == errors


@needs_sandbox
def test_a_reference_that_fails_is_said(folder):
    (folder / "inputs" / "1.txt").unlink()  # the program does not look whether it could open its input
    check = CommandCheck("$BIN $D/inputs/1.txt", files=("inputs",), timeout_s=19)
    assert _find(_COPY, folder, check) == ["Gold standard: Segmentation fault"]


@needs_sandbox
def test_programs_of_cbench_with_checks_of_the_user(monkeypatch, tmp_path):
    """An archive in cBench's layout on a mirror, and `checks.json` in the data set's folder."""
    from helm.compiler_gym.envs.llvm.datasets.cbench import VALIDATORS

    import helm.compiler_gym

    server = DataServer()
    for name, value in server.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv(data_sets.SITE_DATA_VARIABLE, str(tmp_path))
    monkeypatch.setenv(public_datasets.TRUST_VARIABLE, "cbench-v1")
    known = public_datasets.get_public_sets()["cbench-v1"]
    buffer, contents = io.BytesIO(), _bitcode(_COPY)
    with tarfile.open(fileobj=buffer, mode="w:bz2") as archive:
        entry = tarfile.TarInfo(f"{known.strip_prefix}/copy.bc")
        entry.size = len(contents)
        archive.addfile(entry, io.BytesIO(contents))
    server.add_file(known.urls[0], buffer.getvalue())
    folder = tmp_path / "benchmark" / "cbench-v1"
    (folder / "inputs").mkdir(parents=True)
    (folder / "inputs" / "1.txt").write_text("A")
    row = {"command": _CHECK.command, "files": ["inputs"], "outputs": ["out.txt"]}
    (folder / "checks.json").write_text(json.dumps({"copy": [row]}))
    try:
        with helm.compiler_gym.make("llvm-v0", benchmark="cbench-v1/copy", connection="in_process") as env:
            env.reset()
            env.step("-O3")
            result = env.validate()
            assert result.okay() and result.benchmark_semantics_validated
        assert list(VALIDATORS) == ["benchmark://cbench-v1/copy"] and len(VALIDATORS["benchmark://cbench-v1/copy"]) == 1
    finally:
        server.close()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[", "is not JSON"),
        ("[]", "must be an object"),
        ('{"a": [{"command": "x"}]}', "program 'a': a check is an object with a `command` that contains"),
        ('{"a": [{"command": "$BIN", "file": []}]}', "unknown member 'file'.*Did you mean 'files'"),
        ('{"a": [{"command": "$BIN", "files": ["../x"]}]}', "relative paths without"),
        ('{"a": [{"command": "$BIN", "timeout_s": 0}]}', "above 0"),
    ],
)
def test_files_of_checks_are_checked(tmp_path, text, complaint):
    (tmp_path / "checks.json").write_text(text)
    with pytest.raises(ScenarioError, match=f"checks.json.*{complaint}"):
        read_checks(tmp_path / "checks.json")
    assert read_checks(tmp_path / "nothing.json") == {}
