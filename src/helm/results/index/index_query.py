"""Reads the index of a run: pages of instances, searches and filters, all data of one instance, and joined runs."""

import json
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from helm.results.index.index_build import BROKEN, COMPLETE, INDEX_VERSION, UnitKey, separate_words
from helm.results.run_files.compressed_files import RunFileParts
from helm.results.run_files.json_items import decode_json
from helm.results.run_files.run_folder import PER_INSTANCE_STATS_FILE_NAME, SCENARIO_STATE_FILE_NAME, stored_path

_QUOTED_OR_WORD = re.compile(r'"([^"]*)"?|(\S+)')

COLUMNS = (
    "number", "id", "split", "sub_split", "perturbation", "perturbation_key", "trial", "input", "output",
    "mapped_output", "reference", "outcome", "status", "error", "is_truncated", "seconds",
)  # fmt: skip


@dataclass(frozen=True)
class UnitRow:
    """An instance (or a perturbed copy of one) in a trial, with the beginnings of its texts."""

    number: int
    id: str
    split: str | None
    sub_split: str | None
    perturbation: str | None
    perturbation_key: str | None
    trial: int
    input: str
    output: str
    mapped_output: str | None
    reference: str
    outcome: str
    status: str | None
    error: str | None
    is_truncated: int
    seconds: float | None
    scores: tuple[float | None, ...] = ()
    """The scores of the requested metrics, in their order."""

    @property
    def key(self) -> UnitKey:
        """What the same instance has in other runs, too."""
        return self.id, self.perturbation_key, self.trial


def _unit_row(row: Sequence[Any]) -> UnitRow:
    """Make a row of the columns in their order, followed by scores."""
    return replace(UnitRow(*row[: len(COLUMNS)]), scores=tuple(row[len(COLUMNS) :]))


@dataclass(frozen=True)
class UnitFilter:
    """Selects instances that fulfil all conditions."""

    search: str = ""
    """Words, beginnings of words, and "phrases in quotes", all of which must be in the texts."""

    split: str = ""
    perturbation: str = ""
    """The name of a perturbation; `none` selects only unperturbed instances."""

    outcome: str = ""
    metric: str = ""
    """The metric for `low`, `high` and sorting."""

    low: float | None = None
    high: float | None = None
    unlike: str = ""
    """A metric whose value must differ from that of `metric`; both must be there."""

    sort: str = ""
    """`score`, `-score`, `seconds` or `-seconds`; empty keeps the order of the file."""


@dataclass(frozen=True)
class IndexState:
    """The progress of an index."""

    stage: str
    progress: float
    """The share of this stage's file that was read."""

    metrics: list[str] = field(default_factory=list)
    problem: str | None = None

    @property
    def is_final(self) -> bool:
        return self.stage in (COMPLETE, BROKEN)


def match_expression(search: str) -> str:
    """Return the FTS5 expression for a user's input; empty if it contains no word. Operators are escaped."""
    parts = []
    for phrase, word in _QUOTED_OR_WORD.findall(search):
        text = separate_words(phrase or word).replace('"', " ").strip()
        if not any(c.isalnum() for c in text):
            continue
        parts.append(f'"{text}"' if phrase or " " in text else f'"{text}"*')
    return " AND ".join(parts)


def is_current(index_path: str, made_from: Mapping[str, list[int]]) -> bool:
    """Return whether there is an index of this version, built from these versions of the run's files."""
    if not os.path.isfile(index_path):
        return False
    try:
        with closing(_connect(index_path)) as connection:
            found = _read_meta(connection)
    except sqlite3.Error:  # truncated, or not an index at all: it is rebuilt
        return False
    return found.get("version") == INDEX_VERSION and found.get("made_from") == made_from


def _connect(path: str, is_finished: bool = True) -> sqlite3.Connection:
    connection = sqlite3.connect(_address(path, is_finished), uri=True, timeout=10.0)
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")  # the file may come from somebody else's results
    return connection


