"""Names that scripts for HELM import from modules without a file: constants of modules and classes, functions and methods.

`scenarios/names.yaml` lists them by module. Most values are parts of the entry, which it refers to by path.
"""

import os
import re
from collections.abc import Callable, Mapping
from functools import cache
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

from helm.common.errors import ConfigError

if TYPE_CHECKING:
    from helm.benchmark.declarative.reading import EntryFile

_PACKAGE = "helm.benchmark.scenarios."
_SEPARATOR = " | "
FILE_NAME = "names.yaml"


@cache
def _sections() -> Mapping[str, Mapping[str, Any]]:
    from helm.benchmark.declarative.catalogue import folder
    from helm.common.files import load_yaml

    sections: Mapping[str, Mapping[str, Any]] = load_yaml(os.path.join(os.path.dirname(folder()), FILE_NAME))
    return sections


def declared_names(module: str) -> set[str]:
    """Return the names of a module's own constants and functions."""
    parts = ("constants", "from_entry", "functions")
    return {name for part in parts for name in _section(module).get(part, {}) if "." not in name}


def module_value(module: str, name: str) -> Any:
    """Return a constant or function of a module. Raises: KeyError if the module has no such name."""
    from helm.benchmark.declarative import catalogue

    section = _section(module)
    if name in section.get("constants", {}):
        return section["constants"][name]
    file = catalogue.entry(section["entry"]) if "entry" in section else catalogue.declared_names(module)[0][1]
    if name in section.get("functions", {}):
        return _text_function(name, file, *section["functions"][name])
    return _resolve(file, section.get("from_entry", {})[name])


def _text_function(name: str, file: "EntryFile", parameters: str, text: str) -> Callable[..., Any]:
    """Return a function of arguments of the run spec, and perhaps of a `cache_dir`, that fills in a text of the entry."""
    from helm.benchmark.declarative.parameters import fetch_to, make_variables

    signature = Signature([Parameter(word, Parameter.POSITIONAL_OR_KEYWORD) for word in parameters.split()])

    def function(*args: Any, **kwargs: Any) -> Any:
        values = signature.bind(*args, **kwargs).arguments
        folder = values.pop("cache_dir", "")
        return make_variables(file, values, fetch_to(folder, scenario_part=False)).fill(text)

    function.__name__ = name
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


def class_constants(module: str, class_name: str, file: "EntryFile") -> dict[str, Any]:
    """Return the constants of a class that an entry declares, by name."""
    section, prefix = _section(module), f"{class_name}."
    constants = {name: value for name, value in section.get("constants", {}).items() if name.startswith(prefix)} | {
        name: _resolve(file, path) for name, path in section.get("from_entry", {}).items() if name.startswith(prefix)
    }
    return {name.removeprefix(prefix): value for name, value in constants.items()}


def class_methods(module: str, class_name: str) -> dict[str, str]:
    """Map the names of the further methods of a class to their kind and parameters: `file csv_path split`."""
    prefix = f"{class_name}."
    methods = _section(module).get("methods", {})
    return {name.removeprefix(prefix): text for name, text in methods.items() if name.startswith(prefix)}


def _section(module: str) -> Mapping[str, Any]:
    return _sections().get(module.removeprefix(_PACKAGE), {}) if module.startswith(_PACKAGE) else {}


def _resolve(file: "EntryFile", what: Any) -> Any:
    """Return a value of the entry.

    Args:
        what: `$.PATH` in the entry; `keys $.PATH` or `inverse $.PATH` of a mapping; `KEY of $.PATH` for the value of a
            key of each item of a mapping; `$.PATH | PATTERN | REPLACEMENT` for a text in which a regular expression is
            replaced; or a list or mapping of these.
    """
    if isinstance(what, list):
        return [_resolve(file, item) for item in what]
    if isinstance(what, dict):
        return {key: _resolve(file, item) for key, item in what.items()}
    if _SEPARATOR in what:
        path, pattern, replacement = what.split(_SEPARATOR)
        return re.sub(pattern, replacement, _resolve(file, path), count=1)
    function, _, path = what.rpartition(" ")
    value = _at(file, path)
    if function == "keys":
        return list(value)
    if function.endswith(" of"):
        return {key: item[function.removesuffix(" of")] for key, item in value.items()}
    return {item: key for key, item in value.items()} if function == "inverse" else value


def _at(file: "EntryFile", path: str) -> Any:
    from helm.benchmark.declarative.json_paths import select_records

    table = re.match(r"\$\.tables\.(\w+)", path)
    value, rest = (file.table(table[1], ()), "$" + path[table.end() :]) if table else (file.data, path)
    try:
        (found,) = select_records(value, rest)
    except LookupError as e:
        raise ConfigError(f"{FILE_NAME}: {path} in {file.path}: {e}") from e
    return found
