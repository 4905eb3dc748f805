"""Matrices of tests, of which `make test` runs a part that has every row and every column, and `make test-heavy` the rest."""

from collections.abc import Iterable
from typing import Any

import pytest


def by_turns(rows: Iterable[Any], columns: Iterable[Any], shift: int = 0) -> list[Any]:
    """Return all pairs for `parametrize`; those that are not on a diagonal, which goes round the shorter side, are slow.

    Args:
        rows: the first values of the pairs.
        columns: the second values.
        shift: which diagonal is quick; two tests of the same pairs may take different ones.
    """
    rows, columns = list(rows), list(columns)
    turns = min(len(rows), len(columns))
    return [
        pytest.param(row, column, marks=[pytest.mark.slow] if (i - j - shift) % turns else [])
        for i, row in enumerate(rows)
        for j, column in enumerate(columns)
    ]
