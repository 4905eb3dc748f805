"""The pass runner: built against the header files of this machine's libLLVM. Most tests need these and a C++ compiler."""

import ctypes
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helm.common.errors import HelmError
from helm.compiler_gym.backends import llvm_c, llvm_runner
from helm.compiler_gym.backends.llvm_c_module import LibraryModule
from helm.compiler_gym.backends.llvm_tools import find_llvm_tool
from helm.compiler_gym.backends.llvm_walk import count_instructions
from helm.compiler_gym.envs.llvm_env import LlvmEnv
from helm.compiler_gym.errors import ServiceInitError
from helm.compiler_gym.programs import get_program_uri

pytest.importorskip("llvmlite")


def _load():
    try:
        return llvm_c.load_llvm()
    except ServiceInitError:
        return None


def _has_headers():
    library = _load()
    config = library and find_llvm_tool("llvm-config", library.major)
    if not config or shutil.which("c++") is None:
        return False
    folder = subprocess.run([config, "--includedir"], capture_output=True, text=True, check=True).stdout.strip()
    return (Path(folder) / "llvm" / "Passes" / "PassBuilder.h").exists()


needs_library = pytest.mark.skipif(_load() is None, reason="needs a libLLVM")
needs_headers = pytest.mark.skipif(not _has_headers(), reason="needs a libLLVM, its header files and a C++ compiler")


def _make(**kwargs):
    env = LlvmEnv("llvm-library", benchmark=get_program_uri("crc32"), connection="in_process", **kwargs)
    env.reset()
    return env


@pytest.fixture
def without_runner(monkeypatch):
    monkeypatch.setattr(llvm_c.load_llvm(), "runner", None)


@needs_library
def test_llvms_answer_needs_the_runner(without_runner):
    with (
        LlvmEnv("llvm-library", benchmark=get_program_uri("crc32"), connection="in_process", effects="llvm") as env,
        pytest.raises(ValueError, match="does not know LLVM's answer.*helm.compiler_gym.bin.build_runner"),
    ):
        env.reset()
    with pytest.raises(ValueError, match="effects is 'yes', but it takes: bytes, llvm"):
        LlvmEnv("llvm-library", effects="yes")


@needs_library
def test_what_is_missing_is_said(tmp_path, monkeypatch):
    library = llvm_c.load_llvm()
    monkeypatch.setenv("HELM_COMPILER_CACHE", "off")
    with pytest.raises(HelmError, match="HELM_COMPILER_CACHE"):
        llvm_runner.build_runner(library.version, library.path)
    assert llvm_runner.find_runner(library.version, library.path) is None
    monkeypatch.setenv("HELM_COMPILER_CACHE", str(tmp_path))
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(HelmError, match="no no-such-compiler"):
        llvm_runner.build_runner(library.version, library.path)
    monkeypatch.setenv("CXX", sys.executable)  # some program, not a compiler
    with pytest.raises(HelmError, match=r"header files of LLVM 22\.9\.9.*apt-get install llvm-22-dev"):
        llvm_runner.build_runner("22.9.9", library.path)
    assert not list(tmp_path.rglob("*.so"))


@needs_library
def test_a_damaged_runner_is_said_and_not_used(tmp_path, monkeypatch, caplog):
    library = llvm_c.load_llvm()
    monkeypatch.setenv("HELM_COMPILER_CACHE", str(tmp_path))
    path = llvm_runner._get_path(library.version, library.path)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no library")
    assert llvm_runner.find_runner(library.version, library.path) is None
    assert "The pass runner cannot be used" in caplog.text


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    library = llvm_c.load_llvm()
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HELM_COMPILER_CACHE", str(folder))
        environment = {**os.environ, "HELM_LLVM": library.path}
        command = [sys.executable, "-m", "helm.compiler_gym.bin.build_runner"]
        for _ in range(2):  # the second time it is there
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
            assert done.returncode == 0, done.stderr
            assert done.stdout.startswith(f"LLVM {library.version}, {library.path}: {folder}")
        assert [path.suffix for path in (folder / "runners").iterdir()] == [".so"]
        found = llvm_runner.find_runner(library.version, library.path)
    assert found is not None and found.version == library.version
    return found


@pytest.fixture
def with_runner(runner, monkeypatch):
    monkeypatch.setattr(llvm_c.load_llvm(), "runner", runner)


