"""Pictures whose metadata somebody wrote to do harm are pictures like any other: nothing here reads what is beside the pixels."""

import base64
import io
import struct

import pytest

pytest.importorskip("PIL")
from PIL import Image  # noqa: E402

from helm.benchmark.running.picture_tokens import picture_tokens  # noqa: E402
from helm.common.images_utils import copy_image, encode_base64, generate_hash, get_dimensions, open_image  # noqa: E402
from helm.common.media_object import MediaObject, MultimediaObject  # noqa: E402
from helm.common.media_types import content_type_of  # noqa: E402
from helm.common.request import Request  # noqa: E402

COMMENT, EXIF = b"\xff\xfe", b"\xff\xe1"
SCRIPT = b"<script>alert(1)</script><svg onload=alert(2)>"
TURNED = 6
"""Orientation: to be shown turned by 90 degrees."""


def segment(marker, content):
    return marker + struct.pack(">H", len(content) + 2) + content


def exif(number, entries, following):
    """An EXIF segment with one directory; `following` is where the next one is said to be."""
    return segment(EXIF, b"Exif\0\0MM\0*" + struct.pack(">IH", 8, number) + entries + struct.pack(">I", following))


def entry(tag, kind, count, value):
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


@pytest.mark.parametrize("name", SEGMENTS)
def test_what_is_beside_the_pixels_changes_nothing(name, tmp_path):
    plain = io.BytesIO()
    Image.linear_gradient("L").resize((40, 20)).convert("RGB").save(plain, "JPEG")
    content = plain.getvalue()
    hostile, harmless = tmp_path / "hostile.jpg", tmp_path / "harmless.jpg"
    hostile.write_bytes(content[:2] + SEGMENTS[name] + content[2:])
    harmless.write_bytes(content)

    def pixels(path):
        return generate_hash(open_image(str(path)))

    def tokens(path):
        part = MediaObject("image/jpeg", location=str(path))
        return picture_tokens([Request(model="openai/gpt-4o", multimodal_prompt=MultimediaObject([part]))])

    assert content_type_of(hostile.read_bytes()[:64]) == "image/jpeg"
    assert pixels(hostile) == pixels(harmless)
    assert get_dimensions(str(hostile)) == (40, 20), "as it is stored, which is also what models get"
    assert tokens(hostile) == tokens(harmless)
    copy_image(str(hostile), str(tmp_path / "copy.png"), 10, 10)
    assert get_dimensions(str(tmp_path / "copy.png")) == (10, 10)
    again = base64.b64decode(encode_base64(str(hostile)))
    assert b"Exif" not in again and len(again) < 5000
