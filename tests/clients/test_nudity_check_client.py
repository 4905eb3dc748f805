"""The check for nudity: what the network gets, what its scores mean, and what is kept. A stand-in takes the network's place."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from helm.clients.auto_client import AutoClient
from helm.clients.image_generation import nudity_check_client
from helm.clients.image_generation.nudity_check_client import NudityCheckClient, NudityCheckClientError
from helm.common.cache import SqliteCacheConfig
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig
from helm.common.nudity_check_request import NudityCheckRequest
from helm.common.optional_dependencies import OptionalDependencyNotInstalled

Image = pytest.importorskip("PIL.Image")


class Session:
    """Finds red pictures unsafe."""

    batches: list = []

    def __init__(self, path, providers):
        assert path == "weights.onnx"

    def get_inputs(self):
        return [SimpleNamespace(name="input_1")]

    def run(self, outputs, inputs):
        (pictures,) = inputs.values()
        self.batches.append(pictures)
        red = pictures[..., 0].mean(axis=(1, 2))
        return [np.stack([red, 1 - red], axis=1)]


@pytest.fixture
def client(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Session, "batches", [])
    monkeypatch.setattr(nudity_check_client, "fetch", lambda name: "weights.onnx")
    monkeypatch.setitem(sys.modules, "onnxruntime", SimpleNamespace(InferenceSession=Session))
    for name, colour in {"red.png": (255, 0, 0), "blue.png": (0, 0, 255), "grey.png": (128, 0, 0)}.items():
        Image.new("RGB", (300, 40), colour).save(name)
    return NudityCheckClient(SqliteCacheConfig("cache.sqlite"))


def test_pictures_are_scaled_and_judged(client):
    result = client.check_nudity(NudityCheckRequest(["red.png", "blue.png", "red.png"]))
    assert result.success and not result.cached and result.image_to_nudity == {"red.png": True, "blue.png": False}
    (batch,) = Session.batches
    assert batch.shape == (3, 256, 256, 3) and batch.dtype == np.float32
    assert batch.min() == 0 and batch.max() == 1
    again = client.check_nudity(NudityCheckRequest(["blue.png", "red.png", "red.png"]))
    assert again.cached and again.image_to_nudity == result.image_to_nudity and len(Session.batches) == 1


def test_many_pictures_are_judged_in_batches(client):
    result = client.check_nudity(NudityCheckRequest(["blue.png"] * 11))
    assert result.success and [len(batch) for batch in Session.batches] == [8, 3]


def test_a_picture_that_cannot_be_read_is_an_error(client, tmp_path):
    (tmp_path / "page.png").write_text("<html>")
    for name in ("none.png", "page.png"):
        with pytest.raises(NudityCheckClientError, match=f"{name}: nudity could not be checked"):
            client.check_nudity(NudityCheckRequest([name]))
    assert client.check_nudity(NudityCheckRequest(["grey.png"])).success


def test_without_the_package_the_extra_is_named(client, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(OptionalDependencyNotInstalled, match=r"helm-evals\[nudity\]"):
        client.check_nudity(NudityCheckRequest(["red.png"]))


def test_contexts_have_it(tmp_path):
    client = AutoClient({}, str(tmp_path), BlackHoleCacheBackendConfig())
    assert isinstance(client.get_nudity_check_client(), NudityCheckClient)
