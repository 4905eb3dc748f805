"""Pictures whose metadata somebody wrote to do harm are pictures like any other: nothing here reads what is beside the pixels."""

import base64

import pytest

pytest.importorskip("PIL")

from helm.benchmark.running.picture_tokens import picture_tokens  # noqa: E402
from helm.common.images_utils import copy_image, encode_base64, generate_hash, get_dimensions, open_image  # noqa: E402
from helm.common.media_object import MediaObject, MultimediaObject  # noqa: E402
from helm.common.media_types import content_type_of  # noqa: E402
from helm.common.request import Request  # noqa: E402
from picture_support import SEGMENTS, jpeg  # noqa: E402


@pytest.mark.parametrize("name", SEGMENTS)
def test_what_is_beside_the_pixels_changes_nothing(name, tmp_path):
    hostile, harmless = tmp_path / "hostile.jpg", tmp_path / "harmless.jpg"
    hostile.write_bytes(jpeg(SEGMENTS[name]))
    harmless.write_bytes(jpeg())

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
