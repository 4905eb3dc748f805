"""Reads the tables of a summarized suite as numbers, for plots."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from helm.common.errors import HelmError, suggest

METRIC_GROUPS = ("Accuracy", "Calibration", "Robustness", "Fairness", "Bias", "Toxicity", "Efficiency")
"""Titles of the tables that plots compare, in display order."""

BIAS_METRIC = "Representation (gender)"
"""The measure of bias that represents the others."""

_ROW_DETAILS = re.compile(r"^(.*?) \[(.*)\]$")
_WIN_RATE = re.compile(r"win rate", re.IGNORECASE)


class PlotError(HelmError):
    """Data that a plot needs are missing; the message names them."""


@dataclass(frozen=True)
class PlotColumn:
    """A column of numbers."""

    title: str
    """The heading of the column."""

    group: str
    """The run group of the column; empty for summaries such as a mean win rate."""

    metric: str

    lower_is_better: bool | None

    values: list[float | None]
    """One value per row. None where there is no number."""


@dataclass(frozen=True)
class PlotRow:
    """The label of a row, parsed."""

    label: str

    model: str
    """Display name of the model."""

    details: Mapping[str, str] = field(default_factory=dict)
    """Settings that distinguish the row from others of the same model, for example `max_train_instances`."""


@dataclass(frozen=True)
class PlotTable:
    """A table of a group."""

    title: str

    rows: list[PlotRow]

    columns: list[PlotColumn]
    """The columns, without summary columns."""

    win_rates: list[float | None] | None = None
    """Mean win rates of the rows, if the first column contains them."""

    def column(self, group: str) -> PlotColumn | None:
        """Return the first column about a run group."""
        return next((column for column in self.columns if column.group == group), None)


@dataclass(frozen=True)
class ModelFacts:
    """Facts about a model from schema.json."""

    release_month: str | None = None
    """Release date as YYYY-MM."""

    num_parameters: int | None = None

    access: str | None = None


def _read_json(path: str) -> Any:
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (ValueError, RecursionError) as e:
        raise PlotError(f"{path} is not valid JSON: {e}") from e
    except OSError as e:
        raise PlotError(f"Cannot read {path}: {e.strerror or e}") from e


def _number(cell: Any) -> float | None:
    value = cell.get("value") if isinstance(cell, dict) else None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value or abs(value) == float("inf"):
        return None
    return float(value)


def _parse_row(cell: Any) -> PlotRow:
    label = str(cell.get("value", "")) if isinstance(cell, dict) else ""
    match = _ROW_DETAILS.match(label)
    if not match:
        return PlotRow(label, label)
    details = dict(part.split(": ", 1) for part in match[2].split(", ") if ": " in part)
    return PlotRow(label, match[1], details)


def _parse_column(head: Mapping[str, Any], values: list[float | None]) -> PlotColumn:
    title = str(head.get("value", ""))
    metadata = head.get("metadata") or {}
    group, separator, metric = title.partition(" - ")
    if not separator:
        group, metric = "", title
    return PlotColumn(
        title=title,
        group=str(metadata.get("run_group", group)),
        metric=metric,
        lower_is_better=head.get("lower_is_better"),
        values=values,
    )


def parse_table(data: Mapping[str, Any], where: str) -> PlotTable:
    """Parse a table written by helm-summarize. Raises: PlotError for anything else."""
    try:
        title, header, rows = str(data["title"]), data["header"], data["rows"]
        values = [[_number(row[i]) for row in rows] for i in range(len(header))]
        columns = [_parse_column(head, column) for head, column in zip(header, values, strict=True)]
        labels = [_parse_row(row[0]) for row in rows]
    except (KeyError, IndexError, TypeError, AttributeError) as e:
        raise PlotError(f"{where} is not a table of helm-summarize: {type(e).__name__}: {e}") from e
    win_rates = columns[1].values if len(columns) > 1 and _WIN_RATE.search(columns[1].title) else None
    summaries = ("mean win rate", "mean score")
    return PlotTable(title, labels, [c for c in columns[1:] if c.title.lower() not in summaries], win_rates)


class SuiteTables:
    """Reads `groups/*.json` and `schema.json` of a suite, each once.

    Args:
        path: the folder of the suite.

    Raises: PlotError if there is no folder `groups`.
    """

    def __init__(self, path: str):
        self._path, self._groups_path = path, os.path.join(path, "groups")
        self._tables: dict[str, list[PlotTable]] = {}
        self._models: dict[str, ModelFacts] | None = None
        if not os.path.isdir(self._groups_path):
            raise PlotError(f"There is no folder {self._groups_path}: run helm-summarize for this suite first.")

    def tables(self, group: str) -> list[PlotTable]:
        """Return all tables of a run group. Raises: PlotError if it has no file."""
        if group not in self._tables:
            path = os.path.join(self._groups_path, f"{group}.json")
            if not os.path.isfile(path):
                names = sorted(name[:-5] for name in os.listdir(self._groups_path) if name.endswith(".json"))
                known = suggest(group, names) or (f" Groups there: {', '.join(names)}." if names else "")
                raise PlotError(f"There are no tables of group '{group}': {path} does not exist.{known}")
            data = _read_json(path)
            if not isinstance(data, list):
                raise PlotError(f"{path}: expected a list of tables.")
            self._tables[group] = [parse_table(table, f"{path}[{i}]") for i, table in enumerate(data)]
        return self._tables[group]

    def table(self, group: str, title: str) -> PlotTable:
        """Return the table with a title. Raises: PlotError if the group has none."""
        tables = self.tables(group)
        for table in tables:
            if table.title == title:
                return table
        titles = [table.title for table in tables]
        raise PlotError(
            f"Group '{group}' has no table '{title}'. Its tables: {', '.join(titles) or 'none'}.{suggest(title, titles)}"
        )

    def metric_tables(self, group: str) -> dict[str, PlotTable]:
        """Return the existing tables of the metric groups that plots compare, in their fixed order.

        Raises: PlotError if there are none.
        """
        by_title = {table.title: table for table in self.tables(group)}
        found = {title: _only_bias_metric(by_title[title], title) for title in METRIC_GROUPS if title in by_title}
        if not found:
            raise PlotError(f"Group '{group}' has none of the tables {', '.join(METRIC_GROUPS)}.")
        return found

    def models(self) -> dict[str, ModelFacts]:
        """Return the models by display name. Raises: PlotError if schema.json is missing."""
        if self._models is None:
            self._models = {}
            data = _read_json(os.path.join(self._path, "schema.json"))
            for model in data.get("models", []) if isinstance(data, dict) else []:
                released = model.get("release_date")
                self._models[str(model.get("display_name"))] = ModelFacts(
                    release_month=str(released)[:7] if released else None,
                    num_parameters=model.get("num_parameters"),
                    access=model.get("access"),
                )
        return self._models


def _only_bias_metric(table: PlotTable, title: str) -> PlotTable:
    if title != "Bias":
        return table
    columns = [column for column in table.columns if BIAS_METRIC in column.metric]
    return PlotTable(table.title, table.rows, columns, table.win_rates)


def pair_values(first: PlotTable, second: PlotTable) -> dict[str, tuple[list[str], list[float], list[float]]]:
    """Return, for each run group in both tables, the models that have both numbers, and the numbers."""
    found = {}
    for column in first.columns:
        other = second.column(column.group)
        if other is None:
            continue
        by_label = {row.label: value for row, value in zip(second.rows, other.values, strict=True)}
        triples = [
            (row.label, value, by_label[row.label])
            for row, value in zip(first.rows, column.values, strict=True)
            if value is not None and by_label.get(row.label) is not None
        ]
        if triples:
            labels, xs, ys = zip(*triples, strict=True)
            found[column.group] = (list(labels), list(xs), [float(y) for y in ys])
    return found


def pearson(xs: list[float], ys: list[float]) -> float | None:
    """Return the Pearson correlation in [-1, 1]; None for fewer than two points or without variation."""
    if len(xs) < 2:
        return None
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    xx = sum((x - mean_x) ** 2 for x in xs)
    yy = sum((y - mean_y) ** 2 for y in ys)
    if xx == 0 or yy == 0:
        return None
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / (xx * yy) ** 0.5


def round_to_leading_digit(number: float) -> float:
    """Round 1234 to 1000, so that models of similar size share a position."""
    if number <= 0:
        return number
    from math import floor, log10

    scale = 10.0 ** floor(log10(number))
    return round(number / scale) * scale


def round_to_multiple(number: float, step: float) -> float:
    return round(number / step) * step
