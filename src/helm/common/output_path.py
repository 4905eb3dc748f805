"""The output folder of the running command, for what has no argument that says it."""

import os
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Iterator, Optional

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


def is_address(output_path: str) -> bool:
    """Whether results go to an object store, and not to a folder."""
    return "://" in output_path


def staging_path(output_path: str, local_path: Optional[str]) -> str:
    """The folder of this machine where runs are made that go to an object store; for a folder, itself."""
    if not is_address(output_path):
        return output_path
    import hashlib

    return os.path.join(local_path or "prod_env", "staging", hashlib.sha256(output_path.encode()).hexdigest()[:16])
