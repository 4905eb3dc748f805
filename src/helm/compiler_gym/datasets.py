"""Data sets of programs, and collections of them."""

import os
import posixpath
import shutil
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import total_ordering
from itertools import islice
from pathlib import Path
from typing import Any

from helm.common.errors import suggest
from helm.compiler_gym import proto
from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri, get_dataset_version


@total_ordering
class Dataset:
    """A named set of programs. Data sets compare by name, also with a str."""

    def __init__(
        self,
        name: str,
        description: str,
        license: str,
        site_data_base: Path | None = None,
        benchmark_class: type[Benchmark] = Benchmark,
        references: Mapping[str, str] | None = None,
        deprecated: str | None = None,
        sort_order: int = 0,
        validatable: str = "No",
    ):
        """Describe the data set.

        Args:
            name: `scheme://dataset`; a name that ends in `-vN` means version N.
            description: one line for people.
            license: the license of the programs.
            site_data_base: folder below which the data set keeps its files.
            benchmark_class: class of the programs.
            references: title -> URL of papers and pages about it.
            deprecated: why it should no longer be used; if given, lists leave the data set out.
            sort_order: data sets with smaller numbers come first in lists.
            validatable: whether the programs can be checked: `Yes`, `No` or `Partially`.
        """
        uri = BenchmarkUri.from_string(name)
        self.name, self.scheme = name, uri.scheme
        self.version = get_dataset_version(uri.dataset)
        self.description, self.license = description, license
        self.references = dict(references or {})
        self.deprecated, self.sort_order, self.validatable = deprecated, sort_order, validatable
        self.benchmark_class = benchmark_class
        self._uri = uri
        self._site_data_base = None if site_data_base is None else Path(site_data_base)

    # Files ----------------------------------------------------------------------------------------------------------

    @property
    def site_data_path(self) -> Path:
        """The folder of its files.

        Raises: ValueError when it was created without `site_data_base`.
        """
        if self._site_data_base is None:
            raise ValueError(f"The data set {self.name} has no files of its own: it was made without site_data_base.")
        return self._site_data_base / self.scheme / self._uri.dataset

    @property
    def site_data_size_in_bytes(self) -> int:
        """Size of its files; 0 when there are none."""
        if not self.site_data_path.is_dir():
            return 0
        return sum(path.stat().st_size for path in self.site_data_path.rglob("*") if path.is_file())

    @property
    def protocol(self) -> str:
        """The older name of `scheme`."""
        return self.scheme

    @property
    def has_site_data(self) -> bool:
        """Whether it can keep files on this machine."""
        return self._site_data_base is not None

    @property
    def installed(self) -> bool:
        """Whether the programs are available without further preparation."""
        return True

    @property
    def is_listed(self) -> bool:
        """Whether lists and random choices of a collection include this data set.

        They leave out data sets that are deprecated and those whose programs are not available here. Both are still found
        by name.
        """
        return not self.deprecated

    def install(self) -> None:
        """Make the programs available. Idempotent. A deprecated data set issues a DeprecationWarning."""
        if self.deprecated:
            warnings.warn(f"Dataset '{self.name}' is deprecated. {self.deprecated}", DeprecationWarning, stacklevel=2)

    def uninstall(self) -> None:
        """Delete its files."""
        if self.site_data_path.is_dir():
            shutil.rmtree(self.site_data_path)

    # Programs -------------------------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """Number of programs; 0 when it is unknown or infinite."""
        return 0

    def __len__(self) -> int:
        return self.size

    def __bool__(self) -> bool:
        return True  # without it, a data set of unknown size would be false, because __len__ is 0

    def benchmark_uris(self) -> Iterator[str]:
        """Yield the URIs of all programs, always in the same order; there may be infinitely many."""
        raise NotImplementedError(f"{type(self).__name__} does not implement benchmark_uris.")

    def benchmarks(self) -> Iterator[Benchmark]:
        """Yield all programs in the order of `benchmark_uris`; each is created on demand."""
        return (self.benchmark(uri) for uri in self.benchmark_uris())

    def __iter__(self) -> Iterator[Benchmark]:
        return self.benchmarks()

    def benchmark_from_parsed_uri(self, uri: BenchmarkUri) -> Benchmark:
        """Return the program of a URI.

        Raises: LookupError when there is no such program.
        """
        raise NotImplementedError(f"{type(self).__name__} does not implement benchmark_from_parsed_uri.")

    def benchmark(self, uri: str) -> Benchmark:
        """Return one program.

        Raises: LookupError when there is no such program.
        """
        return self.benchmark_from_parsed_uri(BenchmarkUri.from_string(uri))

    def __getitem__(self, uri: str) -> Benchmark:
        return self.benchmark(uri)

    def random_benchmark(self, random_state: Any | None = None) -> Benchmark:
        """Draw a program with a `numpy.random.Generator`.

        Raises: ValueError when there are none.
        """
        uris = list(self.benchmark_uris())
        return self.benchmark(_get_generator(random_state).choice(uris))

    def __eq__(self, other: object) -> bool:
        return self.name == (other.name if isinstance(other, Dataset) else other)

    def __lt__(self, other: Any) -> bool:
        return self.name < (other.name if isinstance(other, Dataset) else other)

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return self.name


