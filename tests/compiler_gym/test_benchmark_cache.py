import numpy as np

from helm.compiler_gym import proto
from helm.compiler_gym.benchmarks.benchmark_cache import BenchmarkCache
from vectors_support import vector_cases


def _benchmark(uri: str, size: int):
    return proto.Benchmark(uri=uri, program=proto.File(contents=b"x" * size))


def test_vector_benchmark_cache_evicts_the_same_entries():
    for case in vector_cases("compiler-gym/benchmark_cache.json"):
        if case["kind"] != "benchmark_cache":
            continue
        cache = BenchmarkCache(case["max_size_in_bytes"], np.random.default_rng(case["numpy_seed"]))
        for number, (size, expected) in enumerate(zip(case["content_sizes"], case["after_each_add"], strict=True)):
            benchmark = _benchmark(f"u{number}", size)
            cache.add(benchmark)
            state = [benchmark.ByteSize(), len(cache), cache.size_in_bytes, cache.keys()]
            assert state == expected, (case["id"], number)


def test_vector_benchmark_cache_replaces_an_entry_of_the_same_uri():
    for case in vector_cases("compiler-gym/benchmark_cache.json"):
        if case["kind"] != "benchmark_cache_replace":
            continue
        cache = BenchmarkCache()
        for size in case["content_sizes"]:
            cache.add(_benchmark("same", size))
        assert (len(cache), cache.size_in_bytes) == (case["size"], case["size_in_bytes"]), case["id"]


def test_a_new_limit_evicts_down_to_it():
    cache = BenchmarkCache(1000)
    for number in range(5):
        cache.add(_benchmark(f"u{number}", 90))
    cache.max_size_in_bytes = 200
    assert 0 < cache.size_in_bytes <= 200
    assert cache.max_size_in_bytes == 200


def test_an_entry_larger_than_the_cache_is_kept():
    cache = BenchmarkCache(100)
    cache.add(_benchmark("middling", 60))
    cache.add(_benchmark("large", 500))
    assert cache.keys() == ["large"]
    assert cache.size_in_bytes > cache.max_size_in_bytes
