"""Value functions: small pure functions from a value to a value, chained in the `do:` lists of entries.

In an entry, a function is written as its name (`strip`) or as `{name: argument}` (`{rstrip: "."}`). Functions on texts
convert any value to text, but leave null unchanged.
"""

import ast
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from helm.benchmark.declarative.function_chains import (
    _WITH_ARGUMENT,
    Context,
    FunctionError,
    ValueFunction,
    ValueProblem,
    check_functions,
    class_label_function,
    compile_functions,
    names,
    on_text,
    plain,
    with_argument,
)
from helm.benchmark.declarative.templates import compile_text, get_column_or_none, to_text

__all__ = [
    "Context",
    "FunctionError",
    "ValueFunction",
    "ValueProblem",
    "check_functions",
    "class_label_function",
    "compile_functions",
    "names",
]

# ---- On texts

for _method in (str.strip, str.lstrip, str.rstrip, str.lower, str.upper):
    on_text(_method)


@on_text
def capitalize(text: str) -> str:
    """Convert the first letter to upper case, the others to lower case."""
    return text.capitalize()


@on_text
def upper_first(text: str) -> str:
    """Convert the first letter to upper case, and leave the others."""
    return text[:1].upper() + text[1:]


@on_text
def lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


@on_text
def collapse_whitespace(text: str) -> str:
    """Replace each run of whitespace by one space, and strip both ends."""
    return " ".join(text.split())


