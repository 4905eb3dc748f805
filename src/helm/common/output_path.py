"""The output folder of the running command, for parts whose constructors cannot be given it."""

from contextvars import ContextVar

_benchmark_output_path: ContextVar[str] = ContextVar("helm_benchmark_output_path", default="benchmark_output")


def get_benchmark_output_path() -> str:
    """The output folder of the running command; by default `benchmark_output`."""
    return _benchmark_output_path.get()


def set_benchmark_output_path(benchmark_output_path: str) -> None:
    _benchmark_output_path.set(benchmark_output_path)
