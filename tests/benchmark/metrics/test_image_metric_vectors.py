"""Metrics of generated images against HELM's numbers; networks are replaced as the vectors say, so that the rest is checked."""

import base64
import math
import re
import zlib
from types import SimpleNamespace

import numpy as np
import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.metrics.metric import create_metric
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.benchmark.specs import MetricSpec
from helm.common.clip_score_request import CLIPScoreResult
from helm.common.images_utils import copy_image, encode_base64, generate_hash, is_blacked_out_image, open_image
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.nudity_check_request import NudityCheckResult
from helm.common.perspective_api_request import PerspectiveAPIRequestResult, ToxicityAttributes
from helm.common.request import GeneratedOutput, Request, RequestResult
from lazy_support import import_when_used
from metrics_support import make_perturbation
from vectors_support import load_vectors

torch = import_when_used("torch")

VECTORS = load_vectors("helm-heim/metrics.json")
PACKAGE = "helm.benchmark.metrics.image_generation"
MODULES = {
    "PeakSignalToNoiseRatioMetric": "psnr_metrics",
    "MultiScaleStructuralSimilarityIndexMeasureMetric": "multi_scale_ssim_metrics",
    "UniversalImageQualityIndexMetric": "uiqi_metrics",
    "LearnedPerceptualImagePatchSimilarityMetric": "lpips_metrics",
    "FractalDimensionMetric": "fractal_dimension_metric",
    "SkinToneMetric": "skin_tone_metrics",
    "GenderMetric": "gender_metrics",
    "CLIPScoreMetric": "clip_score_metrics",
    "EfficiencyMetric": "efficiency_metrics",
    "NudityMetric": "nudity_metrics",
    "DetectionMetric": "detection_metrics",
    "AestheticsMetric": "aesthetics_metrics",
    "WatermarkMetric": "watermark_metrics",
    "NSFWMetric": "nsfw_metrics",
    "Q16ToxicityMetric": "q16_toxicity_metrics",
}


def cases(*kinds):
    return [pytest.param(c, id=f"{c['kind']}-{i}") for i, c in enumerate(VECTORS["cases"]) if c["kind"] in kinds]


def number(value):
    return float(value["float"]) if isinstance(value, dict) else value


def weights(name, shape, scale=1.0):
    array = np.random.RandomState(zlib.crc32(name.encode())).standard_normal(shape) * scale
    return torch.from_numpy(np.asarray(array, np.float32))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("images")
    for name, image in VECTORS["images"].items():
        (path / name).write_bytes(base64.b64decode(image["base64"] if isinstance(image, dict) else image))
    return path


def media(folder, names):
    names = [names] if isinstance(names, str) else names or []
    kinds = {name: "jpeg" if name.endswith("jpg") else "png" for name in names}
    return MultimediaObject([MediaObject(f"image/{kinds[n]}", location=str(folder / n)) for n in names])


def make_state(folder, data):
    references = [Reference(Output("", media(folder, name)), [CORRECT_TAG]) for name in data.get("refs", [])]
    if "ref_text" in data:
        references = [Reference(Output(data["ref_text"]), [CORRECT_TAG])]
    contrast = data.get("contrast")
    instance = Instance(
        Input(data["prompt"]), references, split="test", sub_split=data.get("sub_split"), id="id0",
        perturbation=make_perturbation(data.get("perturbation")), contrast_inputs=[Input(contrast)] if contrast else None,
    )  # fmt: skip
    outputs = [GeneratedOutput("", 0, [], multimodal_content=media(folder, names)) for names in data["images"]]
    result = RequestResult(success=True, cached=False, embedding=[], completions=outputs)
    return new_request_state(instance, Request("simple/model1", "simple/model1", prompt=data["prompt"]), result=result)


def base(path):
    return path.rpartition("/")[2]


class Tokens:
    """The tokenizer of the vectors, as a service: CLIP's way of reading a text, made with the package tokenizers."""

    def __init__(self):
        self.tokenizer = make_tokenizer()

    def get_tokenizer(self, name):
        return None

    def tokenize(self, request):
        ids = self.tokenizer(request.text, add_special_tokens=False)["input_ids"][: request.max_length]
        return SimpleNamespace(success=True, text=request.text, tokens=[SimpleNamespace(value=i) for i in ids])

    def decode(self, request):
        return SimpleNamespace(success=True, text=self.tokenizer.decode(request.tokens).strip())


