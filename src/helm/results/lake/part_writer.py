"""Writes the rows of runs to the files of a part, run by run, with memory that does not grow with the runs."""

import errno
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from types import NoneType
from typing import Any

from helm.common.optional_dependencies import needs_extra
from helm.results.lake.manifest import TABLES, LakePart, LakeRun
from helm.results.lake.place import LakePlace
from helm.results.row_files import arrow_schema
from helm.results.rows import (
    INSTANCES,
    NUMBER,
    ROW_KINDS,
    RUNS,
    TEXT,
    TRUTH,
    WHOLE,
    Row,
    RowKind,
    as_type,
    iterate_instance_blocks,
    split_by_files,
    suite_of,
)
from helm.results.run_results import RunResults

_GROUP_ROWS = 100_000
"""Rows after which a row group ends: about as many as DuckDB reads at a time."""

_GROUP_BYTES = 1 << 25
"""Bytes after which a row group ends, since prompts may be long."""

_PIECE_ROWS = 1_000
"""Rows that become columns together."""


_OWN_FAULTS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE)
"""Errors of the system that are not a run's."""


class PartiallyWritten(Exception):
    """A run failed after some of its rows were written, so the part has to be begun again without them."""

    def __init__(self, folder: str, cause: Exception):
        super().__init__(str(cause))
        self.folder, self.cause = folder, cause


class TableWriter:
    """A Parquet file whose row groups hold whole runs, or rows of one run that is larger than a group.

    So a reader that looks for some runs skips the other groups, and small runs do not make thousands of them.
    """

    def __init__(self, place: LakePlace, name: str, schema: Any, stack: ExitStack):
        with needs_extra("export"):
            import pyarrow
            from pyarrow import parquet
        self._pyarrow, self._parquet = pyarrow, parquet
        self._place, self._name, self.schema, self._stack = place, name, schema, stack
        self._writer: Any = None
        self._pieces: list[Any] = []
        self._rows = self._bytes = 0
        self._run_pieces = self._run_rows = self._run_bytes = 0
        self._is_run_written = False

    def begin_run(self) -> None:
        """What is added now belongs to the next run."""
        if self._rows >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
            self._flush(len(self._pieces))
        self._run_pieces, self._run_rows, self._run_bytes = len(self._pieces), self._rows, self._bytes
        self._is_run_written = False

    def add(self, table: Any) -> None:
        """Add rows of the run."""
        if table.num_rows:
            self._pieces.append(table)
            self._rows += table.num_rows
            self._bytes += table.nbytes
        if self._rows >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
            if self._run_pieces:  # those of earlier runs make a group of their own
                self._flush(self._run_pieces)
            else:
                self._is_run_written = True
                self._flush(len(self._pieces))

    def add_batch(self, batch: Any) -> None:
        """Add rows that another file has, as a record batch."""
        self.add(self._pyarrow.Table.from_batches([batch]).cast(self.schema))

    def drop_run(self) -> bool:
        """Forget the rows of the run, if none is in the file yet; return whether that is so."""
        if self._is_run_written:
            return False
        del self._pieces[self._run_pieces :]
        self._rows, self._bytes = self._run_rows, self._run_bytes
        return True

    def finish(self) -> None:
        self._flush(len(self._pieces))

    def _flush(self, count: int) -> None:
        pieces, self._pieces = self._pieces[:count], self._pieces[count:]
        if not pieces:
            return
        if self._writer is None:
            file = self._stack.enter_context(self._place.create(self._name))
            writer = self._parquet.ParquetWriter(file, self.schema, compression="zstd")
            self._writer = self._stack.enter_context(writer)
        table = self._pyarrow.concat_tables(pieces)
        self._writer.write_table(table, row_group_size=max(1, table.num_rows))
        self._rows -= table.num_rows
        self._bytes -= sum(piece.nbytes for piece in pieces)
        self._run_pieces = self._run_rows = self._run_bytes = 0


