"""Reads YAML strictly into `Entry`; errors give file, line, key and the nearest valid key."""

import os
from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from helm.benchmark.declarative.entry import Entry
from helm.common.errors import ConfigError, suggest
from helm.common.files import load_yaml

T = TypeVar("T")
Path = tuple[str | int, ...]
"""Path of a value in a file: keys and positions."""


class EntryError(ConfigError):
    """An invalid entry; the message begins with file, line and key."""


class EntryFile:
    """One mapping of a YAML file, with what is needed to locate its parts in the file.

    Args:
        path: the file.
        data: the mapping, as parsed from YAML.
        position: its position, if the file contains a list of entries.
        entry: the parsed entry.
    """

    def __init__(self, path: str, data: dict[str, Any], position: int | None, entry: Entry):
        self.path = path
        self.data = data
        self.position = position
        self.entry = entry

    @property
    def name(self) -> str:
        return self.entry.name

    def error(self, path: Path, message: str, at_key: bool = False) -> EntryError:
        """Return an error about what is at `path`."""
        return _error(self.path, (self.position,) + path if self.position is not None else path, message, at_key)

    def convert(self, value: Any, kind: type[T], path: Path) -> T:
        """Convert `value` (a part of the entry with `${...}` filled in) to `kind`. Raises: EntryError."""
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as e:
            where, message, at_key = _explain(value, kind) or ((), str(e), False)
            raise self.error(path + where, message, at_key) from None

    def table(self, name: str, path: Path) -> Any:
        """Return the table of that name, read from its own file if the entry names one. Raises: EntryError."""
        tables = self.entry.tables
        if name not in tables:
            raise self.error(path, f"there is no table '{name}'. Tables: {_listed(tables)}.{suggest(name, tables)}")
        table = tables[name]
        if isinstance(table, str):
            file_name = os.path.join(os.path.dirname(self.path), table)
            if not os.path.isfile(file_name):
                raise self.error(("tables", name), f"there is no file {file_name}.")
            return _load_table(file_name)
        return table


@cache
def _load_table(path: str) -> Any:
    return load_yaml(path)


def read_entries(path: str) -> list[EntryFile]:
    """Read the entries of a file: one mapping, or a list of them.

    Raises: EntryError with file, line and key of the first error.
    """
    data = _load(path)
    if not isinstance(data, list):
        return [_read(path, data, None)]
    entries = [_read(path, item, i) for i, item in enumerate(data)]
    seen: dict[str, int] = {}
    for i, file in enumerate(entries):
        if "name" not in file.data:
            raise _error(path, (i,), "an entry of a list needs a name.")
        if file.name in seen:
            raise _error(path, (i, "name"), f"there are two entries '{file.name}' in this file.")
        seen[file.name] = i
    return entries


def _load(path: str) -> Any:
    try:
        return load_yaml(path)
    except OSError as e:
        raise EntryError(f"{path} cannot be read: {e.strerror or e}.") from e
    except UnicodeDecodeError as e:
        raise EntryError(f"{path} is not UTF-8 text: {e}.") from e
    except (ValueError, RecursionError) as e:
        if isinstance(e, ConfigError):
            raise
        raise EntryError(f"{path} is not valid YAML: {e or type(e).__name__}.") from e


def _read(path: str, data: Any, position: int | None) -> EntryFile:
    from helm.benchmark.declarative.checking import check_entry

    prefix: Path = () if position is None else (position,)
    try:
        entry = msgspec.convert(data, Entry)
    except msgspec.ValidationError as e:
        where, message, at_key = _explain(data, Entry) or ((), str(e), False)
        raise _error(path, prefix + where, message, at_key) from None
    if not entry.name:
        entry = msgspec.structs.replace(entry, name=os.path.basename(path).rpartition(".")[0].lstrip("_"))
    file = EntryFile(path, data, position, entry)
    check_entry(file)
    return file


# ---- Errors


def _error(path: str, where: Path, message: str, at_key: bool = False) -> EntryError:
    line = line_of(path, where)
    key = f" {render_path(where)}:" if where else ""
    return EntryError(f"{path}{f':{line}' if line else ''}:{key} {message}")


