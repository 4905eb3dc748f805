"""What `benchmarks=` means: our programs, files, folders, archives on the web, generators."""

import bz2
import hashlib
import io
import json
import os
import shutil
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from data_server import DataServer
from helm.common.errors import ScenarioError
from helm.compiler_gym import data_sets
from helm.compiler_gym.benchmarks import clang, public_datasets
from helm.compiler_gym.benchmarks.benchmark import DatasetInitError
from helm.compiler_gym.benchmarks.generators import CsmithDataset, LlvmStressDataset
from helm.compiler_gym.benchmarks.program_sets import list_program_uris, make_labels
from helm.compiler_gym.benchmarks.tar_datasets import TarDataset, TarDatasetWithManifest
from helm.compiler_gym.checks.program_runner import link_object, run_bitcode, run_executable
from helm.compiler_gym.envs.llvm_env import LlvmEnv
from helm.compiler_gym.errors import BenchmarkInitError
from helm.compiler_gym.programs import PROGRAMS, load_benchmark
from helm.compiler_gym.registration import make

_IR = b"define i32 @main() {\n  ret i32 0\n}\n"


@pytest.fixture
def folder(tmp_path):
    for name in ("b.ll", "a.bc", "c.c", "notes.txt", "deeper/b.ll"):
        path = tmp_path / "programs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_IR)
    return tmp_path / "programs"


def test_the_embedded_programs():
    assert list_program_uris("embedded", "llvm") == [f"benchmark://helm-v0/{name}" for name in PROGRAMS]
    assert list_program_uris("embedded", "gcc", 2) == [f"benchmark://helm-c-v0/{n}" for n in list(PROGRAMS)[:2]]
    assert list_program_uris("crc32", "llvm") == ["benchmark://helm-v0/crc32"]


def test_folders_and_files(folder):
    names = [uri.removeprefix(folder.as_uri()) for uri in list_program_uris(str(folder), "llvm")]
    assert names == ["/a.bc", "/b.ll", "/c.c", "/deeper/b.ll"]
    assert list_program_uris(str(folder), "gcc") == [(folder / "c.c").as_uri()]
    assert list_program_uris(folder.as_uri(), "llvm", 1) == [(folder / "a.bc").as_uri()]
    assert list_program_uris(str(folder / "b.ll"), "llvm") == [(folder / "b.ll").as_uri()]
    assert len(list_program_uris(str(folder), "mine.Session")) == 5


@pytest.mark.parametrize(
    "benchmarks, family, message",
    [
        ("crc23", "llvm", "Did you mean 'crc32'"),
        ("npb-v00", "llvm", "Did you mean 'npb-v0'"),
        ("programs/notes.txt", "llvm", "not a program for llvm, which takes files that end in .ll, .bc, .c"),
        ("programs/deeper", "gcc", "holds no files that end in .c"),
        ("file:///no/such/place", "llvm", "There is no file or folder"),
        ("csmith-v0", "llvm", "is infinite; say how many programs"),
    ],
)
def test_what_is_not_there_is_named(folder, monkeypatch, benchmarks, family, message):
    monkeypatch.chdir(folder.parent)
    with pytest.raises(ScenarioError, match=message):
        list_program_uris(benchmarks, family)


def test_labels_are_short_and_tell_programs_apart():
    assert make_labels(["benchmark://helm-v0/crc32", "file:///x/a.ll"]) == ["crc32", "a"]
    assert make_labels(["file:///x/a.ll", "file:///y/a.ll"]) == ["x/a", "y/a"]
    assert make_labels(["file:///x/a.ll", "file:///x/a.c"]) == ["a.ll", "a.c"]
    assert make_labels(["benchmark://d/a", "benchmark://e/a"]) == ["benchmark://d/a", "benchmark://e/a"]


# Archives --------------------------------------------------------------------------------------------------------------


