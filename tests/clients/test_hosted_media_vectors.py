"""Golden vectors of pictures and sounds for hosted models: what a provider receives, or that nothing is sent."""

import base64
import json
import re

import pytest

from conformance_server import ConformanceServer
from helm.clients.http.google_credentials import GoogleCredentials
from helm.common.object_spec import get_class_by_name
from hosted_clients import make
from media_requests_support import MEDIA, VECTORS, request_of, write_media

CLIENTS = {
    "openai": "openai_client.OpenAIClient",
    "openai_responses": "openai_responses_client.OpenAIResponseClient",
    "anthropic": "anthropic_client.AnthropicMessagesClient",
    "google_genai": "google_genai_client.GoogleGenAIClient",
    "vertexai": "vertexai_client.VertexAIChatClient",
    "mistral": "mistral_client.MistralAIClient",
    "together": "together_client.TogetherChatClient",
    "reka": "reka_client.RekaClient",
    "aleph_alpha": "aleph_alpha_client.AlephAlphaClient",
}
SAYS = "An answer."
DEFAULTS = {
    "mistral": {"random_seed": None, "safe_prompt": False, "stream": False},
    "together": {"echo": False, "logprobs": 0},
    "aleph_alpha": {
        "completion_bias_exclusion_first_token_only": False,
        "completion_bias_inclusion_first_token_only": False,
        "control_log_additive": True,
        "disable_optimizations": False,
        "echo": False,
        "minimum_tokens": 0,
        "raw_completion": False,
        "repetition_penalties_include_completion": True,
        "repetition_penalties_include_prompt": False,
        "sequence_penalty": 0.0,
        "sequence_penalty_min_length": 2,
        "use_multiplicative_frequency_penalty": False,
        "use_multiplicative_presence_penalty": False,
        "use_multiplicative_sequence_penalty": False,
    },
}
"""What the packages of providers, which HELM uses, spell out although it is the default."""
UNLIKE = {
    "anthropic_audio": "refused",  # HELM leaves the sound out, and the model is asked about nothing
    "mistral_audio": "sent",  # HELM refuses; Voxtral listens
}


def of(*clients, skip=()):
    chosen = [
        case
        for case in VECTORS["cases"]
        if case["client"] in clients
        and case["id"] not in skip
        and not (case["client"] == "openai" and "audio" in json.dumps(case["request"]["multimodal_prompt"]))
    ]
    return pytest.mark.parametrize("case", chosen, ids=lambda case: case["id"])


@pytest.fixture(scope="module")
def provider():
    server = ConformanceServer()
    yield server
    server.close()


@pytest.fixture
def server(provider):
    provider.reset(text=SAYS)
    return provider


@pytest.fixture
def pictures(tmp_path):
    return write_media(tmp_path)


@pytest.fixture
def ask(server, pictures, monkeypatch):
    """Return a function that makes a case's request, and returns the result and the bodies that the provider received."""
    monkeypatch.setattr(GoogleCredentials, "headers", lambda self, renews=False: {"Authorization": "Bearer t"})

    def make_request(case):
        assert get_class_by_name(case["client_class"]).__name__ == CLIENTS[case["client"]].rpartition(".")[2]
        client = make(CLIENTS[case["client"]], server, **case["client_args"])
        return client.make_request(request_of(case, pictures)), server.bodies

    return make_request


def shown(body):
    """Return a body with names for the contents of files. HELM sends pictures as JPEG, ours are sent as they are."""
    text = json.dumps(body)
    for name, content in MEDIA.items():
        text = text.replace(base64.b64encode(content).decode(), f"<{name}>")
    text = re.sub(r"\$BASE64(?:_OF_JPEG)?\(([^)]*)\)", r"<\1>", text)
    text = re.sub(r"data:image/\w+;base64", "data:image/*;base64", text)
    return json.loads(re.sub(r'("(?:media_type|mimeType|mime_type)": )"image/\w+"', r'\1"image/*"', text))


