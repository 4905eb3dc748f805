"""Runs that an endpoint cannot do fail before any of their requests is sent, and say what to do."""

import json

import pytest

import conformance_server as faults
from conformance_server import ConformanceServer
from helm.benchmark import run
from helm.benchmark.model_deployment_registry import read_model_deployment
from helm.common.errors import ConfigError

QUESTIONS = [
    {
        "input": {"text": f"Question {i}?"},
        "references": [
            {"output": {"text": "hi there"}, "tags": ["correct"]},
            {"output": {"text": "no"}, "tags": []},
        ],
        "split": "test" if i > 1 else "train",
    }
    for i in range(5)
]
SEPARATE = "method=multiple_choice_separate_original"


@pytest.fixture
def server(tmp_path, monkeypatch):
    from helm.clients.pacing.limiter import forget_limiters

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HELM_RETRIES", "0")
    forget_limiters()
    server = ConformanceServer()
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.origin}/v1")
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(line) + "\n" for line in QUESTIONS))
    yield server
    server.close()
    forget_limiters()


@pytest.fixture
def helm(server, tmp_path):
    """Runs `helm-run`; returns its exit status and the error of the run, if it has one."""

    def helm(*args, flags=()):
        entry = ",".join([f"custom_mcqa:path={tmp_path}/q.jsonl,num_train_instances=1", *args])
        if not any(arg.startswith("model=") for arg in args):
            entry += ",model=openai-compat/m"
        try:
            run.main(["-r", entry, "-m", "3", "--disable-cache", *flags])
            return 0, None
        except SystemExit as e:
            (path,) = [*tmp_path.glob("benchmark_output/runs/default/*/error.json")] or [None]
            return e.code, json.loads(path.read_text())["message"] if path else None

    return helm


def no_route(server, body, fault):
    raise faults.Response(404, {"detail": "Not Found"})


def test_what_needs_only_text_asks_nothing_beforehand(helm, server):
    assert helm() == (0, None)
    assert len(server.requests) == 3 and server.gets == []


def test_a_server_that_can_is_asked_once_a_week(helm, server, tmp_path):
    assert helm(SEPARATE) == (0, None)
    probes = [body for body in server.bodies if body["prompt"] == "The capital of France is"]
    assert len(probes) == 1 and len(server.requests) == 1 + 6
    (remembered,) = json.loads((tmp_path / "prod_env" / "capabilities.json").read_text()).items()
    assert remembered[0].endswith("/v1") and list(remembered[1]) == ["prompt log-probabilities"]
    assert helm(SEPARATE, flags=["--suite", "again"]) == (0, None)
    assert len(server.requests) == 1 + 6 + 6
    path = tmp_path / "prod_env" / "capabilities.json"
    path.write_text(path.read_text().replace(": 1", ": -1"))  # long ago
    assert helm(SEPARATE, flags=["--suite", "later"]) == (0, None)
    assert len(server.requests) == 1 + 6 + 6 + 1 + 6


@pytest.mark.parametrize("content", ["", "no JSON", "[]", '{"a": 7}', '{"a": {"b": null}}'])
def test_a_damaged_memory_is_none(helm, server, tmp_path, content):
    (tmp_path / "prod_env").mkdir()
    (tmp_path / "prod_env" / "capabilities.json").write_text(content)
    assert helm(SEPARATE) == (0, None)


def test_a_server_that_cannot_is_told_at_once(helm, server, monkeypatch):
    monkeypatch.setitem(faults.DIALECTS, "completions", no_route)
    server.models = [{"id": "m", "owned_by": "llamacpp", "meta": {"n_ctx_train": 4096}}]
    status, message = helm(SEPARATE)
    assert status == 1 and len(server.requests) == 1
    assert "multiple_choice_separate_original needs prompt log-probabilities" in message
    assert "openai-compat/m" in message and "this server has none" in message
    assert "None of its requests was sent" in message
    assert "llama.cpp: does not give them" in message and "vLLM" not in message
    assert "The method multiple_choice_joint needs no prompt log-probabilities" in message
    assert "--no-probe" in message