def _get_generator(random_state: Any | None) -> Any:
    if random_state is not None:
        return random_state
    from numpy.random import default_rng

    return default_rng()


class FilesDataset(Dataset):
    """The files below a folder, one program each, named by the path without the suffix."""

    def __init__(
        self,
        dataset_root: str | Path,
        benchmark_file_suffix: str = "",
        memoize_uris: bool = True,
        **dataset_args: Any,
    ):
        """Describe the folder; it is walked when a program is first asked for.

        Args:
            dataset_root: the folder.
            benchmark_file_suffix: only files whose names end with this suffix are programs.
            memoize_uris: whether to walk the folder only once.
            dataset_args: arguments of `Dataset`, by name: `name`, `description`, `license`, ...
        """
        super().__init__(**dataset_args)
        self.dataset_root = Path(dataset_root)
        self.benchmark_file_suffix = benchmark_file_suffix
        self._memoizes_uris = memoize_uris
        self._uris: list[str] | None = None

    @property
    def size(self) -> int:
        return len(self._get_uris())

    def benchmark_uris(self) -> Iterator[str]:
        return iter(self._get_uris())

    def _get_uris(self) -> list[str]:
        if self._uris is not None:
            return self._uris
        self.install()
        uris = [f"{self.name}/{path}" for path in self._walk()]
        if self._memoizes_uris:
            self._uris = uris
        return uris

    def _walk(self) -> Iterator[str]:
        """Yield the paths below the root without their suffix: in each folder first the files, then the folders, both sorted."""
        for folder, folders, files in os.walk(self.dataset_root):
            folders.sort()
            relative = Path(folder).relative_to(self.dataset_root).as_posix()
            prefix = "" if relative == "." else relative + "/"
            for file in sorted(files):
                if file.endswith(self.benchmark_file_suffix):
                    yield prefix + file[: len(file) - len(self.benchmark_file_suffix)]

    def benchmark_from_parsed_uri(self, uri: BenchmarkUri) -> Benchmark:
        self.install()
        root = self.dataset_root.resolve()
        path = Path(os.path.normpath(f"{root}/{uri.path}{self.benchmark_file_suffix}"))
        if not path.is_relative_to(root) or not path.is_file():
            raise LookupError(f"Benchmark not found: {uri} (no file {path}).")
        return self.benchmark_class.from_file(uri, path)


