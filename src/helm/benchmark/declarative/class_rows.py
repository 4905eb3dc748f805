"""Classes of judges and metrics that differ from their base only by names and texts, as rows of `classes.yaml`.

A row is `module.Class: {base: module.Class, doc: text, attribute: value, ...}`, with modules of the package that the file is in.
A base may read its own values from a row with the class method `read_row`, which returns attributes.
"""

import importlib
import os
from collections.abc import Mapping
from functools import cache
from typing import Any

from helm.common.errors import ConfigError

PACKAGES = ("helm.benchmark.annotation", "helm.benchmark.metrics")
FILE_NAME = "classes.yaml"


@cache
def rows(package: str) -> dict[str, Mapping[str, Any]]:
    """Map each class path to its row."""
    from helm.common.files import load_yaml

    path = os.path.join(os.path.dirname(importlib.import_module(package).__file__ or ""), FILE_NAME)
    return {f"{package}.{name}": row for name, row in load_yaml(path).items()}


def class_paths(module: str) -> list[str]:
    """Return the classes that rows declare in a module; none if the module's package has no rows."""
    package = module.rpartition(".")[0]
    return [path for path in rows(package) if path.startswith(f"{module}.")] if package in PACKAGES else []


def module_constant(module: str, name: str) -> Any:
    """Return a constant that a class of a module declares in `module_constants`; None if there is none."""
    constants = [getattr(row_class(path), "module_constants", {}) for path in class_paths(module)]
    return next((values[name] for values in constants if name in values), None)


@cache
def row_class(class_path: str) -> type | None:
    """Return the class of a row, the same object each time. None if there is no such row.

    Raises: ConfigError for an attribute that the base does not know.
    """
    module, _, name = class_path.rpartition(".")
    package = module.rpartition(".")[0]
    row = rows(package).get(class_path) if package in PACKAGES else None
    if row is None:
        return None
    base_module, _, base_name = row["base"].rpartition(".")
    base: Any = getattr(importlib.import_module(f"{package}.{base_module}"), base_name)
    attributes = {key: value for key, value in row.items() if key not in ("base", "doc")}
    if hasattr(base, "read_row"):
        attributes = base.read_row(attributes)
    known = {name for cls in base.__mro__ for name in (*vars(cls), *vars(cls).get("__annotations__", {}))}
    for key in attributes:
        if key not in known:
            raise ConfigError(f"{package}/{FILE_NAME}: {name} sets {key}, which {base_name} does not have.")
    return type(name, (base,), {"__module__": module, "__doc__": row.get("doc"), **attributes})
