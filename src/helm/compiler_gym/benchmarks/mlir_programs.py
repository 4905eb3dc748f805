"""Programs in MLIR: kernels of linear algebra and stencils, each with a `main` that fills its arrays and prints a checksum."""

import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from helm.compiler_gym import proto
from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.datasets import Dataset, _get_generator

MLIR, MLIR_MATMUL = "benchmark://helm-mlir-v0", "generator://mlir-matmul-v0"
_SIZES = (16, 32, 64, 128, 256)
_MOST = 4096
_SHAPE = re.compile(r"([1-9]\d{0,3})x([1-9]\d{0,3})x([1-9]\d{0,3})")


@dataclass(frozen=True)
class Kernel:
    """A function on arrays of 32-bit floats, which are filled with small whole numbers, so that sums are exact."""

    description: str
    shapes: tuple[tuple[int, ...], ...]
    """Shapes of the arguments %a, %b, ..., the last of which is the result, which begins as zeros."""
    body: str
    """Its operations."""
    maps: str = ""
    """Definitions of affine maps before the module."""


def _make_matmul(m: int, n: int, k: int) -> Kernel:
    a, b, c = f"memref<{m}x{k}xf32>", f"memref<{k}x{n}xf32>", f"memref<{m}x{n}xf32>"
    body = f"  linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c})"
    return Kernel("product of two matrices", ((m, k), (k, n), (m, n)), body)


KERNELS: dict[str, Kernel] = {
    "matmul": _make_matmul(96, 96, 96),
    "batch_matmul": Kernel(
        "products of pairs of matrices",
        ((8, 32, 48), (8, 48, 40), (8, 32, 40)),
        "  linalg.batch_matmul ins(%a, %b : memref<8x32x48xf32>, memref<8x48x40xf32>) outs(%c : memref<8x32x40xf32>)",
    ),
    "conv2d": Kernel(
        "convolution of pictures with several channels",
        ((1, 34, 34, 8), (3, 3, 8, 16), (1, 32, 32, 16)),
        "  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}\n"
        "    ins(%a, %b : memref<1x34x34x8xf32>, memref<3x3x8x16xf32>) outs(%c : memref<1x32x32x16xf32>)",
    ),
    "pointwise": Kernel(
        "two operations on each element, with an array between them",
        ((256, 256), (256, 256), (256, 256)),
        """  %t = memref.alloc() : memref<256x256xf32>
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>) outs(%t : memref<256x256xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %d = arith.subf %x, %y : f32
    linalg.yield %d : f32
  }
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
    ins(%t : memref<256x256xf32>) outs(%c : memref<256x256xf32>) {
  ^bb0(%x: f32, %old: f32):
    %m = arith.maximumf %x, %zero : f32
    linalg.yield %m : f32
  }
  memref.dealloc %t : memref<256x256xf32>""",
        "#same = affine_map<(i, j) -> (i, j)>\n",
    ),
    "row_sums": Kernel(
        "sums of the rows of a matrix",
        ((512, 512), (512,)),
        """  linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
    ins(%a : memref<512x512xf32>) outs(%b : memref<512xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %s = arith.addf %x, %sum : f32
    linalg.yield %s : f32
  }""",
        "#whole = affine_map<(i, j) -> (i, j)>\n#row = affine_map<(i, j) -> (i)>\n",
    ),
    "stencil": Kernel(
        "sums of an element and its four neighbours",
        ((258, 258), (256, 256)),
        """  affine.for %i = 0 to 256 {
    affine.for %j = 0 to 256 {
      %n = affine.load %a[%i, %j + 1] : memref<258x258xf32>
      %w = affine.load %a[%i + 1, %j] : memref<258x258xf32>
      %m = affine.load %a[%i + 1, %j + 1] : memref<258x258xf32>
      %e = affine.load %a[%i + 1, %j + 2] : memref<258x258xf32>
      %s = affine.load %a[%i + 2, %j + 1] : memref<258x258xf32>
      %nw = arith.addf %n, %w : f32
      %es = arith.addf %e, %s : f32
      %ring = arith.addf %nw, %es : f32
      %sum = arith.addf %ring, %m : f32
      affine.store %sum, %b[%i, %j] : memref<256x256xf32>
    }
  }""",
    ),
    "shortest_paths": Kernel(
        "lengths of the shortest paths between all pairs of nodes (Floyd and Warshall)",
        ((64, 64), (64, 64)),
        """  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %d = affine.load %a[%i, %j] : memref<64x64xf32>
      %length = arith.addf %d, %one : f32
      affine.store %length, %b[%i, %j] : memref<64x64xf32>
    }
  }
  affine.for %k = 0 to 64 {
    affine.for %i = 0 to 64 {
      affine.for %j = 0 to 64 {
        %direct = affine.load %b[%i, %j] : memref<64x64xf32>
        %to = affine.load %b[%i, %k] : memref<64x64xf32>
        %from = affine.load %b[%k, %j] : memref<64x64xf32>
        %over = arith.addf %to, %from : f32
        %least = arith.minimumf %direct, %over : f32
        affine.store %least, %b[%i, %j] : memref<64x64xf32>
      }
    }
  }""",
    ),
}
"""Name -> kernel of `benchmark://helm-mlir-v0`."""

