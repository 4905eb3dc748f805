"""Tables of many run groups in little memory: of a large summary, one of them is in memory at a time."""

from collections.abc import Iterable, Iterator, MutableMapping, MutableSequence
from typing import Any, overload

from helm.benchmark.presentation.table import Table
from helm.common.spooled_values import SpooledValues
from helm.results.run_files.run_reader import Run

_CELLS_IN_MEMORY = 10_000
"""Tables of more cells than this, all together, are kept in the file. A cell takes about a kilobyte."""


class _TableFile:
    def __init__(self, folder: str):
        self._tables = SpooledValues[Table](folder, (Run,))
        self._cells = 0

    def put(self, table: Table) -> int | Table:
        """Return the number of a table in the file, or one of the first tables, which stay in memory."""
        self._cells += len(table.rows) * len(table.header)
        if self._cells <= _CELLS_IN_MEMORY:
            return table
        number = len(self._tables)
        self._tables[number] = table
        return number

    def get(self, place: int | Table) -> Table:
        """Return a table."""
        return place if isinstance(place, Table) else self._tables[place]


class SpooledTableList(MutableSequence[Table]):
    """Tables, of which all but the first ones of a summary are kept in a file.

    Each look at such a table makes it anew. A change of it lasts only if it is put back: `tables[number] = table`.
    """

    def __init__(self, file: _TableFile, tables: Iterable[Table]):
        self._file = file
        self._places = list(map(file.put, tables))

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Table: ...

    @overload
    def __getitem__(self, index: slice) -> list[Table]: ...

    def __getitem__(self, index: int | slice) -> Table | list[Table]:
        if isinstance(index, slice):
            return list(map(self._file.get, self._places[index]))
        return self._file.get(self._places[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            self._places[index] = list(map(self._file.put, value))
        elif self._places[index] is not value:
            self._places[index] = self._file.put(value)

    def __delitem__(self, index: int | slice) -> None:
        del self._places[index]

    def insert(self, index: int, value: Table) -> None:
        self._places.insert(index, self._file.put(value))


class SpooledTables(MutableMapping[str, MutableSequence[Table]]):
    """Tables by run group, kept in a file without a name; see `SpooledTableList`.

    Args:
        folder: where the disk has room for the file; on a full disk, the tables stay in memory.
    """

    def __init__(self, folder: str):
        self._file = _TableFile(folder)
        self._groups: dict[str, SpooledTableList] = {}

    def __setitem__(self, group: str, tables: Iterable[Table]) -> None:
        self._groups[group] = SpooledTableList(self._file, tables)

    def __getitem__(self, group: str) -> SpooledTableList:
        return self._groups[group]

    def __delitem__(self, group: str) -> None:
        del self._groups[group]

    def __iter__(self) -> Iterator[str]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)
