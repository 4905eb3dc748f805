"""Rows as frames."""

from collections.abc import Iterable, Mapping
from typing import Any

from helm.results.rows import Row, RowKind
from helm.results.rows import to_frame as to_pandas_frame


def to_frame(rows: Iterable[Row], columns: Mapping[str, str]) -> Any:
    """Return rows as a pandas frame, or as a list of dicts without pandas.

    `columns` maps names to types, which are named in `helm.results.rows`.
    """
    complete = [{name: row.get(name) for name in columns} for row in rows]
    try:
        import pandas  # noqa: F401
    except ModuleNotFoundError:
        return complete
    return to_pandas_frame(complete, RowKind("rows", columns, lambda run: iter(())))
