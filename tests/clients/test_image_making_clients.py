"""Every protocol by which pictures are made, against a server on loopback that answers, refuses and fails in its ways."""

import base64
import itertools
import json
import os
from dataclasses import replace
from functools import partial
from importlib import import_module
from pkgutil import iter_modules

import pytest

import helm.clients.image_generation as image_clients
from helm.clients.http.http_client import HTTPClient
from helm.clients.image_generation.black_forest_labs_client import BlackForestLabsClient
from helm.clients.image_generation.fal_client import FalClient
from helm.clients.image_generation.google_images_client import GeminiImagesClient, ImagenClient
from helm.clients.image_generation.openai_images_client import OpenAICompatibleImagesClient, OpenAIImagesClient
from helm.clients.image_generation.replicate_client import ReplicateClient
from helm.clients.image_generation.stability_client import StabilityClient
from helm.clients.image_generation.together_image_generation_client import TogetherImagesClient
from helm.common.cache import SqliteCacheConfig
from helm.common.errors import ConfigError
from helm.common.file_caches.file_cache import FileCache
from helm.common.file_caches.local_file_cache import LocalFileCache
from helm.common.image_generation_parameters import ImageGenerationParameters
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import Request, Usage
from helm.common.request_options import RequestOptions
from picture_server import PictureServer, Raw, png

KEY = "sk-secret-1"
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF" + b"\0" * 20 + b"\xff\xd9"
HTML = b"<!DOCTYPE html><title>Sign in</title>"


def b64(data):
    return base64.b64encode(data).decode()


class Dialect:
    """How one provider speaks: its client, its route, its answer with pictures, and its answer with a refusal."""

    client: type
    base = ""
    model = "org/painter"
    route = ""
    key_header = ("authorization", f"Bearer {KEY}")
    arguments: dict = {}
    refusals: list = []

    def make(self, server, tmp_path, **further):
        file_cache = further.pop("file_cache", None) or LocalFileCache(str(tmp_path / "output"), "png")
        arguments = {"api_key": KEY, "base_url": server.url + self.base, **self.arguments, **further}
        return self.client(SqliteCacheConfig(str(tmp_path / "cache.sqlite")), file_cache, **arguments)

    def give(self, server, pictures):
        """Let the server make these pictures, one after the other."""
        pictures = iter(pictures)
        server.answers[self.route] = lambda asked: self.answer([next(pictures) for _ in range(self.number(asked))])

    def number(self, asked):
        return 1

    def answer(self, pictures):
        raise NotImplementedError


class OpenAI(Dialect):
    client, base, route = OpenAIImagesClient, "/v1", "/v1/images/generations"
    refusals = [
        Raw(
            {"error": {"message": "Your request was rejected.", "type": "user_error", "code": "moderation_blocked"}},
            400,
        )
    ]

    def number(self, asked):
        return asked.body["n"]

    def answer(self, pictures):
        rows = [{"b64_json": b64(picture)} for picture in pictures]
        return {"created": 1, "data": rows, "usage": {"input_tokens": 9, "output_tokens": 100, "total_tokens": 109}}


class Compatible(OpenAI):
    client = OpenAICompatibleImagesClient


class Together(OpenAI):
    client = TogetherImagesClient
    refusals = [
        Raw({"error": {"message": "NSFW content detected in the image", "type": "invalid_request_error"}}, 422),
    ]

    def answer(self, pictures):
        return {"id": "x", "data": [{"index": i, "b64_json": b64(p)} for i, p in enumerate(pictures)]}


class Gemini(Dialect):
    client, base, route = GeminiImagesClient, "/v1beta", "/v1beta/models/painter:generateContent"
    key_header = ("x-goog-api-key", KEY)
    refusals = [
        {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}},
        {"candidates": [{"finishReason": "IMAGE_SAFETY"}]},
        {"candidates": [{"finishReason": "IMAGE_PROHIBITED_CONTENT", "content": {}}]},
        {"candidates": [{"content": {"parts": [{"text": "I cannot draw that."}]}, "finishReason": "STOP"}]},
    ]

    def answer(self, pictures):
        data = {"inlineData": {"mimeType": "image/png", "data": b64(pictures[0])}}
        usage = {"promptTokenCount": 9, "candidatesTokenCount": 100}
        return {"candidates": [{"content": {"parts": [data]}, "finishReason": "STOP"}], "usageMetadata": usage}


