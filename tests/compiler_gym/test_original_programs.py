"""CompilerGym's programs and their flags, and the classes that its users make themselves."""

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("llvmlite")

from helm.compiler_gym import flags as flags_module  # noqa: E402
from helm.compiler_gym.benchmarks.clang import has_clang  # noqa: E402

_CRC = "benchmark://helm-v0/crc32"


def _run(folder: Path, module: str, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", f"helm.compiler_gym.bin.{module}", *arguments]
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True)


@pytest.mark.slow
def test_a_search_its_table_its_replay_and_its_validation(tmp_path):
    arguments = ["--env=llvm-ic-v0", f"--benchmark={_CRC}", "--output_dir=found", "--nproc=1", "--patience=3"]
    done = _run(tmp_path, "random_search", *arguments, "--runtime=0", "--fail_threshold=9")
    assert done.returncode == 1 and "below --fail_threshold=9" in done.stderr, done.stderr
    assert "found" in done.stdout
    progress = tmp_path / "found" / "random_search_best_actions_progress.csv"
    if progress.read_text():  # a search that found nothing has nothing to replay
        table = _run(tmp_path, "random_eval", "--output_dir=found")
        assert table.returncode == 0 and "helm-v0/crc32" in table.stdout, table.stderr
        progress.unlink()
        replayed = _run(tmp_path, "random_replay", "--env=llvm-ic-v0", "--output_dir=found")
        assert replayed.returncode == 0 and progress.is_file(), replayed.stderr
    assert _run(tmp_path, "random_eval", "--output_dir=nothing").returncode == 1


def test_validation_has_the_lines_and_the_status_of_the_original(tmp_path):
    (tmp_path / "good.csv").write_text(f"{_CRC},0.0,1.5,opt -strip input.bc -o output.bc\n")
    (tmp_path / "bad.csv").write_text(f"{_CRC},0.5,2.5,opt -strip input.bc -o output.bc\n")
    arguments = ["--env=llvm-ic-v0", "--reward=IrInstructionCountOz", "--nproc=1"]
    done = _run(tmp_path, "validate", *arguments, "good.csv", "bad.csv")
    assert done.returncode == 1
    assert "✅  helm-v0/crc32  0.0000" in done.stdout and "❌  helm-v0/crc32  Expected reward 0.5" in done.stdout
    assert "Number of validated results: 1 of 2\nMean walltime per benchmark: 2.000s (std: 0.500s)" in done.stdout
    assert "Geometric mean IrInstructionCountOz: 0.000 (std: 0.250)" in done.stdout
    assert len(eval((tmp_path / "validation.log.json").read_text(), {"true": 1, "false": 0, "null": None})) == 2
    forced = _run(tmp_path, "validate", *arguments, "--debug_force_valid", "--summary_only", "bad.csv")
    assert forced.returncode == 0 and "1 of 1" in forced.stdout and "❌" not in forced.stdout
    assert _run(tmp_path, "validate", *arguments).returncode == 1


def test_the_shell_obeys_line_by_line(monkeypatch):
    import helm.compiler_gym
    from helm.compiler_gym.bin.manual_env import ManualEnv

    lines = f"""set_benchmark {_CRC}
action -sroa -simplifycfg -loweratomic
stack
simplify_stack
back
commandline
observation IrInstructionCount
observation Nothing
set_default_reward Nothing
hill_climb 1
greedy 1
list_datasets
list_benchmarks benchmark://helm-v0
nonsense
exit
"""
    out = io.StringIO()
    with helm.compiler_gym.make("llvm-ic-v0", connection="in_process") as env:
        shell = ManualEnv(env, stdin=io.StringIO(lines), stdout=out)
        shell.use_rawinput = False
        shell.cmdloop()
        assert [name for name, *_ in shell.stack][:1] == ["-sroa"]
    text = out.getvalue()
    assert "-sroa: effect, reward" in text and "-loweratomic: no effect" in text and "opt -sroa input.bc" in text
    assert "No observation space" in text or "KeyError: Nothing" in text
    assert "LookupError: No reward space 'Nothing'" in text and "generator://helm-stress-v0" in text
    assert "Unknown syntax: nonsense" in text


@pytest.mark.slow
def test_the_description_of_an_environment(tmp_path):
    done = _run(tmp_path, "service", "--env=llvm-v0")
    for word in ("Datasets\n--------", "benchmark://helm-v0", "IrInstructionCountOz", "Action Space", "-mem2reg"):
        assert word in done.stdout or word == "-mem2reg", done.stderr
    assert "llvm-v0" in _run(tmp_path, "service", "--ls_env").stdout
    wrong = _run(tmp_path, "service")
    assert wrong.returncode == 1 and "--env must be set" in wrong.stderr


