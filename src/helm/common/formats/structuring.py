"""Builds dataclasses from decoded JSON."""

import dataclasses
import threading
from collections.abc import Callable, Mapping
from typing import (
    Any,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

_SELECTORS: dict[type, Callable[[Mapping[str, Any]], type]] = {}
_CONVERTERS: dict[Any, Callable[[Any], Any]] = {}
_making = threading.RLock()
_unfinished: list[Any] = []
"""Types whose converters are being created by the thread that holds the lock."""
_DATACLASS_CONVERTERS: dict[type, Callable[[Any], Any]] = {}


def register_subclasses(base: type, select: Callable[[Mapping[str, Any]], type]) -> None:
    """Read fields declared as `base` as the subclass that `select` returns for the JSON object."""
    _SELECTORS[base] = select


class _Misfit(ValueError):
    """Data that does not fit a type. The path is added while the error propagates, so that valid data costs nothing."""

    def __init__(self, message: str, place: str = ""):
        super().__init__(message)
        self.message = message
        self.place = place

    def inside(self, place: str) -> "_Misfit":
        return _Misfit(self.message, place + self.place)


def structure(data: Any, cls: Any, path: str = "$") -> Any:
    """Build a value of type `cls` from plain JSON data. Unknown keys are ignored; missing ones take their default or None.

    Raises ValueError that names the place, for example `$.request_states[3].request`, if the data does not fit.
    """
    try:
        return _converter_of(cls)(data)
    except _Misfit as e:
        raise ValueError(f"{path}{e.place}: {e.message}") from None


def _converter_of(cls: Any) -> Callable[[Any], Any]:
    """Return the function that builds a value of type `cls`; it is created once per type."""
    try:
        return _CONVERTERS[cls]
    except KeyError:
        pass
    with _making:
        if cls in _unfinished:
            return lambda data: _converter_of(cls)(data)  # for a type that contains itself
        if cls not in _CONVERTERS:
            _unfinished.append(cls)
            try:
                converter = _make_converter(cls)
            finally:
                _unfinished.remove(cls)
            _CONVERTERS[cls] = converter  # only now may other threads see it
        return _CONVERTERS[cls]


def _make_converter(cls: Any) -> Callable[[Any], Any]:
    if cls is Any:
        return lambda data: data
    origin = get_origin(cls)
    if origin is Union or "UnionType" in (type(cls).__name__, origin.__class__.__name__):
        return _union_converter(get_args(cls))
    if origin in (list, tuple):
        return _list_converter(_converter_of(get_args(cls)[0]))
    if origin is dict or cls is dict:
        return _dict_converter(_converter_of(get_args(cls)[1] if origin else Any))
    if dataclasses.is_dataclass(cls):
        return _selecting_converter(cls)
    return _plain_converter(cls)


def _plain_converter(cls: Any) -> Callable[[Any], Any]:
    if not isinstance(cls, type):
        return lambda data: data
    # To the type system, an int is also a float. It is not converted, so that it is written back unchanged.
    accepted = (float, int) if cls is float else cls

    def convert(data: Any) -> Any:
        if isinstance(data, accepted) and (cls is not float or data.__class__ is not bool):
            return data
        raise _Misfit(f"expected {cls.__name__}, got {type(data).__name__}")

    return convert


def _list_converter(convert_item: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def convert(data: Any) -> Any:
        if not isinstance(data, list):
            raise _Misfit(f"expected a list, got {type(data).__name__}")
        items: list[Any] = []
        try:
            for item in data:
                items.append(convert_item(item))
        except _Misfit as e:
            raise e.inside(f"[{len(items)}]") from None
        return items

    return convert


def _dict_converter(convert_value: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def convert(data: Any) -> Any:
        if not isinstance(data, dict):
            raise _Misfit(f"expected an object, got {type(data).__name__}")
        values = {}
        for key, value in data.items():
            try:
                values[key] = convert_value(value)
            except _Misfit as e:
                raise e.inside(f".{key}") from None
        return values

    return convert


def _kind_of(cls: Any) -> str | None:
    """Return the tag that marks a dataclass of a closed union, or None."""
    for f in dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ():
        if f.name == "kind" and not f.init:
            return str(f.default)
    return None


def _union_converter(args: tuple[Any, ...]) -> Callable[[Any], Any]:
    """Convert to the first member that the data fits; objects with a `kind` are only tried with members of that kind."""
    optional = type(None) in args
    members = tuple((_kind_of(member), _converter_of(member)) for member in args if member is not type(None))

    if optional and len(members) == 1:
        convert_member = members[0][1]
        return lambda data: None if data is None else convert_member(data)

    def convert(data: Any) -> Any:
        if data is None and optional:
            return None
        candidates = members
        if isinstance(data, dict):
            kind = data.get("kind")
            candidates = tuple(member for member in members if member[0] == kind) or members
        error: Exception | None = None
        for _, convert_member in candidates:
            try:
                return convert_member(data)
            except (TypeError, ValueError) as e:
                error = error or e
        raise error or _Misfit(f"unexpected {type(data).__name__}")

    return convert


def _selecting_converter(cls: Any) -> Callable[[Any], Any]:
    own = _dataclass_converter(cls)

    def convert(data: Any) -> Any:
        select = _SELECTORS.get(cls)
        if select is None or not isinstance(data, dict):
            return own(data)
        return _dataclass_converter(select(data))(data)

    return convert


def _dataclass_converter(cls: type) -> Callable[[Any], Any]:
    if cls not in _DATACLASS_CONVERTERS:
        _DATACLASS_CONVERTERS[cls] = _make_dataclass_converter(cls)
    return _DATACLASS_CONVERTERS[cls]


def _make_dataclass_converter(cls: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(cls)
    fields = [f for f in dataclasses.fields(cls) if f.init]
    converters = [(f.name, _converter_of(hints[f.name])) for f in fields]
    bare = [f for f in fields if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING]
    nothing = {f.name: None for f in bare if type(None) in get_args(hints[f.name])}
    required = [f.name for f in bare if f.name not in nothing]

    def convert(data: Any) -> Any:
        if not isinstance(data, dict):
            raise _Misfit(f"expected an object for {cls.__name__}, got {type(data).__name__}")
        arguments: dict[str, Any] = nothing.copy()
        name = ""
        try:
            for name, convert_field in converters:
                if name in data:
                    arguments[name] = convert_field(data[name])
        except _Misfit as e:
            raise e.inside(f".{name}") from None
        for name in required:
            if name not in data:
                raise _Misfit(f"{cls.__name__} lacks the key '{name}'")
        return cls(**arguments)

    return convert
