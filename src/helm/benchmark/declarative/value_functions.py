"""Value functions: small pure functions from a value to a value, chained in the `do:` lists of entries.

In an entry, a function is written as its name (`strip`) or as `{name: argument}` (`{rstrip: "."}`). Functions on texts
convert any value to text, but leave null unchanged.
"""

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helm.benchmark.declarative.entry_parts import Function
from helm.benchmark.declarative.templates import compile_text, get_column_or_none, to_text
from helm.common.errors import suggest

ValueFunction = Callable[[Any], Any]


class FunctionError(ValueError):
    """A value function does not exist, or has an invalid argument."""


class ValueProblem(ValueError):
    """A value function cannot be applied to a value of a row."""


@dataclass(frozen=True)
class Context:
    """What value functions may need in addition to the value."""

    class_labels: Mapping[str, Sequence[str]]
    """Maps column to the names of its classes."""

    table: Callable[[str], Any]
    """Returns the table with a name; raises if there is none."""


_PLAIN: dict[str, ValueFunction] = {}
_WITH_ARGUMENT: dict[str, Callable[[Any, Context], ValueFunction]] = {}


def names() -> list[str]:
    """Return the names of all value functions."""
    return sorted({*_PLAIN, *_WITH_ARGUMENT, "class_label"})


def _plain(function: ValueFunction) -> ValueFunction:
    _PLAIN[function.__name__.rstrip("_")] = function
    return function


def _on_text(function: Callable[[str], Any]) -> ValueFunction:
    def apply(value: Any) -> Any:
        return None if value is None else function(to_text(value))

    _PLAIN[function.__name__.rstrip("_")] = apply
    return apply


def _with_argument(
    function: Callable[[Any, Context], ValueFunction],
) -> Callable[[Any, Context], ValueFunction]:
    _WITH_ARGUMENT[function.__name__.rstrip("_")] = function
    return function


def compile_functions(functions: Sequence[Function], context: Context, column: Any = None) -> ValueFunction:
    """Compile to a single function that applies all in order. `column` is the value's column, for `class_label`.

    Raises: FunctionError for an unknown name or an invalid argument.
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
    """Return position and message of the first function that is unknown or lacks its argument; None if all are valid."""
    for i, function in enumerate(functions):
        try:
            name, has_argument = _name(function)
            if isinstance(function, Mapping) and name in ("each", "first_where"):
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
    """Return a function that maps the number of a class to its name."""
    labels = context.class_labels.get(str(column))
    if labels is None:
        raise FunctionError(
            f"class_label: the data set names no classes for the column '{column}'. "
            f"Columns with classes: {', '.join(context.class_labels) or 'none'}."
        )

    def class_label(value: Any) -> Any:
        if value is None or value == -1:  # unlabelled
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(labels):
            raise ValueProblem(f"class_label: {value!r} is none of the {len(labels)} classes of '{column}'.")
        return labels[value]

    return class_label


# ---- On texts


@_on_text
def strip(text: str) -> str:
    return text.strip()


@_on_text
def lstrip(text: str) -> str:
    return text.lstrip()


@_on_text
def rstrip(text: str) -> str:
    return text.rstrip()


@_on_text
def lower(text: str) -> str:
    return text.lower()


@_on_text
def upper(text: str) -> str:
    return text.upper()


@_on_text
def capitalize(text: str) -> str:
    """Convert the first letter to upper case, the others to lower case."""
    return text.capitalize()


@_on_text
def upper_first(text: str) -> str:
    """Convert the first letter to upper case, and leave the others."""
    return text[:1].upper() + text[1:]


@_on_text
def lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


@_on_text
def collapse_whitespace(text: str) -> str:
    """Replace each run of whitespace by one space, and strip both ends."""
    return " ".join(text.split())


@_on_text
def to_int(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        number = _number(text)
        if number != int(number):
            raise ValueProblem(f"to_int: '{text}' is not a whole number.") from None
        return int(number)


@_on_text
def to_float(text: str) -> float:
    return _number(text)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise ValueProblem(f"'{text}' is not a number.") from None
    if number != number or number in (float("inf"), float("-inf")):
        raise ValueProblem(f"'{text}' is not a finite number.")
    return number


@_on_text
def parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as e:
        raise ValueProblem(f"parse_json: {e}: {_start(text)}") from e


@_on_text
def parse_literal(text: str) -> Any:
    """Parse a Python literal: numbers, texts, lists, mappings. Nothing is executed."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError) as e:
        raise ValueProblem(f"parse_literal: no Python literal: {_start(text)}") from e


@_on_text
def words(text: str) -> int:
    """Count the words separated by whitespace."""
    return len(text.split())


@_on_text
def lines(text: str) -> list[str]:
    return text.splitlines()


