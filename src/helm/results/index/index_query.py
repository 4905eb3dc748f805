"""Reading the index of a run: pages of instances, searches and filters, one instance with everything, two runs joined."""

import json
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from helm.results.index.index_build import BROKEN, COMPLETE, INDEX_VERSION, separate_words
from helm.results.run_files.json_items import decode_json
from helm.results.run_files.run_folder import PER_INSTANCE_STATS_FILE_NAME, SCENARIO_STATE_FILE_NAME

_QUOTED_OR_WORD = re.compile(r'"([^"]*)"?|(\S+)')

COLUMNS = (
    "number", "id", "split", "sub_split", "perturbation", "perturbation_key", "trial", "input", "output",
    "mapped_output", "reference", "outcome", "status", "error", "is_truncated", "seconds",
)  # fmt: skip


@dataclass(frozen=True)
class UnitRow:
    """An instance (or a perturbed copy of one) in a trial; texts are their beginnings."""

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
    """Of the metrics that were asked for, in their order."""


def _unit_row(row: Sequence[Any]) -> UnitRow:
    """From the columns in their order, and then scores."""
    return replace(UnitRow(*row[: len(COLUMNS)]), scores=tuple(row[len(COLUMNS) :]))


@dataclass(frozen=True)
class UnitFilter:
    """Which instances are wanted; all conditions together."""

    search: str = ""
    """Words, the beginnings of words, and "phrases in quotes", all of which are in the texts."""

    split: str = ""
    perturbation: str = ""
    """Name; `none`: only unperturbed instances."""

    outcome: str = ""
    metric: str = ""
    """What `low` and `high` are about, and what is sorted by."""

    low: float | None = None
    high: float | None = None
    sort: str = ""
    """`score`, `-score`, `seconds`, `-seconds`; empty: the order of the file."""


@dataclass(frozen=True)
class IndexState:
    """How far an index is."""

    stage: str
    progress: float
    """Share of the file of this stage."""

    metrics: list[str] = field(default_factory=list)
    problem: str | None = None

    @property
    def is_final(self) -> bool:
        return self.stage in (COMPLETE, BROKEN)


def match_expression(search: str) -> str:
    """The expression of FTS5 for what somebody typed; empty when there is no word in it. No operator gets through."""
    parts = []
    for phrase, word in _QUOTED_OR_WORD.findall(search):
        text = separate_words(phrase or word).replace('"', " ").strip()
        if not any(c.isalnum() for c in text):
            continue
        parts.append(f'"{text}"' if phrase or " " in text else f'"{text}"*')
    return " AND ".join(parts)


def is_current(index_path: str, made_from: Mapping[str, list[int]]) -> bool:
    """Whether there is an index of this version, made from these versions of the run's files."""
    if not os.path.isfile(index_path):
        return False
    try:
        with closing(_connect(index_path)) as connection:
            found = _read_meta(connection)
    except sqlite3.Error:  # cut off, or no index at all: it is made anew
        return False
    return found.get("version") == INDEX_VERSION and found.get("made_from") == made_from


def _connect(path: str, is_finished: bool = True) -> sqlite3.Connection:
    connection = sqlite3.connect(_address(path, is_finished), uri=True, timeout=10.0)
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")  # it may have come with the results of somebody else
    return connection


def _address(path: str, is_finished: bool = True) -> str:
    """A finished file never changes: another one takes its place."""
    from urllib.parse import quote

    return f"file:{quote(os.path.abspath(path))}?{'immutable=1' if is_finished else 'mode=ro'}"


def _read_meta(connection: sqlite3.Connection) -> dict[str, Any]:
    return {key: json.loads(value) for key, value in connection.execute("SELECT key, value FROM meta")}


