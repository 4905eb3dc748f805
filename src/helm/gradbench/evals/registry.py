"""The evals by name: those of the package, each in a file of its name beside this one, and those of plugins.

``ad_eval`` is the only list: whatever knows evals (run entries, commands, checks, scores, tables, pages) asks here.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any, TypeVar

from helm.common.errors import ConfigError, suggest
from helm.common.registry import Registry
from helm.gradbench.evals.eval import Eval

_PACKAGE = "helm.gradbench.evals"
_REGISTRY: Registry[type[Eval]] = Registry("AD eval")
_LISTENERS: list[Callable[[type[Eval]], None]] = []

C = TypeVar("C", bound=type[Eval])


def ad_eval(eval_class: C) -> C:
    """Decorator: make a class known as the eval of its ``name``.

    Raises: ConfigError for a class that is no eval, for one that lacks something and for a name that is taken.
    """
    _check(eval_class)
    name = eval_class.name
    if name in _REGISTRY or (name in package_eval_names() and eval_class.__module__ != f"{_PACKAGE}.{name}"):
        raise ConfigError(f"There is already an AD eval '{name}'. Give {_described(eval_class)} another name.")
    _REGISTRY.register(name, eval_class)
    for listener in _LISTENERS:
        listener(eval_class)
    return eval_class


def _described(eval_class: Any) -> str:
    return f"{getattr(eval_class, '__module__', '')}.{getattr(eval_class, '__qualname__', eval_class)}".lstrip(".")


def _check(eval_class: Any) -> None:
    """Raises ``ConfigError``, in one line, for the first thing that an eval needs and this class does not have."""
    where = f"AD eval {_described(eval_class)}"
    if not (isinstance(eval_class, type) and issubclass(eval_class, Eval)):
        raise ConfigError(f"{where} must be a subclass of {_PACKAGE}.eval.Eval.")
    name = getattr(eval_class, "name", None)
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        raise ConfigError(
            f"{where} needs a name of letters, digits and _, for example name = 'cubes'; it has {name!r}."
        )
    if inspect.isabstract(eval_class):
        missing = ", ".join(sorted(eval_class.__abstractmethods__))
        raise ConfigError(f"{where} does not define {missing}.")
    if (eval_class.primal is None) != (eval_class.derivative is None):
        raise ConfigError(f"{where} names only one of primal and derivative; name both or neither.")
    if "__dataclass_fields__" not in vars(eval_class):
        raise ConfigError(f"{where} must be a dataclass: put @dataclass(frozen=True) below @ad_eval.")
    if (eval_class.__doc__ or "").startswith(f"{eval_class.__name__}("):  # what dataclasses write for want of one
        raise ConfigError(f"{where} needs a docstring whose first line says what it asks.")
    for field in dataclasses.fields(eval_class):  # type: ignore[arg-type]
        if field.default in (dataclasses.MISSING, ()):
            raise ConfigError(f"{where}: the setting {field.name} needs a default.")


@cache
def package_eval_names() -> tuple[str, ...]:
    """The evals that come with the package, sorted: the files here that use the decorator. None is imported for this."""
    files = sorted(file.name for file in resources.files(_PACKAGE).iterdir() if file.name.endswith(".py"))
    texts = {name[:-3]: resources.files(_PACKAGE).joinpath(name).read_text(encoding="utf-8") for name in files}
    return tuple(name for name, text in texts.items() if "\n@ad_eval\n" in text)


def __getattr__(name: str) -> Any:
    if name == "EVAL_NAMES":  # what package_eval_names was called when it was a list
        return package_eval_names()
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def eval_names() -> tuple[str, ...]:
    """All evals: those of the package, then those of plugins."""
    _load_entry_points()
    return tuple(dict.fromkeys([*package_eval_names(), *_REGISTRY.names()]))


def find_eval_class(name: str) -> type[Eval] | None:
    """The class of the eval ``name``; None for an unknown one."""
    if name not in _REGISTRY:
        if name in package_eval_names():
            importlib.import_module(f"{_PACKAGE}.{name}")
        else:
            _load_entry_points()
    return _REGISTRY.get(name)


def get_eval_class(name: str) -> type[Eval]:
    """The class of the eval ``name``. Raises ``ConfigError`` for an unknown one."""
    eval_class = find_eval_class(name)
    if eval_class is None:
        names = eval_names()
        raise ConfigError(f"Unknown eval '{name}'. The evals are {', '.join(names)}.{suggest(name, names)}")
    return eval_class


def for_each_eval(listener: Callable[[type[Eval]], None]) -> None:
    """Call ``listener`` for every eval: now for those of the package and for registered ones, later for new ones."""
    for name in package_eval_names():
        importlib.import_module(f"{_PACKAGE}.{name}")
    for name in _REGISTRY.names():
        listener(_REGISTRY[name])
    _LISTENERS.append(listener)


@cache
def _load_entry_points() -> None:
    """Plugins that are installed packages; looked for only when a name is unknown, because that takes a while."""
    from helm.common.commands.plugins import load_entry_point_plugins

    load_entry_point_plugins()
