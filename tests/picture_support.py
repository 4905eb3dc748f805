"""Pictures whose metadata somebody wrote to do harm."""

import io
import struct

COMMENT, EXIF = b"\xff\xfe", b"\xff\xe1"
SCRIPT = b"<script>alert(1)</script><svg onload=alert(2)>"
TURNED = 6
"""Orientation: to be shown turned by 90 degrees."""


def segment(marker: bytes, content: bytes) -> bytes:
    return marker + struct.pack(">H", len(content) + 2) + content


def exif(number: int, entries: bytes, following: int) -> bytes:
    """An EXIF segment with one directory; `following` is where the next one is said to be."""
    return segment(EXIF, b"Exif\0\0MM\0*" + struct.pack(">IH", 8, number) + entries + struct.pack(">I", following))


def entry(tag: int, kind: int, count: int, value: int) -> bytes:
    return struct.pack(">HHII", tag, kind, count, value)


SEGMENTS = {
    "scripts": segment(COMMENT, SCRIPT) + exif(1, entry(0x010E, 2, 4, 0x3C733E00), 0),
    "a directory that follows itself": exif(1, entry(0x0112, 3, 1, 1 << 16), 8),
    "a directory inside itself": exif(2, entry(0x8769, 4, 1, 8) + entry(0x8825, 4, 1, 8), 0),
    "more entries than bytes": exif(0xFFFF, b"", 0xFFFFFFFF),
    "a value of four gigabytes": exif(1, entry(0x927C, 7, 0xFFFFFFFF, 0xFFFFFFF0), 0),
    "no directory": segment(EXIF, b"Exif\0\0"),
    "megabytes": segment(EXIF, b"Exif\0\0MM\0*" + b"\xff" * 65000) * 60,
    "turned": exif(1, entry(0x0112, 3, 1, TURNED << 16), 0),
}
"""What stands between the head of a JPEG and its pixels."""


def jpeg(segments: bytes = b"") -> bytes:
    """A gradient of 40 x 20 pixels."""
    from PIL import Image

    plain = io.BytesIO()
    Image.linear_gradient("L").resize((40, 20)).convert("RGB").save(plain, "JPEG")
    content = plain.getvalue()
    return content[:2] + segments + content[2:]
