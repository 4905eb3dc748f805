"""The names of HELM 0.5.16: each is here, or is listed as missing.

`surface.json` has the names that this package once lacked, `complete.json` all others: for each module its functions with
their parameters, its classes with their members, and its constants (null). Every class is subclassed, as plugins do.
`helm_surface_missing.json` lists what is not here by reason; a name that is added has to be removed from it. The reasons are
explained in docs/reference-from-helm.md.
"""

import importlib
import inspect
import json
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from helm.common.commands.plugins import import_user_plugins
from vectors_support import load_vectors


def merged(*surfaces: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Merge the names and the members of several surfaces."""
    result: dict[str, dict[str, Any]] = {}
    for surface in surfaces:
        for module, names in surface.items():
            known = result.setdefault(module, {})
            for name, expected in names.items():
                is_class = isinstance(expected, dict) and isinstance(known.get(name), dict)
                known[name] = {**known[name], **expected} if is_class else expected
    return result


SURFACE = merged(load_vectors("imports/helm/complete.json"), load_vectors("imports/helm/surface.json"))
MISSING: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("helm_surface_missing.json").read_text(encoding="utf-8")
)
REASONS = {
    "base class", "crowd work", "failure", "internal", "other class", "other module", "other parameters", "package",
    "prompt text", "sandbox", "service ended", "table", "type",
}  # fmt: skip
assert len(SURFACE) > 500


def parameters(found: Any) -> list[str]:
    return list(inspect.signature(found).parameters)


def lacking_members(name: str, found: type, members: dict[str, str]) -> Iterator[str]:
    """Yield the members of a class that are absent or take other parameters."""
    declared = {field for parent in found.__mro__ for field in parent.__dict__.get("__annotations__", {})}
    for member, expected in members.items():
        value = getattr(found, member, None)
        if not hasattr(found, member):
            if member not in declared:
                yield f"{name}.{member}"
        elif expected and callable(value):
            names = expected.split()
            if {"args", "kwargs", "kw"} & set(names):  # of a decorator, which hides what the function takes
                continue
            if names[0] == "self" and parameters(value)[:1] != ["self"]:
                names = names[1:]  # a static method serves calls through an object as well
            if parameters(value)[: len(names)] != names:
                yield f"{name}.{member}()"


def lacking_names(module: str) -> Iterator[str]:
    """Yield what a module lacks: `*` for the module itself, `NAME`, `NAME.MEMBER`, or `NAME()` if its parameters differ."""
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError:
        yield "*"
        return
    for name, expected in SURFACE[module].items():
        value = getattr(found, name, None)
        if not hasattr(found, name) or isinstance(value, ModuleType):  # a submodule, if another test has imported it
            yield name
        elif isinstance(expected, dict) and not isinstance(value, type):
            yield name
        elif isinstance(expected, dict):
            if not issubclass(value, Enum):
                type("Subclass", (value,), {})
            yield from lacking_members(name, value, expected)
        elif (
            expected
            and not {"args", "kwargs"} & set(expected.split())
            and parameters(value)[: len(expected.split())] != expected.split()
        ):
            yield f"{name}()"


@pytest.mark.parametrize("module", sorted(SURFACE))
def test_a_module_has_the_originals_names(module: str) -> None:
    listed = [name for names in MISSING.get(module, {}).values() for name in names.split()]
    assert sorted(lacking_names(module)) == sorted(listed)


def test_only_modules_of_the_original_are_listed_as_missing_and_each_name_has_a_documented_reason() -> None:
    assert set(MISSING) <= set(SURFACE)
    assert {reason for reasons in MISSING.values() for reason in reasons} <= REASONS
    page = (Path(__file__).parents[1] / "docs/reference-from-helm.md").read_text(encoding="utf-8")
    assert [reason for reason in sorted(REASONS) if f"| {reason} |" not in page] == []


def corpus() -> Iterator[str]:
    """Yield the lines of a plugin that imports every name that is here, and overrides every method of every class."""
    for number, (module, names) in enumerate(SURFACE.items()):
        missing = {name for names in MISSING.get(module, {}).values() for name in names.split()}
        if "*" in missing:
            continue
        for name, members in names.items():
            if name in missing:
                continue
            here = f"{name}_{number}"
            yield f"from {module} import {name} as {here}"
            if not isinstance(members, dict):
                continue
            yield f"if not issubclass({here}, Enum):"
            yield f"    class Sub{here}({here}):"
            yield "        pass"
            for member, parameters in members.items():
                if parameters and not {f"{name}.{member}", f"{name}.{member}()"} & missing:
                    first, *others = parameters.split()
                    call = f"super().{member}({', '.join(others)})"
                    if first == "cls":
                        yield "        @classmethod"
                    elif first != "self":
                        call = f"{here}.{member}({', '.join([first, *others])})"
                        yield "        @staticmethod"
                    yield f"        def {member}({', '.join([first, *others])}):"
                    yield f"            return {call}"


def test_a_plugin_that_uses_and_overrides_all_of_it_loads(tmp_path: Path) -> None:
    path = tmp_path / "plugin_of_every_name.py"
    path.write_text("\n".join(["from enum import Enum", *corpus(), ""]), encoding="utf-8")
    (plugin,) = import_user_plugins([str(path)])
    assert sum(name.startswith("Sub") for name in vars(plugin)) > 700
