"""Converts dataclasses to JSON and back.

`asdict_without_nones` and `dump_json` produce the same text: `json.dumps(asdict_without_nones(x), indent=2)` is the layout
of every run file, and `dump_json` writes it about thirty times faster (the indenting encoder of the standard library is pure
Python, and `dataclasses.asdict` copies everything first).
"""

import dataclasses
import json
from collections.abc import Callable, Iterator
from functools import cache
from json.encoder import encode_basestring_ascii as _quote
from math import isfinite
from operator import attrgetter, is_
from typing import Any, TypeVar

from helm.common.formats.structuring import structure

T = TypeVar("T")


def asdict_without_nones(obj: Any) -> dict[str, Any]:
    """Convert like `dataclasses.asdict`, but omit fields that are None at every depth; plain dicts keep them.

    Raises ValueError if `obj` is not a dataclass instance.
    """
    if not dataclasses.is_dataclass(obj) or isinstance(obj, type):
        raise ValueError(f"Expected dataclass, got '{obj}'")
    return dataclasses.asdict(obj, dict_factory=lambda items: {key: value for key, value in items if value is not None})


class JsonList:
    """A base of sequences that are written as lists."""

    __slots__ = ()


_LISTS: tuple[Any, ...] = (list, tuple, JsonList)


# --- writing ----------------------------------------------------------------------------------------------------------

Writer = Callable[[Any], str]


# From this length on, msgspec is faster even with the checks.
_LONG_TEXT = 200


@cache
def _text_encoder() -> Callable[[str], bytes]:
    import msgspec

    return msgspec.json.Encoder().encode


def quote(text: str) -> str:
    """Return `json.dumps(text)`: ASCII only. Prompts are long, and msgspec writes them in a third of the time."""
    if len(text) < _LONG_TEXT or not text.isascii() or "\x7f" in text:
        return _quote(text)
    return _text_encoder()(text).decode("ascii")


def _float_text(value: float) -> str:
    if isfinite(value):
        return float.__repr__(value)
    if value != value:
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def _key_text(key: Any) -> str:
    if isinstance(key, str):
        return _quote(key)
    if key is None or isinstance(key, bool):
        return f'"{json.dumps(key)}"'
    if isinstance(key, (int, float)):
        return f'"{_float_text(key) if isinstance(key, float) else int.__repr__(key)}"'
    raise TypeError(f"keys must be str, int, float, bool or None, not {type(key).__name__}")


SCALAR_WRITERS: dict[type, Writer] = {
    str: quote,
    int: repr,
    float: _float_text,
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): lambda value: "null",
}
"""The functions that write values of exactly these types, as `json.dumps` does."""


@cache
def _names_of(cls: Any) -> tuple[str, ...] | None:
    """The field names of a dataclass, None for another class."""
    return tuple(f.name for f in dataclasses.fields(cls)) if dataclasses.is_dataclass(cls) else None


@cache
def _nulls_of(cls: Any) -> frozenset[str]:
    """The fields of a dataclass that are written as null: leaving them out would make them their default when read."""
    return frozenset(
        f.name
        for f in dataclasses.fields(cls)
        if (f.default is not None and f.default is not dataclasses.MISSING)
        or f.default_factory is not dataclasses.MISSING
    )


class _Writers(dict[type, Writer]):
    """For each type the function that writes its values at one indentation, made when the first such value comes.

    Args:
        newline: a line break and the indentation of the line that holds the values.
    """

    def __init__(self, newline: str):
        super().__init__(SCALAR_WRITERS)
        self._newline = newline

    def __missing__(self, cls: type) -> Writer:
        newline, render = self._newline, _RENDERERS.get(cls)
        if render is not None:
            self[cls] = lambda value: render(value, newline)
        elif _names_of(cls) is not None:
            self[cls] = _dataclass_writer(cls, newline)
        elif issubclass(cls, dict):
            self[cls] = _dict_writer(newline)
        elif issubclass(cls, _LISTS):
            self[cls] = _list_writer(newline)
        else:
            plain = (
                (str, _quote),
                (int, int.__repr__),
                (float, _float_text),
            )  # with subclasses such as NumPy's float64
            write = next((write for base, write in plain if issubclass(cls, base)), None)
            if write is None:
                raise TypeError(f"Object of type {cls.__name__} is not JSON serializable")
            self[cls] = write
        return self[cls]


_writers_at: Callable[[str], _Writers] = cache(_Writers)


