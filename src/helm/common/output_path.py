"""The output folder of the running command, for what has no argument that says it."""

from contextlib import contextmanager
from contextvars import ContextVar
from typing import Iterator

_benchmark_output_path: ContextVar[str] = ContextVar("helm_benchmark_output_path", default="benchmark_output")


def get_benchmark_output_path() -> str:
    """The output folder of the running command; by default `benchmark_output`."""
    return _benchmark_output_path.get()


def set_benchmark_output_path(benchmark_output_path: str) -> None:
    _benchmark_output_path.set(benchmark_output_path)


@contextmanager
def benchmark_output_path(path: str) -> Iterator[None]:
    """Inside the block `get_benchmark_output_path` gives `path`."""
    token = _benchmark_output_path.set(path)
    try:
        yield
    finally:
        _benchmark_output_path.reset(token)
