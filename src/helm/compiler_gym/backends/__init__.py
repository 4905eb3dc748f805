"""The compilers that ship with the package, by short name."""

from helm.common.errors import ConfigError, suggest
from helm.common.object_spec import get_class_by_name
from helm.compiler_gym.runtime.session import CompilationSession

BACKENDS = {
    "gcc": "helm.compiler_gym.backends.gcc.GccSession",
    "llvm": "helm.compiler_gym.backends.llvm.LlvmSession",
    "llvm-library": "helm.compiler_gym.backends.llvm_c_session.LlvmLibrarySession",
    "llvm-opt": "helm.compiler_gym.backends.llvm_opt.LlvmOptSession",
}
"""Short name -> class path of the `CompilationSession`."""

_GCC, _OPT, _LIBRARY = "gcc:", "llvm-opt:", "llvm-library:"


def get_session_class(backend: str) -> type[CompilationSession]:
    """Return the session class of a backend.

    Args:
        backend: a short name, `gcc:COMMAND` (a gcc by name or path), `llvm-opt:COMMAND` (an `opt`),
            `llvm-library:PATH` (a libLLVM), or the class path of a `CompilationSession`.
    Raises: ConfigError when there is no such backend, or when the class is not a `CompilationSession`.
    """
    if backend.startswith(_GCC) and len(backend) > len(_GCC):
        from helm.compiler_gym.backends.gcc import make_gcc_session_class

        return make_gcc_session_class(backend[len(_GCC) :])
    if backend.startswith(_OPT) and len(backend) > len(_OPT):
        from helm.compiler_gym.backends.llvm_opt import make_opt_session_class

        return make_opt_session_class(backend[len(_OPT) :])
    if backend.startswith(_LIBRARY) and len(backend) > len(_LIBRARY):
        from helm.compiler_gym.backends.llvm_c_session import make_library_session_class

        return make_library_session_class(backend[len(_LIBRARY) :])
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