def make_tokenizer():
    from transformers import CLIPTokenizer
    from transformers.convert_slow_tokenizer import bytes_to_unicode

    characters = bytes_to_unicode()
    single = [characters[i] for i in range(256)]
    merges = [tuple(merge.split()) for merge in VECTORS["tiny_clip"]["merges"]]
    words = [*single, *(c + "</w>" for c in single), *("".join(m) for m in merges), "<|startoftext|>", "<|endoftext|>"]
    return CLIPTokenizer(vocab={word: i for i, word in enumerate(words)}, merges=merges)


def make_service(case):
    service = Tokens() if case["kind"] == "clip_score_metric" else SimpleNamespace()
    service.calls = []
    scores = case.get("clip_scores", {})
    if isinstance(scores, list):
        scores = {(caption, image): value for caption, image, value in scores}

    def clip_score(request):
        name = base(request.image_location)
        call = {"caption": request.caption, "image": name}
        service.calls.append({**call, "model": request.model, "multilingual": request.multilingual})
        score = scores[(request.caption, name)] if (request.caption, name) in scores else scores[name]
        return CLIPScoreResult(success=True, cached=False, score=score)

    service.compute_clip_score = clip_score
    service.check_nudity = lambda request: NudityCheckResult(
        success=True, cached=False, image_to_nudity={p: case["nude"][base(p)] for p in request.image_locations}
    )
    service.get_toxicity_scores = lambda request: PerspectiveAPIRequestResult(
        True, False, {text: ToxicityAttributes(case["perspective_score"]) for text in request.text_batch}
    )
    return service


def check(case, folder, tolerance=1e-9, prepare=None):
    is_multilingual = any(call.get("multilingual") for call in case.get("service_calls", []))
    args = {"multilingual": True} if is_multilingual else {}
    metric = create_metric(MetricSpec(f"{PACKAGE}.{MODULES[case['metric']]}.{case['metric']}", args))
    if prepare:
        prepare(metric)
    state, service = make_state(folder, case["state"]), make_service(case)
    if "error" in case:
        with pytest.raises(AssertionError):
            metric.evaluate_generation(AdapterSpec(), state, service, "")
        return
    found = [(s.name.name, s.mean) for s in metric.evaluate_generation(AdapterSpec(), state, service, "")]
    expected = [(s["name"], number(s["mean"])) for s in case["stats"]]
    # A measure that is not defined gives no stat here, NaN there.
    expected = [(name, value) for name, value in expected if not math.isnan(value)]
    assert found == [(name, pytest.approx(value, rel=tolerance, abs=1e-12)) for name, value in expected]
    if "service_calls" in case:
        assert service.calls == case["service_calls"]


@pytest.mark.parametrize("case", cases("open_image", "copy_image", "encode_base64", "fractal_dimension", "skin_tone"))
def test_pictures(case, folder, tmp_path):
    from helm.benchmark.metrics.image_generation.fractal_dimension.fractal_dimension_util import (
        compute_fractal_dimension,
    )
    from helm.benchmark.metrics.image_generation.skin_tone_metrics import SkinToneMetric

    path = str(folder / case["image"])
    if case["kind"] == "open_image":
        image = open_image(path)
        assert list(image.size) == case["size"]
        assert is_blacked_out_image(path) == case["is_blacked_out"]
        assert generate_hash(image) == case["md5_of_rgb_bytes"]
    elif case["kind"] == "copy_image" and "md5_of_rgb_bytes" in case:
        copy_image(path, str(tmp_path / "copy.png"), case.get("width"), case.get("height"))
        assert generate_hash(open_image(str(tmp_path / "copy.png"))) == case["md5_of_rgb_bytes"]
    elif case["kind"] == "encode_base64":
        assert base64.b64decode(encode_base64(path, case["format"])).hex().startswith(case["starts_with_hex"])
    elif case["kind"] == "fractal_dimension":
        if "value" not in case:
            with pytest.raises(TypeError):
                compute_fractal_dimension(path)
        else:
            value = number(case["value"])
            assert compute_fractal_dimension(path) == pytest.approx(value, rel=1e-9, abs=1e-12, nan_ok=True)
    elif case["kind"] == "skin_tone":
        rgb = SkinToneMetric.skin_pixel_from_image(path)
        expected = [number(value) for value in case["mean_rgb"]]
        assert (rgb is None) == all(math.isnan(value) for value in expected)
        assert rgb is None or rgb.tolist() == pytest.approx(expected)
        assert SkinToneMetric.get_monk_skin_tone(path) == str(case["monk"] or "unknown")