def _list_writer(newline: str) -> Writer:
    inner = newline + "  "
    writers = _writers_at(inner)
    opening, comma, closing = "[" + inner, "," + inner, newline + "]"

    def write(value: Any) -> str:
        if len(value) == 1:
            (item,) = value
            return opening + writers[item.__class__](item) + closing
        return opening + comma.join([writers[item.__class__](item) for item in value]) + closing if value else "[]"

    return write


def _dict_writer(newline: str) -> Writer:
    inner = newline + "  "
    writers = _writers_at(inner)
    opening, comma, closing = "{" + inner, "," + inner, newline + "}"

    def write(value: Any) -> str:
        if not value:
            return "{}"
        items = [f"{_key_text(key)}: {writers[item.__class__](item)}" for key, item in value.items()]
        return opening + comma.join(items) + closing

    return write


_MANY_FIELDS = 16


def _may_be_absent(field: "dataclasses.Field[Any]") -> bool:
    """Return whether a field is probably None at times, which decides only how fast it is written."""
    declared = str(field.type)
    return field.default is None or "None" in declared or "Optional" in declared or "Any" in declared


@cache
def _dataclass_writer(cls: Any, newline: str) -> Writer:
    """Generated code, as the methods of dataclasses are."""
    fields = dataclasses.fields(cls)
    if len(fields) >= _MANY_FIELDS:
        return _writer_of_many_fields(cls, newline)
    write_any = _writer_of_any_fields(cls, newline)
    if not fields or _may_be_absent(fields[0]):
        return write_any
    # One expression, for values whose other fields that are never absent are there.
    inner = newline + "  "
    lines, parts = ["def write(value):"], []
    for number, field in enumerate(fields):
        comma = "," if number else ""
        text = f"(quote(x{number}) if x{number}.__class__ is str else writers[x{number}.__class__](x{number}))"
        prefix = f"{comma}{inner}{_quote(field.name)}: "
        lines.append(f" x{number} = value.{field.name}")
        if _may_be_absent(field):
            absent = prefix + "null" if field.name in _nulls_of(cls) else ""
            parts.append(f"({absent!r} if x{number} is None else {prefix!r} + {text})")
        else:
            lines.append(f" if x{number} is None: return write_any(value)")
            parts.append(f"{prefix!r}, {text}")
    lines.append(f" return ''.join(('{{', {', '.join(parts)}, {newline + '}'!r}))")
    namespace = {"writers": _writers_at(inner), "quote": quote, "write_any": write_any}
    exec("\n".join(lines), namespace)
    write: Writer = namespace["write"]  # type: ignore[assignment]
    return write


def _writer_of_any_fields(cls: Any, newline: str) -> Writer:
    names, nulls = _names_of(cls) or (), _nulls_of(cls)
    inner = newline + "  "
    writers = _writers_at(inner)
    prefixes = [(name, f"{inner}{_quote(name)}: ") for name in names]

    def write(value: Any) -> str:
        parts = []
        for name, prefix in prefixes:
            item = getattr(value, name)
            if item is not None:
                parts.append(prefix + writers[item.__class__](item))
            elif name in nulls:
                parts.append(prefix + "null")
        return "{" + ",".join(parts) + newline + "}" if parts else "{}"

    return write


def _writer_of_many_fields(cls: Any, newline: str) -> Writer:
    """Most fields of objects with many are as in the object before, so the last scalar of each is kept with its text."""
    inner = newline + "  "
    names = _names_of(cls) or ()
    writers, get, closing = _writers_at(inner), attrgetter(*names), newline + "}"
    prefixes = [f",{inner}{_quote(name)}: " for name in names]
    absent = [prefix + "null" if name in _nulls_of(cls) else "" for name, prefix in zip(names, prefixes, strict=True)]
    scalars, no_value = frozenset(SCALAR_WRITERS), object()
    # One object, read once and replaced as a whole, so that a value never gets the text of another thread's value.
    last: tuple[list[Any], list[str]] = [no_value] * len(names), [""] * len(names)

    def write(value: Any) -> str:
        nonlocal last
        items = get(value)
        kept, texts = last
        changed = [number for number, is_kept in enumerate(map(is_, items, kept)) if not is_kept]
        if changed:
            kept, texts = kept.copy(), texts.copy()
            for number in changed:
                item = items[number]
                cls = item.__class__
                texts[number] = absent[number] if item is None else prefixes[number] + writers[cls](item)
                kept[number] = item if cls in scalars else no_value
            last = kept, texts
        text = "".join(texts)
        return f"{{{text[1:]}{closing}" if text else "{}"

    return write