class PartWriter:
    """The files of a part, which appear when the block ends."""

    def __init__(self, place: LakePlace, part: LakePart):
        self._stack = ExitStack()
        self.tables = {
            name: TableWriter(place, part.file_name(name), arrow_schema(kind.columns), self._stack)
            for name, kind in ROW_KINDS.items()
        }

    def __enter__(self) -> "PartWriter":
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if kind is None:
            try:
                for writer in self.tables.values():
                    writer.finish()
            except BaseException as e:
                self._stack.__exit__(type(e), e, e.__traceback__)
                raise
        self._stack.__exit__(kind, error, traceback)

    def add_run(self, run: RunResults, signature: str, known_problem: str | None = None) -> tuple[LakeRun, str | None]:
        """Add all rows of a run, and return their numbers and what is wrong with the run.

        A run with a damaged file has only its row in `runs`, which says so.

        Args:
            known_problem: what an earlier attempt found to be wrong.

        Raises:
            PartiallyWritten: The run cannot be read, which was found too late.
        """
        counts = dict.fromkeys(TABLES, 0)
        for writer in self.tables.values():
            writer.begin_run()
        if known_problem is None:
            try:
                for name, kind in ROW_KINDS.items():
                    for table in _tables_of(run, kind, self.tables[name].schema):
                        self.tables[name].add(table)
                        counts[name] += table.num_rows
                return LakeRun(run.folder_name, signature, tuple(counts.values())), None
            except Exception as e:  # files of other programs may contain anything
                if isinstance(e, OSError) and e.errno in _OWN_FAULTS:
                    raise
                if not all([writer.drop_run() for writer in self.tables.values()]):
                    raise PartiallyWritten(run.folder_name, e) from e
                known_problem = describe(e)
        row = {"run": run.folder_name, "folder": run.folder_name, "suite": suite_of(run), "problem": known_problem}
        self.tables[RUNS.name].add(_to_table([row], RUNS, self.tables[RUNS.name].schema))
        return LakeRun(run.folder_name, signature, tuple(int(name == RUNS.name) for name in TABLES)), known_problem


def describe(error: Exception) -> str:
    """Return what is wrong with a run, in one line."""
    from helm.common.errors import HelmError

    return str(error) if isinstance(error, HelmError) else f"{type(error).__name__}: {error}"


def _tables_of(run: RunResults, kind: RowKind, schema: Any) -> Iterator[Any]:
    if not split_by_files([run], kind)[0]:
        return
    if kind is INSTANCES:
        for block in iterate_instance_blocks(run):
            yield _block_table(block.common, block.columns, kind, schema)
        return
    rows: list[Row] = []
    for row in kind.iterate(run):
        rows.append(row)
        if len(rows) == _PIECE_ROWS:
            yield _to_table(rows, kind, schema)
            rows = []
    if rows:
        yield _to_table(rows, kind, schema)


def _to_table(rows: Sequence[Row], kind: RowKind, schema: Any) -> Any:
    import pyarrow

    arrays = [_array([row.get(field.name) for row in rows], kind.columns[field.name], field.type) for field in schema]
    return pyarrow.Table.from_arrays(arrays, schema=schema)


def _block_table(common: Row, columns: Mapping[str, Sequence[Any]], kind: RowKind, schema: Any) -> Any:
    import pyarrow

    length = len(next(iter(columns.values())))
    arrays = []
    for field in schema:
        if field.name in columns:
            arrays.append(_array(columns[field.name], kind.columns[field.name], field.type))
        else:
            value = as_type(common.get(field.name), kind.columns[field.name])
            arrays.append(pyarrow.repeat(pyarrow.scalar(value, type=field.type), length))
    return pyarrow.Table.from_arrays(arrays, schema=schema)


_PLAIN_TYPES: Mapping[str, frozenset[type]] = {
    TEXT: frozenset((str, NoneType)), WHOLE: frozenset((int, NoneType)), NUMBER: frozenset((float, NoneType)),
    TRUTH: frozenset((bool, NoneType)),
}  # fmt: skip


def _array(values: Sequence[Any], kind: str, arrow_type: Any) -> Any:
    """Convert a column; value by value only if it has values of other types, or texts that are not Unicode."""
    import pyarrow

    if not isinstance(values, list) or _PLAIN_TYPES[kind].issuperset(map(type, values)):
        try:
            return pyarrow.array(values, type=arrow_type)
        except (UnicodeEncodeError, pyarrow.ArrowInvalid):
            pass
    return pyarrow.array([as_type(value, kind) for value in values], type=arrow_type)
