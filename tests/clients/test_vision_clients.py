"""Prompts with pictures for models in this process and Writer's service: how they are asked, and what is refused."""

import base64
import hashlib
import json
import re
import sys
import threading
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from conformance_server import ConformanceServer
from helm.clients.local_media_client import LoadedModel
from helm.common.cache import BlackHoleCacheConfig, SqliteCacheConfig
from helm.common.errors import ConfigError
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.object_spec import get_class_by_name
from helm.common.request import Request
from media_requests_support import MEDIA, VECTORS, request_of, write_media


@pytest.fixture
def pictures(tmp_path):
    return write_media(tmp_path)


def cases_of(*clients):
    chosen = [case for case in VECTORS["cases"] if case["client"] in clients]
    return pytest.mark.parametrize("case", chosen, ids=lambda case: case["id"])


def remember_keys(client, monkeypatch):
    """Return the list to which the client's cache keys are added."""
    keys, get = [], client.cache.get

    def remember(key, *args, **kwargs):
        keys.append(dict(key))
        return get(key, *args, **kwargs)

    monkeypatch.setattr(client.cache, "get", remember)
    return keys


# ---- Models in this process


class Inputs(dict):
    def to(self, device):
        return self


class StandIn:
    """Model, processor and tokenizer at once: keeps what it is given, and writes one answer behind each prompt."""

    device = "cpu"
    LENGTH = 3

    def __init__(self, answer, error=None):
        self.answer, self.error = answer, error
        self.given = {}
        self.turn = threading.Lock()
        self.model = self.processor = self.tokenizer = self

    def apply_chat_template(self, conversation, **kwargs):
        assert kwargs["add_generation_prompt"]
        self.given["conversation"] = conversation
        return "<templated>"

    def __call__(self, first=None, text=None, images=None, **kwargs):
        if "add_special_tokens" in kwargs:  # ids of special tokens, as in the vectors
            return SimpleNamespace(input_ids=[[1], [2]])
        if first is not None:  # a tokenizer's text
            self.given["text"] = first
            return Inputs(input_ids=np.zeros((1, self.LENGTH), int))
        is_batch = isinstance(text, list)
        prompt = text[0] if is_batch else text
        self.given["prompt"] = described(prompt) if isinstance(prompt, list) else prompt
        images = images[0] if images and isinstance(images[0], list) else images
        self.given["images"] = described(images or [])
        self.given["processor"] = {k: v for k, v in kwargs.items() if k not in ("return_tensors", "padding")}
        return Inputs(input_ids=np.zeros((len(text) if is_batch else 1, self.LENGTH), int))

    def generate(self, **kwargs):
        if self.error is not None:
            raise RuntimeError(self.error)
        ids = kwargs.pop("input_ids")
        self.given["generate"] = kwargs
        return np.zeros((len(ids), self.LENGTH + 2), int)

    def batch_decode(self, ids, **kwargs):
        assert ids.shape[1] == 2, "the prompt is not part of the answer"
        return [self.answer] * len(ids)

    def decode(self, ids, **kwargs):
        assert len(ids) == 2
        return self.answer

    def from_list_format(self, parts):
        self.given["parts"] = parts
        return "<listed>"

    def chat(self, tokenizer, query, history):
        assert (query, history) == ("<listed>", None)
        return self.answer, None


def described(items):
    """Texts as they are, and pictures as in the vectors."""
    return [item if isinstance(item, str) else description(item) for item in items]


def description(picture):
    return {
        "$image": {
            "mode": picture.mode,
            "size": list(picture.size),
            "md5_of_pixels": hashlib.md5(picture.tobytes()).hexdigest(),
        }
    }


def expected_calls(case, folder):
    """Return the calls of a case by name, the last of each."""
    calls = json.loads(json.dumps(case["sent"]).replace("$DIR", str(folder)))
    return {call["call"]: (call.get("args", []), call.get("kwargs", {})) for call in calls}


