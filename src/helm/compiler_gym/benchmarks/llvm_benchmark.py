"""Programs for LLVM from files: modules as they are, sources translated, several linked into one."""

import secrets
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from helm.common.errors import ScenarioError
from helm.compiler_gym.benchmarks.benchmark import FILE_DATASET, USER_DATASET, Benchmark
from helm.compiler_gym.benchmarks.clang import compile_to_bitcode
from helm.compiler_gym.benchmarks.invocations import ClangInvocation
from helm.compiler_gym.benchmarks.linking import link_bitcode
from helm.compiler_gym.errors import BenchmarkInitError

_LANGUAGES = {".c": "c", ".cc": "c++", ".cpp": "c++", ".cxx": "c++"}
SOURCE_SUFFIXES = tuple(_LANGUAGES)
SUFFIXES = (".bc", ".ll", *SOURCE_SUFFIXES)
"""Suffixes of the files that `make_benchmark` accepts."""


def make_benchmark(
    inputs: str | Path | ClangInvocation | Iterable[str | Path | ClangInvocation],
    copt: Sequence[str] | None = None,
    system_includes: bool = True,
    timeout: float = 600.0,
) -> Benchmark:
    """Make a program from a file, or from several files that are linked.

    Its URI is `benchmark://file-v0/PATH` for one file of bitcode, `benchmark://user-v0/PATH` for one other file, so that
    its states can be replayed, and `benchmark://user-v0/TIME-DIGITS` for several.

    Args:
        inputs: `.bc` (bitcode), `.ll` (IR), `.c`, `.cc`, `.cpp` or `.cxx` (translated by `helm.compiler_gym.benchmarks.clang`,
            without optimising), or a call of clang that makes the bitcode.
        copt: further options of clang, for sources.
        system_includes: whether sources can include the headers of the system.
        timeout: limit for the translation of one source, in seconds.
    Raises: FileNotFoundError; ValueError for a file of another kind, or none; TypeError for something that is not a path;
        BenchmarkInitError when a file cannot be translated, read or linked.
    """
    files = [inputs] if isinstance(inputs, (str, Path, ClangInvocation)) else inputs
    if not isinstance(files, Iterable):
        raise TypeError(f"make_benchmark takes one or more paths, not {type(inputs).__name__}.")
    parts = list(files)
    calls = [part for part in parts if isinstance(part, ClangInvocation)]
    paths = [_check_path(part) for part in parts if not isinstance(part, ClangInvocation)]
    if not parts:
        raise ValueError("make_benchmark needs at least one file; the list is empty.")
    flags = [*(() if system_includes else ("-nostdinc",)), *(copt or ())]
    modules = [(path, _read_bitcode(path, flags, timeout)) for path in paths]
    modules += [(Path(call.args[-1] if call.args else "clang"), call.run()) for call in calls]
    contents = modules[0][1] if len(modules) == 1 else link_bitcode(modules)
    if paths and len(modules) == 1:
        uri = f"{FILE_DATASET if paths[0].suffix == '.bc' else USER_DATASET}{paths[0]}"
    else:
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
        uri = f"{USER_DATASET}/{stamp}-{secrets.token_hex(2)}"
    benchmark = Benchmark.from_file_contents(uri, contents)
    for path in paths:
        if path.suffix in _LANGUAGES:
            benchmark.add_source(path.name, path.read_bytes())
    return benchmark


def _check_path(path: Any) -> Path:
    if not isinstance(path, (str, Path)):
        raise TypeError(f"make_benchmark takes paths of files, not {type(path).__name__}.")
    full = Path(path).expanduser().absolute()
    if not full.is_file():
        raise FileNotFoundError(f"There is no file {full} to make a benchmark from.")
    if full.suffix not in SUFFIXES:
        raise ValueError(f"{full} is not a program for LLVM, which takes files that end in {', '.join(SUFFIXES)}.")
    return full


def _read_bitcode(path: Path, flags: Sequence[str], timeout_s: float) -> bytes:
    if path.suffix == ".bc":
        return path.read_bytes()
    if path.suffix == ".ll":
        return _assemble(path)
    include = f"-iquote{path.parent}"
    try:
        return compile_to_bitcode(
            path.read_bytes(), path.name, [include, *flags], language=_LANGUAGES[path.suffix], timeout_s=timeout_s
        )
    except ScenarioError as error:
        raise BenchmarkInitError(str(error)) from error


def _assemble(path: Path) -> bytes:
    import llvmlite.binding as llvm

    try:
        return llvm.parse_assembly(path.read_text(), llvm.create_context()).as_bitcode()
    except (RuntimeError, UnicodeDecodeError) as error:
        raise BenchmarkInitError(f"{path} is not LLVM IR: {error}") from error