class Imagen(Dialect):
    client, base, route = ImagenClient, "/v1beta", "/v1beta/models/painter:predict"
    key_header = ("x-goog-api-key", KEY)
    refusals = [{}, {"predictions": [{"raiFilteredReason": "Violence: 39322892"}]}]

    def number(self, asked):
        return asked.body["parameters"]["sampleCount"]

    def answer(self, pictures):
        return {"predictions": [{"mimeType": "image/png", "bytesBase64Encoded": b64(p)} for p in pictures]}


class Stability(Dialect):
    client, model, route = StabilityClient, "stabilityai/sd3.5-large", "/v2beta/stable-image/generate/sd3"
    refusals = [
        {"image": b64(png(1)), "finish_reason": "CONTENT_FILTERED", "seed": 1},
        Raw(
            {"id": "1", "name": "content_moderation", "errors": ["Your request was flagged by our content policy"]}, 403
        ),
    ]

    def answer(self, pictures):
        return {"image": b64(pictures[0]), "finish_reason": "SUCCESS", "seed": 7}


class Queued(Dialect):
    """Answers with a ticket, is busy at the first look, and then has the addresses of the pictures."""

    served = itertools.count()

    def give(self, server, pictures):
        self.url, pictures = server.url, iter(pictures)
        self.server = server
        server.answers[self.route] = lambda asked: self.order(
            server, self.answer([next(pictures) for _ in range(self.number(asked))])
        )

    def order(self, server, state):
        raise NotImplementedError

    def put(self, picture):
        path = f"/files/{next(self.served)}.png"
        self.server.answers[path] = Raw(picture, content_type="image/png")
        return f"{self.url}{path}?signature=s3cret"


class BlackForestLabs(Queued):
    client, route = BlackForestLabsClient, "/v1/painter"
    key_header = ("x-key", KEY)
    refusals = [{"status": "Request Moderated"}, {"status": "Content Moderated"}]

    def answer(self, pictures):
        return {"status": "Ready", "result": {"sample": self.put(pictures[0])}}

    def order(self, server, state):
        number = next(self.served)
        server.answers["/v1/get_result"] = [{"id": str(number), "status": "Pending"}, {"id": str(number), **state}]
        return {"id": str(number), "polling_url": f"{server.url}/v1/get_result?id={number}"}


class Fal(Queued):
    client, model, route = FalClient, "fal-ai/painter", "/fal-ai/painter"
    key_header = ("authorization", f"Key {KEY}")
    refusals = [{"images": [{"url": "https://x.example/black.png"}], "has_nsfw_concepts": [True]}]

    def number(self, asked):
        return asked.body["num_images"]

    def answer(self, pictures):
        return {
            "images": [{"url": self.put(p), "content_type": "image/png"} for p in pictures],
            "has_nsfw_concepts": [],
        }

    def order(self, server, state):
        place = f"{server.url}/fal-ai/requests/1"
        server.answers["/fal-ai/requests/1/status"] = [{"status": "IN_QUEUE"}, {"status": "COMPLETED"}]
        server.answers["/fal-ai/requests/1"] = state
        return {"request_id": "1", "status_url": f"{place}/status", "response_url": place}


class Replicate(Queued):
    client, route = ReplicateClient, "/v1/models/org/painter/predictions"
    refusals = [{"status": "failed", "error": "NSFW content detected. Try running it again.", "output": None}]

    def answer(self, pictures):
        return {"status": "succeeded", "output": [self.put(p) for p in pictures], "error": None}

    def order(self, server, state):
        ticket = {"id": "1", "urls": {"get": f"{server.url}/v1/predictions/1"}}
        server.answers["/v1/predictions/1"] = [{**ticket, "status": "processing"}, {**ticket, **state}]
        return Raw({**ticket, "status": "starting"}, 201)


DIALECTS = [
    OpenAI(), Compatible(), Together(), Gemini(), Imagen(), Stability(), BlackForestLabs(), Fal(), Replicate(),
]  # fmt: skip