def without_defaults(body, client):
    defaults = DEFAULTS.get(client, {})
    return {name: value for name, value in body.items() if name not in defaults or value != defaults[name]}


def in_one_content(body):
    """Gemini: HELM makes a content of each part."""
    parts = [part for content in body["contents"] for part in content["parts"]]
    config = {**body["generationConfig"]}
    if "thinkingConfig" in config:  # both spellings are understood
        config["thinkingConfig"] = {name.lower().replace("_", ""): v for name, v in config["thinkingConfig"].items()}
    return {**body, "contents": [{"role": "user", "parts": parts}], "generationConfig": config}


@of("openai", "openai_responses", "anthropic", "google_genai", "mistral", "together", "aleph_alpha", skip=UNLIKE)
def test_providers_receive_what_helm_sends(case, ask):
    result, bodies = ask(case)
    if "raises" in case:
        assert not result.success and result.outcome == "refused" and not bodies
        return
    assert result.success, result.error
    assert {completion.text for completion in result.completions} == {SAYS}
    sent = [call["json"] for call in case["sent"]]
    if case["client"] == "mistral":  # twice the same: the package looks into the cache once more
        assert sent[0] == sent[1]
        del sent[1]
    change = in_one_content if case["client"] == "google_genai" else dict
    bodies = [change(shown(without_defaults(body, case["client"]))) for body in bodies]
    assert bodies == [change(shown(without_defaults(body, case["client"]))) for body in sent]


@of("vertexai")
def test_vertex_receives_what_helm_gives_to_googles_package(case, ask):
    result, (body,) = ask(case)
    assert result.success and result.completions[0].text == SAYS
    (sent,) = case["sent"]
    (content,) = shown(body)["contents"]
    picture, text = shown(sent["contents"])
    assert content == {
        "role": "user",
        "parts": [
            {"inlineData": {"mimeType": picture["inline_data"]["mime_type"], "data": picture["inline_data"]["data"]}},
            {"text": text},
        ],
    }
    asked = body["generationConfig"]
    spelled = {"max_output_tokens": "maxOutputTokens", "top_k": "topK", "top_p": "topP", "stop_sequences": "stopSequences",
               "candidate_count": "candidateCount", "temperature": "temperature"}  # fmt: skip
    assert {name: asked[spelled[name]] for name in sent["generation_config"]} == sent["generation_config"]
    assert {setting["threshold"] for setting in body["safetySettings"]} == {"BLOCK_NONE"}


@of("reka")
def test_reka_receives_the_picture_and_the_text(case, ask):
    """HELM calls a package whose route is gone; the present one takes messages."""
    result, (body,) = ask(case)
    assert result.success and result.completions[0].text == SAYS
    (turn,) = case["sent"][0]["kwargs"]["conversation_history"]
    (message,) = shown(body)["messages"]
    assert message["role"] == "user"
    assert {"type": "image_url", "image_url": shown(turn["media_url"])} in message["content"]
    assert {"type": "text", "text": turn["text"]} in message["content"]
    named = {"request_output_len": "max_tokens", "runtime_top_p": "top_p", "model_name": "model"}
    for name in (
        "model_name",
        "request_output_len",
        "temperature",
        "runtime_top_p",
        "presence_penalty",
        "frequency_penalty",
    ):
        assert body[named.get(name, name)] == case["sent"][0]["kwargs"][name], name


@pytest.mark.parametrize(
    "case", [case for case in VECTORS["cases"] if case["id"] in UNLIKE], ids=lambda case: case["id"]
)
def test_sounds_are_refused_or_sent_but_never_left_out(case, ask):
    result, bodies = ask(case)
    if UNLIKE[case["id"]] == "refused":
        assert result.outcome == "refused" and "audio/wav" in result.error and not bodies
    else:
        assert result.success and "<tone1.wav>" in json.dumps(shown(bodies))
