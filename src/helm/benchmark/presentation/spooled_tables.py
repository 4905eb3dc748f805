"""Tables of many run groups in little memory: one of them is in memory at a time."""

from collections.abc import Iterable, Iterator, MutableMapping, MutableSequence
from copy import copy
from typing import Any, overload

from helm.benchmark.presentation.table import Cell, Table
from helm.common.spooled_values import SpooledValues
from helm.results.run_files.run_reader import Run

_Rows = SpooledValues[list[Cell]]


class SpooledTableList(MutableSequence[Table]):
    """Tables that are kept in a file.

    Each look at a table makes it anew. A change of it lasts only if it is put back: `tables[number] = table`.
    """

    def __init__(self, rows: _Rows, tables: Iterable[Table]):
        self._rows = rows
        self._tables: list[tuple[Table, range]] = [self._put(table) for table in tables]
        """The tables without their rows, and the numbers of these."""

    def _put(self, table: Table) -> tuple[Table, range]:
        start = len(self._rows)
        for number, row in enumerate(table.rows, start):
            self._rows[number] = row
        return _with_rows(table, []), range(start, len(self._rows))

    def _get(self, found: tuple[Table, range]) -> Table:
        table, numbers = found
        return _with_rows(table, [self._rows[number] for number in numbers])

    def __len__(self) -> int:
        return len(self._tables)

    @overload
    def __getitem__(self, index: int) -> Table: ...

    @overload
    def __getitem__(self, index: slice) -> list[Table]: ...

    def __getitem__(self, index: int | slice) -> Table | list[Table]:
        if isinstance(index, slice):
            return [self._get(found) for found in self._tables[index]]
        return self._get(self._tables[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        self._tables[index] = [self._put(table) for table in value] if isinstance(index, slice) else self._put(value)

    def __delitem__(self, index: int | slice) -> None:
        del self._tables[index]

    def insert(self, index: int, value: Table) -> None:
        self._tables.insert(index, self._put(value))


class SpooledTables(MutableMapping[str, MutableSequence[Table]]):
    """Tables by run group, kept in a file without a name; see `SpooledTableList`.

    Args:
        folder: where the disk has room for the file; on a full disk, the tables stay in memory.
    """

    def __init__(self, folder: str):
        self._rows: _Rows = SpooledValues(folder, keeps=(Run,))
        self._groups: dict[str, SpooledTableList] = {}

    def __setitem__(self, group: str, tables: Iterable[Table]) -> None:
        self._groups[group] = SpooledTableList(self._rows, tables)

    def __getitem__(self, group: str) -> SpooledTableList:
        return self._groups[group]

    def __delitem__(self, group: str) -> None:
        del self._groups[group]

    def __iter__(self) -> Iterator[str]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)


def _with_rows(table: Table, rows: list[list[Cell]]) -> Table:
    made = copy(table)
    made.rows = rows
    return made
