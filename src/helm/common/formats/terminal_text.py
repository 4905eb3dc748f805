"""Reads what programs write to a terminal: colours are kept, everything else that a terminal would obey is removed."""

import re
from dataclasses import dataclass

_SEQUENCE = re.compile(
    r"\x1b\[(?P<sgr>[0-9;]*)m"  # colours
    r"|\x1b\[[0-?]*[ -/]*[@-~]"  # other control sequences
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?"  # texts for the terminal: titles, links, device strings
    r"|\x1b[ -/]*[0-~]?"  # the rest
    r"|[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f]"
)
_COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


@dataclass(frozen=True)
class Span:
    """Text of one style."""

    text: str

    colour: str = ""
    """`red`, `green` and so on; empty for the default."""

    is_bold: bool = False


def read_spans(text: str) -> list[Span]:
    """Return the parts of a text with their colours. Other styles, cursor moves and titles are left out.

    A carriage return that does not end a line is one that lets a terminal write over it; here it ends the line.
    """
    spans: list[Span] = []
    colour, is_bold, begin = "", False, 0

    def add(piece: str) -> None:
        piece = piece.replace("\r\n", "\n").replace("\r", "\n")
        if not piece:
            return
        if spans and (spans[-1].colour, spans[-1].is_bold) == (colour, is_bold):
            piece = spans.pop().text + piece
        spans.append(Span(piece, colour, is_bold))

    for match in _SEQUENCE.finditer(text):
        add(text[begin : match.start()])
        begin = match.end()
        if match["sgr"] is not None:
            colour, is_bold = _apply(match["sgr"], colour, is_bold)
    add(text[begin:])
    return spans


def _apply(codes: str, colour: str, is_bold: bool) -> tuple[str, bool]:
    numbers = [int(code) if code else 0 for code in codes.split(";")[:16] if len(code) < 4]
    while numbers:
        code = numbers.pop(0)
        if code == 0:
            colour, is_bold = "", False
        elif code in (1, 22):
            is_bold = code == 1
        elif 30 <= code <= 37 or 90 <= code <= 97:
            colour = _COLOURS[code % 10]
        elif code == 39:
            colour = ""
        elif code in (38, 48):  # 256 colours or red, green and blue: the numbers that follow are no codes
            del numbers[: 2 if numbers[:1] == [5] else 4]
    return colour, is_bold
