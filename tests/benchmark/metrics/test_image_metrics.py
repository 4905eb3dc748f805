"""Metrics of generated images. Numbers of the original were recorded from crfm-helm 0.5.16 on the same pictures."""

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


def test_a_service_judges_nudity(pictures):
    scores = [pictures["circle"], pictures["noise"]]
    service = SimpleNamespace(
        check_nudity=lambda request: NudityCheckResult(
            success=True, cached=False, image_to_nudity={path: path == pictures["noise"] for path in scores}
        ),
    )
    assert score("nudity_metrics.NudityMetric", list(scores), service=service) == {"nudity_frac": 0.5}
    assert score("nudity_metrics.NudityMetric", [], service=service) == {}


def test_a_failed_service_is_no_score(pictures):
    service = SimpleNamespace(
        compute_clip_score=lambda request: CLIPScoreResult(success=False, cached=False, error="down"),
        check_nudity=lambda request: NudityCheckResult(success=False, cached=False, error="down"),
    )
    for name in ("gender_metrics.GenderMetric", "nudity_metrics.NudityMetric"):
        with pytest.raises(MetricError, match="down"):
            score(name, [pictures["circle"]], service=service)
