"""A configuration file of `helm-run`: `helm.yaml`, `helm.toml`, or any YAML or TOML file given with `-c`.

Its keys are the short ones of `ConfigKeys` and the settings of `RunSettings` by name, so a new flag is a new key. The JSON
Schema for editors is made from the same declarations (`config_schema`).
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from helm.benchmark.run_settings import RunSettings, is_count
from helm.common.errors import ConfigError, suggest

FILE_NAMES = ("helm.yaml", "helm.yml", "helm.toml")
"""Names under which `helm-run` without run entries looks for a file in the working directory."""

_ENDINGS = (".yaml", ".yml", ".toml")
_MOST_LEVELS = 100
_NOT_IN_FILES = ("run_specs", "list", "modality", "describe", "print_schema")
"""Settings that only make sense on the command line."""

Scalar = str | int | float | bool
Argument = Scalar | dict[str, Any]
"""The value of an argument; a mapping is for the keys that take JSON."""
Lines = Mapping[tuple[Any, ...], int]


def _key(doc: str, *, setting: str = "", required: bool = False) -> Any:
    """Declare a key with its text for readers, and the setting that it is another name for."""
    metadata = {"doc": doc, "setting": setting}
    return field(metadata=metadata) if required else field(default=None, metadata=metadata)


@dataclass(frozen=True)
class Task:
    """A task with its arguments apart."""

    task: str = _key("a run entry, or its name alone, for example gsm8k", required=True)
    arguments: dict[str, Argument] | None = _key("further arguments of this task; they replace those of the same name")


@dataclass(frozen=True)
class Budget:
    """When to stop sending requests."""

    cost: float | None = _key("US dollars", setting="max_cost")
    tokens: int | None = _key("tokens of prompts and answers together", setting="max_tokens_total")
    time: str | None = _key("a time such as 90s, 30m or 1h30m", setting="max_time")


@dataclass(frozen=True)
class ConfigKeys:
    """The keys of a configuration file that are not settings of `helm-run` under their own name."""

    models: str | list[str] | None = _key("the models to evaluate", setting="models_to_run")
    tasks: str | list[str | Task] | None = _key(
        "what to run: names such as gsm8k, or run entries", setting="run_entries"
    )
    arguments: dict[str, Argument] | None = _key("arguments of all tasks that do not have them themselves")
    limit: int | Literal["all"] | None = _key(
        "the maximum number of questions of each task, or all", setting="max_eval_instances"
    )
    output: str | None = _key("folder of the results", setting="output_path")
    budget: Budget | None = _key("when to stop sending requests")


def is_config_file(path: str) -> bool:
    """Return whether `-c` reads a path as a configuration file; other files hold run entries."""
    return path.lower().endswith(_ENDINGS)


def find_config_file() -> str | None:
    """Return the configuration file in the working directory, or None. Raises: ConfigError when there are several."""
    found = [name for name in FILE_NAMES if os.path.isfile(name)]
    if len(found) > 1:
        raise ConfigError(f"There are {' and '.join(found)} here; say which to use with -c.")
    return found[0] if found else None


def config_fields() -> dict[str, tuple[Any, str]]:
    """Return the type and the text of every key of a configuration file, in the order of the schema."""
    found: dict[str, tuple[Any, str]] = {item.name: (item.type, item.metadata["doc"]) for item in fields(ConfigKeys)}
    for item in fields(RunSettings):
        if item.metadata and item.name not in _NOT_IN_FILES:
            hint = int | Literal["all"] if is_count(item) else item.type
            found[item.name] = (hint, _help_text(item))
    return found


def _help_text(item: Field) -> str:
    default = "" if item.default is MISSING else item.default
    return item.metadata["arguments"].get("help", "").replace("%(default)s", str(default))


def read_config(path: str) -> dict[str, Any]:
    """Return the settings of a configuration file, by field of `RunSettings`.

    Raises: FileNotFoundError; ConfigError with file, line, key and the nearest valid key.
    """
    raw, lines = _read(path)
    reader = _Reader(path, lines)
    if not isinstance(raw, dict):
        raise reader.error((), f"expected keys such as models and tasks, got {_kind(raw)}.")
    known = config_fields()
    reader.check_keys((), raw, known)
    for name, value in raw.items():
        reader.check((name,), value, known[name][0])
    return reader.settings(raw)


class _Reader:
    """Checks the values of one file."""

    def __init__(self, path: str, lines: Lines) -> None:
        self._path, self._lines = path, lines

    def error(self, where: tuple[Any, ...], message: str) -> ConfigError:
        line = next((self._lines[where[:n]] for n in range(len(where), 0, -1) if where[:n] in self._lines), None)
        key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in where).lstrip(".")
        place = self._path + (f", line {line}" if line else "")
        return ConfigError(f"{place}: {key}: {message}" if key else f"{place}: {message}")

    def check_keys(self, where: tuple[Any, ...], raw: dict[Any, Any], known: Mapping[str, Any]) -> None:
        for name in raw:
            if name not in known:
                hint = suggest(str(name), known) or f" Known keys: {', '.join(known)}."
                if not where and name in _run_entry_keys():
                    hint = " It is an argument of tasks: put it under 'arguments'."
                raise self.error((*where, name), f"there is no key '{name}'.{hint}")

    def check(self, where: tuple[Any, ...], value: Any, hint: Any) -> None:
        """Check a value against a type. Raises: ConfigError."""
        if hint is Any:
            return
        members = [member for member in _members(hint) if member is not NoneType]
        fitting = [member for member in members if _fits(value, member)]
        if not fitting:
            advice = " Put it in quotes." if str in members and not isinstance(value, (dict, list, NoneType)) else ""
            raise self.error(where, f"expected {' or '.join(map(_expected, members))}, got {_kind(value)}.{advice}")
        member = fitting[0]
        if get_origin(member) is list:
            for i, item in enumerate(value):
                self.check((*where, i), item, get_args(member)[0])
        elif get_origin(member) is dict:
            for key, item in value.items():
                self.check((*where, key), item, get_args(member)[1])
        elif is_dataclass(member):
            known = {item.name: item for item in fields(member)}
            self.check_keys(where, value, known)
            for name, item in known.items():
                if name in value:
                    self.check((*where, name), value[name], item.type)
                elif item.default is MISSING:
                    raise self.error(where, f"the key '{name}' is missing.")

    def settings(self, raw: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        given_as: dict[str, str] = {}
        for where, setting, value in self._flat(raw):
            if setting in given_as:
                raise self.error(where, f"'{given_as[setting]}' already says the same; leave one of them out.")
            given_as[setting] = ".".join(where)
            found[setting] = value
        if found.get("max_eval_instances") == "all":
            found["max_eval_instances"] = None
        if "num_threads" in found:  # as the flag does
            found["max_in_flight"] = found["num_threads"]
        if raw.get("arguments") and "run_entries" not in found:
            raise self.error(("arguments",), "there are no tasks that they could belong to.")
        return found

    def _flat(self, raw: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], str, Any]]:
        """Yield each setting with its place in the file."""
        own = {item.name: item for item in fields(ConfigKeys)}
        for name, value in raw.items():
            if name == "tasks":
                tasks = [value] if isinstance(value, str) else value
                common = raw.get("arguments") or {}
                yield (name,), "run_entries", [self._entry((name, i), task, common) for i, task in enumerate(tasks)]
            elif name == "models":
                yield (name,), "models_to_run", [value] if isinstance(value, str) else value
            elif name == "budget":
                for item in fields(Budget):
                    if item.name in value:
                        yield (name, item.name), item.metadata["setting"], value[item.name]
            elif name not in own:
                yield (name,), name, value
            elif own[name].metadata["setting"]:
                yield (name,), own[name].metadata["setting"], value

    def _entry(self, where: tuple[Any, ...], task: Any, common: dict[str, Argument]) -> str:
        from helm.common.object_spec import parse_object_spec, split_description

        text = task if isinstance(task, str) else task["task"]
        own = {} if isinstance(task, str) else task.get("arguments") or {}
        try:
            name, pieces = split_description(text)
        except ValueError as e:
            raise self.error(where, f"'{text}' is no run entry (NAME:KEY=VALUE,KEY=VALUE): {e}.") from e
        given = {key: value for key, value in pieces if key not in own}
        added = {**{key: value for key, value in common.items() if key not in given}, **own}
        given |= {key: self._entry_value(where, key, value) for key, value in added.items()}
        entry = name + (f":{','.join(f'{key}={value}' for key, value in given.items())}" if given else "")
        if added and list(parse_object_spec(entry).args) != list(given):
            raise self.error(where, f"no run entry can hold these arguments side by side: {entry}")
        return entry

    def _entry_value(self, where: tuple[Any, ...], key: str, value: Argument) -> str:
        """Return the text of a value in a run entry. Raises: ConfigError if there is none."""
        from helm.common.object_spec import parse_arg_value, render_json_value

        text = str(value)
        is_plain = not isinstance(value, dict) and "," not in text and not text.startswith('"')
        if is_plain and (not isinstance(value, str) or parse_arg_value(text) == text):
            return text
        from helm.benchmark.assembly.chat_run_expanders import JSON_KEYS

        if key in JSON_KEYS or isinstance(value, dict):
            try:
                return render_json_value(value)
            except (TypeError, ValueError) as e:
                raise self.error(where, f"{key}: expected what JSON can hold: {e}.") from e
        if "," in text:
            raise self.error(
                where, f"{key}: a value in a run entry ends at the next comma, so '{value}' cannot be one."
            )
        return text


def _run_entry_keys() -> Iterable[str]:
    from helm.benchmark.run_expander import RUN_EXPANDERS

    return RUN_EXPANDERS


# ---- Types


def _members(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _fits(value: Any, hint: Any) -> bool:
    origin = get_origin(hint)
    if origin is Literal:
        return value in get_args(hint) and isinstance(value, str)
    if origin is list or origin is dict:
        return isinstance(value, origin)
    if is_dataclass(hint):
        return isinstance(value, dict)
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return type(value) is hint


def _expected(hint: Any) -> str:
    origin = get_origin(hint)
    if origin is Literal:
        return " or ".join(get_args(hint))
    if origin is list:
        return "a list"
    if origin is dict or is_dataclass(hint):
        return "a mapping"
    return {str: "text", int: "a whole number", float: "a number", bool: "true or false"}[hint]


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "a mapping"
    if isinstance(value, str):
        return f"the text '{value}'"
    return f"{str(value).lower()}" if isinstance(value, bool) else f"{value}"


# ---- Files


def _read(path: str) -> tuple[Any, Lines]:
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except UnicodeDecodeError as e:
        raise ConfigError(f"{path} is not UTF-8 text: {e}") from e
    return _read_toml(path, text) if path.lower().endswith(".toml") else _read_yaml(path, text)


def _read_toml(path: str, text: str) -> tuple[Any, Lines]:
    import re
    import tomllib

    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        raise ConfigError(f"{path} is not valid TOML: {e}.") from e
    except RecursionError:
        raise ConfigError(f"{path} is not valid TOML: it is nested too deeply.") from None
    lines: dict[tuple[Any, ...], int] = {}
    table: tuple[Any, ...] = ()
    counts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[(\[?)\s*([\w.-]+)\s*\]", line)
        key = re.match(r"""\s*["']?([\w-]+)["']?\s*=""", line)
        if header and header[1]:
            counts[header[2]] = counts.get(header[2], -1) + 1
            table = (*header[2].split("."), counts[header[2]])
        elif header:
            table = tuple(header[2].split("."))
        if header:
            lines.setdefault(table, number)
        elif key:
            lines.setdefault((*table, key[1]), number)
    return raw, lines


def _read_yaml(path: str, text: str) -> tuple[Any, Lines]:
    import yaml

    kind = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    lines: dict[tuple[Any, ...], int] = {}
    try:
        _check_depth(path, yaml.parse(text, Loader=kind))
        loader = kind(text)
        node = loader.get_single_node()
        raw = None if node is None else loader.construct_document(node)
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        line = f", line {mark.line + 1}" if mark else ""
        if "nesting depth" in str(e.problem):
            # The limit of libyaml since 0.2.6: its scanner is ahead of the events.
            raise _too_deep(f"{path}{line}") from e
        raise ConfigError(f"{path}{line}: not valid YAML: {e.problem or e.context}.") from e
    except (yaml.YAMLError, ValueError, RecursionError) as e:
        raise ConfigError(f"{path} is not valid YAML: {' '.join(str(e).split())}") from e
    if node is not None:
        _note_lines(path, node, (), lines, set())
    return raw, lines


def _check_depth(path: str, events: Iterator[Any]) -> None:
    """Raise ConfigError if lists and mappings are nested deeply: libyaml would overflow the stack, which ends the process."""
    depth = 0
    for event in events:
        name = type(event).__name__
        depth += name.endswith("StartEvent") - name.endswith("EndEvent")
        if depth > _MOST_LEVELS:
            raise _too_deep(f"{path}, line {event.start_mark.line + 1}")


def _too_deep(place: str) -> ConfigError:
    return ConfigError(f"{place}: lists and mappings are nested more than {_MOST_LEVELS} levels deep.")


def _note_lines(
    path: str, node: Any, where: tuple[Any, ...], lines: dict[tuple[Any, ...], int], seen: set[int]
) -> None:
    """Note the line of each key and item. Raises: ConfigError for a key that is there twice."""
    if id(node) in seen:  # an alias
        return
    seen.add(id(node))
    if node.id == "mapping":
        for key, value in node.value:
            place = (*where, key.value)
            line = key.start_mark.line + 1
            if place in lines:
                raise ConfigError(f"{path}, line {line}: {key.value}: this key is there twice (line {lines[place]}).")
            lines[place] = line
            _note_lines(path, value, place, lines, seen)
    elif node.id == "sequence":
        for i, item in enumerate(node.value):
            lines[(*where, i)] = item.start_mark.line + 1
            _note_lines(path, item, (*where, i), lines, seen)