@cases_of("hf_vlm", "hf_vision2seq", "idefics", "paligemma", "qwen_vl", "qwen2_vl")
def test_models_in_this_process_are_asked_as_in_the_vectors(case, pictures, tmp_path, monkeypatch):
    expected = case.get("result") or {"success": False, "error": None, "completions": []}
    texts = [completion["text"] for completion in expected["completions"]]
    stand_in = StandIn(texts[0] if texts else "An answer.", None if expected["success"] else str(expected["error"]))
    names = []
    monkeypatch.setattr(LoadedModel, "shared", lambda name, *args: names.append(name) or stand_in)
    client = get_class_by_name(case["client_class"])(SqliteCacheConfig(str(tmp_path / "cache.sqlite")))
    keys = remember_keys(client, monkeypatch)
    request = request_of(case, pictures)
    result = client.make_request(request)
    if not expected["success"]:
        assert not result.success and result.completions == []
        assert result.outcome == ("refused" if "raises" in case else "malformed")
        return
    assert result.success and not result.cached, result.error
    answers = [completion.text for completion in result.completions]
    assert answers[: len(texts)] == texts and len(answers) == request.num_completions
    tokens = [[token.text for token in completion.tokens] for completion in result.completions]
    assert tokens[: len(texts)] == [completion["tokens"] for completion in expected["completions"]]
    wanted_keys = json.loads(json.dumps(case["cache_keys"]).replace("$DIR", str(pictures)))
    assert keys[: len(wanted_keys)] == wanted_keys
    assert client.make_request(request).cached

    calls = expected_calls(case, pictures)
    given = stand_in.given
    if "pipeline" in calls:
        assert set(names) == {calls["pipeline"][1]["model"]}
    if "pipe" in calls:
        assert (given["prompt"], given["images"]) == (calls["pipe"][1]["prompt"], calls["pipe"][0])
    if "processor.apply_chat_template" in calls:
        assert [given["conversation"]] == calls["processor.apply_chat_template"][0]
        assert given["prompt"] == "<templated>" and len(given["images"]) == json.dumps(given["conversation"]).count(
            '"type": "image"'
        )
    elif "processor" in calls:
        args, kwargs = calls["processor"]
        assert given["prompt"] == (args[0][0] if args else kwargs["text"])
        assert given["images"] == kwargs.get("images", [])
        assert given["processor"].items() <= kwargs.items()
    if "tokenizer.from_list_format" in calls:
        assert [given["parts"]] == calls["tokenizer.from_list_format"][0]
    if "model.generate" in calls:
        wanted = calls["model.generate"][1]
        for name in ("bad_words_ids", "eos_token_id"):
            assert given["generate"].get(name) == wanted.get(name)
        assert given["generate"]["max_new_tokens"] == request.max_tokens
        assert given["generate"]["do_sample"] is False  # temperature 0


def ask(class_name, parts, prompt="", answer="An answer.", monkeypatch=None, **fields):
    client = get_class_by_name(f"helm.clients.vision_language.{class_name}")(BlackHoleCacheConfig())
    stand_in = StandIn(answer)
    if monkeypatch is not None:
        monkeypatch.setattr(LoadedModel, "shared", lambda *args: stand_in)
    media = MultimediaObject([p if isinstance(p, MediaObject) else MediaObject("text/plain", text=p) for p in parts])
    request = Request(model="a/b", model_deployment="a/b", prompt=prompt, **fields,
                      multimodal_prompt=media if parts else None)  # fmt: skip
    return client.make_request(request), stand_in.given


def test_what_models_in_this_process_refuse(pictures):
    picture = MediaObject("image/png", location=str(pictures / "rgb1.png"))
    sound = MediaObject("audio/wav", location=str(pictures / "tone1.wav"))
    remote = MediaObject("image/png", location="https://example.org/a.png")
    llava, chat = "huggingface_vlm_client.HuggingFaceVLMClient", "chat_vision_client.ChatVisionClient"
    for name, parts, reason in [
        (chat, [sound, "What?"], "takes texts and files with pictures, not audio/wav"),
        (chat, [remote, "What?"], "not image/png at https://example.org/a.png"),
        (llava, [picture, picture], "takes one picture, not 2"),
        (llava, ["USER: <image>", picture, "<image>What?"], "the texts hold <image> 2 times, for 1 picture"),
        (llava, ["USER: <image>What?"], "the texts hold <image> 1 time, for 0 pictures"),
        ("paligemma_client.PaliGemmaClient", ["What?"], "needs at least one picture"),
        ("open_flamingo_client.OpenFlamingoClient", ["What?"], "needs at least one picture"),
    ]:
        result, _ = ask(name, parts)
        assert not result.success and result.outcome == "refused" and reason in result.error, result.error


def test_a_broken_picture_fails_its_request_and_names_the_file(pictures, monkeypatch):
    (pictures / "bad.png").write_bytes(MEDIA["rgb1.png"][:40])
    broken = MediaObject("image/png", location=str(pictures / "bad.png"))
    result, _ = ask("chat_vision_client.ChatVisionClient", [broken, "What?"], monkeypatch=monkeypatch)
    assert not result.success and result.outcome == "malformed"
    assert "bad.png: it cannot be decoded" in result.error


