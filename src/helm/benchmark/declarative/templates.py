"""Fills in `${name}`, values of an entry's parameters, and `{column}`, values of a row's columns."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from helm.common.errors import suggest

_VARIABLE = re.compile(r"\$\{([^${}]*)\}")
_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")

Row = dict[str, Any]
COLUMNS = "_columns"
"""The key under which a row without header keeps all its columns."""


class TemplateError(ValueError):
    """A `${...}` or `{...}` cannot be filled in; the message says which and why."""


class Variables:
    """The names that `${...}` may refer to.

    Args:
        values: maps name to value.
        lookup: `lookup(name, value)` is the value of `${name.lookup}`.
        deferred: maps name to a function that computes the value on first use (downloaded texts).
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        lookup: Callable[[str, Any], Any],
        deferred: Mapping[str, Callable[[], Any]] | None = None,
    ):
        self.values = dict(values)
        self._lookup = lookup
        self._deferred = dict(deferred or {})

    def names(self) -> list[str]:
        return [*self.values, *self._deferred]

    def defer(self, name: str, make: Callable[[], Any]) -> None:
        """Add a name whose value is computed on first use."""
        self._deferred[name] = make

    def with_values(self, more: Mapping[str, Any]) -> "Variables":
        """Return a copy with further names, which take precedence."""
        return Variables({**self.values, **more}, self._lookup, self._deferred)

    def __getitem__(self, name: str) -> Any:
        return self.get(name)

    def get(self, expression: str) -> Any:
        """Return the value of `${expression}`. Raises: TemplateError."""
        name, *rest = expression.split(".")
        if name in self.values:
            value = self.values[name]
        elif name in self._deferred:
            value = self.values[name] = self._deferred[name]()
        else:
            raise TemplateError(
                f"'${{{expression}}}': there is no '{name}'. Known: {', '.join(self.names()) or 'nothing'}."
                f"{suggest(name, self.names())}"
            )
        for part in rest:
            value = self._step(name, expression, value, part)
        return value

    def _step(self, name: str, expression: str, value: Any, part: str) -> Any:
        if isinstance(value, Mapping):
            if part not in value:
                raise TemplateError(f"'${{{expression}}}': there is no '{part}'.{suggest(part, map(str, value))}")
            return value[part]
        if isinstance(value, list):
            if not part.isdigit() or int(part) >= len(value):
                raise TemplateError(f"'${{{expression}}}': '{part}' is not a position in a list of {len(value)}.")
            return value[int(part)]
        if isinstance(value, Placeholder):
            return value
        if part == "lookup":
            return self._lookup(name, value)
        modifier = MODIFIERS.get(part)
        if modifier is None:
            raise TemplateError(
                f"'${{{expression}}}': there is no '{part}'. It can be lookup, {', '.join(MODIFIERS)}."
                f"{suggest(part, ['lookup', *MODIFIERS])}"
            )
        return modifier(str(value))

    def fill(self, text: str) -> Any:
        """Return the text with its `${...}` filled in; a text that is a single `${...}` becomes the value itself."""
        if "${" not in text:
            return text
        while True:
            match = _VARIABLE.search(text)  # the innermost one, with no brace inside
            if match is None:
                break
            value = self.get(match.group(1).strip())
            if match.span() == (0, len(text)):
                return value
            text = text[: match.start()] + str(value) + text[match.end() :]
        if "${" in text:
            raise TemplateError(f"'{text}': a '${{' has no end.")
        return text

    def fill_all(self, value: Any, path: tuple[str | int, ...] = ()) -> Any:
        """Return `value` with all its texts filled in, including keys of mappings. Raises: LocatedTemplateError."""
        if isinstance(value, str):
            try:
                return self.fill(value)
            except TemplateError as e:
                raise LocatedTemplateError(str(e), path) from e
        if isinstance(value, Mapping):
            return {
                self.fill(key) if isinstance(key, str) and "${" in key else key: self.fill_all(item, path + (key,))
                for key, item in value.items()
            }
        if isinstance(value, list):
            return [self.fill_all(item, path + (i,)) for i, item in enumerate(value)]
        return value


class LocatedTemplateError(TemplateError):
    """A TemplateError with the path of the text."""

    def __init__(self, message: str, path: tuple[str | int, ...]):
        super().__init__(message)
        self.path = path


