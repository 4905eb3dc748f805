"""The programs that a service knows by name, within a limit of bytes."""

from typing import Any

from helm.common.hierarchical_logger import hwarn

DEFAULT_MAX_SIZE_BYTES = 256 * 1024 * 1024


class BenchmarkCache:
    """Maps URIs to Benchmark messages. Above the limit, it removes random entries until half of it is free.

    Not thread safe. An entry that exceeds the limit by itself is still kept. `rng` is a `numpy.random.Generator`;
    the default one has a fixed seed, so that a process always removes the same programs.
    """

    def __init__(self, max_size_bytes: int = DEFAULT_MAX_SIZE_BYTES, rng: Any | None = None):
        self._max_size_bytes = max_size_bytes
        self._rng = rng
        self._benchmarks: dict[str, Any] = {}
        self.size_bytes = 0
        """Serialized size of all entries."""

    @property
    def max_size_bytes(self) -> int:
        return self._max_size_bytes

    @max_size_bytes.setter
    def max_size_bytes(self, value: int) -> None:
        self._max_size_bytes = value
        self._evict(value)

    def __len__(self) -> int:
        return len(self._benchmarks)

    def keys(self) -> list[str]:
        """Return the URIs in the order of insertion."""
        return list(self._benchmarks)

    def get(self, uri: str) -> Any | None:
        return self._benchmarks.get(uri)

    def add(self, benchmark: Any) -> None:
        """Insert, replacing an entry of the same URI."""
        self._remove(benchmark.uri)
        size = benchmark.ByteSize()
        if size > self._max_size_bytes:
            hwarn(f"Benchmark {benchmark.uri} ({size} bytes) is larger than the whole cache ({self._max_size_bytes}).")
        if self.size_bytes + size > self._max_size_bytes:
            self._evict(self._max_size_bytes // 2)
        self._benchmarks[benchmark.uri] = benchmark
        self.size_bytes += size

    def _remove(self, uri: str) -> None:
        removed = self._benchmarks.pop(uri, None)
        if removed is not None:
            self.size_bytes -= removed.ByteSize()

    def _evict(self, target_size_bytes: int) -> None:
        while self._benchmarks and self.size_bytes > target_size_bytes:
            if self._rng is None:
                from numpy.random import default_rng

                self._rng = default_rng(0)
            self._remove(str(self._rng.choice(list(self._benchmarks))))