def for_dialects(chosen=DIALECTS):
    return pytest.mark.parametrize("dialect", chosen, ids=[type(dialect).__name__ for dialect in chosen])


@pytest.fixture(scope="module")
def one_server():
    server = PictureServer()
    yield server
    server.close()


@pytest.fixture
def server(one_server, monkeypatch):
    one_server.answers.clear()
    one_server.asked.clear()
    monkeypatch.setattr("helm.clients.pacing.pace.FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr("helm.clients.image_generation.queued_image_client._FIRST_LOOK_S", 0.01)
    monkeypatch.setattr("helm.clients.http.http_endpoint.RetryPolicy.pause_s", lambda self, retry, draw: 0.01)
    return one_server


@pytest.fixture
def retries(monkeypatch):
    """Clients try again, which they do not in other tests."""
    monkeypatch.delenv("HELM_RETRIES")


def request_for(dialect, number=1, parameters=None, seed=None, **changes):
    return replace(
        Request(
            model_deployment=dialect.model,
            model=dialect.model,
            prompt="a cat & a dog, 日本",
            num_completions=number,
            max_tokens=0,
            image_generation_parameters=ImageGenerationParameters(**(parameters or {})),
            options=RequestOptions(seed=seed) if seed is not None else None,
        ),
        **changes,
    )


def pictures_of(result):
    assert result.success, result.error
    contents = []
    for completion in result.completions:
        (media,) = completion.multimodal_content.media_objects
        with open(media.location, "rb") as file:
            contents.append(file.read())
    return contents


def files(tmp_path):
    return sorted(os.listdir(tmp_path / "output"))


@for_dialects()
def test_pictures_are_made_once_and_kept(dialect, server, tmp_path):
    made = [png(number) for number in range(3)]
    dialect.give(server, made)
    request = request_for(dialect, number=3)
    result = dialect.make(server, tmp_path).make_request(request)
    assert pictures_of(result) == made
    assert (result.outcome, result.cached, result.error) == ("ok", False, None)
    assert result.request_time > 0 and result.request_datetime > 1_700_000_000
    for completion in result.completions:
        assert (completion.text, completion.logprob, completion.tokens) == ("", 0, [])
        assert completion.finish_reason is None
    orders = server.asked_for(dialect.route)
    assert len(orders) == 3 // min(3, dialect.client.MOST_IMAGES)
    name, value = dialect.key_header
    assert all(order.headers[name] == value for order in orders)
    assert all("authorization" not in asked.headers for asked in server.asked if asked.path.startswith("/files/"))
    num_asked = len(server.asked)
    again = dialect.make(server, tmp_path).make_request(request)
    assert again.cached and again.completions == result.completions and len(server.asked) == num_asked
    assert len(files(tmp_path)) == 3


@for_dialects()
def test_a_picture_whose_file_is_gone_is_asked_for_again(dialect, server, tmp_path):
    dialect.give(server, map(png, itertools.count()))
    client, request = dialect.make(server, tmp_path), request_for(dialect)
    first = client.make_request(request)
    os.unlink(first.completions[0].multimodal_content.media_objects[0].location)
    again = client.make_request(request)
    assert not again.cached and len(pictures_of(again)) == 1
    assert client.make_request(request).cached


REFUSALS = [(dialect, refusal) for dialect in DIALECTS for refusal in dialect.refusals]


@pytest.mark.parametrize(
    "dialect, refusal", REFUSALS, ids=[f"{type(d).__name__}-{d.refusals.index(refusal)}" for d, refusal in REFUSALS]
)
def test_a_refusal_is_an_outcome_and_no_picture(dialect, refusal, server, tmp_path):
    dialect.give(server, [])
    server.answers[dialect.route] = dialect.order(server, refusal) if isinstance(dialect, Queued) else refusal
    result = dialect.make(server, tmp_path).make_request(request_for(dialect))
    assert result.success and result.outcome == "filtered" and result.error is None
    (completion,) = result.completions
    assert completion.text == "" and completion.multimodal_content.media_objects == []
    assert completion.finish_reason["reason"]
    assert KEY not in completion.finish_reason["reason"]
    assert files(tmp_path) == []


def _bad_base64(picture):
    return picture[:-9] + "%%%%%"


BAD_PICTURES = {
    "a page": HTML,
    "a sound": b"ID3\x04" + b"\0" * 40,
    "nothing": b"",
    "cut off": png(1)[:-20],
    "a drawing with scripts": b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
}


@for_dialects()
def test_what_is_no_picture_is_neither_stored_nor_cached(dialect, server, tmp_path):
    client = dialect.make(server, tmp_path)
    for name, bad in BAD_PICTURES.items():
        dialect.give(server, [bad])
        result = client.make_request(request_for(dialect, prompt=name))
        assert not result.success and result.completions == [] and result.outcome == "malformed", (name, result.error)
        assert "http://127.0.0.1:" in result.error and KEY not in result.error and "s3cret" not in result.error
        assert files(tmp_path) == []


@for_dialects([dialect for dialect in DIALECTS if not isinstance(dialect, Queued)])
def test_what_is_no_base64_is_asked_for_again(dialect, server, tmp_path, retries):
    """The second try gets the picture."""
    spoilt = json.loads(json.dumps(dialect.answer([png(1)])).replace("iVBOR", "%%%%%"))
    server.answers[dialect.route] = [spoilt, dialect.answer([png(1)])]
    result = dialect.make(server, tmp_path).make_request(request_for(dialect))
    assert pictures_of(result) == [png(1)] and len(server.asked) == 2


@for_dialects()
def test_an_answer_of_another_shape_is_malformed(dialect, server, tmp_path):
    shapes = [[], "text", None, 5, [{}], {"data": 5, "predictions": 5}, {"data": [5], "predictions": [5]}]
    shapes += [{"status": "what?"}]
    if not isinstance(dialect, Imagen):  # without predictions, Google withholds all of them
        shapes += [{}]
    client = dialect.make(server, tmp_path)
    for shape in shapes:
        server.answers[dialect.route] = Raw(shape)
        result = client.make_request(request_for(dialect))
        assert not result.success and result.outcome == "malformed", (shape, result.error)


@for_dialects()
def test_failures_have_an_outcome_and_are_not_cached(dialect, server, tmp_path):
    client = dialect.make(server, tmp_path)
    for status, outcome in ((500, "server"), (400, "refused"), (429, "rate-limited"), (401, "auth")):
        server.answers[dialect.route] = Raw({"error": {"message": "Sorry, not now."}}, status)
        result = client.make_request(request_for(dialect))
        assert not result.success and result.outcome == outcome and "Sorry, not now." in result.error
        assert KEY not in result.error
        if status in (400, 500):
            dialect.give(server, [png(1)])
            prompt = f"after {status}"
            assert pictures_of(client.make_request(request_for(dialect, prompt=prompt))) == [png(1)]


@for_dialects()
def test_a_busy_server_is_asked_again(dialect, server, tmp_path, retries):
    dialect.give(server, [png(1)])
    good = server.answers[dialect.route]
    busy = [Raw({"error": {"message": "busy"}}, status, headers={"Retry-After": "0"}) for status in (429, 503)]
    server.answers[dialect.route] = [*busy, good]
    assert pictures_of(dialect.make(server, tmp_path).make_request(request_for(dialect))) == [png(1)]


@for_dialects()
def test_a_picture_beyond_the_limit_is_not_received(dialect, server, tmp_path, monkeypatch):
    monkeypatch.setenv("HELM_MAX_ANSWER_MIB", "1")
    dialect.give(server, [png(1) + b"\0" * (2 << 20)])
    result = dialect.make(server, tmp_path).make_request(request_for(dialect))
    assert not result.success and "longer than 1 MiB" in result.error and files(tmp_path) == []


SIZE = {"output_image_width": 1024, "output_image_height": 1024}
STEERING = {"guidance_scale": 3.5, "diffusion_denoising_steps": 20}
SENT = {
    "OpenAI": {"model": "painter", "prompt": ..., "n": 1, "size": "1024x1024", "quality": "low"},
    "Compatible": {
        "model": "painter", "prompt": ..., "n": 1, "size": "1024x1024", "response_format": "b64_json",
        "guidance_scale": 3.5, "num_inference_steps": 20, "seed": 5, "quality": "low",
    },
    "Together": {
        "model": "org/painter", "prompt": ..., "n": 1, "width": 1024, "height": 1024, "response_format": "base64",
        "guidance_scale": 3.5, "steps": 20, "seed": 5, "quality": "low",
    },
    "Gemini": {
        "contents": [{"parts": [{"text": ...}], "role": "user"}],
        "generationConfig": {
            "responseModalities": ["IMAGE"], "imageConfig": {"aspectRatio": "1:1", "quality": "low"}, "seed": 5,
        },
    },
    "Imagen": {
        "instances": [{"prompt": ...}],
        "parameters": {"sampleCount": 1, "aspectRatio": "1:1", "addWatermark": False, "quality": "low", "seed": 5},
    },
    "BlackForestLabs": {
        "prompt": ..., "output_format": "png", "width": 1024, "height": 1024, "guidance": 3.5, "steps": 20, "seed": 5,
        "quality": "low",
    },
    "Fal": {
        "prompt": ..., "num_images": 1, "image_size": {"width": 1024, "height": 1024}, "guidance_scale": 3.5,
        "num_inference_steps": 20, "seed": 5, "quality": "low",
    },
    "Replicate": {
        "input": {
            "prompt": ..., "width": 1024, "height": 1024, "guidance_scale": 3.5, "num_inference_steps": 20, "seed": 5,
            "quality": "low",
        }
    },
}  # fmt: skip


def without_prompt(value, prompt):
    if isinstance(value, dict):
        return {name: without_prompt(inner, prompt) for name, inner in value.items()}
    if isinstance(value, list):
        return [without_prompt(inner, prompt) for inner in value]
    return ... if value == prompt else value


@for_dialects([dialect for dialect in DIALECTS if type(dialect).__name__ in SENT])
def test_sizes_guidance_steps_and_seeds_reach_the_provider(dialect, server, tmp_path):
    name = type(dialect).__name__
    dialect.give(server, [png(1)])
    parameters = {**SIZE, **(STEERING if dialect.client.PARAMETER_FIELDS or name == "Compatible" else {})}
    request = request_for(dialect, parameters=parameters, seed=None if name == "OpenAI" else 5)
    result = dialect.make(server, tmp_path, arguments={"quality": "low"}).make_request(request)
    assert pictures_of(result) == [png(1)]
    (order,) = server.asked_for(dialect.route)
    assert without_prompt(order.body, request.prompt) == SENT[name]
    assert ("prefer" in order.headers) is (name == "Replicate")


def test_a_candidate_without_a_picture_may_be_no_refusal(server, tmp_path):
    dialect = Gemini()
    client = dialect.make(server, tmp_path)
    for reason in ("NO_IMAGE", "MAX_TOKENS", "OTHER", None):
        server.answers[dialect.route] = {"candidates": [{"content": {"parts": []}, "finishReason": reason}]}
        result = client.make_request(request_for(dialect))
        assert not result.success and result.outcome == "malformed" and str(reason) in result.error


def test_what_imagen_leaves_out_is_withheld(server, tmp_path):
    dialect = Imagen()
    server.answers[dialect.route] = [dialect.answer([png(1), png(2)]), {"modelVersionId": "1"}]
    client = dialect.make(server, tmp_path)
    for prompt, num_made in (("some", 2), ("none", 0)):
        request = request_for(dialect, number=4, prompt=prompt)
        result = client.make_request(request)
        assert result.success and result.outcome == "filtered" and len(result.completions) == 4
        made = [bool(completion.multimodal_content.media_objects) for completion in result.completions]
        assert made == [True] * num_made + [False] * (4 - num_made)
        assert client.make_request(request).cached
    assert len(server.asked) == 2


def test_stability_gets_a_form(server, tmp_path):
    dialect = Stability()
    dialect.give(server, [png(1)])
    parameters = {"output_image_width": 1344, "output_image_height": 576, "guidance_scale": 3.5}
    request = request_for(dialect, parameters=parameters, seed=5)
    dialect.make(server, tmp_path).make_request(request)
    (order,) = server.asked
    assert order.headers["content-type"].startswith("multipart/form-data; boundary=")
    boundary = order.headers["content-type"].partition("boundary=")[2].encode()
    fields = {}
    for part in order.data.split(b"--" + boundary)[1:-1]:
        head, _, value = part.strip(b"\r\n").partition(b"\r\n\r\n")
        fields[head.partition(b'name="')[2].rstrip(b'"').decode()] = value.decode()
    assert fields == {
        "prompt": request.prompt, "model": "sd3.5-large", "output_format": "png", "aspect_ratio": "21:9", "cfg_scale": "3.5",
        "seed": "5",
    }  # fmt: skip


@for_dialects()
def test_what_the_protocol_does_not_have_is_an_error_of_the_run(dialect, server, tmp_path):
    client = dialect.make(server, tmp_path)
    with pytest.raises(ConfigError, match="together, in pixels"):
        client.make_request(request_for(dialect, parameters={"output_image_width": 512}))
    for name, value in STEERING.items():
        if name not in client.PARAMETER_FIELDS:
            with pytest.raises(ConfigError, match=f"takes no {name}"):
                client.make_request(request_for(dialect, parameters={name: value}))
    if isinstance(dialect, (Gemini, Imagen, Stability)):
        odd = {"output_image_width": 1000, "output_image_height": 999}
        with pytest.raises(ConfigError, match="1000 x 999 pixels are none of them"):
            client.make_request(request_for(dialect, parameters=odd))
    assert server.asked == []


@for_dialects()
def test_media_and_messages_are_refused(dialect, server, tmp_path):
    client = dialect.make(server, tmp_path)
    medium = MultimediaObject([MediaObject("text/plain", text="a cat")])
    for changes in ({"messages": [{"role": "user", "content": "a"}]}, {"multimodal_prompt": medium}):
        result = client.make_request(request_for(dialect, prompt="", **changes))
        assert not result.success and result.outcome == "refused"
    assert server.asked == []


@for_dialects([OpenAI(), Gemini()])
def test_tokens_are_counted(dialect, server, tmp_path):
    dialect.give(server, map(png, itertools.count()))
    result = dialect.make(server, tmp_path).make_request(request_for(dialect, number=2))
    number = 1 if isinstance(dialect, OpenAI) else 2
    assert result.usage == Usage(9 * number, 100 * number)


@for_dialects([OpenAI(), Gemini(), BlackForestLabs()])
def test_seeds_and_trials_are_other_pictures(dialect, server, tmp_path):
    dialect.give(server, map(png, itertools.count()))
    client = dialect.make(server, tmp_path)
    requests = [request_for(dialect), request_for(dialect, random="1")]
    if not isinstance(dialect, OpenAI):
        requests += [request_for(dialect, seed=1), request_for(dialect, seed=2)]
    made = [pictures_of(client.make_request(request)) for request in requests]
    assert made == [[png(number)] for number in range(len(requests))]
    if isinstance(dialect, OpenAI):
        refused = client.make_request(request_for(dialect, seed=1))
        assert not refused.success and "takes no seed" in refused.error


def test_the_name_of_a_file_ends_as_its_content_is(server, tmp_path):
    dialect = OpenAI()
    dialect.give(server, [JPEG])
    (completion,) = dialect.make(server, tmp_path).make_request(request_for(dialect)).completions
    (media,) = completion.multimodal_content.media_objects
    assert media.content_type == "image/jpg" and media.location.endswith(".jpg")


def test_a_server_that_ignores_the_number_is_asked_more_often(server, tmp_path):
    dialect = Compatible()
    numbers = itertools.count()
    server.answers[dialect.route] = lambda asked: dialect.answer([png(next(numbers))])
    result = dialect.make(server, tmp_path).make_request(request_for(dialect, number=3))
    assert pictures_of(result) == [png(0), png(1), png(2)]
    assert [asked.body["n"] for asked in server.asked] == [3, 2, 1]


def test_a_local_server_may_answer_with_addresses(server, tmp_path):
    dialect = Compatible()
    server.answers["/files/1.png"] = Raw(png(1), content_type="text/plain")
    server.answers[dialect.route] = {"data": [{"url": f"{server.url}/files/1.png"}]}
    assert pictures_of(dialect.make(server, tmp_path, api_key="").make_request(request_for(dialect))) == [png(1)]
    assert "authorization" not in server.asked[0].headers


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://x.example/a.png", "http://[::1", "x", "http://h:port/a.png"]
)
def test_an_address_that_is_none_is_not_followed(url, server, tmp_path):
    dialect = Compatible()
    server.answers[dialect.route] = {"data": [{"url": url}]}
    result = dialect.make(server, tmp_path).make_request(request_for(dialect))
    assert not result.success and result.outcome == "malformed" and "the address of a picture is" in result.error


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest",
        "http://localhost/a.png",
        "http://localhost./",
        "http://10.0.0.1/",
        "http://[::1]/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f.0.0.1/",
        "http://0/",
    ],  # fmt: skip
)
def test_a_server_outside_cannot_have_an_address_inside_fetched(url):
    from helm.clients.http.http_endpoint import HTTPEndpoint
    from helm.clients.http.request_failure import RequestFailure
    from helm.clients.image_generation.received_pictures import download

    with pytest.raises(RequestFailure, match="inside the network"):
        download(url, HTTPEndpoint("https://api.example.com/v1"))