def _address(path: str, is_finished: bool = True) -> str:
    """Return the URI of a file. A finished file never changes, but is replaced, so SQLite needs no locks for it."""
    from urllib.parse import quote

    return f"file:{quote(os.path.abspath(path))}?{'immutable=1' if is_finished else 'mode=ro'}"


def _read_meta(connection: sqlite3.Connection) -> dict[str, Any]:
    return {key: json.loads(value) for key, value in connection.execute("SELECT key, value FROM meta")}


class RunIndex:
    """An open index, used with `with`. Methods raise sqlite3.Error for a damaged file."""

    def __init__(
        self, index_path: str, run_path: str, is_finished: bool = True, connection: sqlite3.Connection | None = None
    ):
        self._run_path = run_path
        self._connection = connection or _connect(index_path, is_finished)
        self.state = self._read_state()

    def __enter__(self) -> "RunIndex":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def _read_state(self) -> IndexState:
        try:
            found = _read_meta(self._connection)
        except sqlite3.OperationalError:  # the tables do not exist yet
            found = {}
        return IndexState(
            found.get("stage", ""), found.get("progress", 0.0), found.get("metrics", []), found.get("problem")
        )

    # --- pages --------------------------------------------------------------------------------------------------------

    def count(self, wanted: UnitFilter = UnitFilter()) -> int:
        """Return the number of matching instances."""
        clause, values = self._clause(wanted)
        return int(self._connection.execute(f"SELECT count(*) FROM units u {clause}", values).fetchone()[0])

    def page(
        self, wanted: UnitFilter = UnitFilter(), offset: int = 0, limit: int = 50, metrics: Sequence[str] = ()
    ) -> list[UnitRow]:
        """Return matching instances, in order, with the scores of these metrics."""
        clause, values = self._clause(wanted, metrics)
        order = self._order(wanted)
        scores = "".join(f", {self._column(name)}" for name in metrics)
        columns = ", ".join(f"u.{name}" for name in COLUMNS)
        query = f"SELECT {columns}{scores} FROM units u {clause} ORDER BY {order} LIMIT ? OFFSET ?"
        rows = self._connection.execute(query, [*values, limit, offset])
        return [_unit_row(row) for row in rows]

    def values(self, name: str) -> list[str]:
        """Return the distinct values of one of the columns `split`, `perturbation` and `outcome`."""
        assert name in ("split", "perturbation", "outcome")
        rows = self._connection.execute(f"SELECT DISTINCT {name} FROM units WHERE {name} IS NOT NULL ORDER BY 1")
        return [str(row[0]) for row in rows]

    def numbers(self, wanted: UnitFilter = UnitFilter()) -> list[int]:
        """Return the numbers of matching instances, in the order of the file."""
        clause, values = self._clause(wanted)
        return [row[0] for row in self._connection.execute(f"SELECT u.number FROM units u {clause} ORDER BY 1", values)]

    def keys_above_zero(self, metrics: Sequence[str]) -> set[UnitKey]:
        """Return the instances with a score above 0 in any of these metrics, as far as the run has them."""
        columns = [self._column(name) for name in metrics if name in self.state.metrics]
        if not columns:
            return set()
        condition = " OR ".join(f"{column} > 0" for column in columns)
        rows = self._connection.execute(
            "SELECT u.id, u.perturbation_key, u.trial FROM units u JOIN scores s ON s.unit = u.number "
            f"WHERE {condition}"
        )
        return set(rows)

    def _column(self, metric: str) -> str:
        if metric not in self.state.metrics:
            return "NULL"
        return f"s.m{self.state.metrics.index(metric)}"

    def _clause(self, wanted: UnitFilter, metrics: Sequence[str] = ()) -> tuple[str, list[Any]]:
        """Return the JOIN and WHERE clauses, and the values of their placeholders."""
        join = ""
        conditions: list[str] = []
        values: list[Any] = []
        has_range = wanted.low is not None or wanted.high is not None
        if self.state.metrics and (metrics or has_range or wanted.unlike or "score" in wanted.sort):
            join = "LEFT JOIN scores s ON s.unit = u.number"
        expression = match_expression(wanted.search)
        if expression:
            conditions.append("u.number IN (SELECT rowid FROM words WHERE words MATCH ?)")
            values.append(expression)
        elif wanted.search.strip():
            conditions.append("0")
        for name in ("split", "outcome"):
            if getattr(wanted, name):
                conditions.append(f"u.{name} = ?")
                values.append(getattr(wanted, name))
        if wanted.perturbation == "none":
            conditions.append("u.perturbation IS NULL")
        elif wanted.perturbation:
            conditions.append("u.perturbation = ?")
            values.append(wanted.perturbation)
        for bound, operator in ((wanted.low, ">="), (wanted.high, "<=")):
            if bound is not None:
                conditions.append(f"{self._column(wanted.metric)} {operator} ?")
                values.append(bound)
        if wanted.unlike:
            conditions.append(f"{self._column(wanted.metric)} <> {self._column(wanted.unlike)}")
        return join + (f" WHERE {' AND '.join(conditions)}" if conditions else ""), values

    def _order(self, wanted: UnitFilter) -> str:
        column = {"score": self._column(wanted.metric), "seconds": "u.seconds"}.get(wanted.sort.lstrip("-"))
        if column is None or column == "NULL":
            return "u.number"
        return f"{column} IS NULL, {column} {'DESC' if wanted.sort.startswith('-') else 'ASC'}, u.number"

    # --- one instance -------------------------------------------------------------------------------------------------

    def versions(self, instance_id: str) -> list[UnitRow]:
        """Return the rows of all copies and trials of an instance."""
        rows = self._connection.execute(
            f"SELECT {', '.join(COLUMNS)} FROM units WHERE id = ? ORDER BY number LIMIT 100", (instance_id,)
        )
        return [UnitRow(*row) for row in rows]

    def unit(self, number: int) -> UnitRow | None:
        """Return the row with a number, from 1; None if there is none."""
        rows = self._connection.execute(f"SELECT {', '.join(COLUMNS)} FROM units WHERE number = ?", (number,))
        row = rows.fetchone()
        return UnitRow(*row) if row else None

    def read_states(self, number: int) -> list[Any]:
        """Read an instance's complete request states from the run's file. Raises RunFileError or OSError."""
        return list(self._read_items("states", SCENARIO_STATE_FILE_NAME, number))

    def read_stats(self, number: int) -> list[Any]:
        """Read an instance's complete entries in `per_instance_stats.json`. Raises RunFileError or OSError."""
        return list(self._read_items("stat_entries", PER_INSTANCE_STATS_FILE_NAME, number))

    def _read_items(self, table: str, file_name: str, number: int) -> Iterator[Any]:
        path = stored_path(self._run_path, file_name)
        rows = self._connection.execute(
            f"SELECT start, end, data FROM {table} WHERE unit = ? ORDER BY rowid", (number,)
        ).fetchall()
        if not rows:
            return
        if all(data is not None for _, _, data in rows):
            yield from (decode_json(data, path) for _, _, data in rows)
            return
        with RunFileParts(path) as parts:
            for start, end, data in rows:
                yield decode_json(parts.read(start, end) if data is None else data, path)


