"""Programs for LLVM taken apart into their functions, put together, or made of a source at hand."""

import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from helm.common.errors import ScenarioError
from helm.compiler_gym.benchmarks.benchmark import USER_DATASET, Benchmark
from helm.compiler_gym.benchmarks.clang import compile_to_bitcode
from helm.compiler_gym.benchmarks.linking import link_bitcode
from helm.compiler_gym.errors import BenchmarkInitError

_LANGUAGES = ("c", "c++")


def make_benchmark_from_source(
    source: str,
    copt: Sequence[str] | None = None,
    lang: str = "c++",
    system_includes: bool = True,
    timeout: float = 600,
) -> Benchmark:
    """Make a program of the text of a source, with a URI of its own.

    Args:
        source: the text.
        copt: further options of clang.
        lang: `c` or `c++`.
        system_includes: whether it can include the headers of the system.
        timeout: limit for the translation, in seconds.
    Raises: ValueError for another language; BenchmarkInitError when it cannot be translated.
    """
    if lang not in _LANGUAGES:
        raise ValueError(f"lang is '{lang}', but it takes: {', '.join(_LANGUAGES)}.")
    flags = [*(() if system_includes else ("-nostdinc",)), *(copt or ())]
    name = "source.c" if lang == "c" else "source.cc"
    try:
        bitcode = compile_to_bitcode(source.encode(), name, flags, lang, timeout)
    except ScenarioError as error:
        raise BenchmarkInitError(str(error)) from error
    made = Benchmark.from_file_contents(_make_uri("source"), bitcode)
    made.add_source(name, source.encode())
    return made


def merge_benchmarks(benchmarks: Iterable[Benchmark], timeout: float = 300) -> Benchmark:
    """Link programs into one, with a URI of its own and the sources of all.

    Args:
        benchmarks: the programs, as bitcode.
        timeout: not used: linking takes no time that matters.
    Raises: ValueError without a program; BenchmarkInitError when they cannot be linked.
    """
    benchmarks = list(benchmarks)
    if not benchmarks:
        raise ValueError("There are no benchmarks to merge.")
    bitcode = link_bitcode([(Path(str(one.uri)), one.proto.program.contents) for one in benchmarks])
    merged = Benchmark.from_file_contents(_make_uri("merged"), bitcode)
    for benchmark in benchmarks:
        for source in benchmark.sources:
            merged.add_source(source.filename, source.contents)
    return merged


def split_benchmark_by_function(
    benchmark: Benchmark, maximum_function_count: int | None = None, timeout: float = 300
) -> list[Benchmark]:
    """Make a program of each function of a program, which only declares the others, and one of the global variables.

    Args:
        benchmark: the program, as bitcode.
        maximum_function_count: take no more functions than this, the first ones.
        timeout: limit for each function, in seconds.
    Returns: the programs; that of the global variables is the last.
    Raises: BenchmarkInitError without `llvm-extract`, or when the program cannot be read.
    """
    from helm.compiler_gym.backends.llvm_module import parse_bitcode
    from helm.compiler_gym.backends.llvm_opt import get_wanted_version
    from helm.compiler_gym.backends.llvm_tools import find_llvm_tool

    version = get_wanted_version()
    program = find_llvm_tool("llvm-extract", version)
    if program is None:
        raise BenchmarkInitError(
            f"Splitting a program needs llvm-extract of LLVM {version} (Debian: apt-get install llvm-{version})."
        )
    contents = benchmark.proto.program.contents
    try:
        functions = [function.name for function in parse_bitcode(contents).functions if not function.is_declaration]
    except RuntimeError as error:
        raise BenchmarkInitError(f"{benchmark.uri} is no bitcode: {error}") from error
    chosen = functions[:maximum_function_count]
    with tempfile.TemporaryDirectory(prefix="helm-split-") as folder:
        path = Path(folder) / "program.bc"
        path.write_bytes(contents)

        def extract(options: list[str], name: str) -> Benchmark:
            words = [program, *options, path.name, "-o", "part.bc"]
            try:
                done = subprocess.run(
                    words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                raise BenchmarkInitError(f"Cannot take {name} out of {benchmark.uri}: {error}") from error
            if done.returncode != 0:
                raise BenchmarkInitError(f"Cannot take {name} out of {benchmark.uri}: {done.stderr.strip()}")
            return Benchmark.from_file(f"{benchmark.uri}/{name}", Path(folder) / "part.bc")

        parts = [extract([f"--func={name}"], name) for name in chosen]
        return [*parts, extract(["--delete", *(f"--func={name}" for name in functions)], "globals")]


def _make_uri(kind: str) -> str:
    import secrets

    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    return f"{USER_DATASET}/{kind}-{stamp}-{secrets.token_hex(2)}"