OPTNONE = b"""
define i32 @f(i32 %x) noinline optnone {
  %place = alloca i32
  store i32 %x, ptr %place
  %y = load i32, ptr %place
  ret i32 %y
}
"""


@needs_headers
@pytest.mark.slow  # building takes 15 s
def test_modules_are_the_same_with_and_without_the_runner(runner, monkeypatch):
    library = llvm_c.load_llvm()
    with _make() as env, _make() as other:
        names = [*env.action_space.names, "-O2", "-Oz", "default<O3>", "function(sroa,gvn<no-pre>)"]
        rng = random.Random(1)
        for _ in range(4):
            env.reset()
            other.reset()
            for name in rng.choices(names, k=40):
                for used, environment in ((runner, env), (None, other)):
                    monkeypatch.setattr(library, "runner", used)
                    environment.step(name)
            assert env.observation["BitcodeFile"] != other.observation["BitcodeFile"]  # two files
            assert env.observation["Ir"] == other.observation["Ir"]


@needs_headers
@pytest.mark.slow
def test_functions_with_optnone_are_left_alone(with_runner):
    module = LibraryModule.parse(llvm_c.load_llvm(), OPTNONE)
    assert module.run_passes(b"sroa") is False
    assert "alloca" in str(module)


@needs_headers
@pytest.mark.slow
def test_effects_are_llvms_answers(with_runner):
    with _make(effects="llvm") as env:
        assert env.effects == "llvm"
        assert env.step("-sroa")[4]["action_had_no_effect"] is False
        assert env.step("-sroa")[4]["action_had_no_effect"] is True
        text = env.observation["Ir"]
        # LLVM does not count names, so nothing that was observed before may be kept.
        assert env.step("-instnamer")[4]["action_had_no_effect"] is True
        assert env.observation["Ir"] != text
        with env.fork() as fork:
            assert fork.step("-sroa")[4]["action_had_no_effect"] is True
        env.reset()
        assert env.step("-sroa")[4]["action_had_no_effect"] is False


@needs_headers
@pytest.mark.slow
def test_modules_are_verified_after_changes_only(with_runner, monkeypatch):
    verified = []
    monkeypatch.setattr(LibraryModule, "verify", lambda self: verified.append(True))
    with _make() as env:
        verified.clear()
        env.step("-sroa")
        assert len(verified) == 1
        env.step("-sroa")
        assert len(verified) == 1
        env.step("-instcombine")
        assert len(verified) == 2


FUNCTIONS = b"""
@place = global i32 0

define i32 @f(i32 %x) {
  %a = add i32 %x, 1
  %b = mul i32 %a, 2
  store i32 %b, ptr @place
  br label %loop

loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add i32 %i, 1
  %is_last = icmp eq i32 %next, 10
  br i1 %is_last, label %end, label %loop

end:
  ret i32 %b
}

define i32 @g(i32 %x) {
  switch i32 %x, label %end [ i32 1, label %end ]

end:
  ret i32 %x
}

define internal i32 @unused(i32 %x) {
  ret i32 %x
}
"""


class _Saboteur:
    """A valid module that the runner has verified, and LLVM-C functions that break it without the runner's knowledge."""

    def __init__(self):
        self.module = LibraryModule.parse(llvm_c.load_llvm(), FUNCTIONS)
        self.module.verify()
        self._c = ctypes.PyDLL(self.module.library.path)
        self.functions = {function.name: function._ptr for function in self.module.functions}

    def call(self, name, *args):
        function = getattr(self._c, name)
        function.argtypes, function.restype = [ctypes.c_void_p] * len(args), ctypes.c_void_p
        return function(*args)

    def get_instructions(self, name):
        block = self.call("LLVMGetFirstBasicBlock", self.functions[name])
        found = [self.call("LLVMGetFirstInstruction", block)]
        while following := self.call("LLVMGetNextInstruction", found[-1]):
            found.append(following)
        return found

    def break_dominance(self):
        add, mul, *_ = self.get_instructions("f")
        self.call("LLVMSetOperand", add, 1, mul)

    def verify_whole(self):
        message = ctypes.c_void_p()
        assert self.module.library.LLVMVerifyModule(self.module._ptr, 2, message)
        return self.module.library.take_text(message.value).decode().strip()


