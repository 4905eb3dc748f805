"""The contents of run files: the dataclasses that are written, and fast readers derived from them.

A reader that needs a few fields of a large file uses a projection of the dataclass: a `msgspec.Struct` with just these fields
and the dataclass's own types and defaults. No list of fields is written twice, so a renamed field is an error at import, and
a new one is noticed by a test (`tests/results/test_run_schema.py`).
"""

import dataclasses
import typing
from collections.abc import Callable, Iterator
from functools import reduce
from operator import attrgetter, or_
from types import UnionType
from typing import Any, Union

import msgspec
from msgspec import UNSET, UnsetType

from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat

STAT_NUMBERS = tuple((field.name, field.default) for field in dataclasses.fields(Stat) if field.name != "name")
"""The fields of a statistic after its name, in order, with their defaults."""


def _generate(code: str, number: str) -> Any:
    """Generate a function of a statistic's name and an object with its numbers, because large runs have millions."""
    numbers = ", ".join(number.format(name, default) for name, default in STAT_NUMBERS)
    return eval(f"lambda name, source: {code.format(numbers)}", {"Stat": Stat})


stat_from_struct: Callable[[MetricName, Any], Stat] = _generate("Stat(name, {})", "source.{0}")
stat_from_getter: Callable[[MetricName, Any], Stat] = _generate("Stat(name, {})", "source({0!r}, {1!r})")
stat_to_numbers: Callable[[Any], tuple[Any, ...]] = attrgetter(*dict(STAT_NUMBERS))
"""Returns the numbers of a statistic, or of what has its fields, in the order of `STAT_NUMBERS`."""


def project(cls: Any, /, *names: str, **types: Any) -> Any:
    """Return a struct that reads some fields of a dataclass, or of a union of dataclasses of which some may lack fields.

    A field that is itself a dataclass becomes a plain object, unless `types` has a projection of it. A field may be missing in
    the file if the dataclass has a default for it, or allows None.

    Args:
        names: fields, with the types that the dataclass declares.
        types: other fields. A projection replaces the dataclasses in the field, also inside lists; any other type is that of
            the whole field. A pair is either of these, and the value of a missing field (or a function that makes it).

    Raises:
        TypeError: The dataclass has no such field.
    """
    found = _fields_of(cls, [*names, *types])
    # Fields are in the order of the file, because msgspec tries the next field first.
    members = [_member(name, found[name], types.get(name)) for name in found if name in names or name in types]
    return _define(cls, members)


def mirror(cls: Any, /, **types: Any) -> Any:
    """Return a struct that reads all fields and writes them unchanged.

    Fields that are None by default are omitted if the file does not have them.

    Args:
        types: see `project`.
    """
    members = []
    for name, found in _fields_of(cls, list(types)).items():
        member = _member(name, found, types.get(name))
        members.append((name, member[1] | UnsetType | None, UNSET) if member[2:] == (None,) else member)
    return _define(cls, members)


_Found = tuple["dataclasses.Field[Any]", Any]
"""A field of a dataclass and its type."""


def _fields_of(cls: Any, wanted: list[str]) -> dict[str, _Found]:
    known: dict[str, _Found] = {}
    for member in reversed(_members_of(cls)):
        hints = typing.get_type_hints(member)
        known.update((field.name, (field, hints[field.name])) for field in dataclasses.fields(member))
    for name in wanted:
        if name not in known:
            raise TypeError(f"{cls}: there is no field '{name}'")
    return known


def _members_of(cls: Any) -> tuple[Any, ...]:
    return typing.get_args(cls) or (cls,)


def _define(cls: Any, members: list[tuple[Any, ...]]) -> Any:
    # Values read from JSON contain no cycles, so the garbage collector need not track them.
    names = " or ".join(member.__name__ for member in _members_of(cls))
    namespace = {"projected": _members_of(cls)}
    return msgspec.defstruct(names, members, gc=False, kw_only=True, namespace=namespace)


def _member(name: str, found: _Found, given: Any) -> tuple[Any, ...]:
    """Return the name, the type and, unless the field is required, the default of a struct's field."""
    field, declared = found
    if isinstance(given, tuple):
        given, value = given
        value = msgspec.field(default_factory=value) if callable(value) else value
        return name, _reading_type(declared, given), value
    reading = _reading_type(declared, given)
    if field.default_factory is not dataclasses.MISSING:
        return name, reading, msgspec.field(default_factory=field.default_factory)
    if field.default is not dataclasses.MISSING:
        return name, reading, float(field.default) if reading is float else field.default
    return (name, reading, None) if type(None) in typing.get_args(reading) else (name, reading)


def _reading_type(declared: Any, given: Any) -> Any:
    """Return the type for reading a field: float if ints are allowed, too; `given` or plain objects for dataclasses."""
    if given is not None and not _is_struct(given):
        return given
    origin, args = typing.get_origin(declared), typing.get_args(declared)
    if dataclasses.is_dataclass(declared):
        return given or dict[str, Any]
    if origin in (Union, UnionType):
        kept = [arg for arg in args if arg is not int or float not in args]
        return reduce(or_, dict.fromkeys(_reading_type(arg, given) for arg in kept))
    if origin in (list, dict):
        return origin[tuple(_reading_type(arg, given) for arg in args)]
    return declared


def _is_struct(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, msgspec.Struct)


def drop_nones(value: Any) -> None:
    """Omit, in a mirror and all structs in it, optional fields that are null in the file: HELM writes no such nulls."""
    if isinstance(value, list):
        for item in value:
            drop_nones(item)
    elif isinstance(value, msgspec.Struct):
        for name, may_be_left_out in _plan_of(type(value)):
            item = getattr(value, name)
            if item is not None:
                drop_nones(item)
            elif may_be_left_out:
                setattr(value, name, UNSET)


_PLANS: dict[type, list[tuple[str, bool]]] = {}


def _plan_of(cls: type) -> list[tuple[str, bool]]:
    """Return the fields of a struct that are optional or contain optional fields, with whether they are optional."""
    if cls not in _PLANS:
        _PLANS[cls] = [
            (field.name, field.default is UNSET)
            for field in msgspec.structs.fields(cls)
            if field.default is UNSET or any(map(_plan_of, _structs_in(field.type)))
        ]
    return _PLANS[cls]


def _structs_in(declared: Any) -> Iterator[type]:
    if _is_struct(declared):
        yield declared
    for arg in typing.get_args(declared):
        yield from _structs_in(arg)
