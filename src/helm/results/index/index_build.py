"""Builds the index of one run: a SQLite file that gives a page of instances without reading the run's files.

Files of runs are long lists, up to gigabytes. The index has a row per instance with the beginnings of its texts, all of its
scores, the words of its texts for searches, and the positions of everything else in the files. It is built in one pass over
each file, can be read while it is being built, and may be deleted.
"""

import json
import math
import os
import re
import sqlite3
import time
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from helm.results.coverage import ANSWERED
from helm.results.index.state_texts import (
    correct_texts,
    describe_answer,
    describe_input,
    get_extracted,
)
from helm.results.metric_names import is_score
from helm.results.output_mapping import compile_pattern, map_answer
from helm.results.run_files.compressed_files import content_size
from helm.results.run_files.json_items import JsonItems
from helm.results.run_files.run_folder import PER_INSTANCE_STATS_FILE_NAME, SCENARIO_STATE_FILE_NAME, RunFileError
from helm.results.run_results import RunResults
from helm.results.values_gatherer import perturbation_key

INDEX_VERSION = 2

READING_STATES, READING_SCORES, COMPLETE, BROKEN = "instances", "scores", "complete", "broken"
"""The stages of an index, in order; `broken` means that a file could not be read to its end."""

MAX_PREVIEW_CHARACTERS = 400
# Searches only find words in this part of each text, so that a few huge texts do not make the index as large as the run.
_MAX_SEARCHED_CHARACTERS = 50_000
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
"""What terminals print between the letters of words."""
# Rows per transaction: readers see the index grow, and few commits are needed.
_ROWS_AT_ONCE = 1000
# Readers can delay moving the log into the file, but their queries are short.
_WRITE_BACK_ATTEMPTS = 20

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE units (
    number INTEGER PRIMARY KEY, id TEXT, split TEXT, sub_split TEXT, perturbation TEXT, perturbation_key TEXT,
    trial INTEGER, input TEXT, output TEXT, mapped_output TEXT, reference TEXT, outcome TEXT, status TEXT, error TEXT,
    is_truncated INTEGER, seconds REAL
);
CREATE TABLE states (unit INTEGER, start INTEGER, end INTEGER, data BLOB);
CREATE TABLE stat_entries (unit INTEGER, start INTEGER, end INTEGER, data BLOB);
CREATE VIRTUAL TABLE words USING fts5(input, output, content='', tokenize="unicode61 remove_diacritics 2");
"""
_AFTERWARDS = """
CREATE INDEX units_by_id ON units (id);
CREATE INDEX units_by_split ON units (split);
CREATE INDEX units_by_perturbation ON units (perturbation);
CREATE INDEX units_by_outcome ON units (outcome);
CREATE INDEX states_by_unit ON states (unit);
CREATE INDEX stat_entries_by_unit ON stat_entries (unit);
"""

_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])"
)
"""Characters of scripts without spaces between words; each of them is indexed as a word."""

UnitKey = tuple[str, str | None, int]
"""The id of the instance, the settings of its perturbation as JSON, and the trial."""

PlaceRow = tuple[int, int | None, int | None, bytes | None]
"""The number of the unit, the start and end in the file, or the item itself."""


def separate_words(text: str) -> str:
    """Return a text for the search, with spaces around characters of scripts that do not use spaces."""
    return text if text.isascii() else _UNSPACED.sub(r" \1 ", text)


def writable(text: str) -> str:
    """Return a text without lone surrogates, which models may produce and databases cannot store."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


@dataclass
class _Unit:
    """The content of a row: an instance (or a perturbed copy) in a trial, with all its requests."""

    number: int
    instance: Mapping[str, Any]
    trial: int
    output: str = ""
    mapped_output: str | None = None
    outcome: str | None = None
    status: str | None = None
    error: str | None = None
    is_truncated: bool = False
    seconds: float | None = None
    transcript: list[str] = field(default_factory=list)
    """What was said in the episodes of an agent, for searches."""
    places: list[tuple[tuple[int, int] | None, Any]] = field(default_factory=list)


def measure_files(run: RunResults) -> dict[str, list[int]]:
    """Return the size and time of the files from which an index is built."""
    found = {}
    for name in (SCENARIO_STATE_FILE_NAME, PER_INSTANCE_STATS_FILE_NAME):
        if name in run.file_names:
            status = os.stat(run.file_path(name))
            found[name] = [status.st_size, status.st_mtime_ns]
    return found


