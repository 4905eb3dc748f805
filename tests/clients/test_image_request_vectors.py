"""Golden vectors of HEIM's clients: what they ask the cache for, what they send to a server on loopback, what they return."""

import base64
import hashlib
import json
import re
import sys
from dataclasses import replace
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from helm.clients.client import Client
from helm.clients.image_generation.adobe_vision_client import AdobeVisionClient
from helm.clients.image_generation.aleph_alpha_image_generation_client import AlephAlphaImageGenerationClient
from helm.clients.image_generation.cogview2_client import CogView2Client
from helm.clients.image_generation.dalle2_client import DALLE2Client
from helm.clients.image_generation.dalle3_client import DALLE3Client
from helm.clients.image_generation.dalle_mini_client import DALLEMiniClient
from helm.clients.image_generation.deep_floyd_client import DeepFloydClient
from helm.clients.image_generation.huggingface_diffusers_client import HuggingFaceDiffusersClient, _models
from helm.clients.image_generation.image_generation_client_utils import get_single_image_multimedia_object
from helm.clients.image_generation.lexica_client import LexicaClient
from helm.clients.image_generation.mindalle_client import MinDALLEClient
from helm.clients.image_generation.nudity_check_client import NudityCheckClient
from helm.clients.image_generation.together_image_generation_client import TogetherImageGenerationClient
from helm.clients.moderation_api_client import ModerationAPIClient
from helm.common.cache import Cache, SqliteCacheConfig, write_to_key_value_store
from helm.common.codec import structure
from helm.common.file_caches.local_file_cache import LocalFileCache
from helm.common.nudity_check_request import NudityCheckRequest
from helm.common.request import GeneratedOutput, Request
from picture_server import PictureServer, Raw, png
from vectors_support import load_vectors

VECTORS = load_vectors("helm-heim/requests.json")
TEXTS = VECTORS["openai_texts"]["dalle2"]
FIRST_PICTURES = [
    base64.b64decode(text) for text in load_vectors("helm-heim/file_cache.json")["cases"][1]["contents_base64"]
]
FIRST_DIGESTS = [hashlib.sha256(picture).hexdigest() for picture in FIRST_PICTURES]
PICTURES = [*FIRST_PICTURES, *(png(number) for number in range(8))]

OFFLINE = {
    "adobe": AdobeVisionClient,
    "aleph_alpha_image": AlephAlphaImageGenerationClient,
    "deep_floyd": DeepFloydClient,
    "mindalle": MinDALLEClient,
    "dalle_mini": DALLEMiniClient,
    "cogview2": CogView2Client,
}


def cases(*kinds):
    found = [case for case in VECTORS["cases"] if case["kind"] in kinds]
    assert found, kinds
    return pytest.mark.parametrize("case", found, ids=[f"{c['kind']}-{c.get('label')}" for c in found])


@pytest.fixture
def server(monkeypatch):
    server = PictureServer()
    monkeypatch.setattr("helm.clients.pacing.pace.FIRST_PAUSE_S", 0.01)
    yield server
    server.close()


@pytest.fixture
def asked(monkeypatch):
    """The keys that the cache is asked for, in order."""
    keys = []
    original = Cache.get

    def get(self, request, *args, **kwargs):
        keys.append(dict(request))
        return original(self, request, *args, **kwargs)

    monkeypatch.setattr(Cache, "get", get)
    return keys


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stores(host):
    return SqliteCacheConfig(f"cache/{host}.sqlite"), LocalFileCache(f"cache/output/{host}", "png")


