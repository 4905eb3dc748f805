import importlib
import pkgutil
from types import ModuleType


def import_all_modules_in_package(package: ModuleType) -> None:
    """Import every direct submodule of a package, those that other folders add to its path included."""
    for _, name, _ in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        importlib.import_module(name)
