"""LLVM modules that own their context, so that Python may drop them in any order."""

from functools import cache
from typing import Any

from helm.compiler_gym.backends.llvm_passes import import_llvmlite


@cache
def _get_module_class() -> Any:
    llvm = import_llvmlite()
    from llvmlite.binding import ffi

    class IsolatedModule(llvm.ModuleRef):  # type: ignore[name-defined]
        """A module and its context, which are destroyed together, the module first.

        llvmlite destroys each when its Python object is freed. When both are part of a reference cycle (a traceback is
        enough), the garbage collector frees them in any order, and a module that outlives its context crashes.
        """

        def __init__(self, module: Any, context: Any):
            super().__init__(module._ptr, None)
            self._context_pointer = context._ptr
            module.detach()
            context.detach()

        def _dispose(self) -> None:
            super()._dispose()
            ffi.lib.LLVMPY_ContextDispose(self._context_pointer)

    return IsolatedModule


def parse_bitcode(bitcode: bytes) -> Any:
    """Read a llvmlite module into its own context.

    Raises: RuntimeError when LLVM cannot read it.
    """
    llvm = import_llvmlite()
    context = llvm.create_context()
    return _get_module_class()(llvm.parse_bitcode(bitcode, context), context)


def parse_text(text: str) -> Any:
    """Read textual IR like `parse_bitcode`."""
    llvm = import_llvmlite()
    context = llvm.create_context()
    return _get_module_class()(llvm.parse_assembly(text, context), context)