@pytest.mark.parametrize(
    "case",
    cases("fractal_dimension_loss", "skin_tone_metric", "gender_metric", "clip_score_metric", "efficiency_metric",
          "nudity_metric"),
)  # fmt: skip
def test_metrics_without_networks(case, folder):
    check(case, folder)


@pytest.mark.parametrize(
    "case",
    cases("PeakSignalToNoiseRatioMetric", "MultiScaleStructuralSimilarityIndexMeasureMetric",
          "UniversalImageQualityIndexMetric"),
)  # fmt: skip
def test_similarity_to_a_reference(case, folder):
    check(case, folder, tolerance=1e-4)


@pytest.fixture(scope="module")
def lpips():
    from helm.benchmark.metrics.image_generation.lpips_network import BLOCKS, LPIPS

    features, linear, layer, inputs = {}, {}, 0, 3
    for k, block in enumerate(BLOCKS):
        layer += k > 0
        for outputs in block:
            shape = (outputs, inputs, 3, 3)
            name = f"features.{layer}"
            features[f"{name}.weight"] = weights(f"{name}.weight", shape, math.sqrt(2 / (9 * inputs)))
            features[f"{name}.bias"] = weights(f"{name}.bias", (outputs,), 0.05)
            layer, inputs = layer + 2, outputs
        linear[f"lin{k}.model.1.weight"] = weights(f"lin{k}", (1, inputs, 1, 1)).abs() / inputs
    return LPIPS(features, linear)


@pytest.mark.slow
@pytest.mark.parametrize("case", cases("lpips_made_up_weights"))
def test_lpips(case, folder, lpips, monkeypatch):
    monkeypatch.setattr(f"{PACKAGE}.lpips_network.get_lpips", lambda: lpips)
    check(case, folder, tolerance=1e-4)


class BlockMeans:
    """In place of CLIP."""

    def image_features(self, location):
        from helm.common.networks.clip_model import preprocess

        return torch.nn.functional.adaptive_avg_pool2d(preprocess(open_image(location)), 16).flatten()


@pytest.fixture
def block_means(monkeypatch):
    monkeypatch.setattr("helm.common.networks.clip_model.get_clip", BlockMeans)


@pytest.mark.parametrize("case", cases("clip_preprocess"))
def test_preprocessing_of_clip(case, folder, block_means):
    from helm.common.networks.clip_model import preprocess

    pixels = preprocess(open_image(str(folder / case["image"])))
    assert list(pixels.shape) == case["shape"]
    assert [float(pixels.mean()), float(pixels.std())] == pytest.approx([case["mean"], case["std"]], rel=1e-4)
    means = BlockMeans().image_features(str(folder / case["image"]))[:8].tolist()
    assert means == pytest.approx(case["block_means_16x16_first_8"], rel=1e-4)


@pytest.mark.parametrize("case", cases("aesthetics_block_means"))
def test_aesthetics(case, folder, block_means):
    def prepare(metric):
        metric._scorer._linear = weights("aesthetics.weight", (1, 768), 3), torch.tensor([5.0])

    check(case, folder, 1e-4, prepare)


@pytest.mark.parametrize("case", cases("nsfw_score_block_means", "nsfw_metric"))
def test_nsfw(case, folder, block_means):
    from helm.benchmark.metrics.image_generation.nsfw_detector import NSFWDetector

    if case["kind"] == "nsfw_metric":

        def prepare(metric):
            metric._detector.compute_nsfw_score = lambda path: case["nsfw_scores"][base(path)]

        return check(case, folder, prepare=prepare)
    detector, path = NSFWDetector(), str(folder / case["image"])
    vector = weights("nsfw.weight", 768)
    detector._classifier = lambda features: torch.sigmoid(features @ vector * 12)
    assert detector.compute_nsfw_score(path) == pytest.approx(case["score"], rel=1e-4)
    assert detector.is_nsfw(path) == case["is_nsfw"]


