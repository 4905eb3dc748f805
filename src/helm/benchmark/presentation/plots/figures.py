"""Shared parts of all figures: a grid of subplots, one legend, colors."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from helm.common.optional_dependencies import needs_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# More entries would make the legend taller than the figure.
MAX_LEGEND_ENTRIES = 24


def new_figure(num_rows: int, num_columns: int, width: float, height: float) -> tuple["Figure", list["Axes"]]:
    """Create a figure with a grid of subplots of `width` x `height` inches each; `finish` hides the unused ones."""
    with needs_extra("plots"):
        from matplotlib.figure import Figure
    figure = Figure(figsize=(num_columns * width, num_rows * height), layout="constrained")
    return figure, list(figure.subplots(num_rows, num_columns, squeeze=False).flat)


def grid(count: int, most_columns: int) -> tuple[int, int]:
    num_columns = min(count, most_columns)
    return -(-count // num_columns), num_columns


def finish(figure: "Figure", axes: Sequence["Axes"], used: int) -> "Figure":
    for ax in axes[used:]:
        ax.set_visible(False)
    for ax in axes[:used]:
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    return figure


def legend(figure: "Figure", axes: Sequence["Axes"]) -> None:
    """Draw one legend for all subplots, next to them, with each label once."""
    handles: dict[str, Any] = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    if len(handles) > 1:
        shown = list(handles.items())[:MAX_LEGEND_ENTRIES]
        figure.legend(
            [handle for _, handle in shown], [label for label, _ in shown], loc="outside right center", fontsize="small"
        )


def color(index: int) -> tuple[float, ...]:
    from matplotlib import colormaps

    palette = colormaps["tab20"]
    return tuple(palette((2 * index) % 20 + (index // 10) % 2))
