"""CSV tables with cells as shown by pandas: texts of a numeric column are those of numbers of a single type."""

from typing import NamedTuple

from helm.benchmark.scenarios.data_rows import read_records
from helm.common.data.column_types import infer_column

MISSING = "nan"
"""The text of a missing value."""


class Row(NamedTuple):
    """One row of a table."""

    where: str
    """File and line, for messages."""

    cells: dict[str, str]
    """Maps column to the text of its value; `MISSING` for none."""


def read_rows(path: str) -> list[Row]:
    """Return the rows of a CSV file with a header. Raises: ScenarioError that names file and line."""
    records = list(read_records(path))
    columns = {}
    for name in records[0][1] if records else []:
        columns[name] = infer_texts([record[name] for _, record in records])
    return [Row(where, {name: texts[i] for name, texts in columns.items()}) for i, (where, _) in enumerate(records)]


def infer_texts(cells: list[str]) -> list[str]:
    """Return the cells of a column, each as the text of its value."""
    return [MISSING if value is None else str(value) for value in infer_column(cells)]
