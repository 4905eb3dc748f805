"""The embedded painter, the files that it writes, and the metric that looks at them."""

import json

import pytest

from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.metrics.image_generation.drawing_metrics import DrawingMetric
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference, create_scenario
from helm.benchmark.specs import ScenarioSpec
from helm.clients.painter_client import PainterClient
from helm.common.file_caches.local_file_cache import LocalFileCache
from helm.common.formats.colours import NAMED_COLOURS
from helm.common.formats.png import SIGNATURE, PNGError, read_png, write_png
from helm.common.image_generation_parameters import ImageGenerationParameters
from helm.common.media_object import MultimediaObject
from helm.common.request import GeneratedOutput, Request, RequestResult

WHITE, RED, BLUE = (NAMED_COLOURS[name] for name in ("white", "red", "blue"))


@pytest.fixture
def painter(tmp_path):
    return PainterClient(LocalFileCache(str(tmp_path), "png"))


def paint(client, prompt, **fields):
    result = client.make_request(Request("baseline/painter", "baseline/painter", prompt=prompt, **fields))
    assert result.success
    return [output.multimodal_content.media_objects[0].location for output in result.completions]


def pixels(path):
    with open(path, "rb") as file:
        return read_png(file.read())


def test_it_draws_what_it_reads_from_left_to_right(painter):
    rows = pixels(paint(painter, "A red circle beside a blue square on a white background")[0])
    assert (len(rows), len(rows[0])) == (64, 64)
    assert (rows[0][0], rows[32][16], rows[32][48]) == (WHITE, RED, BLUE)


def test_equal_images_are_one_file_and_sizes_are_heeded(painter, tmp_path):
    size = ImageGenerationParameters(output_image_width=20, output_image_height=10)
    paths = paint(painter, "a red square", num_completions=3, image_generation_parameters=size)
    assert len(set(paths)) == 1 and paths == paint(
        painter, "a red square", num_completions=3, image_generation_parameters=size
    )
    assert len(list(tmp_path.iterdir())) == 1
    rows = pixels(paths[0])
    assert (len(rows), len(rows[0])) == (10, 20)


def test_the_other_one_does_not_read_and_depends_on_the_request(tmp_path):
    client = PainterClient(LocalFileCache(str(tmp_path), "png"), reads=False)
    first = paint(client, "a red square", num_completions=8)
    assert first == paint(client, "a red square", num_completions=8) and len(set(first)) > 4
    assert first != paint(client, "a red square", num_completions=8, random="1")


@pytest.mark.parametrize(
    "content",
    [b"", b"GIF89a", SIGNATURE, write_png([[RED] * 3] * 2)[:46]],
    ids=["empty", "other", "without header", "cut off"],
)
def test_other_pictures_are_refused(content):
    with pytest.raises(PNGError):
        read_png(content)


def test_pillow_reads_what_is_written(tmp_path):
    image = pytest.importorskip("PIL.Image")
    rows = [[RED, BLUE, WHITE], [BLUE, WHITE, RED]]
    path = tmp_path / "x.png"
    path.write_bytes(write_png(rows))
    with image.open(path) as picture:
        assert picture.convert("RGB").tobytes() == bytes(value for row in rows for pixel in row for value in pixel)
    assert pixels(path) == rows


def score(expected, *paths):
    from helm.common.media_object import MediaObject

    outputs = [
        GeneratedOutput(
            "", 0, [], multimodal_content=MultimediaObject([MediaObject("image/png", location=path)] if path else [])
        )
        for path in paths
    ]
    instance = Instance(Input("x"), [Reference(Output(json.dumps(expected)), [CORRECT_TAG])], split="test", id="id0")
    result = RequestResult(True, [], outputs, False)
    return DrawingMetric().score_state(new_request_state(instance, Request("a/b", "a/b"), result=result))


def test_the_metric_wants_colours_at_their_places(painter, tmp_path):
    (both,) = paint(painter, "a red circle, a blue circle on a white background")
    (dark,) = paint(painter, "a red circle on a black background")
    assert score({"ground": "white", "things": ["red", "blue"]}, both) == [("drawing_correct", 1)]
    assert score({"ground": "white", "things": ["blue", "red"]}, both) == [("drawing_correct", 0)]
    assert score({"ground": "white", "things": ["red"]}, both, dark) == [("drawing_correct", 0)]
    assert score({"ground": "black", "things": ["red"]}, both, dark) == [("drawing_correct", 0.5)]
    assert score({"ground": "black", "things": ["red"]}, None) == [("drawing_correct", 0)]


def test_the_painter_fails_where_places_are_not_the_order_of_words(painter, tmp_path):
    scenario = create_scenario(
        ScenarioSpec("helm.benchmark.scenarios.image_generation.simple_drawings_scenario.SimpleDrawingsScenario", {})
    )
    instances = scenario.get_instances(str(tmp_path))
    right = {
        instance.input.text: score(json.loads(instance.references[0].output.text), *paint(painter, instance.input.text))
        for instance in instances
    }
    assert len(right) == 48
    assert all((value == [("drawing_correct", 1)]) is ("to the right of" not in text) for text, value in right.items())