def _archive(*names: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:bz2") as archive:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size = len(_IR)
            archive.addfile(entry, io.BytesIO(_IR))
    return buffer.getvalue()


@pytest.fixture
def server(monkeypatch, tmp_path):
    server = DataServer()
    for name, value in server.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv(data_sets.SITE_DATA_VARIABLE, str(tmp_path / "site"))
    yield server
    server.close()


def test_the_archive_of_a_public_data_set_is_checked_unless_it_is_trusted(server, monkeypatch):
    url = "https://dl.fbaipublicfiles.com/compiler_gym/llvm_bitcodes-10.0.0-npb-v0.tar.bz2"
    server.add_file(url, _archive("npb-v0/1.bc", "npb-v0/2.bc"))
    for trusted in ("", "blas-v0"):
        monkeypatch.setenv(public_datasets.TRUST_VARIABLE, trusted)
        with pytest.raises(ScenarioError, match="benchmark://npb-v0/1 cannot be fetched.*(?i:sha-?256|checksum)"):
            load_benchmark("benchmark://npb-v0/1", "llvm")
    monkeypatch.setenv(public_datasets.TRUST_VARIABLE, "blas-v0, npb-v0")
    assert len(list_program_uris("npb-v0", "llvm")) == 2


_PUBLIC = [row for row in public_datasets.get_public_sets().values() if "drive.google" not in row.urls[0]]
_C = b'#include "part.h"\nint main(void) { return PART; }\n'
_FILES = {
    None: {"a.bc": _IR, "deep/b.bc": _IR},
    "c": {"a.c": _C, "part.h": b"#define PART 0\n"},
    "chstone": {"adpcm/adpcm.c": _C, "adpcm/part.h": b"#define PART 0\n"},
    "opencl": {"a.cl": b"kernel void run(global int* x) { x[get_global_id(0)] += 1; }\n"},
    "poj104": {"1/1.txt": b"void main() { string s; cin >> s; cout << s; }\n"},
}


def test_vector_the_addresses_of_the_public_data_sets():
    """`data_set_addresses.json` is what the original knows of its data sets."""
    known = json.loads((Path(__file__).parents[1] / "vectors/compiler-gym/data_set_addresses.json").read_text())
    ours = public_datasets.get_public_sets()
    for key, row in known.items():
        family, _, uri = key.partition(" ")
        if row["urls"] is None or family == "gcc":
            continue
        mine = ours[uri.removeprefix("benchmark://")]
        urls = row["urls"] if isinstance(row["urls"], list) else [row["urls"]]
        assert (list(mine.urls), mine.sha256, mine.strip_prefix, mine.compression) == (
            urls,
            row["archive_sha256"],
            row["strip_prefix"],
            row["compression"],
        )
        assert (list(mine.manifest_urls), mine.manifest_sha256 or "") == (row["manifest_urls"], row["manifest_sha256"])
        assert (mine.license, mine.is_deprecated) == (row["license"], row["deprecated"])


@pytest.mark.filterwarnings("ignore:Dataset .* is deprecated")
@pytest.mark.parametrize("known", _PUBLIC, ids=[row.name for row in _PUBLIC])
def test_every_public_data_set_lists_installs_compiles_and_runs_from_a_mirror(known, server, monkeypatch):
    """A small archive in the original's layout, and its manifest, with sums of their own in the table."""
    files = _FILES[known.source]
    names = list(files) if known.source != "chstone" else ["adpcm/adpcm.c"]
    suffix = public_datasets._SUFFIXES[known.source]
    programs = [name.removesuffix(suffix) for name in names if name.endswith(suffix)]
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=f"w:{known.compression}") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"{known.strip_prefix}/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    manifest = bz2.compress("\n".join(programs).encode())
    server.add_file(known.urls[0], buffer.getvalue())
    for url in known.manifest_urls:
        server.add_file(url, manifest)
    monkeypatch.delenv(public_datasets.TRUST_VARIABLE, raising=False)
    sums = {
        "sha256": hashlib.sha256(buffer.getvalue()).hexdigest(),
        "manifest_sha256": hashlib.sha256(manifest).hexdigest() if known.manifest_urls else None,
    }
    site = Path(os.environ[data_sets.SITE_DATA_VARIABLE])
    data_set = public_datasets.PublicDataset(replace(known, **sums), "llvm", site)
    assert not data_set.installed and not data_set.is_listed
    if known.source == "chstone":
        programs = list(public_datasets.CHSTONE_MAIN_FILES)
    assert list(data_set.benchmark_uris()) == [f"benchmark://{known.name}/{program}" for program in programs]
    if known.source and not clang.has_clang():
        pytest.skip("needs a clang")
    contents = data_set.benchmark(f"benchmark://{known.name}/{programs[0]}").proto.program.contents
    assert data_set.installed and data_set.is_listed is not known.is_deprecated
    assert contents == _IR if known.source is None else contents.startswith((b"BC", b"\xde\xc0"))
    with LlvmEnv(
        "llvm", benchmark=data_set.benchmark(f"benchmark://{known.name}/{programs[0]}"), connection="in_process"
    ) as env:
        env.reset()
        env.step("-Oz")
        assert env.observation["IrInstructionCount"] > 0
        if known.source not in ("opencl", "poj104"):  # kernels have no main, and C++ needs its library
            ended = run_bitcode(env.observation["Bitcode"].tobytes(), is_trusted=True)
            assert (ended.returncode, ended.error) == (0, None), ended.details
    with pytest.raises(LookupError, match="Benchmark not found"):
        data_set.benchmark(f"benchmark://{known.name}/../../nope")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a gcc on the machine")
