"""CompilerGym's data sets on the web: archives of LLVM 10 bitcode, or of sources, which are translated when they are used."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from helm.compiler_gym import proto
from helm.compiler_gym.benchmarks.benchmark import Benchmark, DatasetInitError
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.benchmarks.tar_datasets import TarDataset, TarDatasetWithManifest
from helm.compiler_gym.errors import BenchmarkInitError

TRUST_VARIABLE = "HELM_TRUST_UNCHECKED_DATA"
"""Environment variable with the names of data sets, or `all`, of which any archive is taken, whatever its SHA-256."""

TRUST_ALL = "all"
SCHEME = "benchmark://"
_PREPROCESSOR_TIMEOUT_S = 60.0
_VOID_MAIN = re.compile(r"\bvoid\s+main\b")
_CONTEST_PROLOGUE = """\
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>
#include <vector>
using namespace std;
"""


@dataclass(frozen=True)
class PublicSet:
    """A row of `public_sets.json`: what CompilerGym 0.2.5 knows of a data set."""

    name: str
    description: str
    size: int
    """Number of programs; 0 if not known."""
    license: str
    urls: tuple[str, ...]
    sha256: str
    compression: str
    strip_prefix: str
    source: str | None = None
    """Kind of the sources, see `_SUFFIXES`. None: the programs are bitcode."""
    manifest_urls: tuple[str, ...] = ()
    manifest_sha256: str | None = None
    is_deprecated: bool = False
    validatable: str = "No"


_SUFFIXES = {None: ".bc", "c": ".c", "chstone": ".c", "opencl": ".cl", "poj104": ".txt"}
"""Kind of sources -> suffix of the files."""

CHSTONE_MAIN_FILES = {
    "adpcm": "adpcm.c",
    "aes": "aes.c",
    "blowfish": "bf.c",
    "dfadd": "dfadd.c",
    "dfdiv": "dfdiv.c",
    "dfmul": "dfmul.c",
    "dfsin": "dfsin.c",
    "gsm": "gsm.c",
    "jpeg": "main.c",
    "mips": "mips.c",
    "motion": "mpeg2.c",
    "sha": "sha_driver.c",
}
"""Folder of a CHStone program -> the file that includes all its others."""


@cache
def get_public_sets() -> dict[str, PublicSet]:
    """Read the table of the data sets: name -> facts."""
    rows = json.loads(resources.files("helm.compiler_gym").joinpath("public_sets.json").read_text(encoding="utf-8"))
    sets = []
    for row in rows:
        arguments: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in row.items()}
        sets.append(PublicSet(**arguments))
    return {known.name: known for known in sets}


class PublicDataset(TarDatasetWithManifest):
    """An archive of CompilerGym.

    Its SHA-256 is checked, unless the user trusts whatever the server or mirror has; then the programs are those in the
    archive, and not those that the manifest of the genuine one lists.
    """

    def __init__(self, known: PublicSet, family: str, site_data_base: Path):
        """Describe the data set.

        Args:
            known: the row of the table.
            family: of the compiler: sources are translated to bitcode for `llvm`, and preprocessed for `gcc`.
            site_data_base: folder below which the data sets are kept.
        """
        self._known, self._family = known, family
        TarDataset.__init__(
            self,
            list(known.urls),
            known.sha256,
            known.compression,
            known.strip_prefix,
            _SUFFIXES[known.source],
            name=SCHEME + known.name,
            description=known.description,
            license=known.license,
            site_data_base=site_data_base,
            deprecated="There is a later version." if known.is_deprecated else None,
            validatable=known.validatable,
        )
        self.manifest_urls, self.manifest_sha256 = list(known.manifest_urls), known.manifest_sha256
        self.manifest_compression = "bz2"

    @property
    def is_listed(self) -> bool:
        # A long download has to be asked for: by a trusting variable, a lock file, or the name of a program.
        return super().is_listed and (self.installed or is_trusted(self.name) or _is_locked(self.tar_urls[0]))

    def install(self) -> None:
        self.tar_sha256 = None if is_trusted(self.name) else self._known.sha256
        super().install()

    def _get_uris(self) -> list[str]:
        if self._known.source == "chstone":
            return [f"{self.name}/{program}" for program in CHSTONE_MAIN_FILES]
        if self.manifest_urls and not is_trusted(self.name) and not _is_locked(self.tar_urls[0]):
            suffix = self.benchmark_file_suffix
            return [uri.removesuffix(suffix) for uri in super()._get_uris()]
        return TarDataset._get_uris(self)

    def benchmark_uris(self) -> Iterator[str]:
        return iter(self._get_uris())

    def benchmark_from_parsed_uri(self, uri: BenchmarkUri) -> Benchmark:
        """Return a program; one that exists as a source is translated.

        Raises: LookupError without such a program; BenchmarkInitError when it cannot be translated; DatasetInitError.
        """
        kind = self._known.source
        if kind is None:
            return self._add_checks(super().benchmark_from_parsed_uri(uri))
        self.install()
        root = self.dataset_root.resolve()
        relative = uri.path.lstrip("/")
        if kind == "chstone":
            relative = f"{relative}/{CHSTONE_MAIN_FILES.get(relative, '')}".removesuffix(".c")
        path = Path(os.path.normpath(f"{root}/{relative}{self.benchmark_file_suffix}"))
        if not path.is_relative_to(root) or not path.is_file():
            raise LookupError(f"Benchmark not found: {uri} (no file {path}).")
        translate = self._translate if self._family == "llvm" else self._preprocess
        program = proto.Benchmark(uri=str(uri), program=proto.File(contents=translate(path, str(uri))))
        return Benchmark(program)

    def _add_checks(self, benchmark: Benchmark) -> Benchmark:
        """Add the checks that the data set's folder has for a program of LLVM; see `checks.command_check`."""
        from helm.compiler_gym.checks.command_check import FILE_NAME, make_command_validation, read_checks

        if self._family != "llvm":
            return benchmark
        name = benchmark.uri.path.strip("/")
        for check in read_checks(self.site_data_path / FILE_NAME).get(name, ()):
            bitcode = benchmark.proto.program.contents
            benchmark.add_validation_callback(make_command_validation(check, self.site_data_path, bitcode))
        return benchmark

    def _translate(self, path: Path, name: str) -> bytes:
        from helm.common.errors import ScenarioError
        from helm.compiler_gym.benchmarks.clang import compile_to_bitcode

        source, language, flags = path.read_bytes(), "c", [f"-I{path.parent}"]
        if self._known.source == "poj104":
            source, language = get_contest_source(source.decode("utf-8", "replace")).encode(), "c++"
        elif self._known.source == "opencl":
            header = resources.files(__package__).joinpath("opencl_as_c.h").read_bytes()
            # Built-in functions that the header lacks are declared by their first use.
            source, flags = header + source, ["-std=gnu89", "-fno-builtin", "-Wno-implicit-function-declaration"]
        try:
            return compile_to_bitcode(source, name, flags, language)
        except ScenarioError as error:
            raise DatasetInitError(f"The programs of {self.name} are sources: {error}") from error

    def _preprocess(self, path: Path, name: str) -> bytes:
        """Return a C source together with everything that it includes."""
        command = [os.environ.get("CC") or "gcc", "-E", "-P", path.name]
        try:
            done = subprocess.run(
                command, cwd=path.parent, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PREPROCESSOR_TIMEOUT_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BenchmarkInitError(f"Cannot preprocess {name} with {command[0]}: {error}") from error
        if done.returncode != 0:
            raise BenchmarkInitError(f"Cannot preprocess {name}: {done.stderr.decode(errors='replace')[-2000:]}")
        return done.stdout


def get_contest_source(answer: str) -> str:
    """Return the answer to a contest's task as a program: with the headers that it needs, and a `main` that returns int."""
    return _CONTEST_PROLOGUE + _VOID_MAIN.sub("int main", answer)


def is_trusted(name: str) -> bool:
    """Return whether the user takes any archive of a data set."""
    words = os.environ.get(TRUST_VARIABLE, "").replace(",", " ").split()
    return TRUST_ALL in words or name.removeprefix(SCHEME) in words


def _is_locked(url: str) -> bool:
    from helm.common.data.data_session import current_session

    lock = current_session().lock
    return lock is not None and lock.file(url) is not None


def make_public_datasets(family: str, base: Path) -> list[Any]:
    """Create the data sets for a family of compilers: all for `llvm`; for `gcc` those of C that gcc can translate."""
    return [
        PublicDataset(known, family, base)
        for known in get_public_sets().values()
        if family == "llvm" or (known.source in ("c", "chstone") and "jotai" not in known.name)
    ]
