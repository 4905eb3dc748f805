"""Programs for LLVM from the user's files: modules, sources, several linked."""

import os
from pathlib import Path

import pytest

import helm.compiler_gym
from helm.compiler_gym.benchmarks import clang
from helm.compiler_gym.benchmarks.llvm_benchmark import make_benchmark
from helm.compiler_gym.errors import BenchmarkInitError

llvm = pytest.importorskip("llvmlite.binding")

_MAIN = "declare i32 @f(i32)\n\ndefine i32 @main() {\n  %x = call i32 @f(i32 41)\n  ret i32 %x\n}\n"
_F = "define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n"


@pytest.fixture
def files(tmp_path) -> Path:
    (tmp_path / "main.ll").write_text(_MAIN)
    (tmp_path / "f.ll").write_text(_F)
    (tmp_path / "f.bc").write_bytes(llvm.parse_assembly(_F).as_bitcode())
    (tmp_path / "bad.ll").write_text("define")
    (tmp_path / "bad.bc").write_bytes(b"nothing")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    return tmp_path


def _functions(benchmark) -> list[str]:
    module = llvm.parse_bitcode(benchmark.proto.program.contents)
    return sorted(function.name for function in module.functions if not function.is_declaration)


def test_one_file(files):
    made = make_benchmark(files / "f.bc")
    assert str(made.uri) == f"benchmark://file-v0{files}/f.bc"
    assert made.proto.program.contents == (files / "f.bc").read_bytes()
    made = make_benchmark(str(files / "f.ll"))
    assert str(made.uri) == f"benchmark://user-v0{files}/f.ll" and _functions(made) == ["f"]


def test_several_files_are_linked(files):
    made = make_benchmark([files / "main.ll", str(files / "f.bc")])
    assert _functions(made) == ["f", "main"]
    stamp, _, digits = str(made.uri).removeprefix("benchmark://user-v0/").partition("-")
    assert len(stamp) == len("20261122T080000") and len(digits) == 4
    with helm.compiler_gym.make("llvm-ic-v0", connection="in_process", benchmark=made) as env:
        env.reset()
        env.step("-sroa")
        assert env.observation["IrInstructionCount"] == 4
        assert env.validate().okay()


@pytest.mark.parametrize(
    "inputs, error, message",
    [
        ("none.ll", FileNotFoundError, "There is no file .*none.ll"),
        ("notes.txt", ValueError, "which takes files that end in .bc, .ll, .c"),
        ([], ValueError, "the list is empty"),
        (3, TypeError, "takes one or more paths, not int"),
        ([3], TypeError, "takes paths of files, not int"),
        ("bad.ll", BenchmarkInitError, "bad.ll is not LLVM IR"),
        (["f.ll", "bad.bc"], BenchmarkInitError, "Cannot link .*bad.bc"),
        (["f.ll", "f.bc"], BenchmarkInitError, "Cannot link .*f.bc.*multiply defined"),
    ],
)
def test_what_cannot_be_used_is_named(files, monkeypatch, inputs, error, message):
    monkeypatch.chdir(files)
    with pytest.raises(error, match=message):
        make_benchmark(inputs)


@pytest.fixture
def fake_clang(files, monkeypatch):
    """Writes the function f whatever it is given, and its command line; `bad.c` it refuses."""
    script = files / "clang"
    script.write_text(
        f'#!/bin/sh\necho "$@" > "{files}/words"\ngrep -q rubbish program.c && {{ echo no >&2; exit 1; }}\n'
        f'for last; do :; done\ncp "{files}/f.bc" "$last"\n'
    )
    os.chmod(script, 0o755)
    monkeypatch.setenv(clang.VARIABLE, str(script))
    clang.find_clang.cache_clear()
    yield files / "words"
    clang.find_clang.cache_clear()


def test_sources_are_translated(files, fake_clang):
    made = make_benchmark(files / "p.c", copt=["-DX=1"])
    assert str(made.uri) == f"benchmark://user-v0{files}/p.c" and _functions(made) == ["f"]
    assert made.sources == [("p.c", b"int main(void) { return 0; }\n")]
    words = fake_clang.read_text().split()
    assert words[0] == "-xc" and f"-iquote{files}" in words and "-DX=1" in words and "-nostdinc" not in words
    (files / "q.cpp").write_text("int main() {}\n")
    make_benchmark([files / "q.cpp", files / "main.ll"], system_includes=False)
    assert fake_clang.read_text().split()[0] == "-xc++" and "-nostdinc" in fake_clang.read_text()
    (files / "bad.c").write_text("rubbish")
    with pytest.raises(BenchmarkInitError, match="Cannot translate bad.c with .*: no"):
        make_benchmark(files / "bad.c")


def test_without_a_clang_it_is_told_how_to_get_one(files, monkeypatch):
    monkeypatch.setenv(clang.VARIABLE, "no-such-clang")
    clang.find_clang.cache_clear()
    with pytest.raises(BenchmarkInitError, match="HELM_CLANG names 'no-such-clang'"):
        make_benchmark(files / "p.c")
    clang.find_clang.cache_clear()


def test_environments_take_paths_and_the_uris_that_are_made_of_them(files, fake_clang, monkeypatch):
    monkeypatch.chdir(files)
    with helm.compiler_gym.make("llvm-ic-v0", connection="in_process", benchmark="f.ll") as env:
        env.reset()
        assert str(env.benchmark) == f"benchmark://user-v0{files}/f.ll"
        env.step("-instcombine")
        assert env.validate(env.state).okay()
        for text in ("p.c", f"file://{files}/p.c", f"benchmark://file-v0{files}/f.bc", f"{files}/f.bc"):
            env.reset(benchmark=text)
            assert env.observation["IrInstructionCount"] == 2, text
        assert str(env.make_benchmark("p.c").uri) == f"benchmark://user-v0{files}/p.c"
        for missing in ("benchmark://user-v0/no/such.ll", "file:///no/such.c"):
            with pytest.raises(FileNotFoundError, match="no/such"):
                env.reset(benchmark=missing)