class Placeholder(str):
    """Placeholder for a text that would have to be downloaded."""


MODIFIERS: dict[str, Callable[[str], str]] = {
    "spaces": lambda text: text.replace("_", " "),
    "underscores": lambda text: text.replace(" ", "_"),
    "lower": str.lower,
    "upper": str.upper,
    "capitalize": str.capitalize,
    "title": str.title,
}


# ---- Rows


class MissingColumn(LookupError):
    """A row lacks the column."""

    def __init__(self, column: str | int, row: Mapping[str, Any]):
        known = [key for key in row if not key.startswith("_")]
        super().__init__(
            f"there is no column '{column}'. The row has: {', '.join(known) or 'none'}.{suggest(str(column), known)}"
        )


def get_column(row: Mapping[str, Any], column: str | int) -> Any:
    """Return the value of a column: a name, a dotted path into nested values, or a position (files without header).

    Raises: MissingColumn.
    """
    if column in row:
        return row[column]  # type: ignore[index]
    if isinstance(column, int) or column.lstrip("-").isdigit():
        columns = row.get(COLUMNS)
        if columns is None:
            if str(column) in row:
                return row[str(column)]
            raise MissingColumn(column, row)
        try:
            return columns[int(column)]
        except IndexError:
            raise MissingColumn(column, row) from None
    head, dot, rest = column.partition(".")
    while dot:
        if head in row:
            return _go_down(row[head], rest, column, row)
        more, dot, rest = rest.partition(".")
        head = f"{head}.{more}"
    raise MissingColumn(column, row)


def _go_down(value: Any, path: str, column: str, row: Mapping[str, Any]) -> Any:
    if isinstance(value, Mapping):
        if path in value:
            return value[path]
        head, dot, rest = path.partition(".")
        if head in value:
            return _go_down(value[head], rest, column, row) if dot else value[head]
    elif isinstance(value, (list, tuple)):
        head, dot, rest = path.partition(".")
        if head.lstrip("-").isdigit() and -len(value) <= int(head) < len(value):
            item = value[int(head)]
            return _go_down(item, rest, column, row) if dot else item
    elif value is None:
        return None
    raise MissingColumn(column, row)


def get_column_or_none(row: Mapping[str, Any], column: str | int) -> Any:
    """Like `get_column`, but returns None if there is none."""
    try:
        return get_column(row, column)
    except MissingColumn:
        return None


def to_text(value: Any) -> str:
    """Convert a value to text, like Python's `str`, but None to an empty text."""
    return value if type(value) is str else "" if value is None else str(value)


RowText = Callable[[Mapping[str, Any]], str]


def columns_of(text: str) -> list[str]:
    """Return the columns that a text over columns refers to. Raises: TemplateError for an unmatched brace."""
    return [name for _, name in _pieces(text) if name is not None]


def _pieces(text: str) -> list[tuple[str, str | None]]:
    """Yield pairs of literal text and the column that follows it, or None."""
    pieces: list[tuple[str, str | None]] = []
    literal, end = "", 0
    for match in _PIECE.finditer(text):
        literal += text[end : match.start()]
        end = match.end()
        whole, name = match.group(0), match.group(1)
        if whole in ("{{", "}}"):
            literal += whole[0]
        elif name is not None and name.strip():
            pieces.append((literal, name))
            literal = ""
        else:
            raise TemplateError(f"'{text}': '{whole}' names no column; for braces write '{{{{' and '}}}}'.")
    pieces.append((literal + text[end:], None))
    return pieces


def compile_text(text: str) -> RowText:
    """Compile to a function from a row to the text with `{column}` filled in.

    Raises: TemplateError; the function raises MissingColumn.
    """
    if "{" not in text and "}" not in text:
        return lambda row: text
    pieces = _pieces(text)
    if len(pieces) == 2 and not pieces[0][0] and not pieces[1][0]:
        column = str(pieces[0][1])
        return lambda row: to_text(get_column(row, column))

    def fill(row: Mapping[str, Any]) -> str:
        return "".join(
            literal if name is None else literal + to_text(get_column(row, name)) for literal, name in pieces
        )

    return fill


def single_column(text: str) -> str | None:
    """Return the column if the text is exactly one `{column}`; else None."""
    pieces = _pieces(text)
    return pieces[0][1] if len(pieces) == 2 and not pieces[0][0] and not pieces[1][0] else None
