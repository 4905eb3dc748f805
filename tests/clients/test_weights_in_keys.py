"""Cache keys of models in this process: those of HELM for HELM's weights, and others for others."""

import threading
from types import SimpleNamespace

import pytest

from helm.clients.audio_language.whisper_client import WhisperClient
from helm.clients.vision_language.huggingface_vlm_client import HuggingFaceVLMClient
from helm.clients.vision_language.open_flamingo_client import OpenFlamingoClient
from helm.clients.vision_language.qwen2_vlm_client import Qwen2VLMClient
from helm.common.cache import SqliteCacheConfig
from helm.common.request import Request

MODEL = "qwen/qwen2-vl-7b-instruct"
OTHERS = [
    {"pretrained_model_name_or_path": "mine/qwen-tuned"},
    {"pretrained_model_name_or_path": "mine/qwen-tuned", "revision": "v2"},
    {"revision": "v1"},
    {"torch_dtype": "float16"},
    {"quantization_config": {"load_in_4bit": True}},
    {"quantization_config": {"load_in_8bit": True}},
]
SAME = [
    {},
    {"pretrained_model_name_or_path": "Qwen/Qwen2-VL-7B-Instruct"},
    {"device": "cpu", "token": "secret", "trust_remote_code": True},
    {"device_map": "auto", "revision": None},
]


def ask(client, model=MODEL):
    """Ask a client whose model is replaced by one that counts its answers."""
    asked = []

    def generate(*arguments):
        asked.append(1)
        return f"{len(asked)}"

    client._loaded = lambda request: SimpleNamespace(turn=threading.Lock())
    client._generate = generate
    client._generate_many = lambda *arguments: [generate()]
    result = client.make_request(Request(model=model, model_deployment="a/b", prompt="What?", max_tokens=5))
    assert result.success, result.error
    return len(asked)


@pytest.mark.parametrize("base", [Qwen2VLMClient])
def test_deployments_with_other_weights_do_not_share_answers(base, tmp_path):
    config = SqliteCacheConfig(str(tmp_path / "cache.sqlite"))
    assert [ask(base(config, **arguments)) for arguments in [*SAME, *OTHERS]] == [1, 0, 0, 0] + [1] * len(OTHERS)
    assert [ask(base(config, **arguments)) for arguments in [*SAME, *OTHERS]] == [0] * 10


@pytest.mark.parametrize("base", [HuggingFaceVLMClient, WhisperClient])
def test_a_client_names_its_weights_in_keys(base):
    plain, other = base(None), base(None, pretrained_model_name_or_path="mine/a", revision="r")
    request = Request(model="org/name", model_deployment="a/b")
    assert plain._key_of_weights(request) == {}
    wanted = {"pretrained_model_name_or_path": "mine/a", "arguments": {"revision": "r"}}
    assert other._key_of_weights(request) == wanted


def test_open_flamingo_has_helms_keys_for_helms_deployment():
    model = "openflamingo/OpenFlamingo-9B-vitl-mpt7b"
    request = Request(model=model, model_deployment="a/b")
    for tokenizer in ("anas-awadalla/mpt-7b", "anas-awadalla-2/mpt-7b"):
        assert OpenFlamingoClient(None, model, tokenizer, 4)._key_of_weights(request) == {}
    other = OpenFlamingoClient(None, "mine/weights", "mine/words", 2)._key_of_weights(request)
    assert other == {"checkpoint_path": "mine/weights", "tokenizer_name": "mine/words", "cross_attn_every_n_layers": 2}
