from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helm.compiler_gym import proto
from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.checks.validation import ValidationError
from helm.compiler_gym.datasets import Dataset, Datasets, FilesDataset
from vectors_support import vector_cases

_DATASETS = "compiler-gym/datasets.json"
_ERRORS = {"LookupError": LookupError, "ValueError": ValueError, "FileNotFoundError": FileNotFoundError}


def _check(case_id: str, expected: Any, call: Any, *args: Any) -> None:
    if isinstance(expected, dict) and "error" in expected:
        with pytest.raises(_ERRORS[expected["error"]]):
            call(*args)
    else:
        assert call(*args) == expected, case_id


def _make_files(case: dict, root: Path) -> FilesDataset:
    root.mkdir()
    for name in case["files"]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    facts = {"name": "benchmark://ds-v0", "description": "d", "license": "l"}
    return FilesDataset(root, case["suffix"], **facts)


def test_vector_folders_as_data_sets(tmp_path):
    for number, case in enumerate(vector_cases(_DATASETS)):
        if case["kind"] != "files_dataset":
            continue
        dataset = _make_files(case, tmp_path / str(number))
        assert list(dataset.benchmark_uris()) == case["uris"], case["id"]
        assert [str(benchmark.uri) for benchmark in dataset.benchmarks()] == case["uris"], case["id"]
        assert (dataset.size, len(dataset)) == (case["size"], case["size"]), case["id"]
        for lookup in case["lookups"]:
            if "error" in lookup:
                _check(case["id"], lookup, dataset.benchmark, lookup["uri"])
                continue
            benchmark = dataset.benchmark(lookup["uri"])
            assert str(benchmark.uri) == lookup["benchmark_uri"], case["id"]
            assert benchmark.proto.program.contents.decode() == lookup["contents"], case["id"]
        for seed, expected in case["random"].items():
            rng = np.random.default_rng(int(seed))
            _check(case["id"], expected, dataset.random_benchmark, rng)


class _Listed(Dataset):
    """Programs by name, whose content is the name."""

    def __init__(self, name: str, items: list[str], **kwargs: Any):
        super().__init__(name, "d", "l", **kwargs)
        self._items = items

    @property
    def size(self) -> int:
        return len(self._items)

    def benchmark_uris(self) -> Iterator[str]:
        return (f"{self.name}/{item}" for item in self._items)

    def benchmark_from_parsed_uri(self, uri: BenchmarkUri) -> Benchmark:
        if uri.path[1:] not in self._items:
            raise LookupError(f"No benchmark {uri}.")
        return Benchmark.from_file_contents(uri, uri.path[1:].encode())


def _make_dataset(fields: dict) -> Dataset:
    fields = dict(fields)
    return _Listed(fields.pop("name"), fields.pop("items"), **fields)


def test_vector_collections_of_data_sets():
    for case in vector_cases(_DATASETS):
        if case["kind"] != "datasets":
            continue
        datasets = Datasets([_make_dataset(fields) for fields in case["datasets"]])
        found = {
            "order": [dataset.name for dataset in datasets],
            "order_with_deprecated": [dataset.name for dataset in datasets.datasets(with_deprecated=True)],
            "benchmark_uris": list(datasets.benchmark_uris()),
            "benchmark_uris_with_deprecated": list(datasets.benchmark_uris(with_deprecated=True)),
            "len": len(datasets),
        }
        assert found == {key: case[key] for key in found}, case["id"]
        assert [str(benchmark.uri) for benchmark in datasets.benchmarks()] == case["benchmark_uris"]
        for lookup in case["lookups"]:
            _check(case["id"], lookup["contains"], datasets.__contains__, lookup["uri"])
            _check(case["id"], lookup["dataset"], datasets.dataset, lookup["uri"])


def _pair() -> Datasets:
    return Datasets([_Listed("benchmark://a-v0", ["1", "2", "3"]), _Listed("benchmark://b-v0", ["1"])])


def test_random_programs_depend_on_the_generator_alone():
    drawn = [str(_pair().random_benchmark(np.random.default_rng(seed)).uri) for seed in range(20)]
    assert drawn == [str(_pair().random_benchmark(np.random.default_rng(seed)).uri) for seed in range(20)]
    assert {uri[:16] for uri in drawn} == {"benchmark://a-v0", "benchmark://b-v0"}
    only_b = _pair().random_benchmark(np.random.default_rng(0), weights={"benchmark://b-v0": 1})
    assert str(only_b.uri) == "benchmark://b-v0/1"
    weighted = [_pair().random_benchmark(np.random.default_rng(s), weighted=True) for s in range(200)]
    assert 0.6 < sum(str(b.uri).startswith("benchmark://a-v0") for b in weighted) / 200 < 0.9


def test_a_collection_is_a_mapping():
    datasets = _pair()
    assert datasets["a-v0"] == "benchmark://a-v0"
    del datasets["a-v0"]
    assert [dataset.name for dataset in datasets] == ["benchmark://b-v0"]
    datasets["benchmark://c-v0"] = _Listed("benchmark://c-v0", [], deprecated="use another one")
    assert len(datasets) == 1 and "c-v0" in datasets
    with pytest.raises(LookupError, match="Dataset not found: benchmark://bb-v0. Did you mean 'benchmark://b-v0'"):
        datasets.dataset("benchmark://bb-v0")