@pytest.mark.parametrize("case", cases("q16_block_means", "q16_metric"))
def test_q16(case, folder, block_means):
    from helm.benchmark.metrics.image_generation.q16.q16_toxicity_detector import Q16ToxicityDetector, SimClassifier

    classifier = SimClassifier(weights("q16.prompts", (2, 768)))
    if case["kind"] == "q16_metric":

        def prepare(metric):
            metric._detector._classifier = classifier

        return check(case, folder, prepare=prepare)
    detector = Q16ToxicityDetector()
    detector._classifier = classifier
    path = str(folder / case["image"])
    assert detector.compute_similarities(path) == pytest.approx(case["similarities"], rel=1e-4)
    assert detector.is_inappropriate(path) == case["is_inappropriate"]


@pytest.mark.parametrize("case", cases("watermark_block_means"))
def test_watermarks(case, folder):
    matrix = weights("watermark.weight", (2, 192), 0.5)

    def prepare(metric):
        pool = torch.nn.functional.adaptive_avg_pool2d
        metric._detector._model = lambda batch: pool(batch, 8).flatten(1) @ matrix.T

    check(case, folder, 1e-4, prepare)


def make_boxes(rows):
    from helm.benchmark.metrics.image_generation.detectors.base_detector import Box

    return [Box(label, score, (box[0], box[1])) for label, score, box in rows]


@pytest.mark.parametrize("case", cases("detection_object", "detection_count", "detection_spatial", "detection_metric"))
def test_detection(case, folder):
    from helm.benchmark.metrics.image_generation.detectors.base_detector import BaseDetector, score_boxes

    if case["kind"] != "detection_metric":
        boxes = make_boxes(case["detections"])
        assert score_boxes(boxes, case["reference"], case["skill"]) == case["score"]
        return

    class Detector(BaseDetector):
        def detect(self, image_location):
            return make_boxes(case["detections"][base(image_location)])

    check(case, folder, prepare=lambda metric: setattr(metric, "_detector", Detector()))


@pytest.mark.parametrize("case", cases("fid_from_features", "inception_score_from_logits", "kid_from_features"))
def test_distances_of_sets(case):
    from helm.benchmark.metrics.image_generation.fidelity import (
        Moments,
        frechet_distance,
        inception_score,
        kernel_inception_distance,
    )

    if case["kind"] == "inception_score_from_logits":
        found = inception_score(case["logits"])
    elif case["kind"] == "kid_from_features":
        size, number_of_sets = case["subset_size"], case["subsets"]
        found = kernel_inception_distance(case["features_1"], case["features_2"], number_of_sets, size)
    else:
        both = Moments(), Moments()
        for moments, rows in zip(both, (case["features_1"], case["features_2"]), strict=True):
            for start in range(0, len(rows), 5):
                moments.add(rows[start : start + 5])
        assert frechet_distance(*both) == pytest.approx(case.get("fid", case.get("value")), rel=1e-4)
        return
    assert list(found) == pytest.approx(list(case["values"].values()), rel=1e-4)


INCEPTION_CHANNELS = {
    "Conv2d": {"1a_3x3": 32, "2a_3x3": 32, "2b_3x3": 64, "3b_1x1": 80, "4a_3x3": 192},
    "Mixed_5": {"branch1x1": 64, "branch5x5_1": 48, "branch5x5_2": 64, "branch3x3dbl_1": 64, "branch3x3dbl": 96},
    "Mixed_6a": {"branch3x3dbl_1": 64, "branch3x3dbl": 96, "branch3x3": 384},
    "Mixed_6": {"branch7x7_1": 160, "branch7x7_2": 160, "branch7x7dbl_5": 192, "branch7x7dbl": 160, "branch": 192},
    "Mixed_7a": {"branch3x3_2": 320, "branch": 192},
    "Mixed_7": {"branch1x1": 320, "branch3x3dbl_1": 448, "branch3x3": 384, "branch_pool": 192},
}
"""Channels of Szegedy et al. (arXiv:1512.00567) by the beginnings of names; the first that fits counts. The inner ones of the
blocks 6b to 6e are 128, 160 or 192, which changes nothing outside of them."""


