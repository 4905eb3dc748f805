"""Several modules of LLVM linked into one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from helm.compiler_gym.errors import BenchmarkInitError


def link_bitcode(contents: Sequence[tuple[Path, bytes]]) -> bytes:
    """Link modules, each with the path that messages name.

    Raises: BenchmarkInitError when they cannot be read or linked.
    """
    import llvmlite.binding as llvm

    context = llvm.create_context()
    linked: Any | None = None
    for path, bitcode in contents:
        try:
            module = llvm.parse_bitcode(bitcode, context)
            if linked is None:
                linked = module
            else:
                linked.link_in(module)
        except RuntimeError as error:
            raise BenchmarkInitError(f"Cannot link {path}: {error}") from error
    assert linked is not None  # there are two at least
    return linked.as_bitcode()
