"""Tables of many run groups in little memory: only those of one group are in memory at a time."""

from collections.abc import Iterator, MutableMapping
from copy import copy

from helm.benchmark.presentation.table import Cell, Table
from helm.common.spooled_values import SpooledValues
from helm.results.run_files.run_reader import Run


class SpooledTables(MutableMapping[str, list[Table]]):
    """Tables by run group, kept in a file without a name.

    Each look at a group makes its tables anew. A change of one of them lasts only if the tables are put back.

    Args:
        folder: where the disk has room for the file; on a full disk, the tables stay in memory.
    """

    def __init__(self, folder: str):
        self._rows = SpooledValues[list[Cell]](folder, keeps=(Run,))
        self._groups: dict[str, list[tuple[Table, range]]] = {}
        """The tables of each group without their rows, and the numbers of these."""

    def __setitem__(self, group: str, tables: list[Table]) -> None:
        found = []
        for table in tables:
            start = len(self._rows)
            for number, row in enumerate(table.rows, start):
                self._rows[number] = row
            found.append((_with_rows(table, []), range(start, len(self._rows))))
        self._groups[group] = found

    def __getitem__(self, group: str) -> list[Table]:
        return [_with_rows(table, [self._rows[number] for number in rows]) for table, rows in self._groups[group]]

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
