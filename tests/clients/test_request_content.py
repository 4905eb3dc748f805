"""What a request holds besides text gets to the provider, or the request is refused before anything is sent."""

import base64
import json

import pytest

import hosted_clients
from conformance_server import ConformanceServer
from helm.common.media_object import MediaObject, MultimediaObject
from hosted_clients import CLIENTS, clients, make, profile, request_for

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20
PICTURE = base64.b64encode(PNG).decode()
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt " + b"1" * 20
SOUND = base64.b64encode(WAV).decode()
TOOLS = [{"type": "function", "function": {"name": "look_up", "parameters": {"type": "object", "properties": {}}}}]


@pytest.fixture(scope="module")
def one_server():
    server = ConformanceServer()
    yield server
    server.close()


@pytest.fixture
def server(one_server):
    one_server.released.set()
    one_server.reset()
    return one_server


@pytest.fixture(autouse=True)
def google_account(request, one_server, monkeypatch, tmp_path_factory):
    """Only where a client needs it: making keys takes a while."""
    name = request.node.callspec.params.get("name", "") if hasattr(request.node, "callspec") else ""
    if name in CLIENTS and profile(name) == "vertex":
        path = tmp_path_factory.getbasetemp() / "google_key.json"
        if not path.exists():
            hosted_clients.write_service_account(path, one_server)
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))


def sent(server):
    """The bodies of requests to models, as text; those for tokens of Google and IBM are none."""
    return [json.dumps(r["body"]) for r in server.requests if "token" not in r["path"]]


def check_sent_or_refused(result, server, is_able, *texts):
    if not is_able:
        assert result.outcome == "refused" and not sent(server), result
        return
    assert result.success, result.error
    assert all(text in sent(server)[0] for text in texts), sent(server)[0]


EVERY_CLIENT = pytest.mark.parametrize("name", list(CLIENTS))


@EVERY_CLIENT
def test_a_picture(name, server, tmp_path):
    path = tmp_path / "cat.png"
    path.write_bytes(PNG)
    media = [MediaObject("image/png", location=str(path)), MediaObject("text/plain", text="What?")]
    result = make(name, server).make_request(request_for(prompt="", multimodal_prompt=MultimediaObject(media)))
    check_sent_or_refused(result, server, name in clients("pictures"), PICTURE, "What?")


def can_send_sounds(name):
    is_chat = hosted_clients.dialect(name) == "chat" and name in clients("pictures")
    return is_chat or hosted_clients.dialect(name) in ("gemini", "reka")


@EVERY_CLIENT
def test_a_sound(name, server, tmp_path):
    path = tmp_path / "cat.wav"
    path.write_bytes(WAV)
    media = [MediaObject("audio/wav", location=str(path)), MediaObject("text/plain", text="What?")]
    result = make(name, server).make_request(request_for(prompt="", multimodal_prompt=MultimediaObject(media)))
    check_sent_or_refused(result, server, can_send_sounds(name), SOUND, "What?")


@EVERY_CLIENT
def test_tools(name, server):
    result = make(name, server).make_request(request_for(tools=TOOLS))
    check_sent_or_refused(result, server, name in clients("tools"), "look_up")


@EVERY_CLIENT
def test_a_picture_inside_of_messages(name, server):
    """Parts as OpenAI has them, which is how `Request.messages` are written."""
    parts = [
        {"type": "text", "text": "What?"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}},
    ]
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": parts}]
    result = make(name, server).make_request(request_for(prompt="", messages=messages))
    is_able = name in clients("messages") and name in clients("pictures")
    check_sent_or_refused(result, server, is_able, PICTURE, "What?", "Be brief.")
    if is_able and hosted_clients.dialect(name) in ("anthropic", "gemini", "bedrock", "responses"):
        assert '"type": "image_url"' not in sent(server)[0]


@EVERY_CLIENT
def test_what_a_tool_answered(name, server):
    function = {"name": "look_up", "arguments": '{"word": "cat"}'}
    messages = [
        {"role": "user", "content": "What is a cat?"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c1", "content": "An animal."},
    ]
    result = make(name, server).make_request(request_for(prompt="", messages=messages, tools=TOOLS))
    is_able = name in clients("messages") and name in clients("tools")
    check_sent_or_refused(result, server, is_able, "look_up", "An animal.", "cat")
    if is_able and hosted_clients.dialect(name) in ("anthropic", "gemini", "bedrock", "responses"):
        assert "tool_calls" not in sent(server)[0] and '"role": "tool"' not in sent(server)[0]


def test_anthropics_own_blocks_are_sent_as_they_are(server):
    client = make("anthropic_client.AnthropicMessagesClient", server)
    document = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Cats are animals."}}
    messages = [{"role": "user", "content": [document, {"type": "text", "text": "What?"}]}]
    assert client.make_request(request_for(prompt="", messages=messages)).success
    assert server.bodies[-1]["messages"] == messages
    picture = {"type": "image_url", "image_url": {"url": "https://example.org/cat.png"}}
    text = {"role": "user", "content": [{"type": "text", "text": "Look."}]}
    messages = [text, {"role": "assistant", "content": "Yes?"}, {"role": "user", "content": [picture]}]
    assert client.make_request(request_for(prompt="", messages=messages)).success
    block = {"type": "image", "source": {"type": "url", "url": "https://example.org/cat.png"}}
    assert server.bodies[-1]["messages"][0] == text
    assert server.bodies[-1]["messages"][-1]["content"] == [block]
    mixed = [{"role": "user", "content": [document, picture]}]
    assert client.make_request(request_for(prompt="", messages=mixed)).outcome == "refused"


@pytest.mark.parametrize("part", [{"type": "video_url", "video_url": {"url": "x"}}, "text", {"type": "image_url"}])
@pytest.mark.parametrize("name", ["bedrock_client.BedrockNovaClient", "google_genai_client.GoogleGenAIClient"])
def test_parts_of_another_kind_are_refused(name, part, server):
    messages = [{"role": "user", "content": [part]}]
    result = make(name, server).make_request(request_for(prompt="", messages=messages))
    assert result.outcome == "refused" and not server.requests