def build_index(run_path: str, index_path: str, unfinished_path: str) -> None:
    """Build the index of a run at `unfinished_path`, where it can be read meanwhile, then move it to `index_path`.

    A damaged file of the run is not an error: the index then contains everything before the damage, and records it.
    Raises OSError or sqlite3.Error if the index cannot be written.
    """
    os.makedirs(os.path.dirname(index_path), exist_ok=True)
    _remove(unfinished_path)
    connection = sqlite3.connect(unfinished_path, isolation_level=None)
    try:
        _IndexBuilder(RunResults(run_path), connection).build()
        _write_back(connection)
    finally:
        connection.close()
    os.replace(unfinished_path, index_path)
    _remove(unfinished_path)


def build_preview(run_path: str, max_states: int) -> sqlite3.Connection:
    """Build an index of a run's first requests in memory, without scores, for a page that cannot wait.

    It looks like an index that is being built. Raises sqlite3.Error.
    """
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _IndexBuilder(RunResults(run_path), connection, max_states).build_states()
    return connection


def _write_back(connection: sqlite3.Connection) -> None:
    """Move everything from the log into the file itself, which is then complete. Waits for readers with short queries."""
    connection.execute("PRAGMA busy_timeout = 5000")
    for _ in range(_WRITE_BACK_ATTEMPTS):
        is_busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not is_busy:
            return
        time.sleep(0.05)
    raise sqlite3.OperationalError("other processes keep reading the unfinished index")


def _remove(path: str) -> None:
    for name in (path, path + "-wal", path + "-shm"):
        if os.path.exists(name):
            os.remove(name)


