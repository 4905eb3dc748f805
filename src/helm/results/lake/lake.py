"""Reads a lake: SQL over its tables with DuckDB, as rows or frames."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from helm.common.errors import suggest
from helm.common.optional_dependencies import needs_extra
from helm.results.lake.manifest import MANIFEST_NAME, TABLES, LakeError, Manifest, parse_manifest
from helm.results.lake.place import lake_place
from helm.results.rows import ROW_KINDS

SYNONYMS: Mapping[str, str] = {"stats": "scores", "requests": "responses"}
"""Names of tables after the files of HELM whose contents they have."""

_FETCHED_ROWS = 10_000

_SQL_TYPES = {"text": "VARCHAR", "whole": "BIGINT", "number": "DOUBLE", "truth": "BOOLEAN"}


class QueryResult:
    """The answer to a query, which is read once."""

    def __init__(self, result: Any):
        self._result = result
        self.columns: list[str] = [column[0] for column in result.description or []]

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows as plain values."""
        while rows := self._fetch():
            yield from rows

    def _fetch(self) -> list[tuple[Any, ...]]:
        with _errors():
            found: list[tuple[Any, ...]] = self._result.fetchmany(_FETCHED_ROWS)
        return found

    def frame(self) -> Any:
        """Return a pandas DataFrame. Raises OptionalDependencyNotInstalled without pandas."""
        with needs_extra("export"):
            import pandas  # noqa: F401
        with _errors():
            return self._result.df()


class Lake:
    """A lake as it is now; see `helm.results.lake.manifest` for what it consists of.

    Args:
        address: a folder, or an fsspec URL.

    Raises:
        LakeError: There is no lake, or it is damaged or of another version.
    """

    def __init__(self, address: str):
        self.address = address
        self._place = lake_place(address)
        self._manifest = self._read()
        self._connection: Any = None

    def _read(self) -> Manifest:
        try:
            content = self._place.read(MANIFEST_NAME)
        except (FileNotFoundError, NotADirectoryError):
            raise LakeError(
                f"There is no lake in {self.address}: it has no {MANIFEST_NAME}. "
                f"helm-export --what all --format parquet --to {self.address} makes one."
            ) from None
        return parse_manifest(content, self.address)

    @property
    def tables(self) -> Mapping[str, Mapping[str, str]]:
        """The types of columns (`text`, `whole`, `number` or `truth`) by table and column."""
        return {name: kind.columns for name, kind in ROW_KINDS.items()}

    def num_rows(self, table: str) -> int:
        return sum(part.num_rows(table) for part in self._manifest.parts)

    def connect(self) -> Any:
        """Return a connection of DuckDB in which each table, and each of `SYNONYMS`, is a view.

        Raises: OptionalDependencyNotInstalled without the extra `query`.
        """
        with needs_extra("query"):
            import duckdb
        # Nothing is fetched from the network to answer a query.
        connection = duckdb.connect(
            config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
        )
        self._place.register(connection)
        for table in TABLES:
            files = [self._place.path(name) for name in self._manifest.files(table)]
            connection.execute(f"CREATE VIEW {table} AS {_select(files, self.tables[table])}")
        for synonym, table in SYNONYMS.items():
            connection.execute(f"CREATE VIEW {synonym} AS SELECT * FROM {table}")
        return connection

    def query(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] | None = None) -> QueryResult:
        """Answer a query in DuckDB's SQL.

        Args:
            sql: one or more statements; the answer is that to the last.
            parameters: values for `?` or `$name` in it.

        Raises:
            LakeError: The query is wrong, with DuckDB's explanation, or a file is damaged.
        """
        is_last = False
        while True:
            if self._connection is None:
                self._connection = self.connect()
            try:
                with _errors():
                    return QueryResult(self._connection.execute(sql, parameters))
            except LakeFileError:
                # An update has replaced parts meanwhile, unless the manifest is as before.
                manifest = self._read()
                if is_last or manifest == self._manifest:
                    raise
                self._manifest, self._connection, is_last = manifest, None, True

    def frame(self, table: str) -> Any:
        """Return a whole table as a pandas DataFrame. Raises LakeError for an unknown name."""
        if table not in (*TABLES, *SYNONYMS):
            raise LakeError(f"A lake has no table '{table}'.{suggest(table, TABLES)} It has {', '.join(TABLES)}.")
        return self.query(f"SELECT * FROM {table}").frame()

    def runs(self) -> Any:
        """Return one row per run as a pandas DataFrame."""
        return self.frame("runs")

    def scores(self) -> Any:
        """Return one row per score of each run as a pandas DataFrame."""
        return self.frame("scores")

    def instances(self) -> Any:
        """Return one row per score of each instance as a pandas DataFrame."""
        return self.frame("instances")

    def responses(self) -> Any:
        """Return one row per request as a pandas DataFrame."""
        return self.frame("responses")


class LakeFileError(LakeError):
    """A file of a lake is missing or damaged."""


class _errors:
    """Turns errors of DuckDB into one line."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type | None, error: BaseException | None, traceback: Any) -> None:
        import duckdb

        if isinstance(error, duckdb.IOException | duckdb.HTTPException):
            raise LakeFileError(f"The query cannot be answered: {error}") from error
        if isinstance(error, duckdb.Error):
            raise LakeError(f"The query cannot be answered: {error}") from error


def _select(files: Sequence[str], columns: Mapping[str, str]) -> str:
    """Return the query for a table in these files; without any, it has no rows."""
    if not files:
        values = ", ".join(f"CAST(NULL AS {_SQL_TYPES[kind]}) AS {_name(name)}" for name, kind in columns.items())
        return f"SELECT {values} WHERE false"
    names = ", ".join(_name(name) for name in columns)
    return f"SELECT {names} FROM read_parquet([{', '.join(_text(path) for path in files)}], hive_partitioning = false)"


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
