"""Draws coloured shapes beside each other, without a library for pictures."""

from collections.abc import Callable, Sequence

Pixel = tuple[int, int, int]
"""Red, green and blue, from 0 to 255."""

SHAPES: dict[str, Callable[[float, float], bool]] = {
    "circle": lambda x, y: x * x + y * y <= 1,
    "square": lambda x, y: max(abs(x), abs(y)) <= 0.9,
    "triangle": lambda x, y: -0.9 <= y <= 0.9 and abs(x) <= (y + 0.9) / 1.8,
}
"""Whether a point is inside a shape that fills the square from -1 to 1; y grows downwards."""


def draw(things: Sequence[tuple[Pixel, str]], ground: Pixel, width: int, height: int) -> list[list[Pixel]]:
    """Return the rows of a picture with things side by side."""
    rows = [[ground] * width for _ in range(height)]
    share = width / max(len(things), 1)
    radius = 0.8 * min(share, height) / 2
    for number, (colour, shape) in enumerate(things):
        centre = share * (number + 0.5)
        for y in range(height):
            for x in range(int(share * number), int(share * (number + 1))):
                if SHAPES[shape]((x + 0.5 - centre) / radius, (y + 0.5 - height / 2) / radius):
                    rows[y][x] = colour
    return rows