def test_llava_gets_a_place_for_a_picture_that_has_none_and_as_many_answers_as_wanted(pictures, monkeypatch):
    picture = MediaObject("image/png", location=str(pictures / "rgb1.png"))
    name = "huggingface_vlm_client.HuggingFaceVLMClient"
    result, given = ask(
        name, ["What?", picture, "Say."], answer=" It. So\nASSISTANT: More.", monkeypatch=monkeypatch,
        num_completions=2, stop_sequences=["\n"],
    )  # fmt: skip
    assert given["prompt"] == "\nWhat?\n<image>\nSay."
    assert [completion.text for completion in result.completions] == ["It. So", "It. So"]
    result, given = ask(name, [], prompt="What?", answer=" It.ASSISTANT: More.", monkeypatch=monkeypatch)
    assert (given["prompt"], given["images"], result.completions[0].text) == ("\nWhat?", [], "It.")


def test_idefics_ends_at_other_stop_sequences_too_and_answers_without_a_picture(monkeypatch):
    result, given = ask("idefics_client.IDEFICSClient", ["User: What?"], answer=" Yes. No.", monkeypatch=monkeypatch,
                        stop_sequences=[" No"])  # fmt: skip
    assert result.completions[0].text == "Yes."
    assert given["processor"] == {} and given["generate"]["bad_words_ids"] == [[1], [2]]
    assert "eos_token_id" not in given["generate"]


def test_what_is_drawn_has_a_key_of_its_own(tmp_path, monkeypatch):
    class_name = "helm.clients.vision_language.qwen2_vlm_client.Qwen2VLMClient"
    client = get_class_by_name(class_name)(SqliteCacheConfig(str(tmp_path / "cache.sqlite")))
    monkeypatch.setattr(LoadedModel, "shared", lambda *args: StandIn("An answer."))
    keys = remember_keys(client, monkeypatch)
    assert client.make_request(Request(model="a/b", prompt="What?", temperature=0.5)).success
    assert keys == [
        {
            "completion_index": 0,
            "model": "a/b",
            "prompt": "What?",
            "max_new_tokens": 100,
            "temperature": 0.5,
            "top_p": 1,
            "seed": None,
        }
    ]


# ---- Packages that are rarely there


def test_a_package_that_a_model_needs_is_named(monkeypatch):
    def load_processor(self):
        raise ImportError("Seer requires the Torchnosy library but it was not found.")

    monkeypatch.setattr(LoadedModel, "_load_processor", load_processor)
    client_class = get_class_by_name("helm.clients.vision_language.chat_vision_client.ChatVisionClient")
    client = client_class(BlackHoleCacheConfig(), pretrained_model_name_or_path="org/seer")
    with pytest.raises(ConfigError, match="org/seer cannot be loaded: Seer requires the Torchnosy library"):
        client.make_request(Request(model="a/b", model_deployment="a/b", prompt="What?"))


def test_open_flamingo_says_what_it_needs(pictures, monkeypatch):
    client_class = get_class_by_name("helm.clients.vision_language.open_flamingo_client.OpenFlamingoClient")
    picture = MultimediaObject([MediaObject("image/png", location=str(pictures / "rgb1.png"))])
    request = Request(model="a/b", model_deployment="a/b", prompt="", multimodal_prompt=picture)
    with pytest.raises(ConfigError, match="a/b: OpenFlamingo needs checkpoint_path and tokenizer_name"):
        client_class(BlackHoleCacheConfig()).make_request(request)
    names = {"checkpoint_path": "org/weights", "tokenizer_name": "org/words"}
    with pytest.raises(ConfigError, match=r"trust_remote_code: true .* all rights of the user"):
        client_class(BlackHoleCacheConfig(), **names).make_request(request)


def test_lit_gpt_asks_the_package_of_its_authors(tmp_path, monkeypatch):
    client_class = get_class_by_name("helm.clients.lit_gpt_client.LitGPTClient")
    request = Request(model="a/b", model_deployment="a/b", prompt="Say", temperature=0.0, max_tokens=3,
                      stop_sequences=["!"])  # fmt: skip
    with pytest.raises(ConfigError, match=r"there is no lit_model.pth in ''"):
        client_class(cache_config=BlackHoleCacheConfig()).make_request(request)
    (tmp_path / "lit_model.pth").write_bytes(b"")
    arguments = {"checkpoint_dir": str(tmp_path), "precision": "32-true", "device": "cpu"}
    client = client_class(cache_config=SqliteCacheConfig(str(tmp_path / "cache.sqlite")), **arguments)
    monkeypatch.setitem(sys.modules, "litgpt", None)
    with pytest.raises(ConfigError, match="need its package .*: pip install litgpt"):
        client.make_request(request)

    calls = []

    class LLM:
        @classmethod
        def load(cls, name, **kwargs):
            calls.append((name, kwargs))
            return cls()

        def distribute(self, **kwargs):
            calls.append(kwargs)

        def generate(self, prompt, **kwargs):
            calls.append((prompt, kwargs))
            return "It! More"

    package = ModuleType("litgpt")
    package.LLM = LLM
    monkeypatch.setitem(sys.modules, "litgpt", package)
    results = [client.make_request(request) for _ in range(2)]
    assert [(result.completions[0].text, result.cached) for result in results] == [("It", False), ("It", True)]
    assert calls == [
        (str(tmp_path), {"distribute": None}),
        {"accelerator": "cpu", "devices": 1, "precision": "32-true", "quantize": None, "generate_strategy": None},
        ("Say", {"max_new_tokens": 3, "top_k": 1}),
    ]
    picture = MultimediaObject([MediaObject("image/png", location="https://example.org/a.png")])
    result = client.make_request(Request(model="a/b", model_deployment="a/b", multimodal_prompt=picture))
    assert result.outcome == "refused" and "this model takes texts, not image/png" in result.error


