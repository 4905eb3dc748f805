"""The available entries: found by file name, and read on demand.

A file `scenarios/catalogue/<suite>/<name>.yaml` holds the run spec function `<name>`; a file whose name begins with `_`
holds a scenario only. Users' files are added with `register_file`.
"""

import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from helm.benchmark.declarative.class_paths import declared_class
from helm.common.errors import ConfigError, suggest
from helm.common.registry import Registry

if TYPE_CHECKING:
    from helm.benchmark.declarative.reading import EntryFile

_CLASS = re.compile(r"""\bclass:\s*["']?([\w.]+)""")
_DECLARES = re.compile(r"^(source|unavailable)\s*:", re.MULTILINE)

_USER_ENTRIES: "Registry[EntryFile]" = Registry("entry")
"""Entries of users' files, by name."""


def folder() -> str:
    """Return the folder of the catalogue's files."""
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "scenarios", "catalogue")


@cache
def _paths() -> dict[str, str]:
    """Map file name without extension to path, sorted by suite and name. No file is read."""
    found: dict[str, str] = {}
    root = folder()
    for suite in sorted(os.listdir(root)) if os.path.isdir(root) else []:
        suite_folder = os.path.join(root, suite)
        if suite.startswith((".", "_")) or not os.path.isdir(suite_folder):
            continue
        for file_name in sorted(os.listdir(suite_folder)):
            name, ending = os.path.splitext(file_name)
            if ending != ".yaml" or "." in name:  # `<name>.table.yaml` belongs to an entry
                continue
            if name in found:
                raise ConfigError(
                    f"The catalogue has two entries '{name}': {found[name]} and {suite_folder}/{file_name}."
                )
            found[name] = os.path.join(suite_folder, file_name)
    return found


@cache
def _read_catalogue_file(path: str) -> "EntryFile":
    from helm.benchmark.declarative.reading import read_entries  # not needed to see that there is no entry

    files = read_entries(path)
    if len(files) != 1 or files[0].position is not None:
        raise ConfigError(f"{path}: a file of the catalogue holds one entry.")
    name = os.path.splitext(os.path.basename(path))[0].lstrip("_")
    if files[0].name != name:
        raise files[0].error(("name",), f"the file is called {name}.yaml, the entry '{files[0].name}'.")
    has_run, wants_run = files[0].entry.run is not None, not os.path.basename(path).startswith("_")
    if has_run != wants_run and not files[0].entry.unavailable:
        what = (
            "has no `run`, so its name begins with '_'" if wants_run else "has a `run`, so its name has no '_' in front"
        )
        raise files[0].error((), f"the file {os.path.basename(path)} {what}.")
    return files[0]


def suite_of(file: "EntryFile") -> str:
    """Return the suite of a catalogue entry; empty for a user's entry."""
    parent = os.path.dirname(file.path)
    return os.path.basename(parent) if os.path.dirname(parent) == folder() else ""


def names() -> list[str]:
    """Return the names of all run spec functions that are entries, without reading the catalogue's files."""
    own = [name for name in _paths() if not name.startswith("_")]
    return sorted({*own, *(name for name in _USER_ENTRIES.names() if _USER_ENTRIES[name].entry.run is not None)})


def find(name: str) -> "EntryFile | None":
    """Return the entry with that name, with or without a run, or None."""
    user = _USER_ENTRIES.get(name)
    if user is not None:
        return user
    path = _paths().get(name) or _paths().get(f"_{name}")
    return _read_catalogue_file(path) if path else None


def entry(name: str) -> "EntryFile":
    """Return the entry with that name. Raises: ConfigError with the nearest name."""
    file = find(name)
    if file is None:
        known = [*_USER_ENTRIES.names(), *(path.lstrip("_") for path in _paths())]
        raise ConfigError(f"There is no entry '{name}'.{suggest(name, known)}")
    return file


def entries(naming: str = "") -> "Iterator[EntryFile]":
    """Return all entries: the catalogue's by suite and name, then users'.

    With `naming`, those of the catalogue in whose text the word does not occur are left out, which is quicker than parsing them.
    """
    for path in _paths().values():
        if not naming or _has(path, naming):
            yield _read_catalogue_file(path)
    for name in _USER_ENTRIES.names():
        yield _USER_ENTRIES[name]


def _has(path: str, word: str) -> bool:
    with open(path, "rb") as file:
        return word.encode() in file.read()