_HELPERS = """\
func.func private @printF64(f64)
func.func private @printNewline()

func.func private @fill(%m: memref<?xf32>, %seed: i32) {
  %first = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = memref.dim %m, %first : memref<?xf32>
  %factor = arith.constant 40503 : i32
  %range = arith.constant 13 : i32
  scf.for %i = %first to %last step %one {
    %n = arith.index_cast %i : index to i32
    %shifted = arith.addi %n, %seed : i32
    %mixed = arith.muli %shifted, %factor : i32
    %small = arith.remui %mixed, %range : i32
    %value = arith.uitofp %small : i32 to f32
    memref.store %value, %m[%i] : memref<?xf32>
  }
  return
}

func.func private @checksum(%m: memref<?xf32>) -> f64 {
  %first = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = memref.dim %m, %first : memref<?xf32>
  %period = arith.constant 101 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %first to %last step %one iter_args(%so_far = %zero) -> (f64) {
    %place = arith.remui %i, %period : index
    %n = arith.index_cast %place : index to i32
    %weight = arith.uitofp %n : i32 to f64
    %x = memref.load %m[%i] : memref<?xf32>
    %wide = arith.extf %x : f32 to f64
    %term = arith.mulf %weight, %wide : f64
    %next = arith.addf %so_far, %term : f64
    scf.yield %next : f64
  }
  return %sum : f64
}
"""


def write_program(kernel: Kernel) -> str:
    """Write a kernel and a `main` that calls it, as MLIR's text."""
    names = [f"%{letter}" for letter in "abcdefgh"[: len(kernel.shapes)]]
    types = [f"memref<{'x'.join(map(str, shape))}xf32>" for shape in kernel.shapes]
    parameters = ", ".join(f"{name}: {kind}" for name, kind in zip(names, types, strict=True))
    lines = ["func.func @main() -> i32 {"]
    for number, (name, kind, shape) in enumerate(zip(names, types, kernel.shapes, strict=True)):
        lines += [f"  {name} = memref.alloc() : {kind}", *_flatten(name, kind, shape)]
        if number < len(names) - 1:
            lines.append(f"  %seed{number} = arith.constant {number + 1} : i32")
            lines.append(f"  call @fill({name}_flat, %seed{number}) : (memref<?xf32>, i32) -> ()")
        else:
            lines.append("  %zero = arith.constant 0.0 : f32")
            lines.append(f"  linalg.fill ins(%zero : f32) outs({name} : {kind})")
    lines.append(f"  call @kernel({', '.join(names)}) : ({', '.join(types)}) -> ()")
    lines.append(f"  %sum = call @checksum({names[-1]}_flat) : (memref<?xf32>) -> f64")
    lines += ["  call @printF64(%sum) : (f64) -> ()", "  call @printNewline() : () -> ()"]
    lines += [f"  memref.dealloc {name} : {kind}" for name, kind in zip(names, types, strict=True)]
    lines += ["  %status = arith.constant 0 : i32", "  return %status : i32", "}"]
    main = "\n".join(lines)
    return f"{kernel.maps}func.func @kernel({parameters}) {{\n{kernel.body}\n  return\n}}\n\n{_HELPERS}\n{main}\n"