# ---- Writer's service


@pytest.fixture
def writer():
    server = ConformanceServer()
    yield server
    server.close()


def without_pictures(value):
    """Replace the contents of pictures, which HELM encodes anew, by their names; their types are then of no matter."""
    by_content = {base64.b64encode(content).decode(): name for name, content in MEDIA.items()}
    return [
        {"picture": by_content.get(part["value"]) or re.fullmatch(r"\$BASE64_OF_JPEG\((.*)\)", part["value"])[1]}
        if part["type"] == "InlineData"
        else part
        for part in value["parts"]
    ]


@cases_of("palmyra_vision")
def test_writers_service_gets_what_the_vectors_say(case, pictures, writer, tmp_path, monkeypatch):
    client_class = get_class_by_name(case["client_class"])
    client = client_class(
        cache_config=SqliteCacheConfig(str(tmp_path / "cache.sqlite")),
        endpoint=f"{writer.origin}/writer/vision",
        api_key="k",
        **case["client_args"],
    )
    keys = remember_keys(client, monkeypatch)
    if "result" in case and case["result"]["success"]:
        stops = case["request"].get("stop_sequences") or [""]
        writer.text = case["result"]["completions"][0]["text"] + stops[0]
    request = request_of(case, pictures)
    result = client.make_request(request)
    if "raises" in case:
        assert not result.success and result.outcome == "refused" and not writer.requests
        return
    assert result.success, result.error
    assert [c.text for c in result.completions] == [c["text"] for c in case["result"]["completions"]]
    sent = [call["json"] for call in case["sent"] if "json" in call]
    assert [without_pictures(body) for body in writer.bodies] == [without_pictures(body) for body in sent]
    assert all(body.keys() == {"parts"} for body in writer.bodies)
    assert keys == json.loads(json.dumps(case["cache_keys"]).replace("$DIR", str(pictures)))
    assert client.make_request(request).cached


def test_writers_service_needs_an_address_and_takes_no_sound(pictures, writer):
    client_class = get_class_by_name("helm.clients.vision_language.palmyra_vision_client.PalmyraVisionClient")
    request = Request(model="a/b", model_deployment="a/b", prompt="What?")
    result = client_class(cache_config=BlackHoleCacheConfig()).make_request(request)
    assert result.outcome == "auth" and "writerEndpoint" in result.error
    client = client_class(cache_config=BlackHoleCacheConfig(), endpoint=f"{writer.origin}/writer/vision")
    sound = MultimediaObject([MediaObject("audio/wav", location=str(pictures / "tone1.wav"))])
    result = client.make_request(Request(model="a/b", model_deployment="a/b", multimodal_prompt=sound))
    assert result.outcome == "refused" and "audio/wav" in result.error
    messages = [{"role": "user", "content": "What?"}]
    assert client.make_request(Request(model="a/b", model_deployment="a/b", messages=messages)).outcome == "refused"
    assert writer.requests == []
    picture = MultimediaObject([MediaObject("image/jpeg", location=str(pictures / "rgb1.png"))])
    assert client.make_request(Request(model="a/b", model_deployment="a/b", multimodal_prompt=picture)).success
    assert [part["contentType"] for part in writer.bodies[0]["parts"]] == ["image/png"]  # what it is


def test_writers_moderation_is_an_outcome():
    from helm.clients.http.request_failure import failure_from_response

    body = {"tpe": "fail", "errors": [{"key": "fail.content.moderation.failed", "description": "No."}], "extras": None}
    failure = failure_from_response("https://a", 400, {}, json.dumps(body).encode(), "")
    assert failure.outcome == "filtered"