@dataclass(frozen=True)
class JoinedRow:
    """The same instance in several runs, in their order."""

    units: tuple[UnitRow, ...]

    scores: tuple[float | None, ...]

    gap: float | None
    """The difference between the highest and the lowest score; None if one is missing."""


JOINED_SORTS = ("gap", "order", "first", "last")
DIFFERENCES = ("", "score", "output")


@dataclass(frozen=True)
class JoinedTotals:
    """Totals over all instances that several runs have in common."""

    common: int
    """The number of instances that all runs have."""

    num_score: int
    """The number of these on which the scores differ."""

    num_output: int
    """The number of these on which the responses differ."""

    means: list[float | None]
    """The mean of each run over the instances for which all runs have a score."""

    sizes: list[int]
    """The number of instances of each run."""


class JoinedIndex:
    """Several complete indexes joined by instance, perturbation and trial. Use with `with`.

    Args:
        index_paths: the indexes of two to six runs.
        metric: the metric whose scores are compared; all runs must have it.

    Raises:
        sqlite3.Error: A file is damaged; all methods may raise it.
    """

    def __init__(self, index_paths: Sequence[str], metric: str):
        self._count = len(index_paths)
        self._connection = sqlite3.connect(":memory:", uri=True)
        for i, path in enumerate(index_paths):
            self._connection.execute(f"ATTACH DATABASE ? AS r{i}", (_address(path),))
        self._connection.execute("PRAGMA query_only = ON")
        self._scores = [self._score_column(i, metric) for i in range(self._count)]
        self._source = "r0.units u0" + "".join(
            f" JOIN r{i}.units u{i} ON u{i}.id = u0.id AND u{i}.perturbation_key IS u0.perturbation_key "
            f"AND u{i}.trial = u0.trial"
            for i in range(1, self._count)
        )
        self._source += "".join(f" LEFT JOIN r{i}.scores s{i} ON s{i}.unit = u{i}.number" for i in range(self._count))
        values = ", ".join(self._scores)
        self._gap = f"(max({values}) - min({values}))"  # null if one is null
        self._outputs_differ = "(" + " OR ".join(f"u{i}.output IS NOT u0.output" for i in range(1, self._count)) + ")"

    def __enter__(self) -> "JoinedIndex":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def _score_column(self, i: int, metric: str) -> str:
        row = self._connection.execute(f"SELECT value FROM r{i}.meta WHERE key = 'metrics'").fetchone()
        return f"s{i}.m{json.loads(row[0]).index(metric)}"

    def _condition(self, difference: str) -> str:
        if difference == "score":
            return f"WHERE {self._gap} > 0"
        if difference == "output":
            return f"WHERE {self._outputs_differ}"
        return ""

    def totals(self) -> JoinedTotals:
        """Compute the totals over all instances in one pass."""
        averages = ", ".join(f"avg(CASE WHEN {self._gap} IS NOT NULL THEN {name} END)" for name in self._scores)
        query = (
            f"SELECT count(*), total({self._gap} > 0), total({self._outputs_differ}), {averages} FROM {self._source}"
        )
        common, num_score, num_output, *means = self._connection.execute(query).fetchone()
        sizes = [
            int(self._connection.execute(f"SELECT count(*) FROM r{i}.units").fetchone()[0]) for i in range(self._count)
        ]
        return JoinedTotals(int(common), int(num_score), int(num_output), means, sizes)

    def page(self, difference: str = "", sort: str = "gap", offset: int = 0, limit: int = 50) -> list[JoinedRow]:
        """Return differing instances: by gap, in the order of the first run, or by the first (or last) run's lead."""
        lead = {"first": f"{self._scores[0]} - {self._scores[-1]}", "last": f"{self._scores[-1]} - {self._scores[0]}"}
        key = {"gap": self._gap, **lead}.get(sort)
        order = "u0.number" if key is None else f"{key} IS NULL, {key} DESC, u0.number"
        columns = ", ".join(f"u{i}.{name}" for i in range(self._count) for name in COLUMNS)
        numbers = ", ".join(f"u{i}.number AS n{i}" for i in range(self._count))
        scores = ", ".join(f"{name} AS score{i}" for i, name in enumerate(self._scores))
        chosen = (  # sort without the texts, which are large
            f"SELECT {numbers}, {scores}, {self._gap} AS gap, row_number() OVER (ORDER BY {order}) AS place "
            f"FROM {self._source} {self._condition(difference)} ORDER BY {order} LIMIT ? OFFSET ?"
        )
        texts = "".join(f" JOIN r{i}.units u{i} ON u{i}.number = n{i}" for i in range(self._count))
        rows = self._connection.execute(
            f"SELECT {columns}, {', '.join(f'score{i}' for i in range(self._count))}, gap "
            f"FROM ({chosen}){texts} ORDER BY place",
            (limit, offset),
        )
        width = len(COLUMNS)
        found = []
        for row in rows:
            units = tuple(UnitRow(*row[i * width : (i + 1) * width]) for i in range(self._count))
            found.append(JoinedRow(units, tuple(row[self._count * width : -1]), row[-1]))
        return found
