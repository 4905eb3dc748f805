"""The programs that ship with this package as a data set of the environments."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from helm.common.errors import ConfigError, ScenarioError, suggest
from helm.compiler_gym.benchmarks.benchmark import Benchmark, ValidationCallback
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.checks.program_check import make_c_validation, make_llvm_validation
from helm.compiler_gym.datasets import Dataset
from helm.compiler_gym.programs import C_DATASET, DATASET, PROGRAMS, load_benchmark


class _Language(NamedTuple):
    dataset: str
    """URI, with a slash at the end."""
    title: str
    make_validation: Callable[[str], ValidationCallback]
    source_suffix: str
    """Suffix of the file that people read; empty if the program is not source code."""


_LANGUAGES = {
    "llvm": _Language(DATASET, "LLVM IR", make_llvm_validation, ""),
    "c": _Language(C_DATASET, "C", make_c_validation, ".c"),
}


class EmbeddedDataset(Dataset):
    """The programs that ship with this package. They can be validated, because their output is known."""

    def __init__(self, language: str):
        """Offer the programs in one language.

        Args:
            language: `llvm` (LLVM IR) or `c`.
        Raises: ConfigError for any other.
        """
        if language not in _LANGUAGES:
            raise ConfigError(
                f"Our programs are available as {', '.join(_LANGUAGES)}, not as '{language}'."
                + suggest(language, _LANGUAGES)
            )
        self._language = _LANGUAGES[language]
        name, description = (
            self._language.dataset.rstrip("/"),
            f"Programs of our own, shipped as {self._language.title}",
        )
        super().__init__(name, description, "Apache-2.0", sort_order=-1, validatable="Yes")

    @property
    def size(self) -> int:
        return len(PROGRAMS)

    def benchmark_uris(self) -> Iterator[str]:
        return (f"{self.name}/{name}" for name in PROGRAMS)

    def benchmark_from_parsed_uri(self, uri: BenchmarkUri) -> Benchmark:
        try:
            message = load_benchmark(str(uri))
        except ScenarioError as error:
            raise LookupError(str(error)) from error
        return Benchmark(
            message, [self._language.make_validation(uri.path.strip("/"))], self._get_sources(uri, message)
        )

    def _get_sources(self, uri: BenchmarkUri, message: Any) -> list[tuple[str, bytes]]:
        suffix = self._language.source_suffix
        return [(uri.path.strip("/") + suffix, message.program.contents)] if suffix else []
