"""CSV tables with cells as pandas shows them: the texts of a column of numbers are those of numbers of one type."""

from typing import NamedTuple

from helm.benchmark.scenarios.data_rows import read_records
from helm.common.data.column_types import infer_column

MISSING = "nan"
"""How a missing value is shown."""


class Row(NamedTuple):
    """One row of a table."""

    where: str
    """File and line, for messages."""

    cells: dict[str, str]
    """Column -> text of its value; `MISSING` for none."""


def read_rows(path: str) -> list[Row]:
    """The rows of a CSV file with a header. Raises: ScenarioError that names file and line."""
    records = list(read_records(path))
    columns = {}
    for name in records[0][1] if records else []:
        columns[name] = infer_texts([record[name] for _, record in records])
    return [Row(where, {name: texts[i] for name, texts in columns.items()}) for i, (where, _) in enumerate(records)]


def infer_texts(cells: list[str]) -> list[str]:
    """The cells of a column, each as the text of its value."""
    return [MISSING if value is None else str(value) for value in infer_column(cells)]
