"""Infinite data sets: programs generated from a seed by our own generator, and by csmith and llvm-stress if installed."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from helm.compiler_gym import proto
from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.benchmarks.clang import compile_to_bitcode, has_clang
from helm.compiler_gym.checks.program_check import make_differential_validation
from helm.compiler_gym.datasets import Dataset, _get_generator
from helm.compiler_gym.errors import BenchmarkInitError

CSMITH, LLVM_STRESS = "generator://csmith-v0", "generator://llvm-stress-v0"
HELM_STRESS = "generator://helm-stress-v0"
_NUM_SEEDS = 2**32 - 1  # as in CompilerGym: the largest unsigned 32-bit integer is excluded
_TIMEOUT_S = 300.0
_MAX_TRIES = 3
_MAX_ERROR_CHARACTERS = 500


class GeneratorDataset(Dataset):
    """Programs by number: the path of a URI is the seed, from 0 to 2^32 - 2."""

    program = ""
    """Name of the generator's command; empty if none is needed."""

    def __init__(self, name: str, description: str, license: str, **kwargs: Any):
        super().__init__(name, description, license, **kwargs)

    @property
    def installed(self) -> bool:
        return not self.program or shutil.which(self.program) is not None

    @property
    def is_listed(self) -> bool:
        return super().is_listed and self.installed

    def benchmark_uris(self) -> Iterator[str]:
        return (f"{self.name}/{seed}" for seed in count())

    def benchmark_from_parsed_uri(self, uri: BenchmarkUri) -> Benchmark:
        """Generate the program of a URI.

        Raises: LookupError when the path is not a seed; BenchmarkInitError or OSError when the generator fails.
        """
        text = uri.path.lstrip("/")
        if not (text.isascii() and text.isdigit() and int(text) < _NUM_SEEDS):
            raise LookupError(f"The path of '{uri}' must be a seed, a whole number from 0 to {_NUM_SEEDS - 1}.")
        return self.make(int(text))

    def benchmark_from_seed(self, seed: int) -> Benchmark:
        """Generate the program of a seed; see `make`."""
        return self.benchmark(f"{self.name}/{seed}")

    def random_benchmark(self, random_state: Any | None = None) -> Benchmark:
        return self.make(int(_get_generator(random_state).integers(_NUM_SEEDS)))

    def make(self, seed: int) -> Benchmark:
        """Generate the program of a seed."""
        raise NotImplementedError(f"{type(self).__name__} does not implement make.")

    def _run(self, words: list[str], folder: str) -> bytes:
        """Run a command; returns its standard output.

        Raises: OSError when it cannot be run or fails.
        """
        found = shutil.which(words[0])
        if found is None:
            raise OSError(f"The data set {self.name} needs the program {words[0]}, which is not on this machine.")
        done = subprocess.run(
            [found, *words[1:]], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=_TIMEOUT_S
        )
        if done.returncode != 0:
            complaint = done.stderr.decode("utf-8", "replace").strip()[-_MAX_ERROR_CHARACTERS:]
            raise OSError(f"{' '.join(words)} failed with status {done.returncode}: {complaint}")
        return done.stdout


