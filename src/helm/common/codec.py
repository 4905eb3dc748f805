"""Dataclasses to JSON and back.

`asdict_without_nones` and `dump_json` are two ways to the same text: `json.dumps(asdict_without_nones(x), indent=2)` is
the layout of every run file, and `dump_json` writes it about thirty times faster (the indenting encoder of the
standard library is pure Python, and `dataclasses.asdict` copies everything first).
"""

import dataclasses
import json
import operator
from json.encoder import encode_basestring_ascii as _quote
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

T = TypeVar("T")


def asdict_without_nones(obj: Any) -> Dict[str, Any]:
    """`dataclasses.asdict` that leaves out fields whose value is None, at every depth; plain dicts keep theirs.

    Raises: ValueError when `obj` is not a dataclass instance.
    """
    if not dataclasses.is_dataclass(obj) or isinstance(obj, type):
        raise ValueError(f"Expected dataclass, got '{obj}'")
    return dataclasses.asdict(obj, dict_factory=lambda items: {key: value for key, value in items if value is not None})


# --- writing ----------------------------------------------------------------------------------------------------------

_INFINITY = float("inf")


def _float_text(value: float) -> str:
    if value != value:
        return "NaN"
    if value in (_INFINITY, -_INFINITY):
        return "Infinity" if value > 0 else "-Infinity"
    return float.__repr__(value)


def _key_text(key: Any) -> str:
    if isinstance(key, str):
        return _quote(key)
    if key is None or isinstance(key, bool):
        return f'"{json.dumps(key)}"'
    if isinstance(key, (int, float)):
        return f'"{_SCALARS[float if isinstance(key, float) else int](key)}"'
    raise TypeError(f"keys must be str, int, float, bool or None, not {type(key).__name__}")


class _Scalars(Dict[type, Callable[[Any], str]]):
    def __missing__(self, cls: type) -> Callable[[Any], str]:
        for base in (str, int, float):  # subclasses, such as NumPy's float64
            if issubclass(cls, base):
                return self[base]
        raise TypeError(f"Object of type {cls.__name__} is not JSON serializable")


_SCALARS = _Scalars(
    {
        str: _quote,
        int: int.__repr__,
        float: _float_text,
        bool: lambda value: "true" if value else "false",
        type(None): lambda value: "null",
    }
)

_FIELDS: Dict[type, Optional[Tuple[str, ...]]] = {}
_PLANS: Dict[Tuple[type, str], Tuple[Callable[[Any], Tuple[Any, ...]], Tuple[str, ...], str]] = {}


def _fields_of(cls: type) -> Optional[Tuple[str, ...]]:
    """The field names of a dataclass, None for another class."""
    try:
        return _FIELDS[cls]
    except KeyError:
        fields = tuple(f.name for f in dataclasses.fields(cls)) if dataclasses.is_dataclass(cls) else None
        _FIELDS[cls] = fields
        return fields


def _plan_of(cls: type, names: Tuple[str, ...], newline: str) -> Tuple[Callable, Tuple[str, ...], str]:
    """(function that gives all field values, text in front of each value, newline of the values) at one indentation."""
    inner = newline + "  "
    getter: Callable = operator.attrgetter(*names) if len(names) > 1 else lambda v: tuple(getattr(v, n) for n in names)
    plan = _PLANS[(cls, newline)] = (getter, tuple(f"{inner}{_quote(name)}: " for name in names), inner)
    return plan


_RENDERERS: Dict[type, Callable[[Any, str], str]] = {}


def register_renderer(cls: type, render: Callable[[Any, str], str]) -> None:
    """Write values of exactly this class with `render(value, newline)`, which gives the same text faster."""
    _RENDERERS[cls] = render


def render_dataclass_json(value: Any, newline: str) -> str:
    """The same for a dataclass whatever renderer is registered for it; for use in that renderer."""
    cls = type(value)
    return _render_dataclass(value, cls, _fields_of(cls) or (), newline)