def check_calls(case, client: Client, num_sent, pictures=PICTURES):
    """Make the request of a case twice, and compare with the recorded results."""
    request = structure(case["request"], Request)
    result = client.make_request(request)
    expected = case["result"]
    assert result.success is expected["success"] and result.cached is expected["cached"], result.error
    if expected["error"] is not None:
        assert result.error and result.completions == []
        return result
    assert result.error is None and len(result.completions) == len(expected["completions"])
    if expected["request_time"] == 0:
        assert result.request_time == 0
    for index, (found, wanted) in enumerate(zip(result.completions, expected["completions"], strict=True)):
        assert (found.text, found.logprob, found.tokens) == (wanted["text"], wanted["logprob"], wanted["tokens"])
        assert found.finish_reason == wanted["finish_reason"]
        media = found.multimodal_content.media_objects
        assert len(media) == len(wanted["media"])
        for medium, wanted_medium in zip(media, wanted["media"], strict=True):
            assert medium.content_type == wanted_medium["content_type"]
            pattern = re.escape(wanted_medium["location"]).replace(r"\{base\}/", "").replace(r"\{id\}", "[0-9a-f]{32}")
            assert re.fullmatch(pattern, medium.location), medium.location
            with open(medium.location, "rb") as file:
                data = file.read()
            assert data == pictures[index]
            if wanted_medium["sha256"] in FIRST_DIGESTS:  # the other recorded pictures are not at hand
                assert hashlib.sha256(data).hexdigest() == wanted_medium["sha256"]
    if "second_call" in case:
        before = num_sent()
        again = client.make_request(request)
        assert again.cached is case["second_call"]["cached"]
        assert (num_sent() > before) is case["second_call"]["sent_more"]
        same = [c.multimodal_content for c in again.completions] == [c.multimodal_content for c in result.completions]
        assert same is case["second_call"]["same_files"]
    return result


def check_raises(case, call):
    """The exception has the recorded type and message."""
    error = {"AssertionError": AssertionError, "ValueError": ValueError, "KeyError": KeyError}[case["raises"]["type"]]
    with pytest.raises(error, match=re.escape(case["raises"]["message"])):
        call()


def sent_of(server):
    return [
        {"method": a.method, "path": a.path, **({"body": json.loads(a.data)} if a.data else {})} for a in server.asked
    ]


def moderation(flagged):
    names = "hate hate/threatening self-harm sexual sexual/minors violence violence/graphic".split()
    return {
        "results": [
            {
                "flagged": flagged,
                "categories": dict.fromkeys(names, flagged),
                "category_scores": dict.fromkeys(names, 0.5),
            }
        ]
    }


def generations(case):
    """What the route answers: the pictures in order, or the error of which the label tells."""
    error = re.match(r"dall-e-\d, error \d: (.*)", case["label"])
    if error:
        texts = [*TEXTS.values(), error[1]]
        text = next(text for text in texts if isinstance(text, str) and text.startswith(error[1]))
        return Raw({"error": {"message": text, "type": "x", "code": None, "param": None}}, 400)
    number = iter(range(len(PICTURES)))

    def draw(asked):
        rows = [{"b64_json": base64.b64encode(PICTURES[next(number)]).decode()} for _ in range(asked.body["n"])]
        if asked.body["model"] == "dall-e-3":
            rows[0]["revised_prompt"] = f"revised {PICTURES.index(base64.b64decode(rows[0]['b64_json']))}"
        return {"created": 1, "data": rows}

    return draw


@cases("openai_dalle")
def test_dall_e(case, server, asked, folder, monkeypatch):
    monkeypatch.setattr(DALLE2Client, "BASE_URL", f"{server.url}/v1")
    is_refused = "result" in case and any(c["finish_reason"] for c in case["result"]["completions"])
    server.answers = {
        "/v1/moderations": moderation(is_refused and len(case["sent"]) == 1),
        "/v1/images/generations": generations(case),
    }
    cache_config, file_cache = stores("openai")
    kind = DALLE3Client if "dall-e-3" in case["label"] else DALLE2Client
    client = kind(
        "key", cache_config, file_cache, ModerationAPIClient("key", cache_config, f"{server.url}/v1"), "organization"
    )
    if "raises" in case:
        check_raises(case, lambda: client.make_request(structure(case["request"], Request)))
    else:
        result = check_calls({k: v for k, v in case.items() if k != "second_call"}, client, lambda: len(server.asked))
        if not result.success:
            assert (
                result.error.startswith("DALL-E error:")
                and re.search(r"error \d: (.*)", case["label"])[1] in result.error
            )
    assert asked == case["cache_keys"]
    assert sent_of(server) == case["sent"]
    generated = server.asked_for("/v1/images/generations")
    assert all(a.headers["authorization"] == "Bearer key" for a in generated)
    assert all(a.headers["openai-organization"] == "organization" for a in generated)
    if "second_call" in case:
        check_calls_again(case, client, server)


