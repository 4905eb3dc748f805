"""Baselines of programs on disk: kept, shared, and measured again when the file is no good."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from helm.compiler_gym.backends import baseline_cache, llvm_program
from helm.compiler_gym.backends.baseline_cache import add_baseline, get_cache_folder, read_baselines
from helm.compiler_gym.programs import DATASET, load_benchmark


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("HELM_COMPILER_CACHE", str(tmp_path))
    return tmp_path


def _load() -> llvm_program.LlvmProgram:
    llvm_program._programs.clear()
    return llvm_program.load_program(load_benchmark(DATASET + "crc32"))


def _only_file(folder: Path) -> Path:
    (path,) = [path for path in folder.rglob("*") if path.is_file()]
    return path


def test_a_baseline_is_measured_once_for_all_processes(folder, monkeypatch):
    expected = _load().get_baseline("IrInstructionCount", "-Oz")
    assert json.loads(_only_file(folder).read_text()) == {"IrInstructionCount-Oz": expected}
    assert "llvm-" in str(_only_file(folder).relative_to(folder))

    def refuse(module, level, machine):
        if level == "-O0":
            return
        raise AssertionError("The pipeline is run again.")

    monkeypatch.setattr(llvm_program, "run_pipeline", refuse)
    program = _load()
    assert program.get_baseline("IrInstructionCount", "-O0") > expected
    assert program.get_baseline("IrInstructionCount", "-Oz") == expected


def test_the_key_is_program_and_llvm(folder, monkeypatch):
    add_baseline(b"one", "IrInstructionCount-Oz", 1)
    assert read_baselines(b"one") == {"IrInstructionCount-Oz": 1} and read_baselines(b"two") == {}
    monkeypatch.setattr(baseline_cache, "_get_version", lambda: "another")
    assert read_baselines(b"one") == {}


DAMAGED = ["", "{", "[1]", '{"IrInstructionCount-Oz": "1"}', '{"IrInstructionCount-Oz": -1}', "\ud800", "[" * 100_000]


@pytest.mark.parametrize("text", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_file_is_made_anew(folder, text):
    expected = _load().get_baseline("IrInstructionCount", "-Oz")
    path = _only_file(folder)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    assert _load().get_baseline("IrInstructionCount", "-Oz") == expected
    assert json.loads(path.read_text()) == {"IrInstructionCount-Oz": expected}


def test_without_a_folder_to_write_to_there_is_no_cache(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_text("no folder")
    monkeypatch.setenv("HELM_COMPILER_CACHE", str(file))
    assert _load().get_baseline("IrInstructionCount", "-Oz") > 0
    assert read_baselines(b"one") == {}
    monkeypatch.setenv("HELM_COMPILER_CACHE", "off")
    assert get_cache_folder("baselines") is None
    add_baseline(b"one", "IrInstructionCount-Oz", 1)
    assert read_baselines(b"one") == {} and list(tmp_path.iterdir()) == [file]


def test_the_default_lies_in_the_cache_folder_of_the_user(tmp_path, monkeypatch):
    monkeypatch.delenv("HELM_COMPILER_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert get_cache_folder("baselines") == tmp_path / ".cache/helm/compiler_gym/baselines"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert get_cache_folder("baselines") == tmp_path / "x/helm/compiler_gym/baselines"


_WRITE_MANY = """
import sys
from helm.compiler_gym.backends.baseline_cache import add_baseline, read_baselines
for i in range(50):
    add_baseline(b"one", f"cost-{sys.argv[1]}", i)
    known = read_baselines(b"one")
    assert known and all(0 <= value < 50 for value in known.values()), known
"""


def test_processes_that_write_at_once_never_leave_half_a_file(folder):
    workers = [subprocess.Popen([sys.executable, "-c", _WRITE_MANY, str(number)]) for number in range(3)]
    assert [worker.wait(60) for worker in workers] == [0, 0, 0]
    assert read_baselines(b"one")
    _only_file(folder)