# Flags ----------------------------------------------------------------------------------------------------------------


def test_flags_without_absl():
    values = flags_module.FlagValues()
    values.define("count", 3, "how many", int)
    values.define("loud", True, "noise", bool)
    values.define("names", None, "names", str)
    assert values.count == 3 and values.loud is True and "count" in values
    assert values(["prog", "-count=4", "a", "--noloud", "b"]) == ["prog", "a", "b"]
    assert (values.count, values.loud, values.names) == (4, False, None)
    values(["prog", "--loud=true", "--names", "x"])
    assert values.loud is True and values.names == "x"
    values.count = 9
    assert values.count == 9
    values.unparse_flags()
    assert values.count == 3
    with pytest.raises(AttributeError, match="no flag --cuont. Did you mean"):
        values.cuont  # noqa: B018
    with pytest.raises(ValueError, match="--count is defined twice"):
        values.define("count", 5, "another", int)
    values.define("count", 3, "how many", int)
    for wrong in (["--count=x"], ["--loud=maybe"], ["--coutn=1"]):
        with pytest.raises(SystemExit) as ended:
            values(["prog", *wrong])
        assert ended.value.code == 1


_SCRIPT = """
import importlib.util
if {hides_absl}:
    real = importlib.util.find_spec
    importlib.util.find_spec = lambda name, *rest: None if name == "absl" else real(name, *rest)
import helm.compiler_gym.util.flags.nproc
import helm.compiler_gym.util.flags.episodes
from helm.compiler_gym.util.flags.benchmark_from_flags import benchmark_from_flags
from helm.compiler_gym.util.flags.env_from_flags import env_from_flags
from helm.compiler_gym.util.flags import FLAGS, app, DEFINE_integer, DEFINE_list
DEFINE_integer("mine", 1, "a flag of the program")
DEFINE_list("words", [], "words")

def main(argv):
    with env_from_flags(benchmark_from_flags()) as env:
        print(env._session.connection._options.rpc_call_timeout_s)
        print(env.benchmark, env.reward_space, FLAGS.nproc, FLAGS.episodes, FLAGS.mine, FLAGS.words, argv[1:])
    raise app.UsageError("that was all")

app.run(main)
"""