def _flatten(name: str, kind: str, shape: Sequence[int]) -> list[str]:
    """Write the operations that make the view NAME_flat of an array: of one dimension, and of a size that is not fixed."""
    size = 1
    for length in shape:
        size *= length
    flat = f"memref<{size}xf32>"
    lines = []
    source = name
    if len(shape) > 1:
        dimensions = ", ".join(str(number) for number in range(len(shape)))
        lines.append(f"  {name}_line = memref.collapse_shape {name} [[{dimensions}]] : {kind} into {flat}")
        source = f"{name}_line"
    return [*lines, f"  {name}_flat = memref.cast {source} : {flat} to memref<?xf32>"]


def _make_benchmark(uri: str, kernel: Kernel) -> Benchmark:
    from helm.compiler_gym.checks.program_check import make_comparison

    text = write_program(kernel)
    message = proto.Benchmark(uri=uri, program=proto.File(contents=text.encode()))
    return Benchmark(message, [make_comparison(lambda: _compile(text))], [("program.mlir", text.encode())])


def _compile(text: str) -> bytes:
    from helm.compiler_gym.backends.mlir import compile_program
    from helm.compiler_gym.backends.mlir_tools import get_mlir

    with tempfile.TemporaryDirectory(prefix="helm-mlir-") as folder:
        return compile_program(get_mlir(), text, Path(folder))


class MlirDataset(Dataset):
    """The programs of `KERNELS`."""

    def __init__(self, site_data_base: Path | None = None):
        super().__init__(
            MLIR,
            "Programs of our own in MLIR: linear algebra, stencils, paths",
            "Apache-2.0",
            site_data_base=site_data_base,
            sort_order=-1,
            validatable="Yes",
        )

    @property
    def size(self) -> int:
        return len(KERNELS)

    def benchmark_uris(self) -> Iterator[str]:
        return (f"{self.name}/{name}" for name in KERNELS)

    def benchmark_from_parsed_uri(self, uri: BenchmarkUri) -> Benchmark:
        from helm.common.errors import suggest

        name = uri.path.strip("/")
        if name not in KERNELS:
            raise LookupError(f"Benchmark not found: {uri}. There are: {', '.join(KERNELS)}.{suggest(name, KERNELS)}")
        return _make_benchmark(str(uri), KERNELS[name])


class MatmulBenchmark(Benchmark):
    """The product of an MxK and a KxN matrix of 32-bit floats."""

    @classmethod
    def create(cls, uri: str, m: int, n: int, k: int) -> Benchmark:
        """Make the program.

        Args:
            uri: its name.
            m: rows of the first matrix, 1 to 4096.
            n: columns of the second matrix.
            k: columns of the first matrix.
        Raises: ValueError for a size out of range.
        """
        for letter, size in (("m", m), ("n", n), ("k", k)):
            if not 1 <= size <= _MOST:
                raise ValueError(f"{letter} must be from 1 to {_MOST}, not {size}.")
        return _make_benchmark(uri, _make_matmul(m, n, k))


class MatmulDataset(Dataset):
    """Matrix products of any size: the path of a URI is `MxNxK`."""

    def __init__(self, site_data_base: Path | None = None):
        super().__init__(
            MLIR_MATMUL,
            "Matrix products in MLIR; the path is MxNxK",
            "Apache-2.0",
            site_data_base=site_data_base,
            validatable="Yes",
        )

    def benchmark_uris(self) -> Iterator[str]:
        """List the products of usual sizes; others work as well."""
        return (f"{self.name}/{m}x{n}x{k}" for m, n, k in product(_SIZES, repeat=3))

    def benchmark_from_parsed_uri(self, uri: BenchmarkUri) -> Benchmark:
        found = _SHAPE.fullmatch(uri.path.strip("/"))
        if found is None:
            raise LookupError(f"The path of '{uri}' must be MxNxK, three sizes from 1 to {_MOST}, such as 64x64x32.")
        try:
            return MatmulBenchmark.create(str(uri), *map(int, found.groups()))
        except ValueError as error:
            raise LookupError(f"No benchmark '{uri}': {error}") from error

    def random_benchmark(self, random_state: Any | None = None) -> Benchmark:
        m, n, k = (int(size) for size in _get_generator(random_state).choice(_SIZES, 3))
        return self.benchmark(f"{self.name}/{m}x{n}x{k}")
