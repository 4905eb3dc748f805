"""CompilerGym's data sets as classes of their own, for programs that make them, and the lists of both compilers."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from helm.common.errors import ConfigError
from helm.compiler_gym.benchmarks.benchmark import Benchmark, ValidationCallback
from helm.compiler_gym.benchmarks.generators import CsmithDataset, LlvmStressDataset
from helm.compiler_gym.benchmarks.public_datasets import PublicDataset, get_contest_source, get_public_sets
from helm.compiler_gym.checks.command_check import FILE_NAME, read_checks
from helm.compiler_gym.data_sets import get_site_data_path
from helm.compiler_gym.datasets import Dataset


class _NamedDataset(PublicDataset):
    """One of the public data sets, which the class names."""

    set_name = ""
    """Its row in the table of the public data sets."""
    family = "llvm"

    def __init__(self, site_data_base: Path, sort_order: int = 0):
        super().__init__(get_public_sets()[self.set_name], self.family, Path(site_data_base))
        self.sort_order = sort_order

    def compile_all(self) -> int:
        """Install the data set and translate every program once; returns the number of those that could be translated."""
        from helm.compiler_gym.errors import BenchmarkInitError

        num_translated = 0
        for uri in self.benchmark_uris():
            try:
                self.benchmark(uri)
            except BenchmarkInitError:
                continue
            num_translated += 1
        return num_translated


class AnghaBenchDataset(_NamedDataset):
    """Single functions of C, mined from public sources."""

    set_name = "anghabench-v1"

    def __init__(
        self,
        site_data_base: Path,
        sort_order: int = 0,
        manifest_url: str | None = None,
        manifest_sha256: str | None = None,
        deprecated: str | None = None,
        name: str | None = None,
    ):
        """Describe the data set.

        Args:
            site_data_base: folder below which the data sets are kept.
            sort_order: see `Dataset`.
            manifest_url: URL of another list of the programs.
            manifest_sha256: its SHA-256.
            deprecated: see `Dataset`.
            name: URI of another version, such as `benchmark://anghabench-v0`.
        """
        if name is not None:
            self.set_name = name.rpartition("/")[2]
            if self.set_name not in get_public_sets():
                raise ConfigError(f"There is no data set '{name}' of AnghaBench.")
        super().__init__(site_data_base, sort_order)
        if manifest_url is not None:
            self.manifest_urls, self.manifest_sha256 = [manifest_url], manifest_sha256
        self.deprecated = deprecated or self.deprecated


class BlasDataset(_NamedDataset):
    """Linear algebra."""

    set_name = "blas-v0"


class CBenchDataset(_NamedDataset):
    """Whole programs with inputs."""

    set_name = "cbench-v1"


class _Validators(Mapping[str, list[ValidationCallback]]):
    """URI of a program of cBench -> its checks, of those programs that the `checks.json` of the data set's folder names."""

    def _open(self) -> PublicDataset:
        return PublicDataset(get_public_sets()[CBenchDataset.set_name], "llvm", get_site_data_path())

    def _read(self) -> dict[str, Any]:
        data_set = self._open()
        return {
            f"{data_set.name}/{name}": checks
            for name, checks in read_checks(data_set.site_data_path / FILE_NAME).items()
        }

    def __getitem__(self, uri: str) -> list[ValidationCallback]:
        if uri not in self._read():
            raise KeyError(uri)
        return self._open().benchmark(uri).validation_callbacks

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())


VALIDATORS = _Validators()
"""The checks of cBench's programs, under CompilerGym's name."""


class CHStoneDataset(_NamedDataset):
    """Programs for high-level synthesis."""

    set_name = "chstone-v0"


class CLgenDataset(_NamedDataset):
    """Generated OpenCL kernels."""

    set_name = "clgen-v0"


class GitHubDataset(_NamedDataset):
    """Modules of public C and C++ projects."""

    set_name = "github-v0"


class JotaiBenchDataset(_NamedDataset):
    """Whole programs around mined functions."""

    set_name = "jotaibench-v0"


class LinuxDataset(_NamedDataset):
    """Modules of the kernel."""

    set_name = "linux-v0"


class MibenchDataset(_NamedDataset):
    """Programs of embedded systems."""

    set_name = "mibench-v1"


class NPBDataset(_NamedDataset):
    """Parallel programs of fluid dynamics."""

    set_name = "npb-v0"


class OpenCVDataset(_NamedDataset):
    """Modules of the library OpenCV."""

    set_name = "opencv-v0"


class POJ104Dataset(_NamedDataset):
    """Answers to tasks of a programming contest."""

    set_name = "poj104-v1"

    @staticmethod
    def preprocess_poj104_source(src: str) -> str:
        """Return an answer as a program: with the headers that it needs, and a `main` that returns int."""
        return get_contest_source(src)


