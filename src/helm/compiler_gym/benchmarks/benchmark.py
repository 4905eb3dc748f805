"""A program to compile, with its sources and the checks of the compiled program."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import total_ordering
from pathlib import Path
from typing import Any, NamedTuple

from helm.common.errors import HelmError
from helm.compiler_gym import proto
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.checks.validation import ValidationError

USER_DATASET, FILE_DATASET = "benchmark://user-v0", "benchmark://file-v0"
"""Data sets of the user's files; the latter is for unchanged bitcode."""


class BenchmarkSource(NamedTuple):
    """A source file of a program, for people to read."""

    filename: str
    contents: bytes


ValidationCallback = Callable[[Any], Iterable[ValidationError]]
"""A function that checks an environment in its current state and yields the errors."""


@total_ordering
class Benchmark:
    """A `proto.Benchmark` with the facts that only clients need. Benchmarks compare by URI."""

    __slots__ = ("_proto", "_callbacks", "_sources")

    def __init__(
        self,
        proto: Any,
        validation_callbacks: Iterable[ValidationCallback] | None = None,
        sources: Iterable[tuple[str, bytes]] | None = None,
    ):
        """Wrap a message.

        Args:
            proto: the message.
            validation_callbacks: checks of the compiled program.
            sources: pairs of file name and contents, for people to read.
        """
        self._proto = proto
        self._callbacks = list(validation_callbacks or ())
        self._sources = [BenchmarkSource(str(name), bytes(contents)) for name, contents in sources or ()]

    @classmethod
    def from_file(cls, uri: str | BenchmarkUri, path: str | Path) -> "Benchmark":
        """Read the program from a file.

        Raises: FileNotFoundError.
        """
        path = Path(path)
        if not path.is_file():
            raise FileNotFoundError(f"No file {path} for the benchmark {uri}.")
        return cls.from_file_contents(uri, path.read_bytes())

    @classmethod
    def from_user_file(cls, path: str | Path) -> "Benchmark":
        """Read the program from a user's file, with the URI `benchmark://user-v0/PATH`.

        Raises: FileNotFoundError.
        """
        path = Path(path).expanduser().absolute()
        return cls.from_file(f"{USER_DATASET}{path}", path)

    @classmethod
    def from_file_contents(cls, uri: str | BenchmarkUri, data: bytes) -> "Benchmark":
        """Make a program of these bytes."""
        return cls(proto.Benchmark(uri=str(uri), program=proto.File(contents=data)))

    @property
    def proto(self) -> Any:
        """The `proto.Benchmark`; must not be changed."""
        return self._proto

    @property
    def uri(self) -> BenchmarkUri:
        return BenchmarkUri.from_string(self._proto.uri)

    @property
    def sources(self) -> list[BenchmarkSource]:
        """(file name, contents) of the source code."""
        return list(self._sources)

    def add_source(self, filename: str, contents: bytes) -> None:
        self._sources.append(BenchmarkSource(filename, contents))

    def write_sources_to_directory(self, directory: str | Path) -> int:
        """Write the sources into a folder, created if necessary; returns the number of files.

        Raises: ValueError for a source whose name leads out of the folder.
        """
        directory = Path(directory)
        paths: dict[Path, bytes] = {}
        for name, contents in self._sources:
            path = directory / name
            if not path.resolve().is_relative_to(directory.resolve()):
                raise ValueError(f"Source '{name}' of {self._proto.uri} would be written outside of {directory}.")
            paths[path] = contents
        for path, contents in paths.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(contents)
        return len(paths)

    # Validation -----------------------------------------------------------------------------------------------------

    @property
    def validation_callbacks(self) -> list[ValidationCallback]:
        return list(self._callbacks)

    def add_validation_callback(self, callback: ValidationCallback) -> None:
        self._callbacks.append(callback)

    def is_validatable(self) -> bool:
        """Return whether the program has checks."""
        return bool(self._callbacks)

    def validate(self, env: Any) -> list[ValidationError]:
        """Run all checks on an environment; an empty list means that the program still works correctly."""
        return list(self.ivalidate(env))

    def ivalidate(self, env: Any) -> Iterator[ValidationError]:
        """Run all checks in threads; yields each check's errors when it is done."""
        if not self._callbacks:
            return
        with ThreadPoolExecutor(max_workers=len(self._callbacks), thread_name_prefix="validation") as executor:
            futures = [executor.submit(_run_callback, callback, env) for callback in self._callbacks]
            for future in as_completed(futures):
                yield from future.result()

    def __eq__(self, other: object) -> bool:
        return self.uri == (other.uri if isinstance(other, Benchmark) else other)

    def __lt__(self, other: Any) -> bool:
        return self.uri < (other.uri if isinstance(other, Benchmark) else other)

    def __hash__(self) -> int:
        return hash(self.uri)

    def __repr__(self) -> str:
        return str(self.uri)


def _run_callback(callback: ValidationCallback, env: Any) -> list[ValidationError]:
    return list(callback(env) or ())


class DatasetInitError(HelmError, OSError):
    """A data set cannot be made ready for use."""
