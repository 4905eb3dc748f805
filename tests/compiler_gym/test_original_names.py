"""CompilerGym's import paths below `helm.compiler_gym`, and the helpers that its users import."""

import importlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("gymnasium")

_IMPORTS = Path(__file__).parents[1] / "vectors" / "compiler-gym" / "imports_of_users.txt"

_NOT_HERE = {
    "their meaning is documented nowhere": "wrappers.mlir:make_mlir_rl_wrapper_env wrappers.mlir:convert_action",
    "its vocabulary is that of LLVM 10": "third_party.inst2vec:Inst2vecEncoder",
    "insides of the original": "random_search:RandomAgentWorker util.permutation: util:minimize_trajectory",
}
"""Why -> `module:name` of the imports that do not resolve."""


def _resolves(module: str, name: str) -> bool:
    try:
        found = importlib.import_module(module)
        if name and name != "*" and not hasattr(found, name):
            importlib.import_module(f"{module}.{name}")
    except ImportError:
        return False
    return True


def test_vector_imports_of_the_users_of_compiler_gym():
    """Each import in the original's examples resolves here, or is listed above with the reason."""
    rows = [line.split("|") for line in _IMPORTS.read_text().splitlines() if "|" in line and not line.startswith("#")]
    missing = {
        f"{module.strip().partition('.')[2]}:{name.strip()}"
        for module, name, _ in rows
        if not _resolves(module.strip().replace("compiler_gym", "helm.compiler_gym", 1), name.strip())
    }
    assert missing == {word for words in _NOT_HERE.values() for word in words.split()}
    # Each occurrence may be in a file of its own, so at least the other files import.
    occurrences = sum(
        int(times) for module, name, times in rows if f"{module.strip().partition('.')[2]}:{name.strip()}" in missing
    )
    page = (Path(__file__).parents[2] / "docs" / "coming-from-compilergym.md").read_text()
    assert [one for one in missing if one.rstrip(":").replace(":", ".").rpartition(".")[2] not in page] == []
    assert f"{len(rows)} different imports, of which {len(rows) - len(missing)} resolve" in page
    assert f"at least {62 - occurrences} of the files import" in " ".join(page.split()), occurrences


def test_names_are_the_objects_of_their_own_modules():
    from helm.compiler_gym.datasets.uri import BenchmarkUri
    from helm.compiler_gym.envs.llvm import LlvmEnv as LlvmEnvOfPackage
    from helm.compiler_gym.service.client_service_compiler_env import ClientServiceCompilerEnv
    from helm.compiler_gym.service.proto import Benchmark

    from helm.compiler_gym.envs import CompilerEnv, GccEnv, LlvmEnv
    from helm.compiler_gym.envs.gcc_env import GccEnv as OwnGccEnv
    from helm.compiler_gym.spaces import Reward, Scalar

    assert LlvmEnv is LlvmEnvOfPackage and GccEnv is OwnGccEnv and ClientServiceCompilerEnv is CompilerEnv
    assert BenchmarkUri.from_string("benchmark://a-v0/b").path == "/b"
    assert Benchmark(uri="x").uri == "x" and Reward("a").name == "a" and Scalar(name="s", min=0, max=1).name == "s"
    with pytest.raises(ImportError, match="NoSuchName"):
        importlib.import_module("helm.compiler_gym.envs.NoSuchName")
    with pytest.raises(AttributeError, match="module 'helm.compiler_gym.spaces' has no attribute 'Scaler'"):
        importlib.import_module("helm.compiler_gym.spaces").Scaler  # noqa: B018


def test_helpers_that_the_original_does_not_document(tmp_path, monkeypatch, caplog):
    from helm.compiler_gym.service.proto import Event, py_converters
    from helm.compiler_gym.service.runtime.benchmark_cache import BenchmarkCache, logger
    from helm.compiler_gym.service.service_cache import ServiceCache
    from helm.compiler_gym.util import parallelization

    from helm.compiler_gym import proto

    to_event = py_converters.to_event_message_default_converter()
    to_python = py_converters.make_message_default_converter()
    assert to_event(3) == Event(int64_value=3) and to_python(to_event([1, "a"])) == [1, "a"]
    with pytest.raises(KeyError):
        to_event(object())
    space = to_python(proto.ActionSpace(name="few", space=proto.Space(named_discrete={"name": ["a", "b"]})))
    assert (space.name, space.names) == ("few", ["a", "b"])

    monkeypatch.setenv("COMPILER_GYM_TRANSIENT_CACHE", str(tmp_path))
    with ServiceCache() as cache:
        assert cache.path.is_relative_to(tmp_path) and cache.path.is_dir()
        (cache / "a").write_text("x")
    assert not cache.path.exists() and tmp_path.exists()

    kept = BenchmarkCache(100)
    with caplog.at_level("INFO", logger=logger.name):
        for number in range(3):
            kept.add(proto.Benchmark(uri=f"u{number}", program={"contents": b"x" * 60}))
    assert "Removed 1 programs" in caplog.text

    def count():
        yield from range(2000)

    halves = parallelization.thread_safe_tee(count())
    with ThreadPoolExecutor(2) as pool:  # `itertools.tee` fails when the generator is already running
        assert list(pool.map(list, halves)) == [list(range(2000))] * 2


def test_helpers(tmp_path, monkeypatch, capfd):
    from helm.compiler_gym import utilities

    texts = [utilities.humanize_duration(s) for s in (0, 1.5, 0.0025, 2e-6, 62, -1)]
    assert texts == ["0s", "1.500s", "2.5ms", "2.0us", "1m 2.0s", "-1.000s"]
    printed: list[str] = []
    with utilities.Timer("work", printed.append) as timer:
        pass
    assert printed[0].startswith("work in ") and timer.time == timer.time
    with utilities.capture_output() as captured:
        print("here")
    assert captured.stdout == "here\n" and capfd.readouterr().out == ""
    before = os.getcwd()
    with utilities.temporary_working_directory() as folder:
        assert Path.cwd() == folder.resolve()
    assert os.getcwd() == before and not folder.exists()
    monkeypatch.setenv("COMPILER_GYM_CACHE", str(tmp_path))
    assert utilities.cache_path("a/b") == utilities.transient_cache_path("a/b") == tmp_path / "a/b"
    assert utilities.indent("a\nb", 2) == "  a\n  b" and utilities.plural(1, "cat", "cats") == "1 cat"
    assert utilities.create_user_logs_dir("x", tmp_path).is_dir()
    assert utilities.run_command([sys.executable, "-c", "print(1)"], 60) == "1\n"
    with pytest.raises(OSError, match="failed with status 3"):
        utilities.run_command([sys.executable, "-c", "raise SystemExit(3)"], 60)
    with utilities.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        pass
    assert process.poll() is not None


def test_the_observation_of_a_file(tmp_path):
    pytest.importorskip("llvmlite")
    from helm.compiler_gym.envs.llvm import compute_observation

    path = tmp_path / "a.ll"
    path.write_text("define i32 @main() {\n  ret i32 0\n}\n")
    assert compute_observation("IrInstructionCount", path) == 1
    with pytest.raises(FileNotFoundError, match="There is no file"):
        compute_observation("IrInstructionCount", tmp_path / "b.ll")