class RunIndex:
    """An open index. Use with `with`. Methods raise sqlite3.Error for a damaged file."""

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
        except sqlite3.OperationalError:  # not a table yet
            found = {}
        return IndexState(
            found.get("stage", ""), found.get("progress", 0.0), found.get("metrics", []), found.get("problem")
        )

    # --- pages --------------------------------------------------------------------------------------------------------

    def count(self, wanted: UnitFilter = UnitFilter()) -> int:
        """How many instances fit."""
        clause, values = self._clause(wanted)
        return int(self._connection.execute(f"SELECT count(*) FROM units u {clause}", values).fetchone()[0])

    def page(
        self, wanted: UnitFilter = UnitFilter(), offset: int = 0, limit: int = 50, metrics: Sequence[str] = ()
    ) -> list[UnitRow]:
        """Instances that fit, in order, with the scores of these metrics."""
        clause, values = self._clause(wanted, metrics)
        order = self._order(wanted)
        scores = "".join(f", {self._column(name)}" for name in metrics)
        columns = ", ".join(f"u.{name}" for name in COLUMNS)
        query = f"SELECT {columns}{scores} FROM units u {clause} ORDER BY {order} LIMIT ? OFFSET ?"
        rows = self._connection.execute(query, [*values, limit, offset])
        return [_unit_row(row) for row in rows]

    def values(self, name: str) -> list[str]:
        """The values of one of the columns `split`, `perturbation` and `outcome`, each once."""
        assert name in ("split", "perturbation", "outcome")
        rows = self._connection.execute(f"SELECT DISTINCT {name} FROM units WHERE {name} IS NOT NULL ORDER BY 1")
        return [str(row[0]) for row in rows]

    def _column(self, metric: str) -> str:
        if metric not in self.state.metrics:
            return "NULL"
        return f"s.m{self.state.metrics.index(metric)}"

    def _clause(self, wanted: UnitFilter, metrics: Sequence[str] = ()) -> tuple[str, list[Any]]:
        """JOIN and WHERE, and the values for their marks."""
        join = ""
        conditions: list[str] = []
        values: list[Any] = []
        has_range = wanted.low is not None or wanted.high is not None
        if self.state.metrics and (metrics or has_range or "score" in wanted.sort):
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
        return join + (f" WHERE {' AND '.join(conditions)}" if conditions else ""), values

    def _order(self, wanted: UnitFilter) -> str:
        column = {"score": self._column(wanted.metric), "seconds": "u.seconds"}.get(wanted.sort.lstrip("-"))
        if column is None or column == "NULL":
            return "u.number"
        return f"{column} IS NULL, {column} {'DESC' if wanted.sort.startswith('-') else 'ASC'}, u.number"

    # --- one instance -------------------------------------------------------------------------------------------------

    def versions(self, instance_id: str) -> list[UnitRow]:
        """The rows of all copies and trials of an instance."""
        rows = self._connection.execute(
            f"SELECT {', '.join(COLUMNS)} FROM units WHERE id = ? ORDER BY number LIMIT 100", (instance_id,)
        )
        return [UnitRow(*row) for row in rows]

    def unit(self, number: int) -> UnitRow | None:
        """The row of that number, from 1; None when there is none."""
        rows = self._connection.execute(f"SELECT {', '.join(COLUMNS)} FROM units WHERE number = ?", (number,))
        row = rows.fetchone()
        return UnitRow(*row) if row else None

    def read_states(self, number: int) -> list[Any]:
        """The request states of an instance, whole, from the run's file. Raises: RunFileError, OSError."""
        return list(self._read_items("states", SCENARIO_STATE_FILE_NAME, number))

    def read_stats(self, number: int) -> list[Any]:
        """The entries of an instance in `per_instance_stats.json`, whole. Raises: RunFileError, OSError."""
        return list(self._read_items("stat_entries", PER_INSTANCE_STATS_FILE_NAME, number))

    def _read_items(self, table: str, file_name: str, number: int) -> Iterator[Any]:
        path = os.path.join(self._run_path, file_name)
        rows = self._connection.execute(
            f"SELECT start, end, data FROM {table} WHERE unit = ? ORDER BY rowid", (number,)
        ).fetchall()
        if not rows:
            return
        with open(path, "rb") as file:
            for start, end, data in rows:
                if data is None:
                    file.seek(start)
                    data = file.read(end - start)
                yield decode_json(data, path)


@dataclass(frozen=True)
class JoinedRow:
    """The same instance in several runs, in their order."""

    units: tuple[UnitRow, ...]

    scores: tuple[float | None, ...]

    gap: float | None
    """Between the highest and the lowest score; None where one is missing."""


JOINED_SORTS = ("gap", "order", "first", "last")
DIFFERENCES = ("", "score", "output")


@dataclass(frozen=True)
class JoinedTotals:
    """What is known of all instances that several runs have."""

    common: int
    """Instances that all runs have."""

    num_score: int
    """Those of them on which the scores differ."""

    num_output: int
    """Those on which the responses do."""

    means: list[float | None]
    """Of each run, over the instances for which all have a score."""

    sizes: list[int]
    """How many instances each run has."""


class JoinedIndex:
    """Several complete indexes joined by instance, perturbation and trial. Use with `with`.

    Args:
        index_paths: of two to six runs.
        metric: whose scores are compared; one that all have.
    Raises (all methods): sqlite3.Error for a damaged file.
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
        self._gap = f"(max({values}) - min({values}))"  # null where one is null
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
        """Numbers about all instances, in one pass over them."""
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
        """Instances that differ: by their gap, in the order of the first run, or where the first (or last) run is best."""
        lead = {"first": f"{self._scores[0]} - {self._scores[-1]}", "last": f"{self._scores[-1]} - {self._scores[0]}"}
        key = {"gap": self._gap, **lead}.get(sort)
        order = "u0.number" if key is None else f"{key} IS NULL, {key} DESC, u0.number"
        columns = ", ".join(f"u{i}.{name}" for i in range(self._count) for name in COLUMNS)
        numbers = ", ".join(f"u{i}.number AS n{i}" for i in range(self._count))
        scores = ", ".join(f"{name} AS score{i}" for i, name in enumerate(self._scores))
        chosen = (  # sorted without their texts
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
