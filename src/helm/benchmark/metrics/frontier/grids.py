"""Scores of grids that a model writes as JSON: ARC-AGI's coloured squares, and ZebraLogic's tables of houses."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# --- ARC-AGI ----------------------------------------------------------------------------------------------------------

Grid = list[list[Any]]

_FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
_OPEN, _CLOSE = re.compile(r"\[\s*\["), re.compile(r"\]\s*\]")


def parse_grid(text: str) -> Grid:
    """Return the grid in a text: the whole text, a fenced block, or the first `[[...]]`. Empty without one."""
    candidates = [text.strip(), *(block.strip() for block in _FENCE.findall(text)), _first_brackets(text)]
    return next((grid for grid in map(_as_grid, candidates) if grid), [])


def _first_brackets(text: str) -> str:
    """Return the first `[[...]]` of a text; empty without one."""
    begin = _OPEN.search(text)
    end = _CLOSE.search(text, begin.end()) if begin else None
    return text[begin.start() : end.end()] if begin and end else ""


def _as_grid(text: str) -> Grid:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    is_grid = isinstance(value, list) and bool(value) and all(isinstance(row, list) for row in value)
    return value if is_grid else []


def is_solved(texts: list[str], grid: Grid) -> bool:
    """Return whether one of the attempts at a test input gives its grid."""
    return any(parse_grid(text) == grid for text in texts)


# --- ZebraLogic -------------------------------------------------------------------------------------------------------


def last_json_object(text: str) -> dict[str, Any] | None:
    """Return the last complete JSON object of a text that is in no other one; None if there is none, or it cannot be read.

    Line breaks are removed first, also within strings. Braces in strings count, as in the original.
    """
    depth = start = 0
    last = None
    for match in re.finditer(r"[{}]", text):
        if match[0] == "{":
            if depth == 0:
                start = match.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                last = text[start : match.end()]
    if last is None:
        return None
    try:
        value = json.loads(last.replace("\n", ""))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


@dataclass(frozen=True)
class PuzzleScore:
    """How much of a puzzle is right."""

    is_parsed: bool
    """Whether the text has a JSON object with a solution."""

    num_correct: int

    num_cells: int

    @property
    def is_solved(self) -> bool:
        """Whether every cell is right."""
        return self.num_correct == self.num_cells


def score_puzzle(text: str, solution: Mapping[str, Any]) -> PuzzleScore:
    """Score the solution of a puzzle, `{"solution": {"House 1": {"Name": ...}, ...}}`, cell by cell.

    Args:
        solution: `header`, of which the first is the number of the house, and `rows`.

    A cell is right if its text is, apart from case and white space around it. Of a list, the first item counts; every other value
    that is no text is wrong, where the original stops.
    """
    columns, rows = solution["header"][1:], solution["rows"]
    num_cells = len(columns) * len(rows)
    answer = (last_json_object(text) or {}).get("solution")
    if answer is None:
        return PuzzleScore(False, 0, num_cells)
    num_correct = 0
    for i, row in enumerate(rows, 1):
        house = answer.get(f"House {i}") if isinstance(answer, Mapping) else None
        for column, truth in zip(columns, row[1:], strict=True):
            cell = house.get(column) if isinstance(house, Mapping) else None
            cell = cell[0] if isinstance(cell, list) and cell else cell
            num_correct += isinstance(cell, str) and cell.strip().lower() == str(truth).strip().lower()
    return PuzzleScore(True, num_correct, num_cells)
