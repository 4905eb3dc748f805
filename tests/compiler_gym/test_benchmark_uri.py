import pytest

from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri, get_dataset_version
from helm.compiler_gym.datasets import Dataset
from vectors_support import vector_cases

_URIS = "compiler-gym/uri.json"
_parse = BenchmarkUri.from_string


def test_vector_uris_are_parsed():
    for case in vector_cases(_URIS):
        if case["kind"] != "parse":
            continue
        uri = _parse(case["input"])
        fields = {name: getattr(uri, name) for name in ("scheme", "dataset", "path", "params", "fragment")}
        assert (fields, str(uri)) == (case["output"], case["canonical"]), case["id"]
        assert (str(_parse(str(uri))) == str(uri)) == case["canonical_is_fixed_point"], case["id"]


def test_vector_names_of_data_sets():
    for case in vector_cases(_URIS):
        if case["kind"] != "dataset_name":
            continue
        dataset = Dataset(case["input"], "description", "license")
        found = {"name": dataset.name, "scheme": dataset.scheme, "version": dataset.version}
        assert found == {key: case[key] for key in found}, case["id"]


def test_vector_uris_are_compared():
    for case in vector_cases(_URIS):
        if case["kind"] != "compare":
            continue
        a, b = _parse(case["a"]), _parse(case["b"])
        assert (a == b, a == case["b"], a < b) == (case["equal"], case["a_equals_string_b"], case["a_lt_b"]), case["id"]
        assert (hash(a) == hash(b)) or not case["equal"]


@pytest.mark.parametrize("name, version", [("a-v3x", 3), ("a-v1-v2", 2), ("x-v007", 7), ("a_v3", 0), ("a`b-v2", 2)])
def test_versions(name, version):
    assert get_dataset_version(name) == version
