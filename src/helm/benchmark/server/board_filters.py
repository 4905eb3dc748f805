"""Filters of a board's rows: organization, size, date of release, what a model reads, whether its weights are open."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helm.benchmark.server.board_parts import Row
from helm.benchmark.server.subject_names import SubjectName
from helm.benchmark.server.viewer import Query

_BILLION = 10**9
_SIZES: Mapping[str, tuple[int, int]] = {
    "under 4B": (0, 4 * _BILLION),
    "4B to 15B": (4 * _BILLION, 15 * _BILLION),
    "15B to 80B": (15 * _BILLION, 80 * _BILLION),
    "80B and more": (80 * _BILLION, 10**18),
}
"""Ranges of the number of parameters that fit one consumer card, one server card, several, or a rack."""


def _size_of(name: SubjectName) -> str:
    if name.num_parameters is None:
        return "unknown"
    return next((label for label, (low, high) in _SIZES.items() if low <= name.num_parameters < high), "unknown")


def _reads(name: SubjectName) -> str:
    return "+".join(("text", *name.reads)) if name.reads else "text"


@dataclass(frozen=True)
class RowFilter:
    """One thing that readers filter by."""

    name: str
    """Its name in addresses."""

    title: str

    value_of: Callable[[SubjectName], str]
    """Returns the value of a subject; empty if it is unknown, so that no filter finds it."""

    is_least: bool = False
    """Whether larger values fit too, as for dates."""


FILTERS = (
    RowFilter("org", "Organization", lambda name: name.creator),
    RowFilter("size", "Size", _size_of),
    RowFilter("since", "Released since", lambda name: name.released[:4], is_least=True),
    RowFilter("reads", "Reads", _reads),
    RowFilter("access", "Access", lambda name: name.access),
)


@dataclass(frozen=True)
class ShownFilter:
    """A filter with the values that a board has."""

    filter: RowFilter

    values: list[str]

    chosen: str


def list_filters(rows: Sequence[Row], query: Query) -> list[ShownFilter]:
    """Return the filters that tell some of the rows apart, and those that the address names."""
    found = []
    for item in FILTERS:
        values = {item.value_of(row.name) for row in rows} - {""}
        chosen = query.get(item.name)
        if len(values) > 1 or chosen:
            order = [*_SIZES, "unknown"] if item.name == "size" else sorted(values, reverse=item.is_least)
            found.append(ShownFilter(item, [value for value in order if value in values], chosen))
    return found


def fits(row: Row, filters: Sequence[ShownFilter]) -> bool:
    """Return whether a row passes all chosen filters."""
    for shown in filters:
        value = shown.filter.value_of(row.name)
        if shown.chosen and not (value >= shown.chosen if shown.filter.is_least and value else value == shown.chosen):
            return False
    return True


def values_of(row: Row) -> dict[str, Any]:
    """Return the values of a row by filter, for the script that filters where there is no server."""
    return {item.name: item.value_of(row.name) for item in FILTERS}
