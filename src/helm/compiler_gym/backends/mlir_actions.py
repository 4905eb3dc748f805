"""The actions of the MLIR backend, as flags of `mlir-opt`, and the passes that make LLVM's dialect of any module."""


def _list_actions() -> list[str]:
    plain = """
    affine-data-copy-generate=fast-mem-space=0 affine-loop-coalescing affine-loop-fusion affine-loop-invariant-code-motion
    affine-loop-normalize affine-parallelize affine-raise-from-memref affine-scalrep affine-simplify-min-max
    affine-simplify-structures arith-expand arith-unsigned-when-equivalent buffer-hoisting buffer-loop-hoisting canonicalize
    control-flow-sink convert-elementwise-to-linalg convert-linalg-to-affine-loops convert-linalg-to-loops
    convert-linalg-to-parallel-loops convert-scf-to-cf convert-vector-to-scf cse duplicate-function-elimination
    fold-memref-alias-ops inline int-range-optimizations lift-cf-to-scf linalg-fold-unit-extent-dims
    linalg-fuse-elementwise-ops linalg-generalize-named-ops linalg-inline-scalar-operands linalg-specialize-generic-ops
    loop-invariant-code-motion loop-invariant-subset-hoisting lower-affine lower-vector-multi-reduction math-uplift-to-fma
    mem2reg memref-expand normalize-memrefs optimize-allocation-liveness promote-buffers-to-stack remove-dead-values sccp
    scf-for-loop-canonicalization scf-for-loop-peeling scf-for-loop-range-folding scf-for-loop-specialization
    scf-for-to-while scf-parallel-for-to-nested-fors scf-parallel-loop-fusion scf-parallel-loop-specialization sroa
    symbol-dce symbol-privatize=exclude=main topological-sort
    """.split()
    swept = {
        "affine-loop-tile=tile-size": (4, 8, 16, 32, 64, 128),
        "affine-loop-unroll=unroll-factor": (2, 4, 8),
        "affine-loop-unroll-jam=unroll-jam-factor": (2, 4, 8),
        "affine-super-vectorize=virtual-vector-size": (4, 8, 16),
        "scf-parallel-loop-tiling=parallel-loop-tile-sizes": (8, 32),
    }
    return sorted([*plain, *(f"{name}={value}" for name, values in swept.items() for value in values)])


ACTIONS: tuple[str, ...] = tuple(f"-{name}" for name in _list_actions())
"""Passes of MLIR that transform programs for a CPU, those with a number once for each of some usual values."""

_ON_FUNCTIONS = frozenset(["affine-loop-unroll", "affine-loop-unroll-jam", "affine-simplify-min-max"])
"""Passes that run on functions only; mlir-opt runs all others on the module, or finds the functions itself."""


def make_flag(action: str) -> str:
    """Return the flag of `mlir-opt` for an action: a member of `ACTIONS`, or a textual pipeline."""
    if not action.startswith("-"):
        return f"--pass-pipeline={action}"
    name, _, option = action.lstrip("-").partition("=")
    if name not in _ON_FUNCTIONS:
        return action
    return f"--pass-pipeline=builtin.module(func.func({name}{f'{{{option}}}' if option else ''}))"


LOWERING: tuple[str, ...] = (
    "one-shot-bufferize=bufferize-function-boundaries",
    "convert-linalg-to-loops",
    "convert-vector-to-scf",
    "scf-parallel-for-to-nested-fors",
    "lower-affine",
    "convert-scf-to-cf",
    "memref-expand",
    "expand-strided-metadata",
    "lower-affine",
    "arith-expand",
    "convert-vector-to-llvm",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "finalize-memref-to-llvm",
    "convert-index-to-llvm",
    "convert-arith-to-llvm",
    "convert-func-to-llvm",
    "convert-cf-to-llvm",
    "convert-ub-to-llvm",
    "reconcile-unrealized-casts",
)
"""Passes that translate a module of the dialects of `ACTIONS` to LLVM's dialect, in this order."""
