"""Registers our environments with Gymnasium as soon as a program has imported both, in either order, and not before."""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_GYMNASIUM = "gymnasium"


def register() -> None:
    """Register our environments now if Gymnasium is there, and otherwise after it is imported."""
    if _GYMNASIUM in sys.modules:
        _register()
    elif not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def _register() -> None:
    from helm.compiler_gym.registration import register_with_gymnasium

    register_with_gymnasium()


class _Finder:
    """Finds Gymnasium as it would be found without this class, until its import has been followed by our registration."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != _GYMNASIUM:
            return None
        # Somebody may only ask whether Gymnasium is there, so this finder stays until it is imported.
        others = [finder for finder in sys.meta_path if finder is not self]
        spec = next((found for finder in others if (found := finder.find_spec(name, path, target)) is not None), None)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)  # type: ignore[assignment]
        return spec


class _Loader:
    """Another loader, after which it registers our environments."""

    def __init__(self, loader: Any):
        self._loader = loader

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        if spec is not None:
            spec.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Finder)]
        _register()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)