def find_run_spec_function(name: str) -> Callable[..., Any] | None:
    """Return the run spec function of an entry that has a run, else None. Reads only the file with that name."""
    if name not in _USER_ENTRIES and (name.startswith("_") or name not in _paths()):
        return None
    file = entry(name)
    if file.entry.run is None:
        return None
    from helm.benchmark.declarative.recipe import run_spec_function_of

    return run_spec_function_of(file)


# ---- Users' files


def register_file(path: str) -> "list[EntryFile]":
    """Add the entries of a user's file; repeating it is not an error.

    Raises: EntryError if the file is invalid; ConfigError for a name or class path that is taken.
    """
    if not os.path.isfile(path):
        raise ConfigError(f"No plugin at '{path}': there is no such file.")
    from helm.benchmark.declarative.reading import read_entries
    from helm.benchmark.run_spec import is_python_run_spec

    files = read_entries(os.path.abspath(path))
    for file in files:
        other = _USER_ENTRIES.get(file.name)
        if other is not None and other.path == file.path:
            continue
        taken = other.path if other else _paths().get(file.name) or _paths().get(f"_{file.name}")
        if taken or (file.entry.run is not None and is_python_run_spec(file.name)):
            raise file.error(("name",), f"the name '{file.name}' is taken{f' by {taken}' if taken else ''}.")
        path_of_class = declared_class(file)
        if path_of_class and find_class(path_of_class) is not None:
            raise file.error(("scenario", "class"), f"the class path {path_of_class} is taken.")
        _USER_ENTRIES.register(file.name, file)
    return files


def isolated() -> Any:
    """A context manager that forgets the files registered inside it, for tests."""
    return _USER_ENTRIES.isolated()


# ---- Class paths


@cache
def _class_candidates() -> dict[str, list[str]]:
    """Map each class path to the files that may declare it. A text search over all files, without parsing."""
    found: dict[str, list[str]] = {}
    for path in _paths().values():
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if _DECLARES.search(text):
            for class_path in dict.fromkeys(_CLASS.findall(text)):
                found.setdefault(class_path, []).append(path)
    return found


def find_class(class_path: str) -> "EntryFile | None":
    """The entry that declares a class path, or None. Looks at the file with the module's name first."""
    for name in _USER_ENTRIES.names():
        if declared_class(_USER_ENTRIES[name]) == class_path:
            return _USER_ENTRIES[name]
    stem = class_path.split(".")[-2].removesuffix("_scenario") if class_path.count(".") > 1 else ""
    likely = [_paths()[name] for name in (stem, f"_{stem}") if name in _paths()]
    for path in likely:
        if declared_class(_read_catalogue_file(path)) == class_path:
            return _read_catalogue_file(path)
    for path in _class_candidates().get(class_path, []):
        if declared_class(_read_catalogue_file(path)) == class_path:
            return _read_catalogue_file(path)
    return None


def declared_names(module: str) -> "list[tuple[str, EntryFile]]":
    """Map the classes that entries declare in a module without a file to their entries."""
    found: dict[str, EntryFile] = {}
    prefix = module + "."
    stem = module.rpartition(".")[2].removesuffix("_scenario")
    candidates = [file for name in _USER_ENTRIES.names() for file in [_USER_ENTRIES[name]]]
    paths = [
        path for class_path, files in _class_candidates().items() if class_path.startswith(prefix) for path in files
    ]
    paths += [_paths()[name] for name in (stem, f"_{stem}") if name in _paths()]
    candidates += [_read_catalogue_file(path) for path in dict.fromkeys(paths)]
    for file in candidates:
        class_path = declared_class(file)
        if class_path.startswith(prefix) and "." not in class_path[len(prefix) :]:
            found.setdefault(class_path[len(prefix) :], file)
    return list(found.items())


def has_module(module: str) -> bool:
    """Whether entries declare classes in a module. Reads at most the file with the module's name."""
    prefix = module + "."
    if any(declared_class(_USER_ENTRIES[name]).startswith(prefix) for name in _USER_ENTRIES.names()):
        return True
    stem = module.rpartition(".")[2].removesuffix("_scenario")
    for name in (stem, f"_{stem}"):
        if name in _paths() and declared_class(_read_catalogue_file(_paths()[name])).startswith(prefix):
            return True
    return any(class_path.startswith(prefix) for class_path in _class_candidates())
