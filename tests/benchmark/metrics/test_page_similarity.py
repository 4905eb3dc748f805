"""Measures of Image2Struct: HELM's numbers on the pictures of the vectors, and properties of the measures."""

import base64
import json
import random

import pytest
from PIL import Image

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.vision_language import page_similarity
from helm.benchmark.metrics.vision_language.image_metrics import AnnotatedImageMetrics
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.common.errors import MetricError
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import GeneratedOutput, Request, RequestResult
from vectors_support import load_vectors

VECTORS = load_vectors("helm-vision-audio/metrics.json")

LARGE_PICTURE = 100 * 64
"""Pixels from which the distance of patches takes seconds."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("pictures")
    for name, medium in VECTORS["media"].items():
        (path / name).write_bytes(base64.b64decode(medium["base64"]))
    return path


def evaluate(case, folder):
    metric = AnnotatedImageMetrics(case["generation_type"], case["metric_names"], case["size_handling_method"])
    picture = MediaObject("image/png", location=str(folder / case["reference_image"]))
    output = Output(case["reference_text"], MultimediaObject([picture]))
    instance = Instance(Input("x"), [Reference(output, [CORRECT_TAG])], split="test", id="id0")
    annotations = json.loads(json.dumps(case["annotations"]).replace("$DIR", str(folder)))
    completions = [GeneratedOutput("x", 0, []) for _ in annotations]
    state = new_request_state(
        instance,
        Request("simple/model1", "simple/model1"),
        result=RequestResult(success=True, cached=False, embedding=[], completions=completions),
        annotations={f"{case['generation_type']}_compiler": annotations},
    )
    return metric.evaluate_generation(AdapterSpec(), state, None, "")


def cases(is_large):
    """Cases whose pictures are large, or the others."""

    def pixels(case):
        from io import BytesIO

        with Image.open(BytesIO(base64.b64decode(VECTORS["media"][case["reference_image"]]["base64"]))) as picture:
            return picture.width * picture.height

    return [case for case in VECTORS["image"] if (pixels(case) > LARGE_PICTURE) == is_large]


def check_case(case, folder):
    if {"block_emd", "sift_similarity"} & set(case["metric_names"]):
        pytest.importorskip("cv2")
    if "raises" in case:
        with pytest.raises(ValueError, match=case["raises"]["message"]):
            evaluate(case, folder)
        return
    got = evaluate(case, folder)
    assert [(stat.name.name, stat.count) for stat in got] == [(stat["name"], stat["count"]) for stat in case["stats"]]
    for stat, expected in zip(got, case["stats"], strict=True):
        assert stat.sum == pytest.approx(expected["sum"], rel=1e-4, abs=1e-6), expected["name"]


@pytest.mark.parametrize("case", cases(is_large=False), ids=lambda case: case["id"])
def test_image_metric_vectors(case, folder):
    check_case(case, folder)


@pytest.mark.slow
@pytest.mark.parametrize("case", cases(is_large=True), ids=lambda case: case["id"])
def test_image_metric_vectors_of_large_pictures(case, folder):
    check_case(case, folder)


def page(seed, size=(37, 29), color="black"):
    generator = random.Random(seed)
    picture = Image.new("RGB", size, "white")
    for _ in range(3):
        left, top = generator.randrange(size[0] - 8), generator.randrange(size[1] - 8)
        picture.paste(color, (left, top, left + 7, top + 7))
    return picture


@pytest.mark.parametrize("seed", range(5))
def test_equal_pictures_are_most_similar(seed):
    pytest.importorskip("cv2")
    one, other = page(seed), page(seed + 100)
    assert page_similarity.block_emd(one, one) == pytest.approx(0, abs=1e-6)
    assert page_similarity.earth_mover_similarity(one, one) == pytest.approx(1, abs=1e-6)
    assert page_similarity.ssim_similarity(one, one) == pytest.approx(1)
    assert page_similarity.block_emd(one, other) > 0
    known = page_similarity.block_emd(one, other)
    assert page_similarity.earth_mover_similarity(one, other, known) == page_similarity.earth_mover_similarity(
        one, other
    )
    assert page_similarity.ssim_similarity(one, other) < 1


def test_every_completion_adds_a_value(folder):
    case = {
        **{"generation_type": "latex", "metric_names": ["ssim_similarity", "edit_similarity"]},
        **{"size_handling_method": "none", "reference_image": "boxA.png", "reference_text": "a b"},
        "annotations": [
            {"media_object": {"content_type": "image/png", "location": "$DIR/boxA.png"}, "text": "a b"},
            {"error": "no"},
        ],
    }
    stats = {stat.name.name: (stat.count, stat.sum) for stat in evaluate(case, folder)}
    assert stats == {"ssim_similarity": (2, 1.0), "edit_similarity": (2, 1.0), "compilation_success": (2, 1)}


def test_a_reference_without_a_picture_is_an_error(folder):
    metric = AnnotatedImageMetrics("latex", ["ssim_similarity"])
    media = {"content_type": "image/png", "location": str(folder / "boxA.png")}
    state = new_request_state(
        Instance(Input("x"), [Reference(Output("text"), [CORRECT_TAG])], split="test", id="id7"),
        Request("simple/model1", "simple/model1"),
        result=RequestResult(success=True, cached=False, embedding=[], completions=[]),
        annotations={"latex_compiler": [{"media_object": media}]},
    )
    with pytest.raises(MetricError, match="id7: the first reference has no picture"):
        metric.evaluate_generation(AdapterSpec(), state, None, "")


def test_what_does_not_compile_is_said_where_it_looks_best(folder, caplog):
    metric = AnnotatedImageMetrics("latex", ["block_emd"])
    states = [
        new_request_state(
            Instance(Input("x"), [], split="test", id=f"id{number}"),
            Request("simple/model1", "simple/model1"),
            result=RequestResult(success=True, cached=False, embedding=[], completions=[]),
            annotations={"latex_compiler": [{"error": "Undefined control sequence."}]},
        )
        for number in range(3)
    ]
    result = metric.evaluate(ScenarioState(AdapterSpec(), states), None, "", 1)
    means = {stat.name.name: stat.mean for stat in result.aggregated_stats}
    assert (
        means.items()
        >= {
            "block_emd": 0,  # HELM's value
            "compilation_success": 0,
        }.items()
    )
    assert "3 of 3 completions did not compile" in caplog.text


def test_measures_that_are_not_defined_are_zero():
    small = Image.new("RGB", (6, 40), "white")
    assert page_similarity.ssim_similarity(small, small) == 0
    assert page_similarity.lpips_similarity(page(1), page(1)) == 0


def test_pages_of_other_sizes_are_fitted():
    one, other = page(1, (20, 10)), page(2, (15, 30))
    resized, reference = page_similarity.fit_sizes(one, other, "resize")
    assert resized.size == reference.size == (15, 30)
    padded, reference = page_similarity.fit_sizes(one, other, "padding")
    assert padded.size == reference.size == (20, 30) and padded.getpixel((19, 29)) == (255, 255, 255)
    assert padded.crop((0, 0, 20, 10)).tobytes() == one.tobytes()


def test_networks_get_pixels_as_they_expect_them(monkeypatch):
    torch = pytest.importorskip("torch")
    seen = []

    class Network:
        def features(self, pixels):
            seen.append((tuple(pixels.shape), float(pixels.min()), float(pixels.max())))
            return pixels.mean((2, 3))

        def logits(self, features):
            return features

        def distances(self, images, references):
            seen.append((tuple(images.shape), float(images.min()), float(references.max())))
            return torch.tensor([0.25])

    monkeypatch.setattr(
        "helm.benchmark.metrics.image_generation.inception_network.get_inception", lambda name: Network()
    )
    monkeypatch.setattr("helm.benchmark.metrics.image_generation.lpips_network.get_lpips", Network)
    white, black = Image.new("RGB", (40, 20), "white"), Image.new("RGB", (40, 20), "black")
    assert page_similarity.fid_similarity(white, white) == pytest.approx(1)
    assert page_similarity.fid_similarity(white, black) == pytest.approx(0, abs=1e-6)
    assert seen[:2] == [((1, 3, 299, 299), 1.0, 1.0)] * 2 and seen[3][1] == -1
    assert page_similarity.lpips_similarity(white, white) == 0.75 and seen[-1] == ((1, 3, 256, 256), 1.0, 1.0)