def test_what_cannot_be_is_not_remembered(helm, server, tmp_path, monkeypatch):
    """The server may be started anew, with other flags."""
    original = faults.DIALECTS["completions"]
    monkeypatch.setitem(faults.DIALECTS, "completions", no_route)
    assert helm(SEPARATE)[0] == 1
    monkeypatch.setitem(faults.DIALECTS, "completions", original)
    assert helm(SEPARATE)[0] == 0


def test_answers_without_log_probabilities_are_not_enough(helm, server, monkeypatch):
    original = faults.DIALECTS["completions"]

    def without(server, body, fault):
        return original(server, {**body, "logprobs": None}, fault)

    monkeypatch.setitem(faults.DIALECTS, "completions", without)
    status, message = helm(SEPARATE)
    assert status == 1 and "no log-probabilities of the prompt" in message and len(server.requests) == 1
    assert "vLLM: gives them" in message and "TGI" in message, "the server is not known, so all are listed"


def test_no_probe(helm, server, monkeypatch):
    monkeypatch.setitem(faults.DIALECTS, "completions", no_route)
    status, message = helm(SEPARATE, flags=["--no-probe"])
    assert status == 1 and "Request:" in message, "it fails at its own first request"
    assert helm(SEPARATE, flags=["--dry-run"])[0] == 0


@pytest.mark.parametrize("fault", [faults.SERVER_ERROR, faults.RATE_LIMIT, faults.HTML, faults.RESET])
def test_a_server_that_fails_when_asked_gets_its_chance(helm, server, fault):
    server.faults = [fault, faults.OK]
    assert helm(SEPARATE) == (0, None)


def test_a_key_that_is_not_accepted_is_what_is_said(helm, server):
    server.faults = [faults.AUTH]
    status, message = helm(SEPARATE)
    assert status == 1 and "HTTP status 401" in message and len(server.requests) == 1


def deployment(**capabilities):
    lines = "".join(f"      {name}: {json.dumps(value)}\n" for name, value in capabilities.items())
    return (
        "model_deployments:\n  - name: mine/m\n    model_name: mine/m\n    client_spec:\n"
        "      class_name: helm.clients.openai_compatible_client.OpenAICompatibleClient\n"
        f"    capabilities:\n{lines}"
    )


def test_what_a_deployment_says_goes_before_asking(helm, server, tmp_path, isolated_registries):
    (tmp_path / "prod_env").mkdir()
    path = tmp_path / "prod_env" / "model_deployments.yaml"
    path.write_text(deployment(prompt_logprobs=False))
    status, message = helm(SEPARATE, "model=mine/m")
    assert status == 1 and "the deployment says so" in message and server.requests == []
    path.write_text(deployment(prompt_logprobs=True))
    assert helm(SEPARATE, "model=mine/m")[0] == 0
    assert len(server.requests) == 6, "nothing was asked beforehand"


def test_an_answer_that_is_longer_than_the_context(helm, server, tmp_path, isolated_registries):
    (tmp_path / "prod_env").mkdir()
    (tmp_path / "prod_env" / "model_deployments.yaml").write_text(deployment(context_length=1))
    status, message = helm("model=mine/m")
    assert status == 1 and "a context of 1 tokens" in message and "--max-model-len" in message
    assert server.requests == []


@pytest.mark.parametrize(
    "capabilities, expected",
    [
        ({"chats": True}, "unknown name 'chats'"),
        ({"promt_logprobs": True}, "Did you mean 'prompt_logprobs'"),
        ({"images": "yes"}, "images: expected true or false"),
        ({"context_length": True}, "expected a number of tokens"),
        ({"context_length": 0}, "expected a number of tokens"),
        ([], "expected a mapping"),
    ],
)
def test_capabilities_that_are_none(capabilities, expected):
    raw = {"name": "a/b", "client_spec": {"class_name": "x.Y"}, "capabilities": capabilities}
    with pytest.raises(ConfigError, match=expected):
        read_model_deployment(raw, "file")


def test_chat_apis_are_not_asked_for_what_they_do_not_have(helm, server, tmp_path, isolated_registries):
    (tmp_path / "prod_env").mkdir()
    (tmp_path / "prod_env" / "model_deployments.yaml").write_text(
        "model_deployments:\n  - name: mine/m\n    client_spec:\n      class_name: helm.clients.openai_client.OpenAIClient\n"
        f"      args: {{base_url: '{server.origin}/v1', api_key: k}}\n"
    )
    status, message = helm(SEPARATE, "model=mine/m")
    assert status == 1 and "this API gives no log-probabilities of prompts" in message and server.requests == []


