"""Benchmark programs: 45 of our own, as C and LLVM IR with their expected output, and any file of the user's."""

import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from helm.common.errors import ScenarioError, suggest
from helm.compiler_gym import proto

PROGRAMS: dict[str, str] = {
    "adpcm": "Sound in four bits a sample (ADPCM), there and back",
    "aes128": "AES with a key of 128 bits",
    "bigint": "Long numbers: a factorial, Fibonacci, digits of pi",
    "bitcount": "Seven ways to count the bits of a number",
    "calculator": "Arithmetic by recursive descent and by two stacks",
    "chacha20": "The ChaCha20 stream cipher",
    "crc32": "CRC-32 by table, by bits and by nibbles",
    "dijkstra": "Shortest paths with a binary heap, checked by Bellman and Ford",
    "dynamic": "Dynamic programming: knapsack, edit distance, subsequences, change",
    "encodings": "Base64, UTF-8, LEB128 and run lengths",
    "fft": "Fast Fourier transform of complex doubles",
    "floyd": "Shortest paths between all pairs, transitive closure",
    "graphs": "Strong components after Tarjan and after Kosaraju",
    "hashtable": "A hash table with linear probing",
    "heapsort": "Heap sort, insertion sort and comb sort",
    "huffman": "Huffman coding and decoding",
    "hull": "Convex hulls, area and nearest pair of points",
    "jacobi2d": "Heat in a plate by two stencils of doubles",
    "json": "A checker of JSON texts",
    "life": "Conway's game of life, by cells and by bits",
    "lu": "Linear equations by LU, Cholesky and Gauss-Jordan",
    "lz77": "Compression in the manner of LZ77",
    "lzw": "LZW compression",
    "mandelbrot": "The Mandelbrot set in doubles and in fixed-point integers",
    "matmul": "Matrix product of doubles: plain, transposed and in blocks",
    "md5": "MD5 of messages of several lengths",
    "mergesort": "Merge sort of a list and of an array",
    "nqueens": "Queens on a board by arrays and by bits, a knight's tour",
    "ntt": "Product of polynomials by a number-theoretic transform",
    "polybench": "Kernels of linear algebra in the manner of PolyBench",
    "primes": "Sieves, Miller-Rabin, Pollard's rho",
    "quicksort": "Quicksort of integers, Shell sort of records",
    "radixsort": "Radix sort by bytes and by bits",
    "random": "Four generators of random numbers",
    "regex": "A matcher of patterns by backtracking and by states",
    "sha256": "SHA-256 of a message of several blocks",
    "siphash": "SipHash-2-4",
    "sobel": "Blur, edges and dithering of a picture",
    "spanning": "Spanning trees after Kruskal and Prim, largest flow",
    "stackvm": "An interpreter of a stack machine",
    "stringhash": "Six hashes of words",
    "strsearch": "Search for words: naive, Knuth-Morris-Pratt and Horspool",
    "sudoku": "A sudoku by search",
    "trees": "A treap, an AVL tree and a trie",
    "xtea": "The ciphers XTEA and RC4",
}
"""Name -> description. Each program checks its own results, prints some of them, and exits with status 0."""

DATASET = "benchmark://helm-v0/"
"""Our programs as LLVM IR."""
C_DATASET = "benchmark://helm-c-v0/"
"""Our programs as C."""
_SUFFIX_BY_DATASET = {DATASET: ".ll", C_DATASET: ".c"}
_FILE_SCHEME = "file://"


@cache
def _get_expected_outputs() -> dict[str, str]:
    return json.loads(resources.files(__name__).joinpath("expected_output.json").read_text(encoding="utf-8"))


def get_expected_output(program: str) -> str:
    """Return what one of `PROGRAMS` prints, however it is compiled.

    Raises: ScenarioError naming the nearest program.
    """
    _check_program(program)
    return _get_expected_outputs()[program]


def _check_program(name: str) -> None:
    if name not in PROGRAMS:
        raise ScenarioError(
            f"Unknown program '{name}'. Programs: {', '.join(PROGRAMS)}; or the path of a .ll, .bc or .c file."
            + suggest(name, PROGRAMS)
        )


def get_program_uri(program: str, dataset: str = DATASET) -> str:
    """Return the URI of a program.

    Args:
        program: a name of `PROGRAMS`, a path of a `.ll`, `.bc` or `.c` file, or a URI, which is returned unchanged.
        dataset: the meaning of names: `DATASET` for the IR, `C_DATASET` for the C sources.

    Raises: ScenarioError naming the nearest program.
    """
    if "://" in program:
        return program
    if program.endswith((".ll", ".bc", ".c")):
        return Path(program).absolute().as_uri()
    _check_program(program)
    return dataset + program


def load_benchmark(uri: str, family: str = "") -> Any:
    """Return the `proto.Benchmark` of a URI.

    It contains the program when the URI is one of our own programs, a file, or in a data set of
    `helm.compiler_gym.data_sets`. Any other URI has to be known to the compiler.

    Args:
        family: with `llvm`, C sources are translated to bitcode (see `helm.compiler_gym.benchmarks.clang`); otherwise they
            stay as they are.
    Raises: ScenarioError when a data set has no such program, or the file cannot be read or translated.
    """
    dataset = next((prefix for prefix in _SUFFIX_BY_DATASET if uri.startswith(prefix)), None)
    if dataset is not None:
        name = uri[len(dataset) :]
        _check_program(name)
        contents = resources.files(__name__).joinpath(name + _SUFFIX_BY_DATASET[dataset]).read_bytes()
    elif uri.startswith(_FILE_SCHEME):
        from urllib.parse import unquote, urlparse

        path = Path(unquote(urlparse(uri).path))
        try:
            contents = path.read_bytes()
        except OSError as error:
            raise ScenarioError(f"Cannot read the program {path}: {error.strerror}.") from error
        if path.suffix == ".c" and family == "llvm":
            from helm.compiler_gym.benchmarks.clang import compile_to_bitcode

            contents = compile_to_bitcode(contents, path.name)
    else:
        from helm.compiler_gym.data_sets import find_program

        return find_program(uri, family) or proto.Benchmark(uri=uri)
    return proto.Benchmark(uri=uri, program=proto.File(contents=contents))