@on_text
def to_int(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        number = _number(text)
        if number != int(number):
            raise ValueProblem(f"to_int: '{text}' is not a whole number.") from None
        return int(number)


@on_text
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


@on_text
def parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as e:
        raise ValueProblem(f"parse_json: {e}: {_start(text)}") from e


@on_text
def parse_literal(text: str) -> Any:
    """Parse a Python literal: numbers, texts, lists, mappings. Nothing is executed."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError) as e:
        raise ValueProblem(f"parse_literal: not a Python literal: {_start(text)}") from e


@on_text
def words(text: str) -> int:
    """Count the words separated by whitespace."""
    return len(text.split())


@on_text
def lines(text: str) -> list[str]:
    return text.splitlines()


@on_text
def letter_index(text: str) -> int:
    """Return 0 for A or a, 1 for B, and so on."""
    letter = text.strip().upper()
    if len(letter) != 1 or not "A" <= letter <= "Z":
        raise ValueProblem(f"letter_index: '{text}' is not a letter.")
    return ord(letter) - ord("A")


def _start(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


# ---- On any value


@plain
def to_string(value: Any) -> str:
    """Convert like Python's `str`: `True`, `3.0`, `None`."""
    return str(value)


@plain
def json_dump(value: Any) -> str:
    """Format as JSON with ", " and ": ", escaping non-ASCII letters."""
    return json.dumps(value)


@plain
def length(value: Any) -> int:
    return 0 if value is None else len(value)


@plain
def flatten(value: Any) -> list[Any]:
    """Return the leaves of nested lists, in order."""
    if value is None:
        return []
    if not isinstance(value, (list, tuple)):
        return [value]
    return [leaf for item in value for leaf in flatten(item)]


@plain
def unique(value: Any) -> list[Any]:
    """Return the items without repetitions, in order of first appearance."""
    result: list[Any] = []
    for item in _list(value, "unique"):
        if item not in result:
            result.append(item)
    return result


@plain
def keys(value: Any) -> list[Any]:
    return list(_mapping(value, "keys"))


@plain
def values(value: Any) -> list[Any]:
    return list(_mapping(value, "values").values())


@plain
def drop_empty(value: Any) -> list[Any]:
    """Drop items that are null or an empty text."""
    return [item for item in _list(value, "drop_empty") if item is not None and item != ""]


@plain
def drop_blank(value: Any) -> list[Any]:
    """Keep items that are texts with something other than whitespace."""
    return [item for item in _list(value, "drop_blank") if isinstance(item, str) and item.strip()]


@plain
def ratio(value: Any) -> float | None:
    """Divide the first of two numbers by the second; null if the second is 0."""
    first, second = (
        item if isinstance(item, (int, float)) else _number(to_text(item)) for item in _list(value, "ratio")
    )
    return first / second if second else None


@plain
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
            raise TypeError("expected the characters, or null for white space")
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


@with_argument
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


@with_argument
def join(argument: Any, context: Context) -> ValueFunction:
    """Join the items of a list, separated by the argument."""
    if not isinstance(argument, str):
        raise TypeError("a text is expected")
    return lambda value: argument.join(to_text(item) for item in _list(value, "join"))


@with_argument
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


@with_argument
def each(argument: Any, context: Context) -> ValueFunction:
    """Apply functions to each item of a list."""
    function = compile_functions(argument, context)
    return lambda value: [function(item) for item in _list(value, "each")]


@with_argument
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


@with_argument
def slice_(argument: Any, context: Context) -> ValueFunction:
    """Return the part `[first, end]` of a list or text; null for either means no limit."""
    start, end = argument
    return lambda value: None if value is None else value[start:end]


@with_argument
def pluck(argument: Any, context: Context) -> ValueFunction:
    """Return the value of a key (a dotted path) of each item of a list."""
    return lambda value: [get_column_or_none(item, argument) for item in _list(value, "pluck")]


def _matches(item: Any, wanted: Mapping[Any, Any]) -> bool:
    return all(to_text(get_column_or_none(item, path)) == to_text(want) for path, want in wanted.items())


@with_argument
def where(argument: Any, context: Context) -> ValueFunction:
    """Keep the items of a list that match `{path: value, ...}`."""
    wanted = _mapping(argument, "where")
    return lambda value: [item for item in _list(value, "where") if _matches(item, wanted)]


@with_argument
def first_where(argument: Any, context: Context) -> ValueFunction:
    """Return the first item of a list that matches `{path: value, ...}`; null if there is none."""
    wanted = _mapping(argument, "first_where")
    return lambda value: next((item for item in _list(value, "first_where") if _matches(item, wanted)), None)


@with_argument
def default(argument: Any, context: Context) -> ValueFunction:
    """Replace null, NaN and the empty text."""
    return lambda value: argument if value is None or value == "" or value != value else value


@with_argument
def truncate_words(argument: Any, context: Context) -> ValueFunction:
    """Keep the first words, joined by single spaces; null leaves the text unchanged."""
    if argument is None:
        return lambda value: value
    count = int(argument)
    return lambda value: None if value is None else " ".join(to_text(value).split()[:count])


@with_argument
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


@with_argument
def regex_split(argument: Any, context: Context) -> ValueFunction:
    pattern = re.compile(argument)
    return lambda value: None if value is None else pattern.split(to_text(value))


@with_argument
def regex_extract(argument: Any, context: Context) -> ValueFunction:
    """Return the first group (without groups, all) of the first match; null if nothing matches."""
    pattern = re.compile(argument)

    def apply(value: Any) -> Any:
        match = None if value is None else pattern.search(to_text(value))
        return None if match is None else match.group(1 if pattern.groups else 0)

    return apply


@with_argument
def regex_find_all(argument: Any, context: Context) -> ValueFunction:
    pattern = re.compile(argument)
    return lambda value: [] if value is None else pattern.findall(to_text(value))


@with_argument
def add(argument: Any, context: Context) -> ValueFunction:
    """Add a number."""
    if isinstance(argument, bool) or not isinstance(argument, (int, float)):
        raise TypeError("a number is expected")
    return lambda value: (
        None if value is None else (value if isinstance(value, (int, float)) else to_int(value)) + argument
    )


@with_argument
def format_(argument: Any, context: Context) -> ValueFunction:
    """Format a text over the keys of a mapping, or over `{value}` for any other value."""
    text = compile_text(argument)
    return lambda value: text(value if isinstance(value, Mapping) else {"value": value})