class _IndexBuilder:
    def __init__(self, run: RunResults, connection: sqlite3.Connection, max_states: int | None = None):
        self._run, self._connection, self._max_states = run, connection, max_states
        self._numbers: dict[UnitKey, int] = {}
        self._pattern: Any = None
        self._pending: list[_Unit] = []
        self._later_places: list[PlaceRow] = []
        """The positions of requests for instances that already have a row."""

    def build_states(self) -> None:
        """Build only the tables of instances. A damaged file ends them early."""
        self._create_tables()
        try:
            self._read_states()
        except (RunFileError, OSError) as e:
            self._flush(1.0)
            self._set(problem=str(e))

    def _create_tables(self) -> None:
        execute = self._connection.execute
        execute("PRAGMA journal_mode = WAL")
        execute("PRAGMA synchronous = OFF")
        execute("PRAGMA cache_size = -32000")
        execute("BEGIN")
        for statement in filter(str.strip, _SCHEMA.split(";")):
            execute(statement)
        self._set(version=INDEX_VERSION, made_from=measure_files(self._run), stage=READING_STATES, progress=0.0)
        execute("COMMIT")

    def build(self) -> None:
        self._create_tables()
        execute = self._connection.execute
        try:
            self._read_states()
            self._set(stage=READING_SCORES, progress=0.0)
            metrics = self._read_scores()
        except (RunFileError, OSError) as e:
            self._flush(1.0)
            execute("BEGIN")
            self._finish_tables([], {})
            self._set(stage=BROKEN, problem=str(e))
            execute("COMMIT")
            return
        execute("BEGIN")
        self._finish_tables(*metrics)
        self._set(stage=COMPLETE, progress=1.0)
        execute("COMMIT")

    def _set(self, **values: Any) -> None:
        rows = [(key, json.dumps(value)) for key, value in values.items()]
        self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)

    # --- requests and answers -----------------------------------------------------------------------------------------

    def _read_states(self) -> None:
        if SCENARIO_STATE_FILE_NAME not in self._run.file_names:
            return
        path = self._run.file_path(SCENARIO_STATE_FILE_NAME)
        size = max(1, content_size(path))
        items = JsonItems(path, "request_states")
        adapter_spec = self._run.run_spec.adapter_spec
        self._pattern = compile_pattern(adapter_spec.output_mapping_pattern, path)
        current: _Unit | None = None
        current_key: UnitKey | None = None
        for span, state in islice(items.iterate_with_spans(), self._max_states):
            if not isinstance(state, dict) or not isinstance(state.get("instance"), dict):
                raise RunFileError(f"{path}: request_states: an entry is not an object with an instance.")
            instance = state["instance"]
            trial = state.get("train_trial_index")
            key = (str(instance.get("id")), _key_of(instance.get("perturbation")), trial if type(trial) is int else 0)
            if current is None or key != current_key:
                self._finish(current)
                known = self._numbers.get(key)
                if known is None:
                    known = self._numbers[key] = len(self._numbers) + 1
                    current = _Unit(known, instance, key[2])
                else:  # our own files have the requests of an instance next to each other; other programs' files may not
                    current, current_key = None, None
                    self._later_places.append(_place_row(known, span, None if span else state))
                    continue
                current_key = key
            self._add_state(current, span, state)
            if len(self._pending) >= _ROWS_AT_ONCE:
                self._flush(span[1] / size if span else 0.0)
        self._finish(current)
        self._flush(1.0)

    def _add_state(self, unit: _Unit, span: tuple[int, int] | None, state: Mapping[str, Any]) -> None:
        unit.places.append((span, None if span else state))
        unit.is_truncated |= bool(state.get("prompt_truncated"))
        answer = describe_answer(state)
        unit.transcript.append(read_transcript_text(state))
        is_first = len(unit.places) == 1
        if is_first or (unit.outcome == ANSWERED and answer.outcome != ANSWERED):
            unit.outcome, unit.status, unit.error = answer.outcome, answer.status, answer.error
        if answer.seconds is not None:
            unit.seconds = (unit.seconds or 0.0) + answer.seconds
        if is_first:
            unit.output = answer.output
            mapping, extracted = state.get("output_mapping"), get_extracted(state)
            found: Any = None
            if isinstance(mapping, dict) and answer.output:
                found = map_answer(answer.output, extracted, mapping, self._pattern)
            elif extracted:
                found = extracted[0]
            unit.mapped_output = writable(found) if isinstance(found, str) else None

    def _finish(self, unit: _Unit | None) -> None:
        if unit is not None:
            self._pending.append(unit)

    def _flush(self, progress: float) -> None:
        execute, many = self._connection.execute, self._connection.executemany
        execute("BEGIN")
        many("INSERT INTO units VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", map(_unit_row, self._pending))
        many("INSERT INTO words (rowid, input, output) VALUES (?, ?, ?)", map(_word_row, self._pending))
        many(
            "INSERT INTO states VALUES (?, ?, ?, ?)",
            [_place_row(unit.number, span, item) for unit in self._pending for span, item in unit.places],
        )
        many("INSERT INTO states VALUES (?, ?, ?, ?)", self._later_places)
        self._set(progress=progress)
        execute("COMMIT")
        self._pending.clear()
        self._later_places.clear()

    # --- scores -------------------------------------------------------------------------------------------------------

    def _read_scores(self) -> tuple[list[str], dict[str, array]]:
        """Return the names of metrics, and their values by the number of the unit."""
        columns: dict[str, array] = {}
        if PER_INSTANCE_STATS_FILE_NAME not in self._run.file_names:
            return [], columns
        path = self._run.file_path(PER_INSTANCE_STATS_FILE_NAME)
        size, count = max(1, content_size(path)), len(self._numbers)
        places: list[PlaceRow] = []
        skipped: set[str] = set()
        for span, entry in JsonItems(path).iterate_with_spans():
            if not isinstance(entry, dict) or not isinstance(entry.get("stats"), list):
                raise RunFileError(f"{path}: an entry is not an object with stats.")
            trial = entry.get("train_trial_index")
            key = (
                str(entry.get("instance_id")),
                _key_of(entry.get("perturbation")),
                trial if type(trial) is int else 0,
            )
            number = self._numbers.get(key)
            if number is None:
                continue
            for name, value in _means_of(entry["stats"]):
                if name in skipped or not isinstance(value, (int, float)) or not math.isfinite(value):
                    continue
                column = columns.get(name)
                if column is None:
                    if not is_score(name):
                        skipped.add(name)
                        continue
                    column = columns[name] = array("d", [math.nan]) * (count + 1)
                column[number] = value
            places.append(_place_row(number, span, None if span else entry))
            if len(places) >= 20 * _ROWS_AT_ONCE:
                self._flush_places(places, span[1] / size if span else 0.0)
        self._flush_places(places, 1.0)
        return list(columns), columns

    def _flush_places(self, places: list[Any], progress: float) -> None:
        self._connection.execute("BEGIN")
        self._connection.executemany("INSERT INTO stat_entries VALUES (?, ?, ?, ?)", places)
        self._set(progress=progress)
        self._connection.execute("COMMIT")
        places.clear()

    def _finish_tables(self, metrics: list[str], columns: dict[str, array]) -> None:
        """Create the table with a column per metric, and the indexes."""
        execute = self._connection.execute
        names = "".join(f", m{i} REAL" for i in range(len(metrics)))
        execute(f"CREATE TABLE scores (unit INTEGER PRIMARY KEY{names})")
        marks = ", ".join("?" * (len(metrics) + 1))
        arrays = [columns[name] for name in metrics]

        def rows() -> Iterator[list[Any]]:
            for number in range(1, len(self._numbers) + 1):
                values = [values[number] for values in arrays]
                yield [number, *(None if value != value else value for value in values)]

        self._connection.executemany(f"INSERT INTO scores VALUES ({marks})", rows())
        for statement in filter(str.strip, _AFTERWARDS.split(";")):
            execute(statement)
        self._set(metrics=metrics)