@_on_text
def letter_index(text: str) -> int:
    """Return 0 for A or a, 1 for B, and so on."""
    letter = text.strip().upper()
    if len(letter) != 1 or not "A" <= letter <= "Z":
        raise ValueProblem(f"letter_index: '{text}' is not a letter.")
    return ord(letter) - ord("A")


def _start(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


# ---- On any value


@_plain
def to_string(value: Any) -> str:
    """Convert like Python's `str`: `True`, `3.0`, `None`."""
    return str(value)


@_plain
def json_dump(value: Any) -> str:
    """Format as JSON with ", " and ": ", escaping non-ASCII letters."""
    return json.dumps(value)


@_plain
def length(value: Any) -> int:
    return 0 if value is None else len(value)


@_plain
def flatten(value: Any) -> list[Any]:
    """Return the leaves of nested lists, in order."""
    if value is None:
        return []
    if not isinstance(value, (list, tuple)):
        return [value]
    return [leaf for item in value for leaf in flatten(item)]


@_plain
def unique(value: Any) -> list[Any]:
    """Return the items without repetitions, in order of first appearance."""
    result: list[Any] = []
    for item in _list(value, "unique"):
        if item not in result:
            result.append(item)
    return result


@_plain
def keys(value: Any) -> list[Any]:
    return list(_mapping(value, "keys"))


@_plain
def values(value: Any) -> list[Any]:
    return list(_mapping(value, "values").values())


@_plain
def drop_empty(value: Any) -> list[Any]:
    """Drop items that are null or an empty text."""
    return [item for item in _list(value, "drop_empty") if item is not None and item != ""]


@_plain
def drop_blank(value: Any) -> list[Any]:
    """Keep items that are texts with something other than whitespace."""
    return [item for item in _list(value, "drop_blank") if isinstance(item, str) and item.strip()]


@_plain
def ratio(value: Any) -> float | None:
    """Divide the first of two numbers by the second; null if the second is 0."""
    first, second = (
        item if isinstance(item, (int, float)) else _number(to_text(item)) for item in _list(value, "ratio")
    )
    return first / second if second else None


@_plain
def to_rows(value: Any) -> list[Any]:
    """Turn a mapping of lists into a list of mappings: `{a: [1, 2]}` -> `[{a: 1}, {a: 2}]`."""
    columns = _mapping(value, "to_rows")
    return [dict(zip(columns, items, strict=True)) for items in zip(*columns.values(), strict=True)]


def _list(value: Any, name: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, (list, tuple)):
        raise ValueProblem(f"{name}: a list is expected, not {_start(str(value))}.")
    return list(value)


def _mapping(value: Any, name: str) -> dict[Any, Any]:
    if not isinstance(value, Mapping):
        raise ValueProblem(f"{name}: a mapping is expected, not {_start(str(value))}.")
    return dict(value)


# ---- With an argument


def _text_argument(name: str, function: Callable[[str, str], Any]) -> None:
    def make(argument: Any, context: Context) -> ValueFunction:
        if not isinstance(argument, str):
            raise TypeError("a text is expected")
        return lambda value: None if value is None else function(to_text(value), argument)

    _WITH_ARGUMENT[name] = make


def _strip_argument(name: str, method: Callable[[str, str | None], str]) -> None:
    def make(argument: Any, context: Context) -> ValueFunction:
        if not isinstance(argument, (str, type(None))):
            raise TypeError("the characters, or null for white space, are expected")
        return lambda value: None if value is None else method(to_text(value), argument)

    _WITH_ARGUMENT[name] = make


_strip_argument("strip", str.strip)
_strip_argument("lstrip", str.lstrip)
_strip_argument("rstrip", str.rstrip)
_text_argument("append", lambda text, end: text + end)
_text_argument("prepend", lambda text, start: start + text)
_text_argument("ensure_suffix", lambda text, end: text if text.endswith(end) else text + end)
_text_argument("ensure_prefix", lambda text, start: text if text.startswith(start) else start + text)
_text_argument("remove_suffix", str.removesuffix)
_text_argument("remove_prefix", str.removeprefix)
_text_argument("split", lambda text, separator: text.split(separator))
_text_argument("before", lambda text, mark: text.partition(mark)[0])
_text_argument("after", lambda text, mark: text.partition(mark)[2])


@_with_argument
def replace(argument: Any, context: Context) -> ValueFunction:
    """Replace `[old, new]`, or a list of such pairs."""
    pairs = argument if argument and isinstance(argument[0], list) else [argument]
    for pair in pairs:
        if len(pair) != 2 or not all(isinstance(item, str) for item in pair):
            raise TypeError("[old, new] is expected")

    def apply(value: Any) -> Any:
        if value is None:
            return None
        text = to_text(value)
        for old, new in pairs:
            text = text.replace(old, new)
        return text

    return apply


@_with_argument
def join(argument: Any, context: Context) -> ValueFunction:
    """Join the items of a list, separated by the argument."""
    if not isinstance(argument, str):
        raise TypeError("a text is expected")
    return lambda value: argument.join(to_text(item) for item in _list(value, "join"))


@_with_argument
def map_(argument: Any, context: Context) -> ValueFunction:
    """Map the value by a mapping or the table of that name.

    A value that is not in it is an error, unless there is a key `else`.
    """
    table = context.table(argument) if isinstance(argument, str) else argument
    by_text = {to_text(key): item for key, item in _mapping(table, "map").items()}

    def apply(value: Any) -> Any:
        key = to_text(value)
        if key not in by_text:
            if "else" in by_text:
                return by_text["else"]
            raise ValueProblem(f"map: {value!r} is none of {', '.join(by_text)}.")
        return by_text[key]

    return apply


@_with_argument
def each(argument: Any, context: Context) -> ValueFunction:
    """Apply functions to each item of a list."""
    function = compile_functions(argument, context)
    return lambda value: [function(item) for item in _list(value, "each")]


@_with_argument
def item(argument: Any, context: Context) -> ValueFunction:
    """Return the item at a position of a list (negative: from the end) or a key of a mapping; null if there is none."""

    def apply(value: Any) -> Any:
        if isinstance(value, Mapping):
            return value.get(argument)
        items = _list(value, "item")
        if not isinstance(argument, int):
            raise ValueProblem(f"item: a list has no '{argument}'.")
        return items[argument] if -len(items) <= argument < len(items) else None

    return apply


@_with_argument
def slice_(argument: Any, context: Context) -> ValueFunction:
    """Return the part `[first, end]` of a list or text; null for either means no limit."""
    start, end = argument
    return lambda value: None if value is None else value[start:end]


@_with_argument
def pluck(argument: Any, context: Context) -> ValueFunction:
    """Return the value of a key (a dotted path) of each item of a list."""
    return lambda value: [get_column_or_none(item, argument) for item in _list(value, "pluck")]


@_with_argument
def first_where(argument: Any, context: Context) -> ValueFunction:
    """Return the first item of a list that matches `{path: value, ...}`; null if there is none."""
    wanted = _mapping(argument, "first_where")

    def apply(value: Any) -> Any:
        for item in _list(value, "first_where"):
            if all(to_text(get_column_or_none(item, path)) == to_text(want) for path, want in wanted.items()):
                return item
        return None

    return apply


@_with_argument
def default(argument: Any, context: Context) -> ValueFunction:
    """Replace null, NaN and the empty text."""
    return lambda value: argument if value is None or value == "" or value != value else value


@_with_argument
def truncate_words(argument: Any, context: Context) -> ValueFunction:
    """Keep the first words, joined by single spaces; null leaves the text unchanged."""
    if argument is None:
        return lambda value: value
    count = int(argument)
    return lambda value: None if value is None else " ".join(to_text(value).split()[:count])


@_with_argument
def regex_replace(argument: Any, context: Context) -> ValueFunction:
    """Replace `[pattern, replacement]` like Python's `re.sub`; or a list of such pairs."""
    pairs = argument if argument and isinstance(argument[0], list) else [argument]
    compiled = [(re.compile(pattern), replacement) for pattern, replacement in pairs]

    def apply(value: Any) -> Any:
        if value is None:
            return None
        text = to_text(value)
        for pattern, replacement in compiled:
            text = pattern.sub(replacement, text)
        return text

    return apply


@_with_argument
def regex_split(argument: Any, context: Context) -> ValueFunction:
    pattern = re.compile(argument)
    return lambda value: None if value is None else pattern.split(to_text(value))


@_with_argument
def regex_extract(argument: Any, context: Context) -> ValueFunction:
    """Return the first group (without groups, all) of the first match; null if nothing matches."""
    pattern = re.compile(argument)

    def apply(value: Any) -> Any:
        match = None if value is None else pattern.search(to_text(value))
        return None if match is None else match.group(1 if pattern.groups else 0)

    return apply


@_with_argument
def regex_find_all(argument: Any, context: Context) -> ValueFunction:
    pattern = re.compile(argument)
    return lambda value: [] if value is None else pattern.findall(to_text(value))


@_with_argument
def add(argument: Any, context: Context) -> ValueFunction:
    """Add a number."""
    if isinstance(argument, bool) or not isinstance(argument, (int, float)):
        raise TypeError("a number is expected")
    return lambda value: (
        None if value is None else (value if isinstance(value, (int, float)) else to_int(value)) + argument
    )


@_with_argument
def format_(argument: Any, context: Context) -> ValueFunction:
    """Format a text over the keys of a mapping, or over `{value}` for any other value."""
    text = compile_text(argument)
    return lambda value: text(value if isinstance(value, Mapping) else {"value": value})
