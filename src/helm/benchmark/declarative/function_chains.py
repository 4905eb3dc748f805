"""The `do:` lists of entries: value functions by name, checked, and chained into one function."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helm.benchmark.declarative.entry_parts import Function
from helm.benchmark.declarative.templates import to_text
from helm.common.errors import suggest

ValueFunction = Callable[[Any], Any]


class FunctionError(ValueError):
    """A value function does not exist, or has a wrong argument."""


class ValueProblem(ValueError):
    """A value function cannot be applied to a value of a row."""


@dataclass(frozen=True)
class MediaFolder:
    """Where a scenario keeps media."""

    folder: str
    """The scenario's cache folder."""

    scenario_name: str
    license: str | None = None
    how_to_get: str = ""


@dataclass(frozen=True)
class Context:
    """What value functions may need besides the value."""

    class_labels: Mapping[str, Sequence[str]]
    """Column -> names of its classes."""

    table: Callable[[str], Any]
    """The table of a name; raises when there is none."""

    media_folder: MediaFolder | None = None
    """Where media of rows are kept; None in places without rows."""


_PLAIN: dict[str, ValueFunction] = {}
_WITH_ARGUMENT: dict[str, Callable[[Any, Context], ValueFunction]] = {}


def names() -> list[str]:
    """All value functions."""
    return sorted({*_PLAIN, *_WITH_ARGUMENT, "class_label"})


def plain(function: ValueFunction) -> ValueFunction:
    _PLAIN[function.__name__.rstrip("_")] = function
    return function


def on_text(function: Callable[[str], Any]) -> ValueFunction:
    def apply(value: Any) -> Any:
        return None if value is None else function(to_text(value))

    _PLAIN[function.__name__.rstrip("_")] = apply
    return apply


def with_argument(
    function: Callable[[Any, Context], ValueFunction],
) -> Callable[[Any, Context], ValueFunction]:
    _WITH_ARGUMENT[function.__name__.rstrip("_")] = function
    return function


def compile_functions(functions: Sequence[Function], context: Context, column: Any = None) -> ValueFunction:
    """One function that applies all in order. `column` is where the value comes from, for `class_label`.

    Raises: FunctionError for a name or argument that cannot be.
    """
    chain = [_compile(function, context, column) for function in functions]
    if len(chain) == 1:
        return chain[0]

    def apply(value: Any) -> Any:
        for function in chain:
            value = function(value)
        return value

    return apply


def check_functions(functions: Sequence[Function]) -> tuple[int, str] | None:
    """The position and message of the first function that does not exist or lacks its argument; None: all are fine."""
    for i, function in enumerate(functions):
        try:
            name, has_argument = _name(function)
            if isinstance(function, Mapping) and name in ("each", "first_where", "where"):
                inner = function[name] if name == "each" else []
                found = check_functions(inner) if isinstance(inner, list) else (0, "each takes a list of functions.")
                if found:
                    return i, found[1]
        except FunctionError as e:
            return i, str(e)
        if name == "class_label":
            continue
        if has_argument and name not in _WITH_ARGUMENT:
            return i, f"the value function '{name}' takes no argument."
        if not has_argument and name not in _PLAIN:
            return i, f"the value function '{name}' needs an argument: {{{name}: ...}}."
    return None


def _name(function: Function) -> tuple[str, bool]:
    if isinstance(function, Mapping):
        if len(function) != 1:
            raise FunctionError(f"a value function is one name with its argument, not {len(function)} keys.")
        name, has_argument = str(next(iter(function))), True
    else:
        name, has_argument = function, False
    if name not in _PLAIN and name not in _WITH_ARGUMENT and name != "class_label":
        raise FunctionError(f"there is no value function '{name}'.{suggest(name, names())}")
    return name, has_argument


def _compile(function: Function, context: Context, column: Any) -> ValueFunction:
    name, has_argument = _name(function)
    if name == "class_label":
        return class_label_function(context, column)
    if has_argument:
        argument = function[name]  # type: ignore[index]
        if name not in _WITH_ARGUMENT:
            raise FunctionError(f"the value function '{name}' takes no argument.")
        try:
            return _WITH_ARGUMENT[name](argument, context)
        except (TypeError, ValueError, re.error) as e:
            raise FunctionError(f"the value function '{name}' cannot take {argument!r}: {e}") from e
    if name not in _PLAIN:
        raise FunctionError(f"the value function '{name}' needs an argument: {{{name}: ...}}.")
    return _PLAIN[name]


def class_label_function(context: Context, column: Any) -> ValueFunction:
    """From the number of a class to its name."""
    labels = context.class_labels.get(str(column))
    if labels is None:
        raise FunctionError(
            f"class_label: the data set names no classes for the column '{column}'. "
            f"Columns with classes: {', '.join(context.class_labels) or 'none'}."
        )

    def class_label(value: Any) -> Any:
        if value is None or value == -1:  # not labelled
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(labels):
            raise ValueProblem(f"class_label: {value!r} is none of the {len(labels)} classes of '{column}'.")
        return labels[value]

    return class_label
