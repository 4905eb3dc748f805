"""The data sets that `helm-run` knows by name: those of CompilerGym on the web, and the generators."""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from helm.common.errors import HelmError, ScenarioError, suggest
from helm.compiler_gym.benchmarks.benchmark import DatasetInitError
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.benchmarks.generators import (
    CSMITH,
    HELM_STRESS,
    LLVM_STRESS,
    CsmithDataset,
    HelmStressDataset,
    LlvmStressDataset,
)
from helm.compiler_gym.benchmarks.tar_datasets import TarDataset
from helm.compiler_gym.datasets import Dataset, Datasets

SITE_DATA_VARIABLE = "COMPILER_GYM_SITE_DATA"
"""Environment variable with the folder of the data sets, as in CompilerGym."""

_SERVER = "https://dl.fbaipublicfiles.com/compiler_gym"
"""Server of CompilerGym's archives. `HELM_DATA_MIRROR` names another place with the same paths."""


TRUST_VARIABLE = "HELM_TRUST_UNCHECKED_DATA"
"""Environment variable with the names of data sets, or `all`, that may be downloaded although their SHA-256 is not known."""
TRUST_ALL = "all"
_BENCHMARK_SCHEME = "benchmark://"


@dataclass(frozen=True)
class PublicSet:
    """A data set of CompilerGym: LLVM 10 bitcode in an archive."""

    description: str
    size: int
    """Number of programs."""


PUBLIC_SETS: dict[str, PublicSet] = {
    "anghabench-v1": PublicSet("Compilable functions mined from GitHub", 1_041_333),
    "blas-v0": PublicSet("Basic linear algebra kernels", 300),
    "cbench-v1": PublicSet("Runnable C benchmarks", 23),
    "chstone-v0": PublicSet("Benchmarks for C-based high-level synthesis", 12),
    "clgen-v0": PublicSet("Synthetically generated OpenCL kernels", 996),
    "github-v0": PublicSet("Compile-only C/C++ objects from GitHub", 49_738),
    "jotaibench-v0": PublicSet("Compile-only C functions with inputs", 18_761),
    "linux-v0": PublicSet("Compile-only object files of the Linux kernel", 13_894),
    "mibench-v1": PublicSet("C benchmarks of embedded systems", 40),
    "npb-v0": PublicSet("NASA parallel benchmarks", 122),
    "opencv-v0": PublicSet("Compile-only object files of OpenCV", 442),
    "poj104-v1": PublicSet("Solutions to programming contests", 49_816),
    "tensorflow-v0": PublicSet("Compile-only object files of TensorFlow", 1_985),
}
"""Name -> facts about the data set, as CompilerGym 0.2.5 lists them."""

_GENERATORS = {"csmith-v0": CSMITH, "helm-stress-v0": HELM_STRESS, "llvm-stress-v0": LLVM_STRESS}
"""Short name -> full name of the infinite data sets."""


def get_site_data_path() -> Path:
    """The folder for data sets: `$COMPILER_GYM_SITE_DATA`, else one below the user's data folder."""
    named = os.environ.get(SITE_DATA_VARIABLE)
    return Path(named) if named else Path("~/.local/share/helm/compiler_gym").expanduser()


def get_data_sets(family: str) -> Datasets:
    """Return the data sets for a family of compilers: all of them for `llvm`, those of C sources for `gcc`."""
    return _make_data_sets(family, get_site_data_path())


class PublicDataset(TarDataset):
    """An archive of CompilerGym. As its SHA-256 is not known, it is downloaded only if the user trusts it."""

    @property
    def is_listed(self) -> bool:
        return super().is_listed and (self.installed or self._may_be_fetched())

    def _may_be_fetched(self) -> bool:
        return self.tar_sha256 is not None or _is_locked(self.tar_urls[0]) or _is_trusted(self.name)

    def install(self) -> None:
        """Download and unpack the archive.

        Raises: DatasetInitError, also for an archive that cannot be checked and is not trusted.
        """
        if not self.installed and not self._may_be_fetched():
            short = self.name.removeprefix(_BENCHMARK_SCHEME)
            raise DatasetInitError(
                f"The archive of {self.name} was not fetched: its SHA-256 is not known, so what {self.tar_urls[0]} gives "
                f"cannot be checked. To trust it, set {TRUST_VARIABLE}={short}; a run with a lock file then records the checksum."
            )
        super().install()


def _is_trusted(name: str) -> bool:
    words = os.environ.get(TRUST_VARIABLE, "").replace(",", " ").split()
    return TRUST_ALL in words or name.removeprefix(_BENCHMARK_SCHEME) in words


def _is_locked(url: str) -> bool:
    from helm.common.data.data_session import current_session

    lock = current_session().lock
    return lock is not None and lock.file(url) is not None


@cache
def _make_data_sets(family: str, base: Path) -> Datasets:
    sets: list[Dataset] = []
    if family in ("llvm", "gcc"):
        sets.append(CsmithDataset(family))
    if family == "llvm":
        sets += [HelmStressDataset(), LlvmStressDataset()]
        for name, known in PUBLIC_SETS.items():
            sets.append(
                PublicDataset(
                    f"{_BENCHMARK_SCHEME}{name}",
                    known.description,
                    "see the data set",
                    site_data_base=base,
                    tar_urls=[f"{_SERVER}/llvm_bitcodes-10.0.0-{name}.tar.bz2"],
                    strip_prefix=name,
                    benchmark_file_suffix=".bc",
                )
            )
    return Datasets(sets)


def find_program(uri: str, family: str) -> Any | None:
    """Return the `proto.Benchmark` of a program in one of the data sets, or None for any other URI.

    Raises: ScenarioError when the data set has no such program or is not available.
    """
    data_sets = get_data_sets(family)
    parsed = BenchmarkUri.from_string(uri)
    if not parsed.dataset or uri not in data_sets:
        return None
    try:
        return data_sets.benchmark(uri).proto
    except LookupError as error:
        raise ScenarioError(str(error)) from error
    except (HelmError, OSError) as error:
        raise ScenarioError(f"The program {uri} cannot be fetched: {error}") from error


def list_uris(name: str, family: str, limit: int | None = None) -> list[str] | None:
    """List the URIs of the programs of a data set; None when there is no data set of this name.

    Args:
        name: such as `cbench-v1` or `generator://csmith-v0`.
        limit: the largest number of URIs, from the first on; generators need it.
    Raises: ScenarioError for a generator without limit, or when the data set is not available.
    """
    from itertools import islice

    data_sets = get_data_sets(family)
    full = name if "://" in name else f"benchmark://{name}"
    full = _GENERATORS.get(name, full).rstrip("/")
    if not BenchmarkUri.from_string(full).dataset or full not in data_sets:
        return None
    data_set = data_sets[full]
    if full in _GENERATORS.values() and limit is None:
        raise ScenarioError(f"{full} is infinite; say how many programs to take with max_programs=N.")
    try:
        return list(islice(data_set.benchmark_uris(), limit))
    except (HelmError, OSError) as error:
        raise ScenarioError(f"The data set {full} cannot be fetched: {error}") from error


def suggest_data_set(name: str) -> str:
    """Return `Did you mean ...?` for an unknown name."""
    return suggest(name, [*PUBLIC_SETS, *_GENERATORS])
