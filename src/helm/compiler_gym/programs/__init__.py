"""Benchmark programs: eight of our own, shipped as LLVM IR, and any file of the user's."""

from importlib import resources
from pathlib import Path
from typing import Any

from helm.common.errors import ScenarioError, suggest
from helm.compiler_gym import proto

PROGRAMS: dict[str, str] = {
    "bitcount": "Seven ways to count the bits of a number",
    "crc32": "CRC-32 by table, by bits and by nibbles",
    "dijkstra": "Shortest paths with a binary heap, checked by Bellman and Ford",
    "mandelbrot": "The Mandelbrot set in doubles and in fixed-point integers",
    "matmul": "Matrix product of doubles: plain, transposed and in blocks",
    "quicksort": "Quicksort of integers, Shell sort of records",
    "sha256": "SHA-256 of a message of several blocks",
    "strsearch": "Search for words: naive, Knuth-Morris-Pratt and Horspool",
}
"""Name -> what the program does. The C source of each lies beside its IR."""

DATASET = "benchmark://helm-v0/"
_FILE_SCHEME = "file://"


def get_program_uri(program: str) -> str:
    """The URI of a program: a name of `PROGRAMS`, a path of a `.ll` or `.bc` file, or a URI, which stays as it is.

    Raises: ScenarioError naming the nearest program.
    """
    if "://" in program:
        return program
    if program.endswith((".ll", ".bc")):
        return Path(program).absolute().as_uri()
    if program not in PROGRAMS:
        raise ScenarioError(
            f"Unknown program '{program}'. Programs: {', '.join(PROGRAMS)}; or the path of a .ll or .bc file."
            + suggest(program, PROGRAMS)
        )
    return DATASET + program


def load_benchmark(uri: str) -> Any:
    """The `proto.Benchmark` of a URI: with the program for our own and for files, without it for any other URI.

    Raises: ScenarioError when our data set has no such program, or the file cannot be read.
    """
    if uri.startswith(DATASET):
        name = uri[len(DATASET) :]
        get_program_uri(name)
        contents = resources.files(__name__).joinpath(f"{name}.ll").read_bytes()
    elif uri.startswith(_FILE_SCHEME):
        from urllib.parse import unquote, urlparse

        path = Path(unquote(urlparse(uri).path))
        try:
            contents = path.read_bytes()
        except OSError as error:
            raise ScenarioError(f"Cannot read the program {path}: {error.strerror}.") from error
    else:
        return proto.Benchmark(uri=uri)
    return proto.Benchmark(uri=uri, program=proto.File(contents=contents))