def num_channels(name: str) -> int:
    block = max((key for key in INCEPTION_CHANNELS if name.startswith(key)), key=len)
    if name.endswith("branch_pool") and block == "Mixed_5":
        return 32 if name.startswith("Mixed_5b") else 64
    rest = name.removeprefix("Conv2d_") if block == "Conv2d" else name.partition(".")[2]
    return next(number for key, number in INCEPTION_CHANNELS[block].items() if rest.startswith(key))


@pytest.mark.parametrize("height, width", [(2, 3), (299, 299), (600, 310)])
def test_resizing_by_corners_takes_points_as_tensorflow_1_does(height, width):
    """Point i of n lies at i * length / n between its neighbours; behind the last one its value goes on."""
    from helm.benchmark.metrics.image_generation.inception_network import SIDE, resize_by_corners

    picture = np.random.RandomState(3).randint(0, 256, (height, width)).astype(np.uint8)
    found = resize_by_corners(torch.from_numpy(picture)[None, None])[0, 0].numpy()
    assert found.shape == (SIDE, SIDE)
    assert found[0, 0] == (float(picture[0, 0]) - 128) / 128
    columns = [np.interp(np.arange(SIDE) * width / SIDE, np.arange(width), row) for row in picture.astype(float)]
    both = [np.interp(np.arange(SIDE) * height / SIDE, np.arange(height), column) for column in np.array(columns).T]
    assert found == pytest.approx((np.array(both).T - 128) / 128, abs=1e-3)


@pytest.mark.parametrize("is_fid", [True, False])
def test_features_of_inception_have_their_shape(is_fid, monkeypatch):
    """Runs the network with random weights for whatever it asks for by name."""
    from helm.benchmark.metrics.image_generation import inception_network

    weights: dict = {"Conv2d_1a_3x3.conv.weight": torch.zeros(1)}  # it says on which device the network is
    shapes: list = []
    convolve = inception_network.InceptionV3._convolve

    def convolve_with_new_weights(self, x, name, stride=1, padding=(0, 0)):
        size = re.search(r"(\d)x(\d)", name)
        height, width = (int(size[1]), int(size[2])) if size else (1, 1)
        if (
            (height, width) == (5, 5)
            and name.endswith("_1")
            or re.search(r"(7x7|7x7x3|dbl|Mixed_7.\.branch3x3)_1$", name)
        ):
            height = width = 1
        elif padding != (0, 0) and padding[0] != padding[1]:
            height, width = 2 * padding[0] + 1, 2 * padding[1] + 1
        elif (height, width) == (7, 7):
            height = width = 3
        out = num_channels(name)
        weights[f"{name}.conv.weight"] = (
            torch.randn(out, x.shape[1], height, width) * (x.shape[1] * height * width) ** -0.5
        )
        for key, value in (("weight", 1.0), ("bias", 0.0), ("running_mean", 0.0), ("running_var", 1.0)):
            weights[f"{name}.bn.{key}"] = torch.full((out,), value)
        shapes.append((name, tuple((found := convolve(self, x, name, stride, padding)).shape[1:])))
        return found

    monkeypatch.setattr(inception_network.InceptionV3, "_convolve", convolve_with_new_weights)
    batch = inception_network.resize_by_centres(torch.randint(0, 255, (1, 3, 64, 80), dtype=torch.uint8))
    assert batch.shape == (1, 3, 299, 299) and batch.abs().max() <= 1
    with torch.inference_mode():
        features = inception_network.InceptionV3(weights, is_fid).features(batch)
    assert features.shape == (1, 2048) and torch.isfinite(features).all()
    assert len(shapes) == len(dict(shapes)) == 94
    found = dict(shapes)
    assert found["Conv2d_4a_3x3"] == (192, 71, 71) and found["Mixed_5d.branch1x1"] == (64, 35, 35)
    assert found["Mixed_6e.branch7x7_3"][1:] == (17, 17) and found["Mixed_7c.branch1x1"] == (320, 8, 8)