@for_dialects([dialect for dialect in DIALECTS if isinstance(dialect, Queued)])
class TestOrders:
    def test_a_ticket_survives_its_process(self, dialect, server, tmp_path, monkeypatch):
        """The first process ends while it looks; the second takes up the order."""
        dialect.give(server, [png(1)])

        def stop(seconds):
            raise KeyboardInterrupt

        with monkeypatch.context() as killed:
            killed.setattr("helm.clients.image_generation.queued_image_client.sleep_until_stopped", stop)
            with pytest.raises(KeyboardInterrupt):
                dialect.make(server, tmp_path).make_request(request_for(dialect))
        result = dialect.make(server, tmp_path).make_request(request_for(dialect))
        assert pictures_of(result) == [png(1)] and not result.cached
        assert len(server.asked_for(dialect.route)) == 1

    def test_a_ticket_that_has_expired_is_renewed(self, dialect, server, tmp_path):
        dialect.give(server, [png(1), png(2)])
        client, request = dialect.make(server, tmp_path), request_for(dialect)
        first = client.make_request(request)
        os.unlink(first.completions[0].multimodal_content.media_objects[0].location)
        for path in [path for path in server.answers if path.startswith("/files/")]:
            del server.answers[path]
        assert pictures_of(client.make_request(request)) == [png(2)]
        assert len(server.asked_for(dialect.route)) == 2

    def test_a_picture_that_failed_is_ordered_again_but_not_for_ever(self, dialect, server, tmp_path, retries):
        dialect.give(server, [])
        failed = {"status": {"BlackForestLabs": "Error"}.get(type(dialect).__name__, "failed"), "error": "CUDA is sad"}
        server.answers[dialect.route] = lambda asked: failing(dialect, server, failed)
        client = dialect.make(server, tmp_path)
        result = client.make_request(request_for(dialect))
        assert not result.success and result.outcome == "server" and "ordered, and failed" in result.error
        assert len(server.asked_for(dialect.route)) == 3
        dialect.give(server, [png(1)])
        assert pictures_of(client.make_request(request_for(dialect))) == [png(1)]

    def test_a_picture_that_does_not_come_is_waited_for_later(self, dialect, server, tmp_path, monkeypatch):
        monkeypatch.setenv("HELM_REQUEST_DEADLINE_S", "0.1")
        dialect.give(server, [png(1)])
        made = server.answers[dialect.route]
        server.answers[dialect.route] = lambda asked: waiting(server, made(asked))
        result = dialect.make(server, tmp_path).make_request(request_for(dialect))
        assert not result.success and result.outcome == "timed-out" and "is not there within 0.1 s" in result.error
        server.answers.update(server.later)
        monkeypatch.delenv("HELM_REQUEST_DEADLINE_S")
        assert pictures_of(dialect.make(server, tmp_path).make_request(request_for(dialect))) == [png(1)]
        assert len(server.asked_for(dialect.route)) == 1

    def test_the_key_is_not_sent_elsewhere(self, dialect, server, tmp_path):
        dialect.give(server, [png(1)])
        other = PictureServer()
        try:
            made = server.answers[dialect.route]
            text = partial(lambda asked: json.dumps((lambda a: a.data if isinstance(a, Raw) else a)(made(asked))))
            server.answers[dialect.route] = lambda asked: json.loads(text(asked).replace(server.url, other.url))
            result = dialect.make(server, tmp_path).make_request(request_for(dialect))
            assert not result.success and "leads elsewhere" in result.error and other.asked == []
        finally:
            other.close()


