"""Reads the files of data sets; errors name the file and the record."""

import csv
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from helm.benchmark.scenarios.scenario import CORRECT_TAG, Output, Reference
from helm.common.errors import ConfigError, HelmError, ScenarioError, suggest

T = TypeVar("T")

_SHORT = 100
"""Maximum number of characters of data that an error message shows."""


def check_choice(scenario: str, parameter: str, value: Any, choices: Iterable[Any]) -> None:
    """Check a value. Raises: ConfigError with the nearest one unless `value` is one of `choices`."""
    choices = list(choices)
    if value not in choices:
        listed = ", ".join(str(choice) for choice in choices)
        nearest = suggest(str(value), [str(choice) for choice in choices])
        raise ConfigError(f"{scenario}: {parameter} takes one of {listed}, not '{value}'.{nearest}")


def correct_reference(text: str) -> Reference:
    return Reference(Output(text=text), tags=[CORRECT_TAG])


def wrong_reference(text: str) -> Reference:
    return Reference(Output(text=text), tags=[])


def option_references(options: Iterable[str], answer: str) -> list[Reference]:
    """Return one reference per option; every option whose text is `answer` is correct."""
    return [correct_reference(option) if option == answer else wrong_reference(option) for option in options]


@contextmanager
def reading(where: str) -> Iterator[None]:
    """Convert errors from invalid data in the block into a ScenarioError that begins with `where`."""
    try:
        yield
    except HelmError:
        raise
    except KeyError as e:
        raise ScenarioError(f"{where}: {e.args[0]!r} is missing.") from e
    except (LookupError, TypeError, AttributeError, ValueError, OSError, csv.Error) as e:
        raise ScenarioError(f"{where}: it is not as expected: {str(e)[:_SHORT]}") from e


def numbered(path: str, rows: Iterable[T], noun: str = "row") -> Iterator[tuple[str, T]]:
    """Yield each row with a description of its position, for `reading`: `data/a.csv, row 3`."""
    for number, row in enumerate(rows, 1):
        yield f"{path}, {noun} {number}", row


def read_json(path: str) -> Any:
    """Read a JSON file. Raises: ScenarioError that names the file (and the line of a syntax error)."""
    with reading(path), open(path, encoding="utf-8") as file:
        return json.load(file)


def read_json_lines(path: str) -> Iterator[tuple[str, Any]]:
    """Yield `(where, value)` for each line that is not blank."""
    with reading(path), open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                where = f"{path}, line {number}"
                with reading(where):
                    value = json.loads(line)
                yield where, value


def read_table(path: str, delimiter: str = ",", quoting: int = csv.QUOTE_MINIMAL) -> Iterator[tuple[str, list[str]]]:
    """Yield `(where, cells)` for each row of a CSV file; blank lines are skipped."""
    with reading(path), open(path, encoding="utf-8", newline="") as file:
        reader = csv.reader(file, delimiter=delimiter, quoting=quoting)  # type: ignore[arg-type]
        for row in reader:
            if row:
                yield f"{path}, line {reader.line_num}", row


def read_records(
    path: str, delimiter: str = ",", quoting: int = csv.QUOTE_MINIMAL
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield `(where, {column: cell})` for each row below the header. Raises: ScenarioError for a row of another length."""
    rows = read_table(path, delimiter, quoting)
    _, header = next(rows, (path, []))
    for where, row in rows:
        if len(row) != len(header):
            raise ScenarioError(f"{where}: {len(row)} cells, but the header has {len(header)}.")
        yield where, dict(zip(header, row, strict=True))