def check_calls_again(case, client, server):
    before = len(server.asked)
    again = client.make_request(structure(case["request"], Request))
    assert again.cached is case["second_call"]["cached"]
    assert (len(server.asked) > before) is case["second_call"]["sent_more"]


@cases("together_image")
def test_together(case, server, asked, folder, monkeypatch):
    monkeypatch.setattr(TogetherImageGenerationClient, "INFERENCE_ENDPOINT", f"{server.url}/api/inference")
    body = case["sent"][0]["json"]
    rows = [{"image_base64": base64.b64encode(picture).decode()} for picture in PICTURES[: body["n"]]]
    server.answers["/api/inference"] = {"error": "busy"} if "raises" in case else {"output": {"choices": rows}}
    client = TogetherImageGenerationClient(*stores("together"), api_key="key")
    if "raises" in case:  # HELM stops with an AssertionError
        result = client.make_request(structure(case["request"], Request))
        assert not result.success and "busy" in result.error
    else:
        check_calls(case, client, lambda: len(server.asked))
    assert asked[: len(case["cache_keys"])] == case["cache_keys"]
    (sent,) = server.asked
    assert sent.body == body and sent.path == urlsplit(case["sent"][0]["url"]).path
    assert "authorization" not in sent.headers


@cases("lexica")
def test_lexica(case, server, asked, folder, monkeypatch):
    monkeypatch.setattr(LexicaClient, "BASE_URL", f"{server.url}/api/v1")
    server.answers["/api/v1/search"] = {"images": [{"src": f"{server.url}/{n}.png"} for n in range(3)]}
    for number in range(3):
        server.answers[f"/{number}.png"] = Raw(PICTURES[number], content_type="image/png")
    client = LexicaClient(*stores("lexica"))
    if "raises" in case:  # HELM stops with an AssertionError
        result = client.make_request(structure(case["request"], Request))
        assert not result.success and "3 pictures were found, and 4 are asked for" in result.error
    else:
        check_calls(case, client, lambda: len(server.asked))
    assert asked[: len(case["cache_keys"])] == case["cache_keys"]
    wanted = urlsplit(case["sent"][0]["url"])
    first = server.asked[0]
    assert (first.method, first.path) == (case["sent"][0]["method"], f"{wanted.path}?{wanted.query}")


@cases(*OFFLINE)
def test_models_that_cannot_be_asked(case, asked, folder):
    """Without a cache of HELM, all of them say so; with one, they answer from it."""
    host = case["request"]["model_deployment"].partition("/")[0].lower()
    cache_config, file_cache = stores(host)
    client = OFFLINE[case["kind"]](cache_config, file_cache)
    request = structure(case["request"], Request)
    if "in the cache" in case["label"]:
        (folder / "offline.png").write_bytes(PICTURES[0])
        seconds = "total_inference_time" if case["kind"] == "deep_floyd" else "request_time"
        write_to_key_value_store(
            client.cache._get_store(), case["cache_keys"][0], {"images": ["offline.png"], seconds: 2.5}
        )
        if "result" in case:
            result = check_calls(case, client, lambda: 0)
        else:  # HELM reads a field that its own answers do not have
            result = client.make_request(request)
            assert result.success and result.cached and len(result.completions) == 1
        assert result.request_time == 2.5
    elif case.get("raises", {}).get("type") == "ValueError":
        check_raises(case, lambda: client.make_request(request))
    else:
        result = client.make_request(request)
        assert not result.success and result.completions == [] and not result.error_flags.is_retriable
        if case["kind"] in ("adobe", "aleph_alpha_image") or "result" in case and case["kind"] == "deep_floyd":
            assert result.error == case["result"]["error"]
        elif case["kind"] in ("dalle_mini", "cogview2", "mindalle"):
            assert "only a cache of HELM answers" in result.error
    assert asked == case["cache_keys"] or not case["cache_keys"] and case["kind"] == "deep_floyd"


