"""Names of a few colours that are far apart."""

NAMED_COLOURS: dict[str, tuple[int, int, int]] = {
    "red": (220, 30, 30),
    "green": (30, 160, 60),
    "blue": (40, 70, 220),
    "yellow": (240, 210, 40),
    "black": (15, 15, 15),
    "white": (250, 250, 250),
    "purple": (130, 50, 160),
    "orange": (245, 140, 30),
}
"""As (red, green, blue) from 0 to 255."""


def nearest_colour(red: int, green: int, blue: int) -> str:
    """Return the name of the colour at the least distance."""

    def distance(name: str) -> int:
        other = NAMED_COLOURS[name]
        return (red - other[0]) ** 2 + (green - other[1]) ** 2 + (blue - other[2]) ** 2

    return min(NAMED_COLOURS, key=distance)