class TensorFlowDataset(_NamedDataset):
    """Modules of the library TensorFlow."""

    set_name = "tensorflow-v0"


_LLVM_CLASSES = (
    AnghaBenchDataset, BlasDataset, CBenchDataset, CHStoneDataset, CLgenDataset, GitHubDataset, JotaiBenchDataset,
    LinuxDataset, MibenchDataset, NPBDataset, OpenCVDataset, POJ104Dataset, TensorFlowDataset,
)  # fmt: skip


class CsmithBenchmark(Benchmark):
    """A program of csmith with its source."""

    @property
    def source(self) -> str:
        """The C source."""
        return "\n".join(source.contents.decode("utf-8", "replace") for source in self.sources)


class _NamedCsmithDataset(CsmithDataset):
    """csmith at a path."""

    def __init__(
        self, family: str, site_data_base: Path, sort_order: int, csmith_bin: Path | None, csmith_includes: Path | None
    ):
        super().__init__(family, site_data_base=site_data_base, sort_order=sort_order)
        if csmith_bin is not None:
            self.program = str(csmith_bin)
        self.includes = None if csmith_includes is None else [f"-I{csmith_includes}"]

    def make(self, seed: int) -> CsmithBenchmark:
        made = super().make(seed)
        return CsmithBenchmark(made.proto, made.validation_callbacks, made.sources)


class LlvmCsmithDataset(_NamedCsmithDataset):
    """C programs by csmith, as bitcode."""

    def __init__(
        self,
        site_data_base: Path | None = None,
        sort_order: int = 0,
        csmith_bin: Path | None = None,
        csmith_includes: Path | None = None,
    ):
        """Describe the data set.

        Args:
            site_data_base: not used, because nothing is kept.
            sort_order: see `Dataset`.
            csmith_bin: path of csmith. Default: the one on the path of commands.
            csmith_includes: folder of its headers. Default: the one next to the program.
        """
        super().__init__("llvm", Path(site_data_base or "."), sort_order, csmith_bin, csmith_includes)


class _GccDataset:
    """What data sets of GCC add: the compiler that they were made for."""

    gcc_bin: str

    @property
    def gcc(self) -> Any:
        """The compiler as a `Gcc`."""
        from helm.compiler_gym.backends.gcc_spec import Gcc

        return Gcc(self.gcc_bin)


class GccCsmithDataset(_GccDataset, _NamedCsmithDataset):
    """C programs by csmith, without includes."""

    def __init__(
        self,
        gcc_bin: str | Path,
        site_data_base: Path | None = None,
        sort_order: int = 0,
        csmith_bin: Path | None = None,
        csmith_includes: Path | None = None,
    ):
        """Describe the data set; see `LlvmCsmithDataset`.

        Args:
            gcc_bin: the compiler.
            site_data_base: not used.
            sort_order: see `Dataset`.
            csmith_bin: path of csmith.
            csmith_includes: folder of its headers.
        """
        self.gcc_bin = str(gcc_bin)
        super().__init__("gcc", Path(site_data_base or "."), sort_order, csmith_bin, csmith_includes)


class GccCHStoneDataset(_GccDataset, CHStoneDataset):
    """CHStone as preprocessed C."""

    family = "gcc"

    def __init__(self, gcc_bin: str | Path, site_data_base: Path, sort_order: int = 0):
        self.gcc_bin = str(gcc_bin)
        super().__init__(site_data_base, sort_order)


class GccAnghaBenchDataset(AnghaBenchDataset):
    """AnghaBench as preprocessed C."""

    family = "gcc"


def get_llvm_datasets(site_data_base: Path | None = None) -> Iterable[Dataset]:
    """Return the data sets of LLVM.

    Args:
        site_data_base: folder below which they are kept. Default: see `get_site_data_path`.
    """
    base = _get_base(site_data_base)
    return [*(make(base) for make in _LLVM_CLASSES), LlvmCsmithDataset(base), LlvmStressDataset(base)]


def get_gcc_datasets(gcc_bin: str | Path, site_data_base: Path | None = None) -> list[Dataset]:
    """Return the data sets of GCC; see `get_llvm_datasets`."""
    base = _get_base(site_data_base)
    return [GccCHStoneDataset(gcc_bin, base), GccAnghaBenchDataset(base), GccCsmithDataset(gcc_bin, base)]


def _get_base(base: Path | None) -> Path:
    from helm.compiler_gym.data_sets import get_site_data_path

    return get_site_data_path() if base is None else Path(base)