@pytest.mark.parametrize("name", ["chstone-v0", "anghabench-v1"])
def test_gcc_takes_its_sets_from_a_mirror(name, server, monkeypatch):
    """What `datasets.json` has for GCC: the archive is fetched, unpacked, preprocessed, compiled and run."""
    monkeypatch.setenv(public_datasets.TRUST_VARIABLE, name)
    known = public_datasets.get_public_sets()[name]
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=f"w:{known.compression}") as archive:
        for path, content in _FILES[known.source].items():
            entry = tarfile.TarInfo(f"{known.strip_prefix}/{path}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    server.add_file(known.urls[0], buffer.getvalue())
    program = {"chstone-v0": "adpcm", "anghabench-v1": "a"}[name]
    arguments = {"connection": "in_process", "reward_space": "obj_size"}
    with make("gcc-v0", benchmark=f"benchmark://{name}/{program}", **arguments) as env:
        env.reset()
        env.multistep(["-O2", "-Os"])
        assert env.obj_size > 0 and "return 0;" in env.source
        executable = link_object(["gcc"], env.obj)
    assert run_executable(executable, is_trusted=True).returncode == 0


def test_gcc_gets_preprocessed_sources(server):
    known = public_datasets.get_public_sets()["chstone-v0"]
    data_set = public_datasets.PublicDataset(known, "gcc", Path(os.environ[data_sets.SITE_DATA_VARIABLE]))
    folder = data_set.site_data_path / "contents" / known.strip_prefix / "adpcm"
    folder.mkdir(parents=True)
    for name, content in _FILES["chstone"].items():
        (folder / Path(name).name).write_bytes(content)
    data_set.dataset_root = data_set._find_root()
    contents = data_set.benchmark("benchmark://chstone-v0/adpcm").proto.program.contents
    assert b"return 0;" in contents and b"include" not in contents
    assert "benchmark://anghabench-v1" in data_sets.get_data_sets("gcc")


def test_a_public_data_set_is_fetched_once(server, tmp_path, monkeypatch):
    monkeypatch.setenv(public_datasets.TRUST_VARIABLE, "all")
    url = "https://dl.fbaipublicfiles.com/compiler_gym/llvm_bitcodes-10.0.0-npb-v0.tar.bz2"
    server.add_file(url, _archive("npb-v0/1.bc", "npb-v0/2.bc", "npb-v0/LICENSE"))
    assert list_program_uris("npb-v0", "llvm") == ["benchmark://npb-v0/1", "benchmark://npb-v0/2"]
    assert list_program_uris("benchmark://npb-v0", "llvm", 1) == ["benchmark://npb-v0/1"]
    assert load_benchmark("benchmark://npb-v0/2", "llvm").program.contents == _IR
    assert len([path for path in server.paths() if "npb-v0" in path]) == 1
    with pytest.raises(ScenarioError, match="Benchmark not found: benchmark://npb-v0/3"):
        load_benchmark("benchmark://npb-v0/3", "llvm")
    assert load_benchmark("benchmark://npb-v0/2", "gcc").WhichOneof is not None  # nothing for gcc: only the URI
    assert not load_benchmark("benchmark://npb-v0/2", "gcc").HasField("program")


def test_a_data_set_that_cannot_be_had_is_named(server, monkeypatch):
    monkeypatch.setenv(public_datasets.TRUST_VARIABLE, "all")
    with pytest.raises(ScenarioError, match="benchmark://blas-v0 cannot be fetched"):
        list_program_uris("blas-v0", "llvm")


def test_the_checksum_of_an_archive_is_checked(tmp_path):
    archive = tmp_path / "a.tar.bz2"
    archive.write_bytes(_archive("one/a.bc", "one/b.bc"))
    facts = {"name": "benchmark://mine-v0", "description": "Mine", "license": "MIT", "benchmark_file_suffix": ".bc"}
    wrong = TarDataset([archive.as_uri()], "0" * 64, site_data_base=tmp_path / "1", **facts)
    with pytest.raises(DatasetInitError, match="benchmark://mine-v0 cannot be installed"):
        wrong.install()
    assert not wrong.installed
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    right = TarDataset([archive.as_uri()], digest, strip_prefix="one", site_data_base=tmp_path / "2", **facts)
    assert list(right.benchmark_uris()) == ["benchmark://mine-v0/a", "benchmark://mine-v0/b"] and right.size == 2
    assert right.benchmark("benchmark://mine-v0/b").proto.program.contents == _IR
    right.uninstall()
    assert not right.installed


def test_a_manifest_tells_the_programs_without_the_archive(tmp_path):
    import bz2

    archive, manifest = tmp_path / "a.tar.bz2", tmp_path / "m.bz2"
    archive.write_bytes(_archive("x/a.bc", "x/b.bc"))
    manifest.write_bytes(bz2.compress(b"a\nb\n"))
    data_set = TarDatasetWithManifest(
        name="benchmark://mine-v0",
        description="Mine",
        license="MIT",
        site_data_base=tmp_path / "site",
        tar_urls=[archive.as_uri()],
        benchmark_file_suffix=".bc",
        manifest_urls=[manifest.as_uri()],
        manifest_sha256=hashlib.sha256(manifest.read_bytes()).hexdigest(),
    )
    assert data_set.size == 2 and not data_set.installed
    assert data_set.benchmark("benchmark://mine-v0/a").proto.program.contents == _IR and data_set.installed


# C and generators ------------------------------------------------------------------------------------------------------


def _has_clang() -> bool:
    clang.find_clang.cache_clear()
    try:
        clang.find_clang()
    except ScenarioError:
        return False
    return True


@pytest.mark.skipif(not _has_clang(), reason="needs a clang, or the package ziglang")
def test_c_is_translated_for_llvm(tmp_path):
    source = tmp_path / "twice.c"
    source.write_text("int main(void) { return 0; }\nint twice(int x) { return 2 * x; }\n")
    contents = load_benchmark(source.as_uri(), "llvm").program.contents
    assert contents[:2] == b"BC" or contents[:4] == b"\xde\xc0\x17\x0b"
    assert load_benchmark(source.as_uri(), "gcc").program.contents == source.read_bytes()
    source.write_text("int main(void) { return undefined; }\n")
    with pytest.raises(BenchmarkInitError, match="Cannot translate twice.c .*undefined"):
        load_benchmark(source.as_uri(), "llvm")


def test_a_clang_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setenv(clang.VARIABLE, "no-such-clang")
    clang.find_clang.cache_clear()
    with pytest.raises(ScenarioError, match="HELM_CLANG names 'no-such-clang'"):
        clang.find_clang()
    clang.find_clang.cache_clear()


@pytest.mark.skipif(shutil.which("llvm-stress") is None, reason="needs llvm-stress")
def test_llvm_stress_makes_the_same_program_of_a_seed():
    assert list_program_uris("llvm-stress-v0", "llvm", 2) == [f"generator://llvm-stress-v0/{seed}" for seed in (0, 1)]
    one, other = (load_benchmark("generator://llvm-stress-v0/1", "llvm") for _ in range(2))
    assert one == other and one.program.contents


@pytest.mark.parametrize("path", ["", "x", "-1", "4294967295", "1/2"])
def test_the_path_of_a_generated_program_is_a_seed(path):
    with pytest.raises(LookupError, match="must be a seed"):
        LlvmStressDataset().benchmark(f"generator://llvm-stress-v0/{path}")


def _fake_csmith(folder: Path, script: str, monkeypatch) -> None:
    """A program of that name; the real one is rarely installed."""
    path = folder / "bin" / "csmith"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(path.parent), prepend=os.pathsep)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a gcc on the machine")
def test_csmith_programs_for_gcc_are_preprocessed(tmp_path, monkeypatch):
    _fake_csmith(tmp_path, 'echo "#define SEED $2"; echo "int main(void) { return SEED; }"', monkeypatch)
    benchmark = CsmithDataset("gcc").benchmark("generator://csmith-v0/7")
    assert benchmark.proto.program.contents.strip() == b"int main(void) { return 7; }"
    assert benchmark.sources[0][0] == "source.c" and b"#define SEED 7" in benchmark.sources[0][1]


def test_csmith_is_tried_three_times(tmp_path, monkeypatch):
    _fake_csmith(tmp_path, f'echo x >> "{tmp_path}/tries"; echo broken >&2; exit 3', monkeypatch)
    with pytest.raises(OSError, match="generated no program from seed 7: .*status 3: broken"):
        CsmithDataset("gcc").benchmark("generator://csmith-v0/7")
    assert (tmp_path / "tries").read_text().count("x") == 3