def render_json(value: Any, newline: str) -> str:
    """The text of `value` where `newline` is a line break and the indentation of the line it stands in."""
    return _render(value, newline)


def _render_dataclass(value: Any, cls: type, names: Tuple[str, ...], newline: str) -> str:
    getter, prefixes, inner = _PLANS.get((cls, newline)) or _plan_of(cls, names, newline)
    parts = []
    for prefix, item in zip(prefixes, getter(value), strict=True):
        if item is not None:
            scalar = _SCALARS.get(type(item))
            parts.append(prefix + (scalar(item) if scalar is not None else _render(item, inner)))
    return "{" + ",".join(parts) + newline + "}" if parts else "{}"


def _render(value: Any, newline: str) -> str:
    """The indented JSON of `value`; `newline` is a line break and the indentation of the line that holds it."""
    cls = type(value)
    scalar = _SCALARS.get(cls)
    if scalar is not None:
        return scalar(value)
    if cls is list:
        if not value:
            return "[]"
        inner = newline + "  "
        return "[" + ",".join([inner + _render(item, inner) for item in value]) + newline + "]"
    names = _fields_of(cls)
    if names is not None:
        if cls in _RENDERERS:
            return _RENDERERS[cls](value, newline)
        return _render_dataclass(value, cls, names, newline)
    if isinstance(value, dict):
        if not value:
            return "{}"
        inner = newline + "  "
        return "{" + ",".join([f"{inner}{_key_text(k)}: {_render(v, inner)}" for k, v in value.items()]) + newline + "}"
    if isinstance(value, (list, tuple)):
        return _render(list(value), newline)
    return _SCALARS[cls](value)


def dump_json(value: Any) -> str:
    """`json.dumps(asdict_without_nones(value), indent=2)`, also for lists of dataclasses and plain values."""
    return _render(value, "\n")


def iterate_json(value: Any, block: int = 256) -> Iterator[str]:
    """The text of `dump_json` in pieces, so that a long list (or a dataclass that holds one) is never whole in memory."""
    if isinstance(value, (list, tuple)) and len(value) > block:
        yield from _iterate_list(value, "\n", block)
        return
    names = _fields_of(type(value))
    if names is None:
        yield dump_json(value)
        return
    opening = "{"
    for name in names:
        item = getattr(value, name)
        if item is None:
            continue
        yield f"{opening}\n  {_quote(name)}: "
        opening = ","
        if isinstance(item, (list, tuple)) and len(item) > block:
            yield from _iterate_list(item, "\n  ", block)
        else:
            yield _render(item, "\n  ")
    yield "\n}" if opening == "," else "{}"


def _iterate_list(items: Any, newline: str, block: int) -> Iterator[str]:
    inner = newline + "  "
    for start in range(0, len(items), block):
        text = ",".join([inner + _render(item, inner) for item in items[start : start + block]])
        yield ("[" if start == 0 else ",") + text
    yield newline + "]"


def to_json(data: Any) -> str:
    """Indented by two spaces, unset optional fields left out."""
    return dump_json(data)


def _plain(value: Any) -> Any:
    """Dataclasses to dicts without Nones; everything else shared, not copied."""
    if type(value) in _SCALARS:
        return value
    names = _fields_of(type(value))
    if names is not None:
        items = ((name, getattr(value, name)) for name in names)
        return {name: _plain(item) for name, item in items if item is not None}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def to_json_single_line(data: Any) -> str:
    """Without spaces or line breaks."""
    return json.dumps(_plain(data), separators=(",", ":"))


def to_jsonl(data: List[Any]) -> str:
    """One line for each item, no line break at the end."""
    return "\n".join(to_json_single_line(item) for item in data)


# --- reading ----------------------------------------------------------------------------------------------------------

_SELECTORS: Dict[type, Callable[[Mapping[str, Any]], type]] = {}
_HINTS: Dict[type, Dict[str, Any]] = {}


