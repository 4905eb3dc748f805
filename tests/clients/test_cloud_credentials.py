"""Keys that are exchanged for tokens, and signatures: watsonx, Vertex AI, Bedrock."""

import base64
import json
from datetime import UTC, datetime

import pytest

import conformance_server as faults
from conformance_dialects import TOKEN
from conformance_server import ConformanceServer
from helm.clients.http.aws_signature import AWSCredentials, sign
from hosted_clients import KEY, make, request_for, write_service_account

WATSONX = "ibm_client.IbmChatClient"
BEDROCK = "bedrock_client.BedrockNovaClient"
VERTEX = "vertexai_client.VertexAIChatClient"
EXAMPLE = AWSCredentials("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")


@pytest.fixture
def server():
    server = ConformanceServer()
    yield server
    server.close()


def test_a_token_of_watsonx_is_asked_for_once(server):
    server.key = KEY
    client = make(WATSONX, server)
    assert all(client.make_request(request_for(prompt=text)).success for text in "abc")
    assert server.num_tokens_given == 1
    assert {r["headers"]["Authorization"] for r in server.requests} == {f"Bearer {TOKEN}-1"}


def test_a_token_that_is_withdrawn_is_renewed_once(server):
    server.key = KEY
    client = make(WATSONX, server)
    assert client.make_request(request_for()).success
    server.num_tokens_given = 7  # another one was given, and ends the first
    assert client.make_request(request_for(prompt="b")).success
    assert [r["headers"]["Authorization"][-1] for r in server.requests] == ["1", "1", "8"]


def test_a_key_that_ibm_does_not_know_stops_the_endpoint(server):
    server.key = "another"
    client = make(WATSONX, server)
    for _ in range(2):
        result = client.make_request(request_for())
        assert result.outcome == "auth" and "Provided API key could not be found" in result.error
    assert server.requests == [] and KEY not in result.error


def test_tokens_without_a_token_are_malformed(server, monkeypatch):
    monkeypatch.setitem(faults.DIALECTS, "token", lambda *args: {"expires_in": 3600})
    result = make(WATSONX, server).make_request(request_for())
    assert result.outcome == "malformed" and "no access_token" in result.error


def test_an_old_token_is_renewed(server, monkeypatch):
    given = faults.DIALECTS["token"]
    monkeypatch.setitem(faults.DIALECTS, "token", lambda *args: {**given(*args), "expires_in": 30})
    client = make(WATSONX, server)
    assert all(client.make_request(request_for(prompt=text)).success for text in "ab")
    assert server.num_tokens_given == 2


# --- Google -----------------------------------------------------------------------------------------------------------


def test_a_service_account_signs_for_its_token(server, tmp_path, monkeypatch):
    path = tmp_path / "key.json"
    write_service_account(path, server)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
    server.key = KEY
    asserted = []
    given = faults.DIALECTS["token"]

    def token(server, body, fault):
        asserted.append(json.loads(base64.urlsafe_b64decode(body.split(b"assertion=")[1].split(b".")[1] + b"==")))
        return given(server, body, fault)

    monkeypatch.setitem(faults.DIALECTS, "token", token)
    client = make(VERTEX, server)
    assert all(client.make_request(request_for(prompt=text)).success for text in "ab")
    (claims,) = asserted
    assert claims["iss"] == "tester@p.iam.gserviceaccount.com"
    assert "cloud-platform" in claims["scope"]
    server.num_tokens_given = 5
    assert client.make_request(request_for(prompt="c")).success, "a withdrawn token was not renewed"
    assert server.requests[-1]["headers"]["Authorization"] == f"Bearer {TOKEN}-6"


@pytest.mark.parametrize("content", ["", "{}", "no JSON", None, '{"type": "service_account"}'])
def test_credentials_that_are_none_are_said(server, tmp_path, monkeypatch, content):
    pytest.importorskip("google.auth")
    path = tmp_path / "key.json"
    if content is not None:
        path.write_text(content)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
    result = make(VERTEX, server).make_request(request_for())
    assert result.outcome == "auth" and "GOOGLE_APPLICATION_CREDENTIALS" in result.error and server.requests == []


