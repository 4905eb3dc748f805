"""Rows drawn as pandas draws them: simple and stratified samples, and rows below a quantile of a length.

These are hooks of catalogue entries: pure functions from rows to rows.
"""

import math
from collections.abc import Sequence
from typing import Any

from helm.common.random_draws import pandas_sample

Row = dict[str, Any]

SPLIT = "_split"
"""The key of a row's split."""


def stratified_positions(labels: Sequence[Any], size: int, seed: int) -> list[int]:
    """About `size` positions, each label with its share; labels in ascending order, each drawn from a new generator.

    The share is rounded to a whole number for each label (half to even), so the total may differ from `size` by a few.
    When there are fewer rows than `size`, all are taken, in the order drawn.
    """
    groups: dict[Any, list[int]] = {}
    for i, label in enumerate(labels):
        groups.setdefault(label, []).append(i)
    fraction = min(1.0, size / len(labels)) if labels else 0.0
    return [
        groups[label][i]
        for label in sorted(groups)
        for i in pandas_sample(len(groups[label]), round(fraction * len(groups[label])), seed)
    ]


def draw_test(
    rows: Sequence[Row],
    size: int,
    seed: int,
    by: str | None = None,
    rest: str | None = "train",
    split: str = "test",
    one_more: Any = None,
) -> list[Row]:
    """Make a sample of the rows the test split; the others come first, in their order, as the split `rest`.

    Args:
        size: how many are drawn; all, when there are fewer.
        by: a column: every value of it gets its share of the sample (see `stratified_positions`).
        rest: None drops the other rows.
        split: the split of the drawn rows.
        one_more: a value of `by`: the first row with it that was not drawn is added at the end.
    """
    if by is None:
        drawn = pandas_sample(len(rows), min(size, len(rows)), seed)
    else:
        drawn = stratified_positions([row[by] for row in rows], size, seed)
    chosen = set(drawn)
    if by is not None and one_more is not None:
        more = next((i for i, row in enumerate(rows) if i not in chosen and row[by] == one_more), None)
        drawn += [] if more is None else [more]
        chosen.update(drawn)
    others = [{**row, SPLIT: rest} for i, row in enumerate(rows) if i not in chosen] if rest is not None else []
    return others + [{**rows[i], SPLIT: split} for i in drawn]


def shorter_than_quantile(rows: Sequence[Row], column: str, quantile: float) -> list[Row]:
    """Rows whose text in `column` is shorter, in characters, than the quantile of all lengths (linear interpolation)."""
    if not rows:
        return []
    lengths = [len(str(row[column])) for row in rows]
    limit = _quantile(sorted(lengths), quantile)
    return [row for row, length in zip(rows, lengths, strict=True) if length < limit]


def _quantile(ordered: Sequence[int], quantile: float) -> float:
    position = quantile * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)
