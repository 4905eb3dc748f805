"""Tables of many run groups in little memory: of a large summary, one of them is in memory at a time."""

import io
import pickle
from collections.abc import Iterable, Iterator, MutableMapping, MutableSequence
from contextlib import suppress
from typing import Any, overload

from helm.benchmark.presentation.table import Table
from helm.common.packed_list import PackedStore
from helm.results.run_files.run_reader import Run

_CELLS_IN_MEMORY = 10_000
"""Tables of more cells than this, all together, are kept in the file. A cell takes about a kilobyte."""


class _Runs:
    """The runs that tables refer to, by number."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self._numbers: dict[int, int] = {}

    def number_of(self, run: Run) -> int:
        number = self._numbers.setdefault(id(run), len(self.runs))  # safe: the run lives as long as this
        if number == len(self.runs):
            self.runs.append(run)
        return number


def _get_run(number: int) -> Run:
    raise NotImplementedError  # it only names the method of `_Unpickler` that is called instead


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, runs: _Runs):
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._runs = runs

    def reducer_override(self, value: Any) -> Any:
        return (_get_run, (self._runs.number_of(value),)) if isinstance(value, Run) else NotImplemented


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, runs: _Runs):
        super().__init__(file)
        self._runs = runs

    def find_class(self, module: str, name: str) -> Any:
        return self._runs.runs.__getitem__ if name == _get_run.__name__ else super().find_class(module, name)


class _TableFile:
    """A file without a name, which only this process can read: so it holds nothing but what `put` has written."""

    def __init__(self, folder: str):
        self._store = PackedStore(folder)
        self._runs = _Runs()
        self._cells = 0

    def put(self, table: Table) -> "tuple[int, int] | bytes | Table":
        """Return where a table is now; the table itself if it stays in memory.

        That are the first ones, and those with values of a plugin that cannot be written.
        """
        self._cells += len(table.rows) * len(table.header)
        if self._cells <= _CELLS_IN_MEMORY:
            return table
        file = io.BytesIO()
        try:
            _Pickler(file, self._runs).dump(table)
        except (pickle.PicklingError, TypeError, AttributeError, RecursionError):
            return table
        with suppress(OSError):
            return self._store.add(file.getvalue())
        return file.getvalue()

    def get(self, place: "tuple[int, int] | bytes | Table") -> Table:
        """Return the table at a place."""
        if isinstance(place, Table):
            return place
        data = place if isinstance(place, bytes) else self._store.read(*place)
        found: Table = _Unpickler(io.BytesIO(data), self._runs).load()
        return found


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