def test_files_and_messages_are_benchmarks_too(tmp_path):
    (tmp_path / "x.bc").write_bytes(b"bits")
    message = proto.Benchmark(uri="benchmark://m-v0/1", program=proto.File(contents=b"message"))
    (tmp_path / "m.pb").write_bytes(message.SerializeToString())
    datasets = Datasets([])
    assert datasets.benchmark(f"file://{tmp_path}/x.bc").proto.program.contents == b"bits"
    assert datasets.benchmark(f"proto://{tmp_path}/m.pb").proto == message
    with pytest.raises(FileNotFoundError):
        datasets.benchmark(f"file://{tmp_path}/nope.bc")


def test_a_folder_is_not_left(tmp_path):
    (tmp_path / "root").mkdir()
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "root" / "link").symlink_to(tmp_path / "secret")
    dataset = FilesDataset(name="benchmark://ds-v0", description="d", license="l", dataset_root=tmp_path / "root")
    for path in ("../secret", "x/../../secret", "%2e%2e/secret"):
        with pytest.raises(LookupError):
            dataset.benchmark(f"benchmark://ds-v0/{path}")


def test_a_deprecated_data_set_says_so_once_installed():
    dataset = _Listed("benchmark://old-v0", ["1"], deprecated="Please use new-v0.")
    with pytest.warns(DeprecationWarning, match="Please use new-v0"):
        dataset.install()


def test_a_data_set_needs_a_folder_for_its_files(tmp_path):
    with pytest.raises(ValueError, match="site_data_base"):
        _ = _Listed("benchmark://a-v0", []).site_data_path
    dataset = _Listed("benchmark://a-v0", [], site_data_base=tmp_path)
    assert dataset.site_data_path == tmp_path / "benchmark" / "a-v0"
    dataset.site_data_path.mkdir(parents=True)
    (dataset.site_data_path / "x").write_bytes(b"12345")
    assert dataset.site_data_size_in_bytes == 5
    dataset.uninstall()
    assert not dataset.site_data_path.exists() and dataset.site_data_size_in_bytes == 0


def test_benchmarks_hold_sources_and_checks(tmp_path):
    benchmark = Benchmark.from_file_contents("x-v0/1", b"program")
    benchmark.add_source("a/x.c", b"int x;")
    assert benchmark.write_sources_to_directory(tmp_path) == 1
    assert (tmp_path / "a" / "x.c").read_bytes() == b"int x;"
    assert not benchmark.is_validatable() and benchmark.validate(None) == []
    benchmark.add_validation_callback(lambda env: [ValidationError(env)])
    benchmark.add_validation_callback(lambda env: None)
    assert benchmark.is_validatable() and benchmark.validate("Wrong output") == [ValidationError("Wrong output")]
    assert benchmark == "benchmark://x-v0/1" and benchmark < Benchmark.from_file_contents("x-v0/2", b"")
    with pytest.raises(AttributeError):
        benchmark.name = "x"
    benchmark.add_source("../y.c", b"")
    with pytest.raises(ValueError, match="outside"):
        benchmark.write_sources_to_directory(tmp_path)
    with pytest.raises(FileNotFoundError, match="No file"):
        Benchmark.from_file("x-v0/1", tmp_path / "nope")


def test_environments_find_all_data_sets_and_list_those_that_can_be_had_here(monkeypatch, tmp_path):
    from helm.common.errors import HelmError
    from helm.compiler_gym import data_sets, make
    from helm.compiler_gym.benchmarks import public_datasets

    monkeypatch.setenv("PATH", str(tmp_path))  # no csmith, no llvm-stress
    monkeypatch.setenv("HELM_CLANG", "no-such-clang")
    monkeypatch.setenv(data_sets.SITE_DATA_VARIABLE, str(tmp_path / "site"))
    monkeypatch.delenv(public_datasets.TRUST_VARIABLE, raising=False)
    monkeypatch.setenv("HELM_DATA_MIRROR", "off")  # nothing may be fetched: the default program needs no network
    own = _Listed("benchmark://mine-v0", ["1"])
    with make("llvm-v0", connection="in_process", datasets=[own]) as env:
        assert str(env.benchmark) == "benchmark://helm-v0/adpcm"
        listed = ["benchmark://helm-v0", "benchmark://mine-v0", "generator://helm-stress-v0"]
        assert [dataset.name for dataset in env.datasets] == listed and len(env.datasets) == 3
        assert "cbench-v1" in env.datasets and "generator://csmith-v0" in env.datasets
        drawn = {env.datasets.random_benchmark(np.random.default_rng(seed)).uri.dataset for seed in range(30)}
        assert drawn == {"helm-v0", "mine-v0", "helm-stress-v0"}
        with pytest.raises(HelmError, match="llvm_bitcodes-10.0.0-cBench-v1-linux.tar.bz2 cannot be downloaded"):
            env.benchmark = "cbench-v1/qsort"
        with pytest.raises(LookupError, match="Did you mean 'benchmark://c[bB]ench-v1'"):
            env.benchmark = "cbench-v2/qsort"
        monkeypatch.setenv(public_datasets.TRUST_VARIABLE, "cbench-v1")
        assert "benchmark://cbench-v1" in [dataset.name for dataset in env.datasets]
        env.reset(benchmark="generator://helm-stress-v0/3")
        assert env.observation["IrInstructionCount"] > 100
