"""The modules of `helm.compiler_gym` once more, with environments that have Gym's old API."""

import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

_NEW, _OLD = "helm.compiler_gym", "helm.compiler_gym.legacy"
_OWN = "old_names"


@cache
def _make_old_class(environment: type) -> type:
    bases = tuple(get_old_class(base) for base in environment.__bases__ if get_old_class(base) is not base)
    doc = f"A `{environment.__name__}` with Gym's old API."
    return type(environment.__name__, (environment, *bases), {"old_api": True, "__doc__": doc, "__module__": _OLD})


def get_old_class(value: Any) -> Any:
    """Return the class with the old API for a class of environments, and any other value as it is."""
    compiler_env = sys.modules.get(f"{_NEW}.envs.compiler_env")
    if compiler_env is None or not isinstance(value, type) or not issubclass(value, compiler_env.CompilerEnv):
        return value
    return value if getattr(value, "old_api", False) else _make_old_class(value)


def find_old(module: str, name: str) -> Any:
    """Return a name of a module below the legacy package.

    Raises: AttributeError when the module that it stands for has no such name.
    """
    if name.startswith("__") and name != "__version__":
        raise AttributeError(f"module '{module}' has no attribute '{name}'")
    value = getattr(import_module(module.replace(_OLD, _NEW, 1)), name)
    if isinstance(value, ModuleType) and value.__name__.startswith(_NEW + "."):
        return import_module(value.__name__.replace(_NEW, _OLD, 1))
    return get_old_class(value)


class _OldModule(ModuleType):
    def __getattr__(self, name: str) -> Any:
        value = find_old(self.__name__, name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return dir(import_module(self.__name__.replace(_OLD, _NEW, 1)))


class _Finder:
    """Makes a module below the legacy package for each below the other."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not name.startswith(_OLD + ".") or name in (f"{_OLD}.{_OWN}", f"{_OLD}.legacy"):
            return None
        try:
            found = find_spec(name.replace(_OLD, _NEW, 1))
        except ModuleNotFoundError:
            return None
        return None if found is None else ModuleSpec(name, _Loader(), is_package=True)  # type: ignore[arg-type]


class _Loader:
    @staticmethod
    def create_module(spec: ModuleSpec) -> ModuleType:
        return _OldModule(spec.name, "See the module of the same name without `legacy`.")

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        import_module(module.__name__.replace(_OLD, _NEW, 1))


def install() -> None:
    """Make the modules importable, after all that have files."""
    if not any(finder is _Finder for finder in sys.meta_path):
        sys.meta_path.append(_Finder)
