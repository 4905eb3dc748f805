"""Steps of catalogue entries that restructure a table: pure functions from rows to rows, named by class path."""

from typing import Any

from helm.common.errors import ScenarioError

Row = dict[str, Any]


def rows_below_header(rows: list[Row], skip: int = 0) -> list[Row]:
    """Return the rows of a table that was read without header: `skip` rows are dropped, the next one names the columns.

    Columns without a name there, and rows without any value, are dropped.
    """
    if len(rows) <= skip:
        raise ScenarioError(f"The table has {len(rows)} rows; the header is expected in row {skip + 1}.")
    header = {key: str(value) for key, value in rows[skip].items() if key.isdigit() and value is not None}
    result = []
    for row in rows[skip + 1 :]:
        named = {name: row.get(key) for key, name in header.items()}
        if any(value is not None for value in named.values()):
            result.append({**{key: row[key] for key in row if key.startswith("_")}, **named})
    return result


def labelled_sections(rows: list[Row], labels: str, texts: str, into: str) -> list[Row]:
    """Add a column `into` with a line for each text of one list, after its label from another: `Results. The ...`."""
    result = []
    for row in rows:
        if len(row[labels]) != len(row[texts]):
            raise ScenarioError(f"{labels} has {len(row[labels])} items, but {texts} has {len(row[texts])}.")
        lines = [f"{label.title()}. {text}" for label, text in zip(row[labels], row[texts], strict=True)]
        result.append({**row, into: "\n".join(lines)})
    return result