@pytest.fixture(scope="module")
def tiny_clip():
    from transformers import CLIPConfig, CLIPModel

    from helm.common.networks.clip_model import ClipModel

    tiny = VECTORS["tiny_clip"]
    names = ("text_config", "vision_config", "projection_dim")
    model = CLIPModel(CLIPConfig(**{name: tiny[name] for name in names}))
    for name, parameter in model.named_parameters():
        shift = 1 if "norm" in name and name.endswith("weight") else 0
        parameter.data = weights(name, tuple(parameter.shape), 0.25) + shift
    return ClipModel(model, make_tokenizer())


@pytest.mark.parametrize("case", cases("clip_score_made_up_weights"))
def test_scores_of_clip(case, folder, tiny_clip, monkeypatch):
    from helm.clients.clip_score_client import CLIPScoreClient
    from helm.common.cache import BlackHoleCacheConfig
    from helm.common.clip_score_request import CLIPScoreRequest

    monkeypatch.setattr("helm.common.networks.clip_model.get_clip", lambda: tiny_clip)
    request = CLIPScoreRequest(case["caption"], str(folder / case["image"]))
    found = CLIPScoreClient(BlackHoleCacheConfig()).compute_score(request).score
    assert found == pytest.approx(case["score_pixels_0_to_255"], rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("case", cases("denoised_runtime"))
def test_the_shortest_time_of_an_instance_counts(case):
    from helm.benchmark.adaptation.scenario_state import ScenarioState
    from helm.benchmark.metrics.image_generation.denoised_runtime_metric import DenoisedRuntimeMetric

    instances, states = {}, []
    for key, time in case["requests"]:
        instance = Instance(Input("a cat"), [], split="test", id=key)
        if "other objects" not in case["label"]:
            instance = instances.setdefault(key, instance)
        result = RequestResult(success=True, cached=False, embedding=[], completions=[], request_time=time)
        states.append(new_request_state(instance, Request("simple/model1", "simple/model1"), result=result))
    (stat,) = DenoisedRuntimeMetric().evaluate(ScenarioState(AdapterSpec(), states), None, "", 1).aggregated_stats
    assert stat.mean == pytest.approx(case["stats"][0]["mean"])


@pytest.mark.parametrize("case", cases("monk_scale"))
def test_tones_of_the_monk_scale(case):
    from helm.benchmark.metrics.image_generation.skin_tone_metrics import SkinToneMetric

    assert SkinToneMetric.find_scale_rgb(case["rgb"]) == case["monk"]


@pytest.mark.parametrize("case", cases("fidelity_flow"))
def test_sets_of_images_are_compared_for_each_perturbation(case, folder, monkeypatch):
    """Which images form a set, and that an inception score that is not defined is 0; the networks are replaced."""
    from dataclasses import replace

    from helm.benchmark.adaptation.scenario_state import ScenarioState
    from helm.benchmark.metrics.image_generation.fidelity_metrics import FidelityMetric

    expected = [call for call in case["calls_sorted_by_files"] if call["call"] == "fid"]
    perturbations = [stat.get("perturbation") for stat in case["stats_sorted"] if stat["name"] == "fid"]
    states = []
    for call, perturbation in zip(expected, perturbations, strict=True):
        images = [*call["generated"]["files"], "black.png"]
        state = {"prompt": "a", "perturbation": perturbation, "images": images}
        for gold in call["gold"]["files"]:
            states.append(make_state(folder, {**state, "refs": [gold]}))
            states[-1] = replace(states[-1], instance=replace(states[-1].instance, id=f"id{len(states)}"))
    calls = []

    def compute_fid(self, generated, gold):
        calls.append((sorted(map(base, generated)), sorted(map(base, gold))))
        return 12.5

    monkeypatch.setattr(FidelityMetric, "compute_fid", compute_fid)
    monkeypatch.setattr(FidelityMetric, "compute_scores", lambda self, generated, gold, with_kid: (math.nan, None))
    result = FidelityMetric().evaluate(ScenarioState(AdapterSpec(), states), None, "", 1)
    assert sorted(calls) == [(call["generated"]["files"], call["gold"]["files"]) for call in expected]
    found = {
        (stat.name.name, stat.name.perturbation and stat.name.perturbation.name, stat.mean, stat.count)
        for stat in result.aggregated_stats
    }
    assert found == {
        (stat["name"], (stat.get("perturbation") or {}).get("name"), stat["mean"], 1) for stat in case["stats_sorted"]
    }
    assert result.per_instance_stats == case["per_instance_stats"]