def failing(dialect, server, state):
    answer = dialect.order(server, state)
    for path, value in list(server.answers.items()):
        if path.endswith("/status"):
            server.answers[path] = {"status": "COMPLETED", **state}
            server.answers[path]["status"] = "COMPLETED"
        elif isinstance(value, list):
            server.answers[path] = value[-1]
    return answer


def waiting(server, answer):
    """Let every look find what the first one finds, and keep the rest for later."""
    server.later = {path: value[1:] for path, value in server.answers.items() if isinstance(value, list)}
    for path in server.later:
        server.answers[path] = server.answers[path][0]
    return answer


def test_a_domain_of_the_provider_gets_the_key(tmp_path):
    """BFL leads to the servers of a region."""
    client = BlackForestLabsClient(
        SqliteCacheConfig(str(tmp_path / "c.sqlite")), LocalFileCache(str(tmp_path), "png"), KEY
    )
    endpoint, route = client._endpoint_of("https://api.us1.bfl.ai/v1/get_result?id=1")
    assert (endpoint.base_url, route) == ("https://api.us1.bfl.ai", "v1/get_result?id=1")
    assert endpoint._headers["x-key"] == KEY


def test_a_file_cache_of_a_plugin_needs_store_only(server, tmp_path):
    class Mine(FileCache):
        def store(self, compute):
            path = tmp_path / "mine.png"
            path.write_bytes(compute())
            return str(path)

    dialect = OpenAI()
    dialect.give(server, [png(1)])
    client = dialect.make(server, tmp_path, file_cache=Mine())
    assert pictures_of(client.make_request(request_for(dialect))) == [png(1)]
    assert client.make_request(request_for(dialect)).cached


