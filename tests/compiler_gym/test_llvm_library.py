"""The backend `llvm-library`: LLVM's C interface in a libLLVM of the machine. Most tests need one."""

import json
import random
from importlib import resources
from pathlib import Path

import pytest

from helm.compiler_gym.backends import get_session_class, llvm_c
from helm.compiler_gym.backends.llvm_actions import ACTION_FLAGS
from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.envs.llvm_env import LlvmEnv
from helm.compiler_gym.errors import ServiceInitError
from helm.compiler_gym.programs import get_program_uri

pytest.importorskip("llvmlite")

_VECTORS = Path(__file__).parents[1] / "vectors" / "compiler-gym" / "llvm_actions.json"
_BACKENDS = ("llvm", "llvm-library")


def _has_library() -> bool:
    try:
        llvm_c.load_llvm()
    except ServiceInitError:
        return False
    return True


needs_library = pytest.mark.skipif(not _has_library(), reason="needs a libLLVM")


@pytest.fixture
def fresh_search():
    llvm_c._load.cache_clear()
    yield
    llvm_c._load.cache_clear()


def _make(backend, program="crc32", **kwargs):
    benchmark = program if isinstance(program, Benchmark) else get_program_uri(program)
    env = LlvmEnv(backend, benchmark=benchmark, connection="in_process", **kwargs)
    env.reset()
    return env


def test_what_is_no_suitable_library_is_refused(tmp_path, monkeypatch, fresh_search):
    with pytest.raises(ServiceInitError, match="Cannot load the LLVM library .*nothing.so"):
        llvm_c.load_llvm(str(tmp_path / "nothing.so"))
    with pytest.raises(ServiceInitError, match="libc.so.6 is no LLVM; needed is a libLLVM of LLVM 17 or newer"):
        llvm_c.load_llvm("libc.so.6")
    monkeypatch.setattr(llvm_c, "find_library_paths", list)
    monkeypatch.delenv("HELM_LLVM", raising=False)
    with pytest.raises(ServiceInitError, match="There is no libLLVM of LLVM 17 to .* Install one .*HELM_LLVM"):
        llvm_c.load_llvm()
    assert llvm_c.get_best_backend() == "llvm"
    monkeypatch.setenv("HELM_LLVM", "nowhere.so")
    with pytest.raises(ServiceInitError, match="nowhere.so"):  # what was named is never replaced silently
        llvm_c.get_best_backend()


@needs_library
def test_llvm_v0_takes_the_library_and_says_so(monkeypatch):
    monkeypatch.delenv("HELM_LLVM", raising=False)
    library = llvm_c.load_llvm()
    with LlvmEnv(connection="in_process", benchmark=get_program_uri("crc32")) as env:
        assert env.compiler_version == f"{library.version} {library.triple} {library.name}"
        assert env.action_space.n > 100
    monkeypatch.setenv("HELM_LLVM", "embedded")
    with LlvmEnv(connection="in_process", benchmark=get_program_uri("crc32")) as env:
        assert "libLLVM" not in env.compiler_version and env.action_space.n < 50


@needs_library
def test_the_actions_are_those_of_compiler_gym_in_its_order_by_vectors():
    from helm.compiler_gym.backends.llvm_c_session import get_library_llvm

    entries = json.loads(_VECTORS.read_text())["actions"]
    assert tuple(entry["action"] for entry in entries) == ACTION_FLAGS
    if llvm_c.load_llvm().major == 22:
        wanted = [(e["action"], e["llvm22_pipeline"].encode()) for e in entries if e["llvm22_pipeline"]]
        assert list(get_library_llvm(None).pipelines.items()) == wanted


_SPECIAL = b"""
define i32 @main(i128 %x, i8 %y) {
  %1 = add i128 %x, 18446744073709551617
  %2 = add i128 %1, 1
  %3 = trunc i128 %2 to i32
  switch i8 %y, label %end [ i8 0, label %one
                             i8 1, label %one ]
one:
  %4 = freeze i32 %3
  br label %end
end:
  %5 = phi i32 [ %3, %0 ], [ %4, %one ]
  ret i32 %5
}
"""


@needs_library
@pytest.mark.parametrize("program", ["crc32", "json", "special"])
@pytest.mark.parametrize("has_count", [True, False])
def test_observations_are_those_of_llvmlite(program, has_count, monkeypatch):
    """Of an untouched program, and after the same passes; both libraries have the same major version."""
    library = llvm_c.load_llvm()
    if library.major != 22:
        pytest.skip("needs the LLVM of llvmlite")
    if not has_count:
        monkeypatch.setattr(library, "count_instructions", None)
    benchmark = program if program != "special" else Benchmark.from_file_contents("benchmark://x-v0/special", _SPECIAL)
    names = ["IrInstructionCount", "Autophase", "InstCount", "Programl", "IsBuildable", "IrSha1"]
    names += ["ObjectTextSizeBytes", "IrInstructionCountOz", "IrInstructionCountO3"]
    seen = []
    for backend in _BACKENDS:
        with _make(backend, benchmark) as env:
            observed = [[str(env.observation[name]) for name in names]]
            for action in ("-sroa", "-simplifycfg", "-Oz-simplification", "-Os-inline-threshold=0"):
                env.step(action)
                observed.append([str(env.observation[name]) for name in names[:3]])
            seen.append(observed)
    assert seen[0] == seen[1]