def register_subclasses(base: type, select: Callable[[Mapping[str, Any]], type]) -> None:
    """Where a field is declared as `base`, read the subclass that `select` names for the JSON object."""
    _SELECTORS[base] = select


def _hints_of(cls: type) -> Dict[str, Any]:
    if cls not in _HINTS:
        _HINTS[cls] = get_type_hints(cls)
    return _HINTS[cls]


def _kind_of(cls: Any) -> Optional[str]:
    """The tag that marks a dataclass of a closed union, or None."""
    for f in dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ():
        if f.name == "kind" and not f.init:
            return str(f.default)
    return None


def _structure_union(data: Any, members: Tuple[Any, ...], path: str) -> Any:
    if data is None and type(None) in members:
        return None
    members = tuple(member for member in members if member is not type(None))
    if len(members) > 1 and isinstance(data, dict):
        kind = data.get("kind")
        tagged = [member for member in members if _kind_of(member) == kind]
        members = tuple(tagged) or members
    error: Optional[Exception] = None
    for member in members:
        try:
            return structure(data, member, path)
        except (TypeError, ValueError) as e:
            error = error or e
    raise error or TypeError(f"{path}: unexpected {type(data).__name__}")


def structure(data: Any, cls: Any, path: str = "$") -> Any:
    """Build a value of type `cls` from plain JSON data. Unknown keys are ignored; missing ones take their default or None.

    Raises: ValueError that names the place, for example `$.request_states[3].request`, when the data does not fit.
    """
    if cls is Any:
        return data
    origin = get_origin(cls)
    if (
        origin is Union
        or (origin is not None and origin.__class__.__name__ == "UnionType")
        or type(cls).__name__ == "UnionType"
    ):
        return _structure_union(data, get_args(cls), path)
    if origin in (list, tuple):
        if not isinstance(data, list):
            raise ValueError(f"{path}: expected a list, got {type(data).__name__}")
        item_type = get_args(cls)[0]
        return [structure(item, item_type, f"{path}[{i}]") for i, item in enumerate(data)]
    if origin is dict or cls is dict:
        if not isinstance(data, dict):
            raise ValueError(f"{path}: expected an object, got {type(data).__name__}")
        value_type = get_args(cls)[1] if origin else Any
        return {key: structure(value, value_type, f"{path}.{key}") for key, value in data.items()}
    if dataclasses.is_dataclass(cls):
        return _structure_dataclass(data, cls, path)
    if cls is float and isinstance(data, int) and not isinstance(data, bool):
        return data  # an int is a float to the type system, and is written back as it was
    if isinstance(cls, type) and not isinstance(data, cls):
        raise ValueError(f"{path}: expected {cls.__name__}, got {type(data).__name__}")
    return data


def _structure_dataclass(data: Any, cls: Any, path: str) -> Any:
    if not isinstance(data, dict):
        raise ValueError(f"{path}: expected an object for {cls.__name__}, got {type(data).__name__}")
    for base, select in _SELECTORS.items():
        if cls is base:
            cls = select(data)
    hints, arguments = _hints_of(cls), {}
    for f in dataclasses.fields(cls):
        if not f.init:
            continue
        if f.name in data:
            arguments[f.name] = structure(data[f.name], hints[f.name], f"{path}.{f.name}")
        elif f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING:
            if type(None) not in get_args(hints[f.name]):
                raise ValueError(f"{path}: {cls.__name__} lacks the key '{f.name}'")
            arguments[f.name] = None
    return cls(**arguments)


def from_json(data: Union[bytes, str], cls: Type[T]) -> T:
    """Read JSON text as a `cls`, with the rules of `structure`."""
    return structure(json.loads(data), cls)


def from_jsonl(data: Union[bytes, str], cls: Type[T]) -> List[T]:
    """Read one `cls` per line; empty lines are skipped."""
    text = data.decode("utf-8") if isinstance(data, bytes) else data
    return [from_json(line, cls) for line in text.split("\n") if line.strip()]
