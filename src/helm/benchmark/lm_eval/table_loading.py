"""Loads the data sets that tasks read: local files, and data sets of the Hub at a pinned commit."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from helm.benchmark.lm_eval.task_worker import LoadTables, Tables
from helm.benchmark.lm_eval.worker.plain import to_plain
from helm.common.errors import ConfigError, ScenarioError

LOCAL_FORMATS = {"json": ("json", "jsonl"), "csv": ("csv",), "parquet": ("parquet",), "text": ("txt",)}

_ARGUMENTS = ("data_files", "data_dir", "revision")


def make_loader(cache_dir: str, folder: str, plain: bool) -> LoadTables:
    """Return what loads tables.

    Args:
        cache_dir: the folder for downloads.
        folder: that of the task file; relative names of data files are looked for here, and in the working directory.
        plain: whether rows are sent to another process, and have to be plain.
    """

    def load(path: str, name: str | None, split: str | None, arguments: dict[str, Any]) -> list[Tables]:
        reader = _reader(path, name, arguments, cache_dir, folder)
        splits = [split] if split is not None else reader.splits()
        tables: list[Tables] = [{"path": path, "name": name, "split": None, "splits": splits}] if split is None else []
        for one in splits:
            rows, labels = reader.read(one)
            columns = arguments.get("column_names")
            if columns:
                rows = [dict(zip(columns, row.values(), strict=False)) for row in rows]
            sent = [to_plain(row) for row in rows] if plain else rows
            tables.append({"path": path, "name": name, "split": one, "rows": sent, "labels": labels})
        return tables

    return load


class _Reader:
    def __init__(self, splits: Callable[[], list[str]], read: Callable[[str], tuple[Sequence[Any], Mapping[str, Any]]]):
        self.splits, self.read = splits, read


def _reader(path: str, name: str | None, arguments: Mapping[str, Any], cache_dir: str, folder: str) -> _Reader:
    given = {key: arguments[key] for key in _ARGUMENTS if arguments.get(key) is not None}
    if path in LOCAL_FORMATS:
        return _local_reader(path, given.get("data_files"), folder)
    from helm.common.data.hub_datasets import list_hub_splits, load_hub_split

    def read(split: str) -> tuple[Sequence[Any], Mapping[str, Any]]:
        loaded = load_hub_split(path, split, config=name, cache_dir=cache_dir, **given)
        return loaded.rows, loaded.class_labels

    return _Reader(lambda: list_hub_splits(path, config=name, cache_dir=cache_dir, **given), read)


def _local_reader(path: str, data_files: Any, folder: str) -> _Reader:
    if not data_files:
        raise ConfigError(f"The data set '{path}' needs dataset_kwargs.data_files.")
    by_split = data_files if isinstance(data_files, dict) else {"train": data_files}

    def read(split: str) -> tuple[Sequence[Any], Mapping[str, Any]]:
        if split not in by_split:
            raise ScenarioError(f"There is no data file for the split '{split}', but for {', '.join(by_split)}.")
        names = by_split[split]
        files = [_find_file(str(one), folder) for one in (names if isinstance(names, list) else [names])]
        return [row for file in files for row in _read_file(path, file)], {}

    return _Reader(lambda: list(by_split), read)


def _find_file(name: str, folder: str) -> str:
    found = next((path for path in (name, os.path.join(folder, name)) if os.path.isfile(path)), None)
    if found is None:
        raise ConfigError(f"dataset_kwargs.data_files: there is no file {name}, and none next to the task.")
    return found


def _read_file(kind: str, path: str) -> list[dict[str, Any]]:
    """Read the rows of a local file; `json` is a list of rows, or one row per line."""
    from helm.common.data.tables import read_table

    if kind == "text":
        with open(path, encoding="utf-8") as file:
            return [{"text": line.rstrip("\n")} for line in file]
    if kind == "json":
        with open(path, encoding="utf-8") as file:
            kind = "json" if file.read(1000).lstrip().startswith("[") else "jsonl"
    rows: list[dict[str, Any]] = read_table(path, format=kind)
    return rows
