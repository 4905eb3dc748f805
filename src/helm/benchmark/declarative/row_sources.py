"""Turns `source:` of an entry into rows. `helm.common.data` does all downloads: `downloads` and `hub_datasets`."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from helm.benchmark.declarative.entry_parts import File, Folder, Hub, Join, Location, Source, Take, Zip
from helm.benchmark.declarative.json_paths import select_records
from helm.benchmark.declarative.templates import COLUMNS, MissingColumn, Row, compile_text, get_column
from helm.benchmark.scenarios.scenario import get_restricted_data_path
from helm.common.data.content_spool import ContentSpool
from helm.common.errors import ScenarioError

ROW = "_row"
"""The row's number in its file or split, from 0."""

SPLIT = "_split"
"""The row's split, or None."""


@dataclass
class RowSet:
    """Rows in order, with the data set's information about its columns."""

    rows: list[Row]
    class_labels: dict[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Place:
    """The location of a scenario's files."""

    folder: str
    """Its cache folder."""

    scenario_name: str

    license: str | None = None
    """Name of the data in the lock file."""

    spool: ContentSpool | None = None
    """Where contents of rows of Parquet files are kept meanwhile; None leaves them in the rows."""


def load_rows(
    source: Source,
    records: str | None,
    place: Place,
    fill: Callable[[Any, dict[str, Any]], Any],
    table: Callable[[str], Any],
) -> RowSet:
    """Load all rows of a source, in the order of its files or splits.

    Args:
        source: the source, with `${...}` filled in except those of `each`.
        records: path of the rows in JSON, as `Entry.records`.
        fill: `fill(value, {name: value})` fills in `${...}` with additional names.
        table: returns the table with a name.

    Raises: ScenarioError that names file and row; DownloadError.
    """
    for download in source.downloads:
        fetch(download, place)
    if source.hf is not None:
        hubs = source.hf if isinstance(source.hf, list) else [source.hf]
        loaded = _load_hubs(hubs, place)
    elif source.rows is not None:
        loaded = RowSet([{**row, ROW: i, SPLIT: row.get(SPLIT)} for i, row in enumerate(source.rows)])
    elif source.folders is not None:
        loaded = RowSet([row for folder in source.folders for row in _list_folder(folder, place, source)])
    else:
        files = [one for file in source.files or [] for one in _each(file, fill, table)]
        loaded = RowSet([row for file in files for row in _load_file(file, records, place, source)])
    for join in source.join:
        _join(loaded, join, place)
    return loaded


# ---- Downloading


def fetch(location: Location, place: Place) -> str:
    """Ensure that the file is in the cache folder; returns its path. Raises: DownloadError; ScenarioError if it is missing."""
    from helm.common.data.downloads import ensure_downloaded

    path = os.path.join(place.folder, location.file)
    if location.url:
        ensure_downloaded(
            location.url,
            path,
            unpack=location.unpack is not None,
            unpack_type=None if location.unpack in (None, "auto") else location.unpack,
            sha256=location.sha256,
            mirrors=location.mirrors,
            license=place.license,
        )
    return path


def _each(file: File, fill: Callable[[Any, dict[str, Any]], Any], table: Callable[[str], Any]) -> list[File]:
    """Return the files that a file with `each` expands to."""
    import msgspec

    if not file.each:
        return [file]
    name, values = next(iter(file.each.items()))
    if isinstance(values, str):
        values = fill(values, {}) if "${" in values else table(values)
    elif isinstance(values, dict):
        first, last = values["range"]
        values = list(range(int(first), int(last) + 1))
    plain = {key: value for key, value in msgspec.to_builtins(file).items() if key != "each"}
    return [msgspec.convert(fill(plain, {name: value}), File) for value in values]


# ---- Files


def _load_file(file: File, records: str | None, place: Place, source: Source) -> Iterator[Row]:
    path = _path(file, place, source)
    if path is None:
        return
    shown = os.path.relpath(path, place.folder) if path.startswith(place.folder) else path
    rows = number_rows(_read(path, file, file.records or records, shown), file.split, file.columns)
    if place.spool is not None:
        rows = map(place.spool.without_contents, rows)
    for other in file.zip if isinstance(file.zip, list) else [file.zip] if file.zip else []:
        rows = _zip(rows, other, place, shown)
    yield from rows


def _path(file: File, place: Place, source: Source) -> str | None:
    """Return the file's path; None if it is optional and absent."""
    if file.path is not None:
        path = file.path
        fetch_hint = "" if os.path.exists(path) else " Give the path of a file of this machine."
    elif file.restricted:
        names = [file.file] if file.file and not file.optional else []
        folder = get_restricted_data_path(place.scenario_name, *names, how_to_get=source.how_to_get)
        path, fetch_hint = os.path.join(folder, file.file), ""
    else:
        target = fetch(file, place)
        path = os.path.join(target, file.member) if file.member else target
        fetch_hint = f" {source.how_to_get}" if source.how_to_get else ""
    if os.path.isfile(path):
        return path
    if file.optional:
        return None
    raise ScenarioError(f"Scenario {place.scenario_name}: there is no file {path}.{fetch_hint}")


def number_rows(rows: Iterable[Row], split: str | None, columns: dict[str, Any] | None = None) -> Iterator[Row]:
    """Add number, split and constant columns."""
    for i, row in enumerate(rows):
        if columns:
            row = {**row, **columns}
        row[ROW] = i
        row[SPLIT] = split
        yield row


def _read(path: str, file: File | Zip, records: str | None, shown: str) -> Iterator[Row]:
    from helm.common.data.tables import format_of, iterate_table, read_table

    kind = file.format if file.format != "auto" else format_of(path)
    try:
        if kind == "json":
            yield from as_rows(read_table(path, "json", encoding=file.encoding), records, shown)
            return
        if kind == "pickle":
            from helm.common.caching.plain_pickle import load_plain

            with open(path, "rb") as stream:
                yield from as_rows(load_plain(stream.read()), records, shown)
            return
        if kind == "python":
            yield from as_rows(
                _read_literal(path, getattr(file, "constant", None), shown, file.encoding), records, shown
            )
            return
        items = iterate_table(path, kind, file.header, file.encoding, delimiter=getattr(file, "delimiter", None))
        for number, item in enumerate(items, 1):
            if kind == "jsonl":
                yield from as_rows(item, records, f"{shown}, value {number}", one=True)
            elif isinstance(item, str):
                yield {"line" if kind == "lines" else "text": item}
            elif isinstance(item, dict):
                if None in item:  # more values than the header has names
                    raise ScenarioError(f"{shown}, row {number}: the header names {len(item) - 1} columns only.")
                yield item
            else:
                yield {**{str(i): value for i, value in enumerate(item)}, COLUMNS: item}
    except UnicodeDecodeError as e:
        raise ScenarioError(f"{shown} is not {file.encoding} text: {e}. Give `encoding`.") from e


def _read_literal(path: str, name: str | None, shown: str, encoding: str) -> Any:
    """Return a constant of a source file; a mapping becomes a list of pairs, and pairs are lists."""
    from helm.common.data.python_literals import find_literals

    if name is None:
        raise ScenarioError(f"{shown} is a Python file. Give `constant`: the name of the constant to read.")
    with open(path, encoding=encoding) as stream:
        value = find_literals(stream.read(), name, shown)[0]
    items = list(value.items()) if isinstance(value, dict) else value
    return (
        [list(item) if isinstance(item, tuple) else item for item in items]
        if isinstance(items, (list, tuple))
        else items
    )


def as_rows(value: Any, records: str | None, shown: str, one: bool = False) -> Iterator[Row]:
    """Return the rows in a JSON value.

    These are what `records` selects; else the items of a list, unless it is `one` row; else the value itself. A row
    that is not a mapping becomes `{value: ...}`, a list `{0: ..., 1: ...}`.
    """
    try:
        if records:
            items = select_records(value, records)
        else:
            items = value if isinstance(value, list) and not one else [value]
    except LookupError as e:
        raise ScenarioError(f"{shown}: {e}") from e
    for item in items:
        if isinstance(item, list):
            yield {**{str(i): part for i, part in enumerate(item)}, COLUMNS: item}
        else:
            yield dict(item) if isinstance(item, dict) else {"value": item}


def _zip(rows: Iterable[Row], other: Zip, place: Place, shown: str) -> Iterator[Row]:
    path = other.path if other.path is not None else os.path.join(fetch(other, place), other.member).rstrip(os.sep)
    if not os.path.isfile(path):
        raise ScenarioError(
            f"Scenario {place.scenario_name}: there is no file {path}, to be read in parallel with {shown}."
        )
    others = list(_read(path, other, None, os.path.relpath(path, place.folder)))
    mine = list(rows)
    if other.shortest:
        count = min(len(mine), len(others))
        mine, others = mine[:count], others[:count]
    if len(mine) != len(others):
        raise ScenarioError(
            f"{shown} has {len(mine)} rows, but {other.path or other.member or other.file} has {len(others)}."
        )
    for row, beside in zip(mine, others, strict=True):
        yield _merge(row, beside, other.as_, single="line" if other.format == "lines" else None)


def _merge(row: Row, beside: Row, as_: str | None, single: str | None = None) -> Row:
    if as_ is not None:
        return {**row, as_: beside[single] if single else _without_own(beside)}
    return {**beside, **row}


def _without_own(row: Row) -> Row:
    return {key: value for key, value in row.items() if key not in (ROW, SPLIT)}


def _list_folder(folder: Folder, place: Place, source: Source) -> Iterator[Row]:
    """Yield a row for each file of a folder, sorted by name."""
    path = os.path.join(place.folder, folder.file)
    if not os.path.isdir(path):
        raise ScenarioError(f"Scenario {place.scenario_name}: there is no folder {path}. {source.how_to_get}".rstrip())
    names = sorted(name for name in os.listdir(path) if fnmatchcase(name, folder.pattern) and not name.startswith("."))
    rows = [
        {"name": name, "stem": os.path.splitext(name)[0], "file": f"{folder.file}/{name}" if folder.file else name}
        for name in names
        if os.path.isfile(os.path.join(path, name))
    ]
    texts = {column: compile_text(text) for column, text in folder.texts.items()}
    for row in number_rows(rows, folder.split):
        for column, name_of in texts.items():
            other = os.path.join(place.folder, name_of(row))
            try:
                with open(other, encoding="utf-8") as file:
                    row[column] = file.read()
            except (OSError, UnicodeDecodeError) as e:
                raise ScenarioError(f"Scenario {place.scenario_name}: {other} cannot be read: {e}.") from e
        yield row


# ---- The Hub


def _load_hubs(hubs: Sequence[Hub], place: Place) -> RowSet:
    result = RowSet([])
    for hub in hubs:
        for split, ours in _splits(hub):
            rows, labels = _load_hub_split(hub, split, place)
            result.rows.extend(number_rows(rows, ours))
            result.class_labels.update(labels)
    return result


def _splits(hub: Hub) -> list[tuple[str, str]]:
    splits = hub.splits if isinstance(hub.splits, dict) else {}
    return list((splits or {"train": "train", "validation": "valid", "test": "test"}).items())


def _load_hub_split(hub: Hub, split: str, place: Place) -> tuple[list[Row], dict[str, Sequence[str]]]:
    from helm.common.data import hub_datasets

    loaded = hub_datasets.load_hub_split(
        hub.path,
        split,
        config=hub.config,
        revision=hub.revision,
        data_files=hub.data_files,
        data_dir=hub.data_dir,
        cache_dir=place.folder,
        select=_shuffled_start(hub.take[split]) if split in hub.take else None,
        spool=place.spool,
    )
    return [dict(row) for row in loaded.rows], dict(loaded.class_labels or {})


def _shuffled_start(take: Take) -> Callable[[int], Sequence[int]]:
    """Return a function from the number of rows to the positions that `take` selects."""

    def select(number: int) -> Sequence[int]:
        import numpy as np

        return np.random.default_rng(int(take.seed)).permutation(number)[: take.n].tolist()

    return select


def _join(loaded: RowSet, join: Join, place: Place) -> None:
    """Join the rows of another data set to those of the same split."""
    others: dict[Any, list[Row]] = {}
    for split, ours in _splits(join.hf):
        rows, labels = _load_hub_split(join.hf, split, place)
        others[ours] = rows
        for column, names in labels.items():
            loaded.class_labels.setdefault(f"{join.as_}.{column}" if join.as_ else column, names)
    merged: list[Row] = []
    for split in dict.fromkeys(row[SPLIT] for row in loaded.rows):
        mine = [row for row in loaded.rows if row[SPLIT] == split]
        beside = others.get(split, [])
        if join.on is None:
            if len(mine) != len(beside):
                raise ScenarioError(
                    f"Scenario {place.scenario_name}: split {split} has {len(mine)} rows, but {join.hf.path} "
                    f"({join.hf.config or 'default'}) has {len(beside)}."
                )
            merged.extend(_merge(row, other, join.as_) for row, other in zip(mine, beside, strict=True))
            continue
        try:
            by_key = {str(get_column(other, join.on)): other for other in beside}
            keys = [get_column(row, join.on) for row in mine]
        except MissingColumn as e:
            raise ScenarioError(f"Scenario {place.scenario_name}: join with {join.hf.path}: {e}") from e
        for row, key in zip(mine, keys, strict=True):
            if str(key) not in by_key:
                raise ScenarioError(
                    f"Scenario {place.scenario_name}: {join.hf.path} has no row with {join.on} = {key!r} in split {split}."
                )
            merged.append(_merge(row, by_key[str(key)], join.as_))
    loaded.rows[:] = merged
