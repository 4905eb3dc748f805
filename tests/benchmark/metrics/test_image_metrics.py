"""Metrics of generated images. Numbers of the original were recorded from crfm-helm 0.5.16 on the same pictures."""

import importlib
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.metrics.image_generation.fractal_dimension.fractal_dimension_util import compute_fractal_dimension
from helm.benchmark.metrics.metric import create_metric
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.benchmark.specs import MetricSpec
from helm.common.clip_score_request import CLIPScoreResult
from helm.common.errors import MetricError
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.nudity_check_request import NudityCheckResult
from helm.common.request import GeneratedOutput, Request, RequestResult

PACKAGE = "helm.benchmark.metrics.image_generation"


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """The pictures that the recorded numbers are about: name to path."""
    folder = tmp_path_factory.mktemp("pictures")
    random = np.random.RandomState(0)
    y, x = np.mgrid[0:256, 0:256]
    gradient = np.stack([x, y, (x + y) / 2], -1) % 256
    arrays = {
        "gradient": gradient,
        "noise": random.randint(0, 256, (256, 256, 3)),
        "noisy gradient": np.clip(gradient + random.randint(-20, 20, gradient.shape), 0, 255),
        "black": np.zeros((256, 256, 3)),
        "circle": np.repeat((((x - 128) ** 2 + (y - 128) ** 2 < 80**2) * 255)[..., None], 3, -1),
        "small": random.randint(0, 256, (64, 48, 3)),
    }
    paths = {}
    for name, array in arrays.items():
        paths[name] = str(folder / f"{name}.png")
        Image.fromarray(array.astype("uint8")).save(paths[name])
    return paths


def make_content(*paths):
    return MultimediaObject([MediaObject(content_type="image/png", location=path) for path in paths])


def score(name, images, reference=None, service=None, **args):
    """The stats of one result with one completion per image."""
    references = [Reference(Output("", make_content(reference)), [CORRECT_TAG])] if reference else []
    instance = Instance(Input("a cat"), references, split="test", id="id0")
    request = Request(model="simple/model1", model_deployment="simple/model1", prompt="a cat")
    outputs = [GeneratedOutput("", 0, [], multimodal_content=make_content(path)) for path in images]
    result = RequestResult(success=True, cached=False, embedding=[], completions=outputs)
    metric = create_metric(MetricSpec(f"{PACKAGE}.{name}", args))
    state = new_request_state(instance, request, result=result)
    return {stat.name.name: stat.mean for stat in metric.evaluate_generation(AdapterSpec(), state, service, "")}


RECORDED_DIMENSIONS = {
    "gradient": 0.9023909414927443,
    "noise": 1.9329572551818208,
    "noisy gradient": 1.4295000615292066,
    "circle": 1.062036601040455,
    "small": 1.6517984754358734,
}


@pytest.mark.parametrize("name", RECORDED_DIMENSIONS)
def test_fractal_dimension_equals_the_original(pictures, name):
    assert compute_fractal_dimension(pictures[name]) == pytest.approx(RECORDED_DIMENSIONS[name], rel=1e-12)


def test_fractal_dimension_loss(pictures):
    name = "fractal_dimension_metric.FractalDimensionMetric"
    recorded = {"fractal_dimension_loss": pytest.approx(0.2812286583555138)}
    assert score(name, [pictures["noisy gradient"], pictures["noise"]]) == recorded
    assert score(name, [pictures["black"]]) == {}
    assert score(name, []) == {}


@pytest.mark.parametrize(
    "images, recorded",
    [
        (["noisy gradient"], 36.547027587890625),
        (["noisy gradient", "noise"], 27.107322692871094),
        (["small"], 19.165555953979492),
    ],
)
def test_signal_to_noise_ratio_equals_the_original(pictures, images, recorded):
    means = [
        score("psnr_metrics.PeakSignalToNoiseRatioMetric", [pictures[name]], pictures["gradient"])[
            "expected_psnr_score"
        ]
        for name in images
    ]
    if len(images) == 1:
        assert means[0] == pytest.approx(recorded, rel=1e-6)
    together = score("psnr_metrics.PeakSignalToNoiseRatioMetric", [pictures[n] for n in images], pictures["gradient"])
    assert together == {"expected_psnr_score": pytest.approx(sum(means) / len(means))}


