"""Problems for loop_tool: the sum of two vectors of a length that the URI says."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from helm.compiler_gym import proto
from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.datasets import Dataset, _get_generator

LOOP_TOOL = "benchmark://loop_tool-cpu-v0"
_LENGTHS = tuple(1 << exponent for exponent in range(10, 23))
_LARGEST = 1 << 26
_NUMBER = re.compile(r"[1-9]\d{0,8}")


class LoopToolDataset(Dataset):
    """Sums of two vectors; the path of a URI is their length."""

    def __init__(self, site_data_base: Path | None = None):
        super().__init__(
            LOOP_TOOL,
            "Sums of two vectors on the CPU; the path is their length",
            "Apache-2.0",
            site_data_base=site_data_base,
            validatable="No",
        )

    @property
    def size(self) -> int:
        return len(_LENGTHS)

    def benchmark_uris(self) -> Iterator[str]:
        """List some usual lengths; others work as well."""
        return (f"{self.name}/{length}" for length in _LENGTHS)

    def benchmark_from_parsed_uri(self, uri: BenchmarkUri) -> Benchmark:
        text = uri.path.strip("/")
        if not (_NUMBER.fullmatch(text) and int(text) <= _LARGEST):
            raise LookupError(f"The path of '{uri}' must be the length of the vectors, from 1 to {_LARGEST}.")
        return Benchmark(proto.Benchmark(uri=str(uri), program=proto.File(contents=text.encode())))

    def random_benchmark(self, random_state: Any | None = None) -> Benchmark:
        return self.benchmark(f"{self.name}/{int(_get_generator(random_state).choice(_LENGTHS))}")
