"""Finds and imports modules: of a package, by entry point, by name and by path."""

import fnmatch
import functools
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any

from helm.common.commands.distribution_check import distributions, read_metadata


def import_all_modules_in_package(module: ModuleType, only_naming: str | None = None) -> None:
    """Import every direct submodule of a package, those that other folders add to its path included.

    `only_naming` leaves those of the package's own folder aside whose text has not that word, so that a run loads the parts
    of its own subject.
    """
    for name in (found.name for found in pkgutil.iter_modules(module.__path__)):
        path = os.path.join(os.path.dirname(module.__file__ or ""), f"{name}.py")
        if only_naming is None or not _lacks(path, only_naming):
            importlib.import_module(f"{module.__name__}.{name}")


def _lacks(path: str, word: str) -> bool:
    """Whether a file is there and has not the word."""
    try:
        with open(path, "rb") as file:
            return word.encode() not in file.read()
    except OSError:
        return False


def import_root_modules(pattern: str) -> None:
    """Import the top-level modules and packages on the module path whose names match the pattern."""
    for module in pkgutil.iter_modules():
        if fnmatch.fnmatchcase(module.name, pattern):
            importlib.import_module(module.name)


def load_entry_point_plugins(group: str = "helm") -> list[Any]:
    """Load the entry points of a group that installed packages register; return the loaded objects.

    If one fails, a warning with its traceback is logged, and the others are still loaded.
    """
    if not may_have_entry_points(group):
        return []
    from importlib.metadata import entry_points

    from helm.common.hierarchical_logger import hwarn

    loaded = []
    for entry_point in entry_points(group=group):
        try:
            loaded.append(entry_point.load())
        except Exception:
            hwarn(f"Failed to load plugin entry point: {entry_point.name}", exc_info=True)
    return loaded


def may_have_entry_points(group: str) -> bool:
    """Return False if `importlib.metadata` would certainly find no entry point of the group.

    That is nearly always so, and importing it and reading all installed packages takes a tenth of the time of a short run.
    """
    if any(hasattr(finder, "find_distributions") and finder is not PathFinder for finder in sys.meta_path):
        return True  # distributions that are not in folders
    texts = _entry_point_texts(tuple(sys.path))
    return texts is None or f"[{group}]".encode() in texts


@functools.cache
def _entry_point_texts(path: tuple[str, ...]) -> bytes | None:
    """Return the lines of groups (`[NAME]`) in the entry points of all distributions; None if some cannot be looked at."""
    groups: list[bytes] = []
    for folder in dict.fromkeys(path):
        if os.path.isfile(folder) or folder.endswith(".egg"):  # a zip file; a distribution with its metadata in it
            return None
        for _, metadata_folder in distributions(folder or "."):
            text = read_metadata(metadata_folder, "entry_points.txt") or b""
            groups += [line for line in text.split() if line.startswith(b"[")]
    return b"\n".join(groups)


def import_user_plugins(paths_or_names: Sequence[str]) -> list[ModuleType]:
    """Import modules by name, or by path (with a slash in it, or that exists), and return them.

    A file is importable afterwards by its own name: `folder/plugin.py` as `plugin`, a file of a package by its dotted name.
    Raises ModuleNotFoundError, and the exceptions of the module itself.
    """
    return [_import_plugin(path_or_name) for path_or_name in paths_or_names]


def _import_plugin(path_or_name: str) -> ModuleType:
    if "/" in path_or_name or "\\" in path_or_name or os.path.exists(path_or_name):
        return _import_file(path_or_name)
    try:
        return importlib.import_module(path_or_name)
    except ModuleNotFoundError as e:
        if e.name and (path_or_name == e.name or path_or_name.startswith(f"{e.name}.")):
            raise _plugin_not_found(str(e), e.name) from None
        raise


def _plugin_not_found(message: str, name: str) -> Exception:
    from helm.common.errors import ConfigError

    class PluginNotFoundError(ModuleNotFoundError, ConfigError):
        """A plugin named on the command line does not exist."""

    return PluginNotFoundError(message, name=name)


def _import_file(path: str) -> ModuleType:
    from helm.common.errors import ConfigError

    full_path = os.path.abspath(path)
    if os.path.isdir(full_path):
        full_path = os.path.join(full_path, "__init__.py")
    if not os.path.isfile(full_path):
        raise _plugin_not_found(f"No plugin at '{path}': there is no file {full_path}.", path)
    root, file_name = os.path.split(full_path)
    parts = [] if file_name == "__init__.py" else [file_name.removesuffix(".py")]
    while os.path.isfile(os.path.join(root, "__init__.py")):
        root, package = os.path.split(root)
        parts.insert(0, package)
    name = ".".join(parts)
    sys.path.insert(0, root)
    try:
        module = importlib.import_module(name)
    finally:
        sys.path.remove(root)
    if os.path.realpath(module.__file__ or "") != os.path.realpath(full_path):
        raise ConfigError(f"Plugin '{path}' cannot be imported as '{name}': that is {module.__file__}. Rename it.")
    return module