@needs_headers
@pytest.mark.slow
def test_only_changed_functions_are_verified(with_runner):
    saboteur = _Saboteur()
    saboteur.break_dominance()
    saboteur.module.verify()  # no pass has said that it changed `f`
    assert saboteur.module.run_passes(b"lower-switch") is True  # of `g`
    saboteur.module.verify()
    assert "does not dominate" in saboteur.verify_whole()


@needs_headers
@pytest.mark.slow
@pytest.mark.parametrize(
    "pipeline",
    [
        "break-crit-edges",
        "loop(loop-deletion)",  # the loop is gone when its pass has ended
        "cgscc(function(break-crit-edges))",
        "cgscc(function-attrs)",
        "globaldce",
        "function(lower-switch),globaldce,function(lower-switch)",
    ],
)
def test_what_is_broken_is_found_after_a_change(with_runner, pipeline):
    # Passes of a release break no modules on command, so that what they change here is broken beforehand.
    saboteur = _Saboteur()
    saboteur.break_dominance()
    assert saboteur.module.run_passes(pipeline.encode()) is True
    for _ in range(2):
        with pytest.raises(RuntimeError, match="does not dominate") as raised:
            saboteur.module.verify()
        assert str(raised.value) == saboteur.verify_whole()


@needs_headers
@pytest.mark.slow
def test_changes_outside_of_functions_are_always_found(with_runner):
    saboteur = _Saboteur()
    store = saboteur.get_instructions("f")[2]
    saboteur.call("LLVMInstructionRemoveFromParent", store)
    with pytest.raises(RuntimeError, match="referenced by parentless instruction"):
        saboteur.module.verify()

    saboteur = _Saboteur()
    for name in ("noinline", "alwaysinline"):
        saboteur.module.get_function("g").add_function_attribute(name)
    with pytest.raises(RuntimeError, match="noinline and alwaysinline"):
        saboteur.module.verify()


@needs_headers
@pytest.mark.slow
def test_instructions_are_counted_as_without_the_runner(runner, monkeypatch):
    library = llvm_c.load_llvm()
    monkeypatch.setattr(library, "runner", runner)
    module = LibraryModule.parse(library, FUNCTIONS)
    assert count_instructions(module) == 12
    monkeypatch.setattr(library, "runner", None)
    assert count_instructions(module) == 12


@needs_headers
@pytest.mark.slow
def test_a_wrong_pipeline_is_refused_in_llvms_words(runner, monkeypatch):
    messages = []
    with _make() as env:
        for used in (runner, None):
            monkeypatch.setattr(llvm_c.load_llvm(), "runner", used)
            with pytest.raises(ValueError, match="LLVM refuses the pipeline") as raised:
                env.step("function(nonsense)")
            messages.append(str(raised.value))
    assert messages[0] == messages[1]


@needs_headers
@pytest.mark.slow
def test_counts_are_llvms_after_every_pass(with_runner):
    from helm.compiler_gym.backends.llvm_c_session import get_library_llvm

    library = llvm_c.load_llvm()
    texts = list(get_library_llvm(None).texts.values())
    rng = random.Random(2)
    counts = set()
    for _ in range(3):
        module = LibraryModule.parse(library, FUNCTIONS)
        for text in rng.choices(texts, k=60):
            module.run_passes(text)
            counts.add(count_instructions(module))
            assert count_instructions(module) == library.count_instructions(module._ptr), text
    assert len(counts) > 3


@needs_headers
@pytest.mark.slow
def test_modules_for_several_targets_meet_their_own_library_functions(with_runner):
    """What is kept between calls is of one target: in CUDA's, there is no `puts` that a `printf` could become."""
    source = (
        '@text = constant [3 x i8] c"a\\0A\\00"\ndeclare i32 @printf(ptr, ...)\n'
        "define void @f() {\n  call i32 (ptr, ...) @printf(ptr @text)\n  ret void\n}\n"
    )
    written = []
    for triple in ("x86_64-unknown-linux-gnu", "nvptx64-nvidia-cuda", "x86_64-unknown-linux-gnu"):
        module = LibraryModule.parse(llvm_c.load_llvm(), f'target triple = "{triple}"\n{source}'.encode())
        module.run_passes(b"instcombine<no-verify-fixpoint>")
        written.append("@putchar" in str(module) or "@puts" in str(module))
    assert written == [True, False, True]