class Datasets:
    """Data sets by name. Iteration leaves out those that are deprecated or not available here."""

    def __init__(self, datasets: Iterable[Dataset]):
        self._datasets: dict[str, Dataset] = {dataset.name: dataset for dataset in datasets}

    def datasets(self, with_deprecated: bool = False) -> Iterator[Dataset]:
        """Yield the listed data sets, or with `with_deprecated` all, sorted by `sort_order`, then by name."""
        visible = [d for d in self._datasets.values() if with_deprecated or d.is_listed]
        return iter(sorted(visible, key=lambda dataset: (dataset.sort_order, dataset.name)))

    def __iter__(self) -> Iterator[Dataset]:
        return self.datasets()

    def __len__(self) -> int:
        """Count the data sets that iteration yields."""
        return sum(1 for _ in self.datasets())

    @property
    def size(self) -> int:
        """The same as `len`."""
        return len(self)

    def dataset(self, dataset: str) -> Dataset:
        """Return a data set, listed or not, by its name or by the URI of one of its programs.

        Raises: LookupError when there is none; ValueError for a URI without a data set.
        """
        return self.dataset_from_parsed_uri(BenchmarkUri.from_string(dataset))

    def dataset_from_parsed_uri(self, uri: BenchmarkUri) -> Dataset:
        name = self._get_key(uri)
        if name not in self._datasets:
            raise LookupError(f"Dataset not found: {name}.{suggest(name, self._datasets)}")
        return self._datasets[name]

    @staticmethod
    def _get_key(uri: BenchmarkUri) -> str:
        if not uri.dataset:
            raise ValueError(f"The URI '{uri}' does not name a data set; expected scheme://dataset/path.")
        return uri.dataset_uri

    def __getitem__(self, dataset: str) -> Dataset:
        return self.dataset(dataset)

    def __setitem__(self, key: str, dataset: Dataset) -> None:
        self._datasets[self._get_key(BenchmarkUri.from_string(key))] = dataset

    def __delitem__(self, dataset: str) -> None:
        del self._datasets[self.dataset(dataset).name]

    def __contains__(self, dataset: str) -> bool:
        return self._get_key(BenchmarkUri.from_string(dataset)) in self._datasets

    def benchmark_uris(self, with_deprecated: bool = False) -> Iterator[str]:
        """Yield the URIs of all programs: one of each data set in turn."""
        return round_robin_iterables([dataset.benchmark_uris() for dataset in self.datasets(with_deprecated)])

    def benchmarks(self, with_deprecated: bool = False) -> Iterator[Benchmark]:
        """Yield all programs: one of each data set in turn."""
        return round_robin_iterables([dataset.benchmarks() for dataset in self.datasets(with_deprecated)])

    def benchmark(self, uri: str) -> Benchmark:
        """Return one program: of a data set, or of a file with the program (`file:///path`) or a message (`proto:///path`).

        Raises: LookupError when there is none; FileNotFoundError when there is no such file.
        """
        return self.benchmark_from_parsed_uri(BenchmarkUri.from_string(uri))

    def benchmark_from_parsed_uri(self, uri: BenchmarkUri) -> Benchmark:
        if uri.scheme in ("proto", "file"):
            path = Path(posixpath.normpath(f"{uri.dataset}/{uri.path}"))
            if not path.is_file():
                raise FileNotFoundError(f"No file {path} for the benchmark {uri}.")
            if uri.scheme == "proto":
                return Benchmark(proto.Benchmark.FromString(path.read_bytes()))
            return Benchmark.from_file(uri, path)
        return self.dataset_from_parsed_uri(uri).benchmark_from_parsed_uri(uri)

    def random_benchmark(
        self,
        random_state: Any | None = None,
        weighted: bool = False,
        weights: Mapping[str, float] | None = None,
    ) -> Benchmark:
        """Draw a data set, then one of its programs.

        Args:
            random_state: a `numpy.random.Generator`.
            weighted: whether data sets are drawn by weight instead of uniformly.
            weights: name -> weight; missing names have weight 0. Default: the sizes, so infinite data sets are never drawn.
        Raises: ValueError when there are no data sets, or all weights are 0.
        """
        rng = _get_generator(random_state)
        # Sorted, because the original draws from a set, whose order differs from process to process.
        datasets = sorted(self.datasets())
        if not datasets:
            raise ValueError("There are no data sets to draw a program from.")
        probabilities = None
        if weighted or weights is not None:
            raw = [float(d.size if weights is None else weights.get(d.name, 0)) for d in datasets]
            if sum(raw) <= 0:
                raise ValueError("The weights of all data sets are 0.")
            probabilities = [weight / sum(raw) for weight in raw]
        index = int(rng.choice(len(datasets), p=probabilities))
        return datasets[index].random_benchmark(rng)


def round_robin_iterables(iters: Iterable[Iterable[Any]]) -> Iterator[Any]:
    """Yield one item of each in turn, skipping those that are exhausted."""
    iterators = [iter(iterable) for iterable in iters]
    while iterators:
        remaining = []
        for iterator in iterators:
            items = list(islice(iterator, 1))
            if items:
                yield items[0]
                remaining.append(iterator)
        iterators = remaining


__path__: list[str] = []  # so that the original's modules below this one can be imported


def __getattr__(name: str) -> Any:
    from helm.compiler_gym.original_names import find_name

    return find_name(__name__, name)
