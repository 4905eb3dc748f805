"""Draws the pictures of `simple_pictures`, so that it needs no data."""

from collections.abc import Sequence
from typing import Any

from helm.benchmark.declarative.hooks import row_hook
from helm.common.formats.colours import NAMED_COLOURS
from helm.common.formats.drawing import draw
from helm.common.formats.png import write_png

_SIDE = 64


@row_hook("draw_shapes")
def draw_shapes(rows: Sequence[dict[str, Any]], into: str) -> list[dict[str, Any]]:
    """Add to each row the picture of its `colour` and `shape` on white, as PNG, under the name `into`."""
    white = NAMED_COLOURS["white"]
    return [
        {**row, into: write_png(draw([(NAMED_COLOURS[row["colour"]], row["shape"])], white, _SIDE, _SIDE))}
        for row in rows
    ]
