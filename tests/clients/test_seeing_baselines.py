"""The baselines for pictures: one that does not look, and one that sees colours."""

import pytest

from helm.benchmark.scenarios.vision_language.drawn_pictures import draw_shapes
from helm.clients.seeing_baselines import BlindChoiceClient, ColourReaderClient
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import Request

QUESTION = "Which colour has the shape?\nA. blue\nB. yellow\nC. red\nD. green\nAnswer:"
SHAPES = "Which shape is it?\nA. triangle\nB. circle\nAnswer:"


def ask(client, folder, question, colour="red", content=None, shape="circle"):
    (row,) = draw_shapes([{"colour": colour, "shape": shape}], "drawing")
    path = folder / "picture.png"
    path.write_bytes(row["drawing"] if content is None else content)
    parts = [MediaObject("image/png", location=str(path)), MediaObject("text/plain", text=question)]
    request = Request(model="baseline/x", max_tokens=1, temperature=0, multimodal_prompt=MultimediaObject(parts))
    result = client.make_request(request)
    assert result.success, result.error
    return result.completions[0].text


@pytest.mark.parametrize("shape", ["circle", "square", "triangle"])
@pytest.mark.parametrize(("colour", "letter"), [("blue", "A"), ("yellow", "B"), ("red", "C"), ("green", "D")])
def test_colours_are_seen(tmp_path, colour, letter, shape):
    assert ask(ColourReaderClient(), tmp_path, QUESTION, colour, shape=shape) == letter


def test_the_blind_one_answers_from_the_words(tmp_path):
    assert ask(BlindChoiceClient(), tmp_path, QUESTION, "red") == "A"
    assert ask(BlindChoiceClient(), tmp_path, QUESTION, "green") == "A"


def test_what_it_cannot_see_it_answers_blindly(tmp_path):
    assert ask(ColourReaderClient(), tmp_path, SHAPES) == "A"
    assert ask(ColourReaderClient(), tmp_path, QUESTION, content=b"\x89PNG\r\n\x1a\nno picture") == "A"
