"""Writes and reads plain PNG files (8 bits RGB) without a library for pictures."""

import struct
import zlib
from collections.abc import Sequence

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MAX_PIXELS = 100_000_000

Row = Sequence[tuple[int, int, int]]


class PNGError(ValueError):
    """A file is no PNG as `write_png` writes it."""


def write_png(rows: Sequence[Row]) -> bytes:
    """Return a picture of rows of pixels, which are (red, green, blue) from 0 to 255."""
    height, width = len(rows), len(rows[0])
    lines = b"".join(b"\x00" + bytes(value for pixel in row for value in pixel) for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(lines, 9)), _chunk(b"IEND", b"")]
    return SIGNATURE + b"".join(parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def read_png(content: bytes) -> list[list[tuple[int, int, int]]]:
    """Return the rows of pixels of a picture that `write_png` wrote.

    Raises: PNGError for other pictures: with other modes, filters or interlacing.
    """
    if not content.startswith(SIGNATURE):
        raise PNGError("it is no PNG file")
    position, size, data = len(SIGNATURE), None, b""
    while position + 12 <= len(content):
        length, kind = struct.unpack_from(">I4s", content, position)
        body = content[position + 8 : position + 8 + length]
        if kind == b"IHDR" and len(body) == 13:
            size, rest = struct.unpack(">II", body[:8]), body[8:]
            if rest != bytes((8, 2, 0, 0, 0)) or not 0 < size[0] * size[1] <= _MAX_PIXELS:
                raise PNGError("it is no plain picture of 8 bits RGB")
        elif kind == b"IDAT":
            data += body
        position += 12 + length
    if size is None:
        raise PNGError("it has no header")
    return _pixels(data, *size)


def _pixels(data: bytes, width: int, height: int) -> list[list[tuple[int, int, int]]]:
    stride = 1 + 3 * width
    try:
        raw = zlib.decompressobj().decompress(data, stride * height + 1)
    except zlib.error as e:
        raise PNGError(f"it is damaged: {e}") from e
    if len(raw) != stride * height or any(raw[::stride]):
        raise PNGError("it has filters, or is cut off")
    lines = [raw[start + 1 : start + stride] for start in range(0, len(raw), stride)]
    return [list(zip(line[::3], line[1::3], line[2::3], strict=True)) for line in lines]