def render_path(path: Path) -> str:
    """Format a path as `source.files[0].format`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def line_of(path: str, where: Path) -> int | None:
    """Return the line of the value (or its key) in the file, else of the nearest enclosing part."""
    import yaml

    try:
        with open(path, encoding="utf-8") as file:
            node = yaml.compose(file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (OSError, ValueError, yaml.YAMLError):
        return None
    if node is None:
        return 1
    mark = node.start_mark
    for part in where:
        if isinstance(node, yaml.MappingNode):
            pair = next((pair for pair in node.value if pair[0].value == str(part)), None)
            if pair is None:
                break
            mark, node = pair[0].start_mark, pair[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            mark = node.start_mark
        else:
            break
    return int(mark.line) + 1


_KINDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", type(None): "nothing"}


def _explain(value: Any, kind: Any) -> tuple[Path, str, bool] | None:
    """Return where and why `value` is not a `kind`: path, message, whether the key itself is wrong. None if it is one."""
    origin, members = get_origin(kind), get_args(kind)
    if kind is Any:
        return None
    if origin in (Union, UnionType):
        return _explain_union(value, members)
    if origin is Literal:
        return None if value in members and type(value) is not bool else ((), _not_one_of(value, members), False)
    if origin is list or kind is list:
        if not isinstance(value, list):
            return (), f"a list is expected, not {_shown(value)}.", False
        return _first((i, item, members[0] if members else Any) for i, item in enumerate(value))
    if origin is dict or kind is dict:
        if not isinstance(value, Mapping):
            return (), f"a mapping is expected, not {_shown(value)}.", False
        wrong = next((key for key in value if not isinstance(key, str)), None)
        if wrong is not None and members and members[0] is str:
            return (), f"the key {wrong!r} is not a text; put it in quotes.", False
        return _first((key, item, members[1] if members else Any) for key, item in value.items())
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _explain_struct(value, kind)
    if kind is msgspec.UnsetType:
        return (), "", False
    return None if _is_a(value, kind) else ((), f"{_KINDS.get(kind, kind)} is expected, not {_shown(value)}.", False)


def _first(items: Any) -> tuple[Path, str, bool] | None:
    for key, value, kind in items:
        found = _explain(value, kind)
        if found:
            return (key,) + found[0], found[1], found[2]
    return None


def _is_a(value: Any, kind: type) -> bool:
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, kind)


def _explain_struct(value: Any, kind: type[msgspec.Struct]) -> tuple[Path, str, bool] | None:
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    if not isinstance(value, Mapping):
        return (), f"a mapping is expected (keys: {_listed(fields)}), not {_shown(value)}.", False
    for key in value:
        if key not in fields:
            return (key,), f"unknown key '{key}'. Keys here: {_listed(fields)}.{suggest(str(key), fields)}", True
    for name, field in fields.items():
        if field.required and name not in value:
            return (), f"the key '{name}' is missing.", False
    return _first((key, item, fields[key].type) for key, item in value.items())


def _explain_union(value: Any, members: tuple[Any, ...]) -> tuple[Path, str, bool] | None:
    problems = []
    for member in members:
        found = _explain(value, member)
        if found is None:
            return None
        if found[0] or _shape(member) is type(value):
            problems.append(found)
    if problems:  # problems of the union member with the same shape
        return max(problems, key=lambda problem: len(problem[0]))
    kinds = [_kind_name(member) for member in members if member not in (msgspec.UnsetType, type(None))]
    return (), f"{' or '.join(dict.fromkeys(kinds))} is expected, not {_shown(value)}.", False


def _shape(kind: Any) -> Any:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return dict
    return get_origin(kind) if get_origin(kind) is not Literal else type(get_args(kind)[0])


def _kind_name(kind: Any) -> str:
    shape = _shape(kind) or kind
    return {dict: "a mapping", list: "a list", **_KINDS}.get(shape, str(shape))


def _not_one_of(value: Any, members: tuple[Any, ...]) -> str:
    return f"one of {_listed(members)} is expected, not {_shown(value)}.{suggest(str(value), map(str, members))}"


def _listed(names: Any) -> str:
    return ", ".join(str(name) for name in names) or "none"


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