def test_pictures_are_asked_for_when_there_are_some(server):
    """By the requests, because a multimodal run may have only sounds."""
    from helm.benchmark.executing.capability_check import needs_of
    from helm.common.media_object import MediaObject, MultimediaObject
    from helm.common.request import Request

    picture = MultimediaObject([MediaObject("image/png", location="http://localhost/x.png")])
    sound = MultimediaObject([MediaObject("audio/mp3", location="http://localhost/x.mp3")])
    assert needs_of([Request(multimodal_prompt=sound, max_tokens=7)]) == (["sounds"], 7)
    assert needs_of([Request(multimodal_prompt=picture), object()])[0] == ["images"]
    assert needs_of([Request(echo_prompt=True, max_tokens=0)])[0] == ["prompt log-probabilities"]


def test_what_could_not_be_found_out_is_said_with_the_way_out(helm, server, capfd):
    server.faults = [faults.SERVER_ERROR, faults.OK]
    assert helm(SEPARATE) == (0, None)
    said = capfd.readouterr().err
    assert said.count("could not be found out") == 1 and "method=multiple_choice_joint in the entry needs none" in said


MEDIA_ENTRY = {
    "name": "tiny_media",
    "description": "One file.",
    "source": {"rows": [{"answer": "red"}]},
    "split": "test",
    "input": ["{medium}", "What is it?"],
    "references": {"answers": ["answer"]},
    "run": {
        "adapter": {"preset": "none", "method": "generation_multimodal", "max_tokens": 5, "max_train_instances": 0},
        "metrics": ["exact_match"],
    },
}


@pytest.mark.parametrize(
    "client, name, need, reason, group",
    [
        ("huggingface_client.HuggingFaceClient", "rgb1.png", "images", "this client takes text only", "vlm"),
        ("huggingface_client.HuggingFaceClient", "tone1.wav", "sounds", "this client takes text only", "audiolm"),
        ("vision_language.qwen2_vlm_client.Qwen2VLMClient", "tone1.wav", "sounds", "this model does not hear", "audiolm"),
        ("audio_language.qwen2_audiolm_client.Qwen2AudioLMClient", "rgb1.png", "images", "this model does not see", "vlm"),
    ],
)  # fmt: skip
def test_a_model_that_cannot_take_a_medium_is_refused_by_name(client, name, need, reason, group, server, tmp_path):
    """Before its weights are loaded, and in the estimate too."""
    from helm.benchmark.declarative import catalogue
    from media_requests_support import write_media

    write_media(tmp_path)
    (tmp_path / "tiny_media.yaml").write_text(
        json.dumps({**MEDIA_ENTRY, "media": {"medium": {"path": f"{tmp_path}/{name}"}}})
    )
    (tmp_path / "prod_env").mkdir()
    deployment = {"name": "mine/m", "model_name": "mine/m", "tokenizer_name": "simple/tokenizer1",
                  "max_sequence_length": 100, "client_spec": {"class_name": f"helm.clients.{client}"}}  # fmt: skip
    (tmp_path / "prod_env/model_deployments.yaml").write_text(json.dumps({"model_deployments": [deployment]}))
    command = ["-r", "tiny_media:model=mine/m", "-m", "3", "--plugins", "tiny_media.yaml"]
    with catalogue.isolated(), pytest.raises(SystemExit):
        run.main([*command, "--suite", "s"])
    (path,) = tmp_path.glob("benchmark_output/runs/s/*/error.json")
    message = json.loads(path.read_text())["message"]
    assert f"needs {need}, which mine/m does not take: {reason}. None of its requests was sent." in message
    assert f"model={group} stands for" in message
    with catalogue.isolated():
        run.main([*command, "--suite", "estimate", "--dry-run"])
    estimate = json.loads((tmp_path / "benchmark_output/runs/estimate/estimate.json").read_text())
    assert estimate["runs"][0].get("picture_tokens") == (255 if need == "images" else None)
    assert estimate["total"]["problems"] == [f"mine/m does not take {need}: {reason}."]