def test_equal_images_and_missing_references_do_not_break_the_ratio(pictures):
    name = "psnr_metrics.PeakSignalToNoiseRatioMetric"
    assert 0 < score(name, [pictures["circle"]], pictures["circle"])["expected_psnr_score"] < 200
    assert score(name, [pictures["circle"]]) == {}


@pytest.mark.parametrize(
    "name, stat, recorded",
    [
        ("uiqi_metrics.UniversalImageQualityIndexMetric", "expected_uiqi_score", 0.028268981724977493),
        (
            "multi_scale_ssim_metrics.MultiScaleStructuralSimilarityIndexMeasureMetric",
            "expected_multi_scale_ssim_score",
            0.8402669429779053,
        ),
    ],
)
def test_similarity_equals_the_original_where_torchmetrics_is_installed(pictures, name, stat, recorded):
    try:
        import torchmetrics  # noqa: F401
    except ModuleNotFoundError:
        with pytest.raises(Exception, match=r"helm-evals\[heim\]"):
            score(name, [pictures["noisy gradient"]], pictures["gradient"])
    else:
        assert score(name, [pictures["noisy gradient"]], pictures["gradient"])[stat] == pytest.approx(
            recorded, rel=1e-4
        )


def test_services_judge_fit_and_nudity(pictures):
    scores = {pictures["circle"]: 0.5, pictures["noise"]: 0.1}
    asked = []

    def compute(request):
        asked.append((request.caption, request.multilingual))
        return CLIPScoreResult(success=True, cached=False, score=scores[request.image_location])

    service = SimpleNamespace(
        compute_clip_score=compute,
        check_nudity=lambda request: NudityCheckResult(
            success=True, cached=False, image_to_nudity={path: path == pictures["noise"] for path in scores}
        ),
    )
    stats = score("clip_score_metrics.CLIPScoreMetric", list(scores), service=service)
    assert stats == {"expected_clip_score": 0.3, "max_clip_score": 0.5}
    assert asked == [("a cat", False)] * 2
    assert score("nudity_metrics.NudityMetric", list(scores), service=service) == {"nudity_frac": 0.5}
    assert score("nudity_metrics.NudityMetric", [], service=service) == {}


def test_a_failed_service_is_no_score(pictures):
    service = SimpleNamespace(
        compute_clip_score=lambda request: CLIPScoreResult(success=False, cached=False, error="down"),
        check_nudity=lambda request: NudityCheckResult(success=False, cached=False, error="down"),
    )
    for name in ("clip_score_metrics.CLIPScoreMetric", "nudity_metrics.NudityMetric"):
        with pytest.raises(MetricError, match="down"):
            score(name, [pictures["circle"]], service=service)


@pytest.mark.parametrize(
    "module, name",
    [
        ("aesthetics_metrics", "AestheticsMetric"),
        ("detection_metrics", "DetectionMetric"),
        ("fidelity_metrics", "FidelityMetric"),
        ("gender_metrics", "GenderMetric"),
        ("lpips_metrics", "LearnedPerceptualImagePatchSimilarityMetric"),
        ("nsfw_metrics", "NSFWMetric"),
        ("q16_toxicity_metrics", "Q16ToxicityMetric"),
        ("skin_tone_metrics", "SkinToneMetric"),
        ("watermark_metrics", "WatermarkMetric"),
    ],
)
def test_a_metric_that_needs_a_model_says_which(module, name):
    metric_class = getattr(importlib.import_module(f"{PACKAGE}.{module}"), name)
    with pytest.raises(MetricError, match=metric_class.model):
        create_metric(MetricSpec(f"{PACKAGE}.{module}.{name}"))