def _key_of(perturbation: Any) -> str | None:
    return perturbation_key(perturbation) if isinstance(perturbation, dict) else None


def _place_row(number: int, span: tuple[int, int] | None, item: Any) -> PlaceRow:
    if span is not None:
        return number, span[0], span[1], None
    return number, None, None, json.dumps(item).encode()


def _means_of(stats: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Yield names and means, of any type, of stats that have a name."""
    for stat in stats:
        name = stat.get("name") if isinstance(stat, dict) else None
        if isinstance(name, dict) and isinstance(name.get("name"), str):
            yield name["name"], stat.get("mean")


def _unit_row(unit: _Unit) -> tuple[Any, ...]:
    instance = unit.instance
    perturbation = instance.get("perturbation")
    return (
        unit.number, _short(str(instance.get("id"))), _text_or_none(instance.get("split")),
        _text_or_none(instance.get("sub_split")),
        _short(str(perturbation.get("name"))) if isinstance(perturbation, dict) else None,
        _key_of(perturbation), unit.trial, _short(describe_input(instance)), _short(unit.output),
        None if unit.mapped_output is None else _short(unit.mapped_output), _short(" · ".join(correct_texts(instance))),
        unit.outcome, _text_or_none(unit.status), _text_or_none(unit.error), int(unit.is_truncated), unit.seconds,
    )  # fmt: skip


def _word_row(unit: _Unit) -> tuple[int, str, str]:
    texts = [describe_input(unit.instance), *correct_texts(unit.instance), str(unit.instance.get("id"))]
    searched = "\n".join(text[:_MAX_SEARCHED_CHARACTERS] for text in texts)
    found = [unit.output, *filter(None, unit.transcript)]
    output = "\n".join(text[:_MAX_SEARCHED_CHARACTERS] for text in found) + "\n"
    output += (unit.error or "")[:MAX_PREVIEW_CHARACTERS]
    return unit.number, separate_words(writable(searched)), separate_words(writable(output))


def _short(text: str) -> str:
    return writable(text if len(text) <= MAX_PREVIEW_CHARACTERS else text[: MAX_PREVIEW_CHARACTERS - 1] + "…")


def _text_or_none(value: Any) -> str | None:
    return None if value is None else _short(value if isinstance(value, str) else json.dumps(value))


def read_transcript_text(state: Mapping[str, Any]) -> str:
    """Return what was said, called and answered in an agent's episode, as far as it is searched; else an empty text."""
    result = state.get("result")
    found = result.get("events") if isinstance(result, dict) else None
    texts, length = [], 0
    for event in found if isinstance(found, list) else []:
        if not isinstance(event, dict) or length > _MAX_SEARCHED_CHARACTERS:
            continue
        arguments = event.get("arguments")
        words = json.dumps(arguments, ensure_ascii=False) if isinstance(arguments, dict) else arguments
        for text in (event.get("text"), event.get("thinking"), event.get("name"), words, event.get("content")):
            if isinstance(text, str) and text:
                texts.append(_COLOURS.sub("", text[:_MAX_SEARCHED_CHARACTERS]))
                length += len(text)
    return "\n".join(texts)