@pytest.mark.parametrize("hides_absl", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_program_with_shared_flags_and_its_own(tmp_path, hides_absl):
    (tmp_path / "program.py").write_text(_SCRIPT.format(hides_absl=hides_absl))
    (tmp_path / "x.ll").write_text("define i32 @main() {\n  ret i32 0\n}\n")
    arguments = [
        "--env=llvm-ic-v0",
        "--nproc=7",
        "--mine=2",
        "--words=a,b",
        "--service_rpc_call_max_seconds=77",
        "rest",
    ]
    command = [sys.executable, "program.py", *arguments, f"--benchmark={_CRC}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.strip() == f"77.0\n{_CRC} IrInstructionCountOz 7 2000 2 ['a', 'b'] ['rest']", done.stderr
    assert done.returncode == 1 and "that was all" in done.stderr


# Programs from command lines ----------------------------------------------------------------------------------------------


def test_the_parts_of_a_command_line():
    from helm.compiler_gym.third_party.gccinvocation.gccinvocation import GccInvocation, cmdline_to_argv

    argv = cmdline_to_argv("g++ -O2 -I inc -DX='a b' main.cc util.o -lm -L lib -o out/prog -Wl,-s")
    found = GccInvocation(argv)
    assert (found.progname, found.sources, found.inputs) == ("g++", ["main.cc"], ["util.o"])
    assert found.output_path == Path("out/prog") and found.is_cplusplus and not found.is_compilation
    assert found.get_compile_options() == ["-O2", "-I", os.path.abspath("inc"), "-DX=a b"]
    assert found.get_link_words() == ["-O2", "-I", "inc", "-DX=a b", "-L", "lib", "-Wl,-s", "util.o", "-lm"]
    assert GccInvocation(["cc", "-c", "a/b.c"]).output_path == Path("b.o")
    with pytest.raises(ValueError, match="at least the name of a compiler"):
        GccInvocation([])


@pytest.mark.skipif(not has_clang(), reason="needs a clang")
def test_a_command_line_is_compiled_with_what_an_episode_made(tmp_path, monkeypatch):
    from helm.compiler_gym.envs.llvm import ClangInvocation

    import helm.compiler_gym

    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "answer.h").write_text("#define ANSWER 42\n")
    source = '#include "answer.h"\n#include <stdio.h>\nint main(void) { printf("%d\\n", ANSWER); return 0; }\n'
    (tmp_path / "main.c").write_text(source)
    monkeypatch.chdir(tmp_path)
    with helm.compiler_gym.make("llvm-v0", connection="in_process") as env:
        made = env.make_benchmark_from_command_line("gcc -Iinc main.c -o prog")
        assert made.sources[0].filename == "main.c" and str(made.uri).endswith("/prog")
        env.reset(benchmark=made)
        env.step("-Oz")
        if shutil.which("cc"):
            made.compile(env)
            assert subprocess.run(["./prog"], capture_output=True, text=True).stdout == "42\n"
        call = ClangInvocation.from_c_file(tmp_path / "main.c", ["-Iinc"])
        assert "-emit-llvm" in call.command("x.bc")
        env.reset(benchmark=env.make_benchmark(call))
        assert env.observation["IrInstructionCount"] > 0
        for command, error in (("gcc a.o", ValueError), ("gcc none.c", FileNotFoundError)):
            with pytest.raises(error):
                env.make_benchmark_from_command_line(command)


def test_programs_are_split_and_merged(tmp_path):
    from helm.compiler_gym.envs.llvm import merge_benchmarks, split_benchmark_by_function

    import helm.compiler_gym
    from helm.compiler_gym.backends.llvm_tools import find_llvm_tool
    from helm.compiler_gym.benchmarks.llvm_benchmark import make_benchmark
    from helm.compiler_gym.errors import BenchmarkInitError

    one = "@g = global i32 5\ndefine i32 @one() {\n  ret i32 1\n}\n"
    path = tmp_path / "a.ll"
    path.write_text(one + "define i32 @two() {\n  %r = call i32 @one()\n  ret i32 %r\n}\n")
    program = make_benchmark(path)
    if find_llvm_tool("llvm-extract", 22) is None:
        with pytest.raises(BenchmarkInitError, match="llvm-extract"):
            split_benchmark_by_function(program)
        return
    parts = split_benchmark_by_function(program)
    assert [str(part.uri).rpartition("/")[2] for part in parts] == ["one", "two", "globals"]
    assert len(split_benchmark_by_function(program, 1)) == 2
    merged = merge_benchmarks(parts)
    with helm.compiler_gym.make("llvm-v0", connection="in_process") as env:
        counts = []
        for benchmark in (program, parts[0], merged):
            env.reset(benchmark=benchmark)
            counts.append(env.observation["IrInstructionCount"])
    assert counts == [3, 1, 3]
    with pytest.raises(ValueError, match="no benchmarks"):
        merge_benchmarks([])


# Data sets, services, GCC -------------------------------------------------------------------------------------------------


def test_data_sets_as_classes(tmp_path):
    from helm.compiler_gym.envs.gcc.datasets import CHStoneDataset, get_gcc_datasets
    from helm.compiler_gym.envs.llvm.datasets import AnghaBenchDataset, BlasDataset, POJ104Dataset, get_llvm_datasets

    blas = BlasDataset(tmp_path, sort_order=3)
    assert (blas.name, blas.sort_order, blas.protocol, blas.has_site_data) == (
        "benchmark://blas-v0",
        3,
        "benchmark",
        True,
    )
    assert blas.site_data_path == tmp_path / "benchmark" / "blas-v0" and not blas.installed
    assert AnghaBenchDataset(tmp_path, name="benchmark://anghabench-v0").name == "benchmark://anghabench-v0"
    assert "int main" in POJ104Dataset.preprocess_poj104_source("void main() {}")
    names = [dataset.name for dataset in get_llvm_datasets(tmp_path)]
    assert len(names) == 15 and "generator://csmith-v0" in names and "benchmark://cbench-v1" in names
    assert [one.name for one in get_gcc_datasets("gcc", tmp_path)] == [
        "benchmark://chstone-v0", "benchmark://anghabench-v1", "generator://csmith-v0",
    ]  # fmt: skip
    assert CHStoneDataset("gcc", tmp_path).size == 12


def test_a_program_by_its_seed():
    from helm.compiler_gym.benchmarks.generators import HelmStressDataset

    dataset = HelmStressDataset()
    assert dataset.benchmark_from_seed(7).uri == "generator://helm-stress-v0/7"
    with pytest.raises(LookupError, match="seed"):
        dataset.benchmark_from_seed(-1)


@pytest.mark.skipif(not (shutil.which("csmith") and has_clang()), reason="needs csmith and a clang")
def test_csmith_with_its_source(tmp_path):
    from helm.compiler_gym.envs.llvm.datasets import CsmithBenchmark, CsmithDataset

    made = CsmithDataset(tmp_path).benchmark_from_seed(3)
    assert isinstance(made, CsmithBenchmark) and "csmith" in made.source.lower()


def test_the_handle_of_a_service(tmp_path):
    from helm.compiler_gym.service import CompilerGymServiceConnection, ConnectionOpts
    from helm.compiler_gym.service.proto import GetVersionRequest, StartSessionRequest

    with CompilerGymServiceConnection("llvm", ConnectionOpts(rpc_init_max_seconds=10)) as connection:
        assert connection(connection.stub.GetVersion, GetVersionRequest()).service_version == "0.2.5"
        assert connection.action_spaces[0].name == "PassesAll" and not connection.closed
        with pytest.raises(ValueError):
            connection(connection.stub.StartSession, StartSessionRequest())
        with pytest.raises(AttributeError, match="no call 'GetNothing'"):
            connection.stub.GetNothing  # noqa: B018
        connection.close()
        assert connection.closed and connection(connection.stub.GetVersion, GetVersionRequest(), timeout=9)
    with pytest.raises(TypeError):
        CompilerGymServiceConnection("")


def test_the_service_as_an_object(tmp_path):
    from helm.compiler_gym.service.proto import GetVersionRequest, StepRequest
    from helm.compiler_gym.service.runtime import CompilerGymService

    from helm.compiler_gym.backends import get_session_class
    from helm.compiler_gym.errors import StatusError

    service = CompilerGymService(tmp_path, get_session_class("llvm"))
    try:
        assert service.GetVersion(GetVersionRequest()).service_version == "0.2.5"
        with pytest.raises(StatusError, match="Session not found"):
            service.Step(StepRequest(session_id=9), None)
    finally:
        service.close()


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a gcc")
def test_gcc_and_its_options(tmp_path):
    from helm.compiler_gym.envs.gcc.gcc import Gcc, GccFlagOption, GccOOption

    import helm.compiler_gym
    from helm.compiler_gym.errors import EnvironmentNotSupported, ServiceError

    gcc = Gcc("gcc")
    assert "gcc" in gcc.spec.version and gcc.spec.size > 10**6 and gcc.spec.gcc is gcc
    (tmp_path / "a.c").write_text("int a;\n")
    gcc("-c", "a.c", cwd=tmp_path)
    assert (tmp_path / "a.o").is_file()
    with pytest.raises(ServiceError, match="failed with status 1"):
        gcc("-c", "none.c", cwd=tmp_path)
    with pytest.raises(EnvironmentNotSupported, match="no compiler 'no-such-gcc'"):
        Gcc("no-such-gcc")
    assert str(GccFlagOption("inline")) == "-finline" and GccOOption()[2] == "-O2"
    with helm.compiler_gym.make("gcc-v0", gcc_bin="gcc", connection="in_process") as env:
        assert env.gcc_spec.version == gcc.spec.version


def test_downloads_archives_and_levels(tmp_path, monkeypatch):
    import hashlib
    import tarfile

    from helm.compiler_gym.util.executor import Executor
    from helm.compiler_gym.util.filesystem import extract_tar
    from helm.compiler_gym.util.runfiles_path import runfiles_path
    from helm.compiler_gym.util.tabulate import tabulate

    from helm.compiler_gym import download, get_debug_level, get_logging_level, set_debug_level
    from helm.compiler_gym.errors import DownloadFailed

    monkeypatch.setenv("COMPILER_GYM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COMPILER_GYM_DEBUG", "0")
    source = tmp_path / "a.txt"
    source.write_bytes(b"contents")
    digest = hashlib.sha256(b"contents").hexdigest()
    assert download(source.as_uri()) == b"contents" == download([source.as_uri()], sha256=digest)
    source.unlink()
    assert download(source.as_uri(), sha256=digest) == b"contents"
    with pytest.raises(DownloadFailed):
        download(source.as_uri())
    (tmp_path / "file").write_text("x")
    with tarfile.open(tmp_path / "t.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "file", "folder/file")
    extract_tar(tmp_path / "t.tar.gz", tmp_path / "out")
    assert (tmp_path / "out" / "folder" / "file").read_text() == "x"
    set_debug_level(2)
    assert (get_debug_level(), get_logging_level()) == (2, 20)
    assert runfiles_path("compiler_gym/public_sets.json").is_file()
    assert tabulate([[1.23456]], headers=["x"]).endswith("1.235")
    with Executor(cpus=2).get_executor() as executor:
        assert executor.submit(sum, [1, 2]).result() == 3
    with pytest.raises(ValueError, match="not on 'slurm'"):
        Executor(type="slurm")