def test_a_signature_that_google_does_not_accept(server, tmp_path, monkeypatch):
    path = tmp_path / "key.json"
    write_service_account(path, server)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))

    def refused(*args):
        raise faults.Response(400, {"error": "invalid_grant", "error_description": "Invalid JWT Signature."})

    monkeypatch.setitem(faults.DIALECTS, "token", refused)
    result = make(VERTEX, server).make_request(request_for())
    assert result.outcome == "auth" and "Invalid JWT Signature" in result.error


# --- Amazon -----------------------------------------------------------------------------------------------------------


def test_the_signature_of_awss_own_example():
    """`get-vanilla` of the test suite that AWS gives with its description of signatures."""
    now = datetime(2015, 8, 30, 12, 36, tzinfo=UTC)
    signed = sign(EXAMPLE, "us-east-1", "service", "GET", "https://example.amazonaws.com/", {}, b"", now)
    assert signed["Authorization"] == (
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
        "SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
    )
    assert EXAMPLE.secret_key not in repr(EXAMPLE)


@pytest.mark.parametrize("token", [None, "of-a-role/+="])
@pytest.mark.parametrize(
    "path", ["", "/", "/model/amazon.nova-lite-v1%3A0/converse", "/a%20b/c~d", "/x?b=2&a=1&a=0&e="]
)
def test_signatures_are_those_of_awss_own_library(token, path):
    auth = pytest.importorskip("botocore.auth")
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials

    url, data = f"https://bedrock-runtime.eu-west-1.amazonaws.com{path}", b'{"a": "\\u00e4"}'
    headers = {"Content-Type": "application/json"}
    request = AWSRequest("POST", url, dict(headers), data)
    auth.SigV4Auth(Credentials("AKID", "secret", token), "bedrock", "eu-west-1").add_auth(request)
    expected = dict(request.headers.items())
    now = datetime.strptime(expected["X-Amz-Date"], "%Y%m%dT%H%M%SZ")
    signed = sign(AWSCredentials("AKID", "secret", token), "eu-west-1", "bedrock", "POST", url, headers, data, now)
    assert signed == expected


def test_a_request_to_bedrock_is_signed_when_it_is_sent(server, monkeypatch):
    """A try that comes later has a signature of its own: they are valid for some minutes."""
    monkeypatch.setenv("HELM_RETRIES", "1")
    monkeypatch.delenv("AWS_BEARER_TOKEN_BEDROCK", raising=False)
    for name, value in (("ACCESS_KEY_ID", "AKID"), ("SECRET_ACCESS_KEY", "secret"), ("SESSION_TOKEN", "role")):
        monkeypatch.setenv(f"AWS_{name}", value)
    server.faults = [faults.RATE_LIMIT_RETRY_DATE, faults.OK]
    result = make(BEDROCK, server, api_key=None).make_request(request_for())
    assert result.success, result.error
    first, second = (request["headers"] for request in server.requests)
    assert first["X-Amz-Security-Token"] == "role" and "Credential=AKID/" in first["Authorization"]
    assert first["X-Amz-Date"] < second["X-Amz-Date"] and first["Authorization"] != second["Authorization"]
    sent = f"{server.origin}{server.requests[0]['path']}"
    headers = {"Content-Type": "application/json"}
    now = datetime.strptime(first["X-Amz-Date"], "%Y%m%dT%H%M%SZ")
    data = json.dumps(server.bodies[0]).encode()
    expected = sign(AWSCredentials("AKID", "secret", "role"), "us-east-1", "bedrock", "POST", sent, headers, data, now)
    assert first["Authorization"] == expected["Authorization"]


def test_bedrock_without_any_credentials(server, monkeypatch, tmp_path):
    pytest.importorskip("boto3")
    for name in ("AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    result = make(BEDROCK, server, api_key=None).make_request(request_for())
    assert result.outcome == "auth" and "AWS_BEARER_TOKEN_BEDROCK" in result.error and server.requests == []