@needs_library
def test_every_action_leaves_a_valid_module():
    with _make("llvm-library", "encodings") as env:
        for action in env.action_space.names:
            env.reset()
            _, _, terminated, _, info = env.step(action)
            assert not terminated, f"{action}: {info}"
        env.reset()
        before = env.observation["IrInstructionCount"]
        for action in ("mem2reg", "-gvn", "function(early-cse<memssa>,simplifycfg)", "-inline"):
            env.step(action)
        assert env.observation["IrInstructionCount"] < before
        with env.fork() as fork:
            assert fork.ir_sha1 == env.ir_sha1
            fork.step("-Oz")
            assert fork.ir_sha1 != env.ir_sha1
        assert env.validate().okay()


@needs_library
@pytest.mark.parametrize(
    "action, message",
    [
        ("-gvnn", "Did you mean '-gvn'"),
        ("function(nope)", "LLVM refuses the pipeline 'function.nope.': unknown function pass 'nope'"),
        ("function(print<domtree>)", "The pass 'print' is no action"),
        ("function(dot-cfg,gvn)", "The pass 'dot-cfg' is no action"),
        ("../x", "is not a textual pipeline"),
        ("-loop-reroll", "has no pass '-loop-reroll'"),
    ],
)
def test_what_is_no_pass_is_refused_and_changes_nothing(action, message):
    with _make("llvm-library") as env:
        env.step("-mem2reg")
        digest = env.ir_sha1
        with pytest.raises(ValueError, match=message):
            env.step(action)
        assert env.ir_sha1 == digest and env.actions == ["-mem2reg"]


@pytest.mark.parametrize("backend", ["llvm", pytest.param("llvm-library", marks=needs_library)])
@pytest.mark.parametrize("verification, counts", [("step", [1, 1, 1]), ("end", [0, 0, 1]), ("never", [0, 0, 0])])
def test_when_the_module_is_verified(backend, verification, counts, monkeypatch):
    from helm.compiler_gym.backends.llvm import LlvmSession

    verified: list[int] = []

    with _make(backend, verification=verification) as env:
        monkeypatch.setattr(LlvmSession, "_verify", _count(LlvmSession._verify, verified))
        assert env.verification == verification
        found = []
        env.step("-sroa")
        found.append(len(verified))
        env.observation["IrInstructionCount"]
        found.append(len(verified))
        env.observation["IrSha1"]
        found.append(len(verified))
    assert found == counts
    with pytest.raises(ValueError, match="verification is 'often', but it takes: step, end, never"):
        LlvmEnv(backend, verification="often")


def _count(verify, verified):
    def counted(session):
        if not session._is_verified:
            verified.append(1)
        verify(session)

    return counted


@needs_library
def test_a_named_library_and_its_baselines(tmp_path, monkeypatch):
    monkeypatch.setenv("HELM_COMPILER_CACHE", str(tmp_path))
    library = llvm_c.load_llvm()
    backend = f"llvm-library:{library.path}"
    assert get_session_class(backend).describe()[2].endswith(library.name)
    text = f"; {tmp_path}\n".encode() + _SPECIAL  # a program of which nothing is known
    with _make(backend, Benchmark.from_file_contents("benchmark://x-v0/named", text)) as env:
        assert env.observation["IrInstructionCountOz"] < env.observation["IrInstructionCount"]
    (folder,) = (tmp_path / "baselines").iterdir()
    assert folder.name.startswith(f"libllvm-{library.version}-")


@needs_library
def test_saved_episodes_replay_or_name_the_missing_pass():
    with _make("llvm-library", "crc32", reward_space="IrInstructionCount") as env:
        for action in ("-mem2reg", "-gvn", "-instcombine"):
            env.step(action)
        state = env.state
    with _make("llvm-library", "crc32") as env:
        env.apply(state)
        assert env.state.commandline == state.commandline
    with _make("llvm", "crc32") as env, pytest.raises((ValueError, LookupError), match="-mem2reg"):
        env.apply(state)


@needs_library
def test_forgetting_early_changes_no_module():
    """Passes are run as `LibraryLlvm.texts` says; here beside the plain pipelines of the vectors."""
    from helm.compiler_gym.backends.llvm_c_session import get_library_llvm

    llvm = get_library_llvm(None)
    assert llvm.texts.keys() == llvm.pipelines.keys()
    assert llvm.texts["-gvn"] == b"function<eager-inv>(gvn)" and llvm.texts["-globaldce"] == b"globaldce"
    source = (resources.files("helm.compiler_gym.programs") / "crc32.ll").read_bytes()
    rng = random.Random(0)
    for _ in range(3):
        modules = [llvm.parse(source), llvm.parse(source)]
        for flag in rng.choices(list(llvm.texts), k=40):
            llvm.run(modules[0], llvm.texts[flag])
            llvm.run(modules[1], llvm.pipelines[flag])
            assert modules[0].as_bitcode() == modules[1].as_bitcode(), flag
