"""Draws the pictures that other programs show beside a link to a page of a static site: the leading scores with intervals."""

import io
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from helm.benchmark.server.board_parts import Board, Cell, Column, Row
from helm.benchmark.server.formatting import score
from helm.benchmark.server.home_page import find_boards
from helm.benchmark.server.site_files import CARD_SIZE
from helm.benchmark.server.viewer import Query, Viewer
from helm.common.optional_dependencies import needs_extra
from helm.results.board import BEST, TIED, BoardCell

WIDTH, HEIGHT = CARD_SIZE

_BACKGROUND, _TEXT, _MUTED, _LINE, _ACCENT = "#ffffff", "#1c2025", "#5b636e", "#dcdfe4", "#2052bd"
_MARGIN = 64
_MOST_ROWS = 6
_ROW_TOP, _ROW_HEIGHT = 236, 56
_STRIP = (620, 1000)
"""From where to where the strips of scores go, in pixels."""

_COLOURS = 32
"""Colours of the picture; letters have soft edges."""


@dataclass(frozen=True)
class CardRow:
    """A score with its interval."""

    label: str

    value: float

    text: str

    low: float | None = None

    high: float | None = None

    is_marked: bool = False


@dataclass(frozen=True)
class Card:
    """What a picture says."""

    title: str

    detail: str

    rows: tuple[CardRow, ...] = ()


def find_card(viewer: Viewer, address: str) -> Card:
    """Return what the picture of a page says: of a model its scores, of a scenario and of a board who leads.

    Args:
        address: the address of a page as the viewer has it; pages without numbers of their own have the card of their suite.
    """
    parts = urlsplit(address)
    page, _, path = parts.path.lstrip("/").partition("/")
    path = unquote(path, errors="surrogateescape")
    suite, entries = viewer.suite_entries(Query(parse_qs(parts.query)))
    boards = find_boards(viewer, suite, entries)
    for board in boards:
        if page == "subject":
            row = next((row for row in board.rows if row.subject == path), None)
            if row is not None:
                return Card(row.name.title, f"{board.title} · {suite}", _rows_of_subject(board, row))
        elif page in ("scenario", "group"):
            name = "group" if page == "group" else "task"
            column = next((column for column in board.all_columns if getattr(column, name) == path), None)
            if column is not None:
                title = column.title or column.task
                return Card(title, f"{column.metric_title} · {board.title} · {suite}", _rows_of_column(board, column))
        if page == "group" and board.scope is not None and board.scope.group and board.scope.group.name == path:
            return _card_of_board(board, suite)
    return _card_of_board(boards[0], suite) if boards else Card(suite, "")


def _card_of_board(board: Board, suite: str) -> Card:
    if len(board.columns) == 1:
        what, rows = board.columns[0].metric_title, _rows_of_column(board, board.columns[0])
    else:
        what = board.overall_title
        rows = _make_rows((row.name.title, row.overall) for row in board.rows)
    return Card(f"{board.title} · {suite}", what, rows)


def _rows_of_subject(board: Board, row: Row) -> tuple[CardRow, ...]:
    cells = ((column.title or column.task, row.cells.get(column.task)) for column in board.columns)
    return _make_rows(cells)


def _rows_of_column(board: Board, column: Column) -> tuple[CardRow, ...]:
    sign = 1 if column.lower_is_better else -1
    cells = [(row.name.title, cell) for row in board.rows if (cell := row.cells.get(column.task)) is not None]
    known = [(float(cell.value), name, cell) for name, cell in cells if isinstance(cell.value, (int, float))]
    known.sort(key=lambda item: sign * item[0])
    return _make_rows((name, cell) for _, name, cell in known)


def _make_rows(cells: Iterable[tuple[str, BoardCell | None]]) -> tuple[CardRow, ...]:
    found: list[CardRow] = []
    for label, cell in cells:
        if len(found) < _MOST_ROWS and isinstance(cell, BoardCell) and isinstance(cell.value, (int, float)):
            low, high = (None, None) if cell.estimate is None else (cell.estimate.low, cell.estimate.high)
            text = score(float(cell.value), cell.unit if isinstance(cell, Cell) else None)
            found.append(CardRow(label, float(cell.value), text, low, high, cell.mark in (BEST, TIED)))
    return tuple(found)


def draw_card(card: Card) -> bytes:
    """Draw a card as a PNG. Raises: OptionalDependencyNotInstalled without Pillow."""
    with needs_extra("server"):
        from PIL import Image, ImageDraw

    picture = Image.new("RGB", (WIDTH, HEIGHT), _BACKGROUND)
    draw = ImageDraw.Draw(picture)

    def write(x: float, y: float, text: str, size: int, colour: str, room: float, from_right: bool = False) -> None:
        font = _font(size)
        text = _harmless(text)
        if draw.textlength(text, font) > room:
            while text and draw.textlength(text + "...", font) > room:
                text = text[:-1]
            text = text.rstrip() + "..."
        draw.text((x, y), text, fill=colour, font=font, anchor="rs" if from_right else "ls")

    inside = WIDTH - 2 * _MARGIN
    draw.rectangle((0, 0, WIDTH, 12), fill=_ACCENT)
    write(_MARGIN, 116, card.title, 58, _TEXT, inside)
    write(_MARGIN, 170, card.detail, 30, _MUTED, inside)
    ends = [end for row in card.rows for end in (row.value, row.low, row.high) if end is not None]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    low = min(low, 0.0) if low >= 0 and high <= 1 else low
    left, right = _STRIP

    def x_of(value: float) -> float:
        return left + (value - low) / (high - low or 1.0) * (right - left)

    for number, row in enumerate(card.rows):
        y = _ROW_TOP + number * _ROW_HEIGHT
        colour = _ACCENT if row.is_marked else _MUTED
        write(_MARGIN, y + 10, row.label, 32, _TEXT, left - _MARGIN - 40)
        draw.line((left, y, right, y), fill=_LINE, width=2)
        if row.low is not None and row.high is not None:
            draw.line((x_of(row.low), y, x_of(row.high), y), fill=colour, width=7)
        x = x_of(row.value)
        draw.ellipse((x - 9, y - 9, x + 9, y + 9), fill=colour)
        write(WIDTH - _MARGIN, y + 10, row.text, 32, _TEXT, WIDTH - _MARGIN - right - 24, from_right=True)
    write(
        _MARGIN, HEIGHT - 30, "HELM results" + (" · strips are 95% intervals" if card.rows else ""), 24, _MUTED, inside
    )
    content = io.BytesIO()
    picture.quantize(_COLOURS, method=Image.Quantize.FASTOCTREE).save(content, "PNG", optimize=True)
    return content.getvalue()


@cache
def _font(size: int) -> Any:
    """Return the font that Pillow brings, of a size in pixels; it has Latin letters only."""
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _harmless(text: str) -> str:
    """Return a text on one line, of a length that takes little time to measure."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text[:200]).split())
