"""The programs that a service knows by name, within a limit of bytes."""

import logging
from typing import Any

from helm.common.hierarchical_logger import hwarn

DEFAULT_MAX_SIZE_BYTES = 256 * 1024 * 1024

logger = logging.getLogger(__name__)
"""Tells which programs are removed, at the level of information. Programs for CompilerGym import it."""


class BenchmarkCache:
    """Maps URIs to Benchmark messages. Above the limit, it removes random entries until half of it is free.

    Not thread safe. An entry that exceeds the limit by itself is still kept. `rng` is a `numpy.random.Generator`;
    the default one has a fixed seed, so that a process always removes the same programs.
    """

    def __init__(self, max_size_in_bytes: int = DEFAULT_MAX_SIZE_BYTES, rng: Any | None = None):
        self._max_size_in_bytes = max_size_in_bytes
        self._rng = rng
        self._benchmarks: dict[str, Any] = {}
        self.size_in_bytes = 0
        """Serialized size of all entries."""

    @property
    def max_size_in_bytes(self) -> int:
        return self._max_size_in_bytes

    @max_size_in_bytes.setter
    def max_size_in_bytes(self, value: int) -> None:
        self._max_size_in_bytes = value
        self.evict_to_capacity(value)

    def __len__(self) -> int:
        return len(self._benchmarks)

    @property
    def size(self) -> int:
        """Number of entries."""
        return len(self._benchmarks)

    def __contains__(self, uri: str) -> bool:
        return uri in self._benchmarks

    def __getitem__(self, uri: str) -> Any:
        return self._benchmarks[uri]

    def __setitem__(self, uri: str, benchmark: Any) -> None:
        """Insert as `add` does.

        Raises: ValueError when the program has another URI.
        """
        if benchmark.uri != uri:
            raise ValueError(f"The benchmark {benchmark.uri} cannot be kept as {uri}.")
        self.add(benchmark)

    def keys(self) -> list[str]:
        """Return the URIs in the order of insertion."""
        return list(self._benchmarks)

    def get(self, uri: str) -> Any | None:
        return self._benchmarks.get(uri)

    def add(self, benchmark: Any) -> None:
        """Insert, replacing an entry of the same URI."""
        self._remove(benchmark.uri)
        size = benchmark.ByteSize()
        if size > self._max_size_in_bytes:
            hwarn(
                f"Benchmark {benchmark.uri} ({size} bytes) is larger than the whole cache ({self._max_size_in_bytes})."
            )
        if self.size_in_bytes + size > self._max_size_in_bytes:
            self.evict_to_capacity(self._max_size_in_bytes // 2)
        self._benchmarks[benchmark.uri] = benchmark
        self.size_in_bytes += size

    def _remove(self, uri: str) -> None:
        removed = self._benchmarks.pop(uri, None)
        if removed is not None:
            self.size_in_bytes -= removed.ByteSize()

    def evict_to_capacity(self, target_size_in_bytes: int | None = None) -> None:
        """Remove random entries until the others have this size together. Default: the limit."""
        target = self._max_size_in_bytes if target_size_in_bytes is None else target_size_in_bytes
        num_before = len(self._benchmarks)
        while self._benchmarks and self.size_in_bytes > target:
            if self._rng is None:
                from numpy.random import default_rng

                self._rng = default_rng(0)
            self._remove(str(self._rng.choice(list(self._benchmarks))))
        if num_before > len(self._benchmarks):
            num_removed = num_before - len(self._benchmarks)
            logger.info("Removed %d programs from the cache, which has %d bytes now", num_removed, self.size_in_bytes)