_RENDERERS: dict[type, Callable[[Any, str], str]] = {}
_PLAIN: dict[type, Callable[[Any], Any]] = {}


def register_renderer(cls: type, render: Callable[[Any, str], str]) -> None:
    """Write values of exactly this class with `render(value, newline)`, which returns the same text faster.

    To be called by the module that defines the class, before the first value is written.
    """
    _RENDERERS[cls] = render


def register_plain(cls: type, to_plain: Callable[[Any], Any]) -> None:
    """Turn values of exactly this class into plain JSON values with `to_plain`. See `register_renderer` for when to call it."""
    _PLAIN[cls] = to_plain


def render_dataclass_json(value: Any, newline: str) -> str:
    """Render a dataclass without the renderer registered for it; for use in that renderer."""
    return _dataclass_writer(value.__class__, newline)(value)


def render_json(value: Any, newline: str) -> str:
    """Return the text of `value`; `newline` is a line break and the indentation of the line that contains it."""
    return _writers_at(newline)[value.__class__](value)


def dump_json(value: Any) -> str:
    """Return `json.dumps(asdict_without_nones(value), indent=2)`, also for lists of dataclasses and plain values.

    HELM: None is written as null in fields with another default.
    """
    return render_json(value, "\n")


_MOST_CHARACTERS = 1 << 18
"""A piece of the text of a list has at most so many, unless a single item has more."""


def iterate_json(value: Any, block: int = 256) -> Iterator[str]:
    """Yield the text of `dump_json` in pieces, so that the text of a long list is never in memory as a whole."""
    if isinstance(value, _LISTS) and len(value) > block:
        yield from _iterate_list(value, "\n", block)
        return
    names = _names_of(value.__class__)
    if names is None:
        yield dump_json(value)
        return
    opening = "{"
    for name in names:
        item = getattr(value, name)
        if item is None and name not in _nulls_of(value.__class__):
            continue
        yield f"{opening}\n  {_quote(name)}: "
        opening = ","
        if isinstance(item, _LISTS) and len(item) > block:
            yield from _iterate_list(item, "\n  ", block)
        else:
            yield render_json(item, "\n  ")
    yield "\n}" if opening == "," else "{}"


def _iterate_list(items: Any, newline: str, block: int) -> Iterator[str]:
    inner = newline + "  "
    opening, texts, size = "[" + inner, [], 0
    for item in items:
        texts.append(render_json(item, inner))
        size += len(texts[-1])
        if len(texts) == block or size > _MOST_CHARACTERS:
            yield opening + ("," + inner).join(texts)
            opening, size = "," + inner, 0
            texts.clear()
    if texts:
        yield opening + ("," + inner).join(texts)
    yield newline + "]"


def to_json(data: Any) -> str:
    """Return JSON indented by two spaces. Fields that are None are omitted, unless their default is something else."""
    return dump_json(data)


def _plain(value: Any) -> Any:
    """Convert dataclasses to dicts without Nones; everything else is shared, not copied."""
    if type(value) in SCALAR_WRITERS:
        return value
    names = _names_of(value.__class__)
    if names is not None:
        items = ((name, getattr(value, name)) for name in names)
        nulls = _nulls_of(value.__class__)
        return {name: _plain(item) for name, item in items if item is not None or name in nulls}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, _LISTS):
        return [_plain(item) for item in value]
    to_plain = _PLAIN.get(value.__class__)
    return value if to_plain is None else to_plain(value)


def to_json_single_line(data: Any) -> str:
    """Return JSON without spaces or line breaks."""
    return json.dumps(_plain(data), separators=(",", ":"))


def to_jsonl(data: list[Any]) -> str:
    """Return one line of JSON per item, without a line break at the end."""
    return "\n".join(to_json_single_line(item) for item in data)


# --- reading ----------------------------------------------------------------------------------------------------------


def from_json(data: bytes | str, cls: type[T]) -> T:
    """Read JSON text as a `cls`, with the rules of `structure`."""
    return structure(json.loads(data), cls)


def from_jsonl(data: bytes | str, cls: type[T]) -> list[T]:
    """Read one `cls` per line; empty lines are skipped."""
    text = data.decode("utf-8") if isinstance(data, bytes) else data
    return [from_json(line, cls) for line in text.split("\n") if line.strip()]
