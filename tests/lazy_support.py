"""Heavy optional packages in tests: collecting a module does not import them, and without them it is skipped."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest


class _LazyModule:
    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("_"):  # pytest looks for marks of its own at everything that it finds
            raise AttributeError(attribute)
        return getattr(import_module(self._name), attribute)


def import_when_used(name: str) -> Any:
    """Return a stand-in of a module that is imported with its first use; like `pytest.importorskip` if there is none.

    Every process of a parallel test run collects every module, so an import at the top is paid by each of them.
    """
    package = name.partition(".")[0]
    if find_spec(package) is None:
        pytest.skip(f"could not import '{name}': No module named '{package}'", allow_module_level=True)
    return _LazyModule(name)