class CsmithDataset(GeneratorDataset):
    """C programs by csmith; as bitcode for LLVM, as C without includes for GCC."""

    program = "csmith"
    includes: list[str] | None = None
    """Options that name the folder of its headers. None: looked for next to the program."""

    def __init__(self, family: str = "llvm", **kwargs: Any):
        """Offer programs for one family of compilers.

        Args:
            family: `llvm` or `gcc`.
        """
        super().__init__(CSMITH, "Random conformant C programs of csmith", "BSD", **kwargs)
        self._family = family

    @property
    def is_listed(self) -> bool:
        return super().is_listed and (self._family != "llvm" or has_clang())

    def make(self, seed: int) -> Benchmark:
        """Generate the program of a seed.

        Raises: BenchmarkInitError when it cannot be translated; OSError when csmith fails.
        """
        with tempfile.TemporaryDirectory(prefix="helm-csmith-") as folder:
            source = self._generate(seed, folder)
            uri, includes = f"{CSMITH}/{seed}", _find_includes() if self.includes is None else self.includes
            if self._family == "llvm":
                program = proto.Benchmark(
                    uri=uri,
                    program=proto.File(contents=compile_to_bitcode(source, uri, includes)),
                    dynamic_config=proto.BenchmarkDynamicConfig(
                        build_cmd=proto.Command(argument=["$CC", "$IN"], outfile=["a.out"], timeout_seconds=60),
                        run_cmd=proto.Command(argument=["./a.out"], timeout_seconds=300, infile=["a.out"]),
                    ),
                )
            else:
                (Path(folder) / "source.c").write_bytes(source)
                text = self._run(["gcc", "-E", "-P", *includes, "source.c"], folder)
                program = proto.Benchmark(uri=uri, program=proto.File(contents=text))
        return Benchmark(program, sources=[("source.c", source)])

    def _generate(self, seed: int, folder: str) -> bytes:
        for attempt in range(_MAX_TRIES):
            try:
                return self._run([self.program, "--seed", str(seed)], folder)
            except (OSError, subprocess.TimeoutExpired) as error:
                if attempt == _MAX_TRIES - 1 or not self.installed:
                    raise OSError(f"csmith generated no program from seed {seed}: {error}") from error
        raise AssertionError("unreachable: the last attempt returns or raises")


def _find_includes() -> list[str]:
    """Find the folder of csmith.h, which most installations put next to the program."""
    found = shutil.which("csmith")
    for base in [Path(found).resolve().parents[1]] if found else []:
        for folder in sorted([*base.glob("include/csmith*"), *base.glob("include")]):
            if (folder / "csmith.h").is_file():
                return [f"-I{folder}"]
    return []


class LlvmStressDataset(GeneratorDataset):
    """Random IR by llvm-stress. It compiles, but is not meant to be run."""

    program = "llvm-stress"

    def __init__(self, site_data_base: Path | None = None, sort_order: int = 0, **kwargs: Any):
        """Describe the data set; `site_data_base` is not used, because nothing is kept."""
        arguments = {"site_data_base": site_data_base, "sort_order": sort_order, **kwargs}
        license = "Apache-2.0 WITH LLVM-exception"
        super().__init__(LLVM_STRESS, "Random LLVM IR of llvm-stress", license, **arguments)

    def make(self, seed: int) -> Benchmark:
        uri = f"{LLVM_STRESS}/{seed}"
        with tempfile.TemporaryDirectory(prefix="helm-stress-") as folder:
            try:
                self._run(["llvm-stress", f"--seed={seed}", "-o", "program.ll"], folder)
                if shutil.which("llvm-as"):  # LLVM can read the bitcode of an older version, but often not its text
                    self._run(["llvm-as", "program.ll", "-o", "program.bc"], folder)
                    return Benchmark.from_file(uri, Path(folder) / "program.bc")
                return Benchmark.from_file(uri, Path(folder) / "program.ll")
            except (OSError, subprocess.TimeoutExpired) as error:
                raise BenchmarkInitError(f"llvm-stress generated no program from seed {seed}: {error}") from error


class HelmStressDataset(GeneratorDataset):
    """Random IR of `random_programs`. It needs no other software, and can be run and checked."""

    def __init__(self, **kwargs: Any):
        super().__init__(HELM_STRESS, "Random LLVM IR that can be run", "Apache-2.0", validatable="Yes", **kwargs)

    def make(self, seed: int) -> Benchmark:
        from helm.compiler_gym.benchmarks.random_programs import make_random_program

        text = make_random_program(seed).encode()
        message = proto.Benchmark(uri=f"{HELM_STRESS}/{seed}", program=proto.File(contents=text))
        return Benchmark(message, [make_differential_validation(text)], [("program.ll", text)])