def test_without_a_cache_pictures_of_equal_requests_have_files_of_their_own(server, tmp_path):
    from helm.common.cache import BlackHoleCacheConfig

    dialect = OpenAI()
    dialect.give(server, [png(1), png(1)])
    client = OpenAIImagesClient(
        BlackHoleCacheConfig(), LocalFileCache(str(tmp_path / "output"), "png"), KEY, base_url=f"{server.url}/v1"
    )
    for _ in range(2):
        assert pictures_of(client.make_request(request_for(dialect))) == [png(1)]
    assert len(files(tmp_path)) == 2


def test_two_models_of_one_key_in_two_places_do_not_share_pictures(server, tmp_path):
    """Equal pictures of two prompts are two files, as metrics that count them expect."""
    dialect = OpenAI()
    dialect.give(server, [png(1), png(1)])
    client = dialect.make(server, tmp_path)
    for prompt in ("a", "b"):
        client.make_request(request_for(dialect, prompt=prompt))
    assert len(files(tmp_path)) == 2


def test_every_client_that_asks_over_http_is_tested_here():
    elsewhere = {"DALLE2Client", "DALLE3Client", "LexicaClient", "TogetherImageGenerationClient"}
    bases = {"ImageMakingClient", "QueuedImageClient", "GoogleImagesClient", "OpenAIImagesProtocol"}
    tested = {type(dialect).client.__name__ for dialect in DIALECTS} | elsewhere | bases
    for info in iter_modules(image_clients.__path__):
        module = import_module(f"{image_clients.__name__}.{info.name}")
        for name, value in vars(module).items():
            if isinstance(value, type) and issubclass(value, HTTPClient) and value.__module__ == module.__name__:
                assert name in tested, f"{name} is not tested"