class Pipeline:
    """Notes what it is asked, like the recorder of the vectors."""

    sent: list
    fails = False
    flags = iter(())

    def __init__(self):
        self.count = 0

    @classmethod
    def from_pretrained(cls, name, torch_dtype, **others):
        cls.sent.append({"from_pretrained": name, "torch_dtype": str(torch_dtype), "other_arguments": list(others)})
        return cls()

    def to(self, device):
        self.sent.append({"to": device})
        return self

    def __call__(self, **arguments):
        if self.fails:
            raise RuntimeError("no memory")
        self.sent.append({"call": arguments})
        picture = PICTURES[self.count]
        self.count += 1
        image = SimpleNamespace(save=lambda stream, format: stream.write(picture))
        return SimpleNamespace(images=[image], nsfw_content_detected=next(self.flags, None))


@pytest.fixture
def pipeline(monkeypatch):
    monkeypatch.setattr(Pipeline, "sent", [], raising=False)
    monkeypatch.setattr(Pipeline, "fails", False)
    monkeypatch.setitem(sys.modules, "diffusers", SimpleNamespace(DiffusionPipeline=Pipeline))
    torch = SimpleNamespace(
        float32="torch.float32", float16="torch.float16", cuda=SimpleNamespace(is_available=lambda: False)
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    _models.clear()
    yield Pipeline
    _models.clear()


@cases("diffusers")
def test_diffusers(case, asked, folder, pipeline):
    pipeline.fails = not case["result"]["success"]
    client = HuggingFaceDiffusersClient("token", *stores("huggingface"))
    result = check_calls(case, client, lambda: len(pipeline.sent))
    assert asked[0] == case["cache_keys"][0]
    if not result.success:
        assert result.error == case["result"]["error"]
        return
    expected = [{**row, **({"other_arguments": ["token"]} if "from_pretrained" in row else {})} for row in case["sent"]]
    assert pipeline.sent == expected  # HELM sends `use_auth_token`, which diffusers does not take any more


@cases("promptist")
def test_promptist(case, folder, monkeypatch):
    generated = []

    class Model:
        def generate(self, tokens, **arguments):
            generated.append(arguments)
            return case["decoded"]

    class Tokenizer:
        eos_token_id = case["generate_arguments"]["eos_token_id"]
        asked: list = []

        def __call__(self, text, return_tensors):
            self.asked.append(text)
            return SimpleNamespace(input_ids=[[1]])

        def batch_decode(self, outputs, skip_special_tokens):
            return outputs

    client = HuggingFaceDiffusersClient(None, *stores("huggingface"))
    tokenizer = Tokenizer()
    tokenizer.asked = []
    monkeypatch.setitem(client.__dict__, "_promptist", (Model(), tokenizer))
    assert client._generate_promptist_prompt(case["prompt"]) == case["result"]
    assert tokenizer.asked == case["asked"] and generated == [case["generate_arguments"]]


@cases("side_client")
def test_side_services(case, server, asked, folder, monkeypatch):
    service = case["service"]
    if service == "moderation":
        server.answers["/v1/moderations"] = moderation(case["flagged"])
        client = ModerationAPIClient("key", stores("ModerationAPI")[0], f"{server.url}/v1")
        assert client.will_be_flagged(case["text"]) is case["flagged"]
        assert sent_of(server) == case["sent"]
    elif service == "nudity":
        scores = {"b.png": (0.5, 0.5)}
        client = NudityCheckClient(stores("nudity")[0])
        monkeypatch.setattr(client, "_scores", lambda names: [scores.get(name, (0.2, 0.1)) for name in names])
        result = client.check_nudity(NudityCheckRequest(case["images"]))
        assert vars(result) == case["result"]
    elif service == "get_single_image_multimedia_object":
        for path, wanted in case["content_types"].items():
            if wanted == "AssertionError":
                with pytest.raises(AssertionError):
                    get_single_image_multimedia_object(path)
            else:
                (folder / path).write_bytes(b"x")
                (medium,) = get_single_image_multimedia_object(path).media_objects
                assert (medium.content_type, medium.location) == (wanted, path)
    else:
        assert service == "clip_score"
        check_clip_score(case, folder, monkeypatch)
    assert asked == case.get("cache_keys", [])


def check_clip_score(case, folder, monkeypatch):
    """The second request of two equal ones is answered from the cache; here, a first one precedes it."""
    from helm.clients import clip_score_client
    from helm.common.clip_score_request import CLIPScoreRequest

    client = clip_score_client.CLIPScoreClient(stores("clip_score")[0])
    if case["result"].get("raises"):
        assert case["result"]["raises"] == "AssertionError"
        with pytest.raises(AssertionError, match=case["request"]["model"]):
            client.compute_score(CLIPScoreRequest(**case["request"]))
        return
    monkeypatch.setattr(client, "_scorer", lambda request: SimpleNamespace(compute_score=lambda *args: 25.0))
    request = CLIPScoreRequest(**case["request"])
    if case["result"]["cached"]:
        write_to_key_value_store(client._cache._get_store(), case["request"], {"score": 25.0})
    assert vars(client.compute_score(request)) == case["result"]


def test_a_service_that_has_ended_says_so(server, folder, monkeypatch):
    monkeypatch.setattr("helm.clients.image_generation.dalle2_client.OPENAI_BASE_URL", server.url)
    monkeypatch.setattr(DALLE2Client, "BASE_URL", server.url)
    for kind, model in ((DALLE2Client, "openai/dall-e-2"), (DALLE3Client, "openai/dall-e-3")):
        result = kind("key", *stores("openai")).make_request(Request(model=model, prompt="a cat", max_tokens=0))
        assert not result.success and result.outcome == "refused"
        assert "HTTP status 404" in result.error and "retired DALL-E 2 and 3 on 12 May 2026" in result.error
        assert "OpenAIImagesClient" in result.error
    monkeypatch.setattr(LexicaClient, "BASE_URL", server.url)
    request = Request(model="lexica/search-stable-diffusion-1.5", prompt="a cat", max_tokens=0)
    result = LexicaClient(*stores("lexica")).make_request(request)
    assert not result.success and "HTTP status 404" in result.error and "docs/howto-image-models.md" in result.error


def test_what_a_pipeline_withholds_is_black_and_marked(folder, pipeline, monkeypatch):
    client = HuggingFaceDiffusersClient(None, *stores("huggingface"))
    monkeypatch.setattr(pipeline, "flags", iter([[False], [True]]))
    request = replace(structure(cases_of("diffusers")[0]["request"], Request), num_completions=2)
    for _ in range(2):
        result = client.make_request(request)
        first, second = result.completions
        assert first.finish_reason is None and "filter" in second.finish_reason["reason"]
        assert result.outcome == "ok" and len(second.multimodal_content.media_objects) == 1
    assert result.cached


def test_an_answer_of_the_dall_e_clients_is_read_from_a_cache_of_helm(server, folder):
    """The pictures of an old cache have been moved with their folder, and are found there."""
    cache_config, file_cache = stores("openai")
    client = DALLE2Client("key", cache_config, file_cache)
    (folder / "cache/output/openai/0a.png").write_bytes(PICTURES[0])
    request = replace(structure(cases_of("openai_dalle")[0]["request"], Request), num_completions=1)
    key = {"prompt": request.prompt, "n": 1, "size": "512x512", "response_format": "b64_json"}
    answer = {"created": 1, "data": [{"file_path": "prod_env/cache/output/openai/0a.png"}], "request_time": 2}
    write_to_key_value_store(client.cache._get_store(), key, {**answer, "request_datetime": 1})
    result = client.make_request(request)
    assert result.success and result.cached and result.request_time == 2
    (completion,) = result.completions
    assert isinstance(completion, GeneratedOutput)
    assert completion.multimodal_content.media_objects[0].location == "cache/output/openai/0a.png"


def cases_of(kind):
    return [case for case in VECTORS["cases"] if case["kind"] == kind]
