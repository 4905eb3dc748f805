"""The compilers that ship with the package, by short name."""

from helm.common.errors import ConfigError, suggest
from helm.common.object_spec import get_class_by_name
from helm.compiler_gym.runtime.session import CompilationSession

BACKENDS = {
    "gcc": "helm.compiler_gym.backends.gcc.GccSession",
    "llvm": "helm.compiler_gym.backends.llvm.LlvmSession",
    "llvm-library": "helm.compiler_gym.backends.llvm_c_session.LlvmLibrarySession",
    "llvm-opt": "helm.compiler_gym.backends.llvm_opt.LlvmOptSession",
    "loop_tool": "helm.compiler_gym.backends.loop_tool.LoopToolSession",
    "mlir": "helm.compiler_gym.backends.mlir.MlirSession",
}
"""Short name -> class path of the `CompilationSession`."""

_MAKERS = {
    "gcc": "helm.compiler_gym.backends.gcc.make_gcc_session_class",
    "llvm-opt": "helm.compiler_gym.backends.llvm_opt.make_opt_session_class",
    "llvm-library": "helm.compiler_gym.backends.llvm_c_session.make_library_session_class",
    "mlir": "helm.compiler_gym.backends.mlir.make_mlir_session_class",
}
"""Short name -> class path of the function that makes the session class of a named compiler, as in `gcc:gcc-14`."""


def get_session_class(backend: str) -> type[CompilationSession]:
    """Return the session class of a backend.

    Args:
        backend: a short name, `gcc:COMMAND` (a gcc by name or path), `llvm-opt:COMMAND` (an `opt`),
            `llvm-library:PATH` (a libLLVM), `mlir:COMMAND` (an `mlir-opt`), or the class path of a `CompilationSession`.
    Raises: ConfigError when there is no such backend, or when the class is not a `CompilationSession`.
    """
    kind, _, command = backend.partition(":")
    if kind in _MAKERS and command:
        return get_class_by_name(_MAKERS[kind])(command)
    if backend not in BACKENDS and "." not in backend:
        known = ", ".join(sorted(BACKENDS))
        raise ConfigError(
            f"Unknown compiler backend '{backend}'. Built in: {known}; or give the class path of a CompilationSession."
            + suggest(backend, BACKENDS)
        )
    path = BACKENDS.get(backend, backend)
    session_class = get_class_by_name(path)
    if not (isinstance(session_class, type) and issubclass(session_class, CompilationSession)):
        raise ConfigError(
            f"Compiler backend '{path}' is not a subclass of helm.compiler_gym.runtime.session.CompilationSession."
        )
    return session_class


def get_backend_family(backend: str) -> str:
    """Return the family of a compiler: `gcc` for `gcc:gcc-14`, `llvm` for `llvm-opt`; a class path is returned unchanged."""
    if "." in backend.partition(":")[0]:
        return backend
    return backend.partition(":")[0].partition("-")[0]
