"""What a proxy server does not do for those who have a key of it, and for pages that a browser on its machine shows."""

import base64
import http.client
import json
import os
import re
import shutil
import socket
import ssl
import stat
import subprocess
import threading
from dataclasses import asdict, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode

import pytest

from conformance_server import ConformanceServer
from helm.benchmark.model_deployment_registry import read_model_deployment, register_model_deployment
from helm.common.authentication import Authentication
from helm.common.cache_backend_config import SqliteCacheBackendConfig
from helm.common.local_context import LocalContext
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.remote_context import RemoteContext
from helm.common.request import Request
from helm.proxy import server as proxy
from helm.proxy.accounts import Account, Accounts
from helm.proxy.query import Query
from helm.proxy.services.remote_service import RemoteServiceError
from helm.proxy.user_requests import expand_query_of_strangers

OWN_KEY = "sk-of-the-server"
PNG = b"\x89PNG\r\n\x1a\n" + b"picture"


class Trap:
    """A server of somebody else on this machine: notes what reaches it, and redirects to `target` if there is one."""

    def __init__(self, target=None):
        outer, self.requests, self.target = self, [], target

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"] or 0))
                outer.requests.append((self.path, dict(self.headers), body))
                self.send_response(307 if outer.target else 404)
                if outer.target:
                    self.send_header("Location", outer.target + self.path)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def trap():
    trap = Trap()
    yield trap
    trap.close()


@pytest.fixture
def model():
    model = ConformanceServer()
    yield model
    model.close()


@pytest.fixture
def accounts(tmp_path):
    return Accounts(str(tmp_path / "accounts.sqlite"))


@pytest.fixture
def administrator(accounts):
    return Authentication(accounts.ensure_administrator())


@pytest.fixture
def user(accounts, administrator):
    return Authentication(accounts.create_account(administrator).api_key)


@pytest.fixture
def start(tmp_path, accounts, model, isolated_registries, monkeypatch):
    """Starts a server with the built-in catalogue and the deployment `lab/sees` at the stand-in of a provider."""
    from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
    from helm.clients.pacing.limiter import forget_limiters

    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_COMPAT_API_KEY", "LITELLM_API_KEY"):
        monkeypatch.setenv(name, OWN_KEY)
    monkeypatch.setenv("HELM_CREDENTIALS", f'labApiKey: "{OWN_KEY}", openai-compatApiKey: "{OWN_KEY}"')
    monkeypatch.setenv("HELM_RETRIES", "0")
    forget_limiters()
    register_builtin_configs_from_helm_package()
    args = {"base_url": f"{model.origin}/openai/v1", "openai_model_name": "m"}
    spec = {"class_name": "helm.clients.openai_client.OpenAIClient", "args": args}
    register_model_deployment(read_model_deployment({"name": "lab/sees", "client_spec": spec}, "test"))
    started = []

    def start(media_hosts=(), **kwargs):
        folder = tmp_path / "server"
        context = LocalContext(str(folder), SqliteCacheBackendConfig(str(folder / "cache")))
        server = proxy.ProxyServer(proxy.ProxyService(context, accounts, media_hosts=media_hosts), **kwargs)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        started.append(server)
        return server

    yield start
    for server in started:
        server.shutdown()
        server.server_close()


@pytest.fixture
def server(start):
    return start()


def exchange(server, method, path, headers=None, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    try:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def ask(server, auth, route="request", request=None, **fields):
    """The answer to a request that is given as JSON, which clients of ours could not make."""
    form = {**fields, **({} if request is None else {"request": json.dumps(request)})}
    headers = {"Authorization": f"Bearer {auth.api_key}", "Content-Type": "application/x-www-form-urlencoded"}
    status, answer = exchange(server, "POST", f"/api/{route}", headers, urlencode(form))
    assert status == 200
    return answer


def sees(**fields):
    return {"model_deployment": "lab/sees", **fields}


def picture(location, content_type="image/png"):
    media = [
        {"content_type": content_type, "location": location},
        {"content_type": "text/plain", "text": "What is it?"},
    ]
    return sees(multimodal_prompt={"media_objects": media})


def data_url(content, content_type="image/png"):
    return f"data:{content_type};base64,{base64.b64encode(content).decode()}"


# --- who gets keys ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "openai-compat/m@{url}/v1",
        "openai-compat/m",
        "litellm/m",
        "anthropic/some-new-model",
        "huggingface//etc",
        "huggingface/nobody/nothing",
        "tool//bin/sh",
        "simple/modle1",
        "",
    ],
)
def test_only_registered_deployments_are_asked(server, user, trap, monkeypatch, name):
    for variable in ("OPENAI_BASE_URL", "LITELLM_BASE_URL"):
        monkeypatch.setenv(variable, trap.url)
    answer = ask(server, user, request={"model_deployment": name.format(url=trap.url), "prompt": "Tell"})
    assert answer["error"].startswith("EXCEPTION: This server has no deployment"), answer
    assert ("Did you mean 'simple/model1'?" in answer["error"]) == (name == "simple/modle1")
    assert trap.requests == []


@pytest.mark.parametrize("name", [None, 7, ["simple/model1"]])
def test_a_deployment_is_a_name(server, user, name):
    answer = ask(server, user, request={"model_deployment": name, "prompt": "Tell"})
    assert answer["error"].startswith(f"EXCEPTION: This server has no deployment {name!r}: only those")


@pytest.mark.parametrize("fields, message", [
    ([], "The field 'request' takes an object, not list"), (sees(messages={}), "'messages' takes a list, not dict"),
    (sees(messages=[7]), "'messages' takes an object, not int"), (sees(tools=""), "'tools' takes a list, not str"),
    (sees(multimodal_prompt=[]), "'multimodal_prompt' takes an object, not list"),
    (sees(multimodal_prompt={"media_objects": 7}), "'media_objects' takes a list, not int"),
    (sees(messages=[{"role": "user", "content": 7}]), "'content' takes a list, not int"),
    (sees(prompt="Tell", temperature="hot"), "'request' of the query is no Request"),
])  # fmt: skip
def test_a_field_of_another_kind_is_named(server, user, model, fields, message):
    assert message in ask(server, user, request=fields)["error"]
    assert model.requests == []


def test_a_deployment_is_asked_for_its_own_model_only(server, user, model):
    """The model is part of the address at some providers, and its price is not that of the deployment's quota."""
    answer = ask(server, user, request=sees(model="openai/../files", prompt="Tell"))
    assert "lab/sees' belongs to the model lab/sees here" in answer["error"]
    assert model.requests == []
    assert ask(server, user, request=sees(prompt="Tell"))["success"]


@pytest.mark.parametrize("route, fields", [("tokenize", {"text": "a"}), ("decode", {"tokens": [1]})])
@pytest.mark.parametrize("name", ["huggingface//etc", "huggingface/nobody/nothing", "no/such"])
def test_only_registered_tokenizers_are_asked(server, user, route, fields, name):
    answer = ask(server, user, route, request={"tokenizer": name, **fields})
    assert answer["error"].startswith(f"EXCEPTION: This server has no tokenizer '{name}'")


@pytest.mark.parametrize(
    "tool",
    [
        {"type": "mcp", "server_url": "http://127.0.0.1"},
        {"type": "function", "function": {"name": "f", "type": "mcp", "server_url": "http://127.0.0.1"}},
        {"type": "mcp", "function": {"name": "f"}},
        {"type": "function"},
        {"type": "function", "function": "f"},
        {"name": "f"},
    ],
)
def test_tools_are_functions(server, user, model, tool):
    assert "Tools are functions here" in ask(server, user, request=sees(prompt="Tell", tools=[tool]))["error"]
    assert model.requests == []
    function = {"type": "function", "function": {"name": "f", "description": "", "parameters": {"type": "object"}}}
    assert ask(server, user, request=sees(prompt="Tell", tools=[function]))["success"]


@pytest.mark.parametrize(
    "options, why",
    [
        ({"extra_body": {"model": "the-expensive-one"}}, "Only an administrator may send extra_body here"),
        ({"extra_body": {"tools": [{"type": "mcp", "server_url": "http://127.0.0.1"}]}}, "Only an administrator"),
        ({"chat_template_kwargs": {"chat_template": "{{ x }}"}}, "Only an administrator may send a chat_template here"),
        ({"chat_template_kwargs": 7}, "'chat_template_kwargs' takes an object, not int"),
        ([], "The field 'options' takes an object, not list"),
        ({"seed": "x"}, "'request' of the query is no Request"),
    ],
)
def test_options_replace_nothing_that_was_checked(server, user, model, options, why):
    assert why in ask(server, user, request=sees(prompt="Tell", options=options))["error"]
    assert model.requests == []


def test_options_are_passed_on_and_fields_of_an_administrator(server, user, administrator, model):
    options = {"seed": 7, "reasoning_effort": "low"}
    assert ask(server, user, request=sees(prompt="Tell", options=options, top_p=0.5))["success"]
    fields = {**options, "extra_body": {"user": "laboratory"}}
    assert ask(server, administrator, request=sees(prompt="Tell", options=fields))["success"]
    bodies = [request["body"] for request in model.requests]
    assert [(body["seed"], body["reasoning_effort"], body.get("user")) for body in bodies] == [
        (7, "low", None),
        (7, "low", "laboratory"),
    ]
    assert [body["top_p"] for body in bodies] == [0.5, 1]


def test_a_provider_that_redirects_gets_followed_nowhere(server, user, model, trap):
    from conformance_faults import Response

    def redirect(handler, data):
        raise Response(307, b"", {"Location": trap.url})

    model.handle = redirect
    answer = ask(server, user, request=sees(prompt="secret"))
    assert not answer["success"] and "307" in answer["error"]
    assert trap.requests == []


# --- files and addresses ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "location", ["{file}", "file://{file}", "{link}", "../../{file}", "http:{file}", "http://[", "no/such", ""]
)
def test_no_file_of_the_server_is_read(server, user, model, tmp_path, location):
    file, link = tmp_path / "secret.txt", tmp_path / "link.png"
    file.write_text("the secret")
    link.symlink_to(file)
    for kind in ("image/png", "audio/mpeg"):
        answer = ask(server, user, request=picture(location.format(file=file, link=link), kind))
        assert answer["error"].startswith("EXCEPTION: "), answer
        assert "reads no files" in answer["error"] or "at '' are not allowed" in answer["error"]
    assert model.requests == []


def test_a_location_is_a_text(server, user):
    assert "reads no files" in ask(server, user, request=picture(7))["error"]


def test_whether_there_is_a_file_is_not_told(server, user, tmp_path):
    (tmp_path / "there").write_text("x")
    answers = [ask(server, user, request=picture(str(tmp_path / name))) for name in ("there", "not-there")]
    assert answers[0] == answers[1]


def test_bytes_are_sent_on_and_their_answers_are_cached(server, user, model, tmp_path):
    answers = [ask(server, user, request=picture(data_url(PNG))) for _ in range(2)]
    assert [answer["cached"] for answer in answers] == [False, True]
    (sent,) = model.bodies
    assert sent["messages"][0]["content"][0]["image_url"]["url"] == data_url(PNG)
    assert model.requests[0]["headers"]["Authorization"] == f"Bearer {OWN_KEY}"
    (kept,) = (tmp_path / "server/cache/media").iterdir()
    assert kept.read_bytes() == PNG and stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    kept.write_bytes(PNG + b"!")  # what is there is not written again
    ask(server, user, request={**picture(data_url(PNG)), "temperature": 0.5})
    assert kept.read_bytes() == PNG + b"!"


@pytest.mark.parametrize(
    "location",
    ["data:", "data:image/png,abc", "data:image/png;base64,", "data:image/png;base64,?", "data:image/png;base64,QU?JD"],
)
def test_bytes_that_are_none(server, user, location):
    assert "Bytes of media are sent as" in ask(server, user, request=picture(location))["error"]


def test_the_type_of_bytes_is_no_path(server, user, tmp_path):
    for kind in ("image/../../x", "image/a.b", "image/" + "x" * 500, "audio/mpeg", "audio/x-wav", "image/png"):
        ask(server, user, request=picture(data_url(PNG), kind))
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and path.read_bytes() == PNG]
    assert {path.parent for path in kept} == {tmp_path / "server/cache/media"}
    assert {path.suffix for path in kept} == {".x", ".bin", ".mp3", ".wav", ".png"}


def test_our_client_sends_the_bytes_of_its_files(server, user, model, tmp_path):
    path = tmp_path / "of-the-client.png"
    path.write_bytes(PNG)
    prompt = MultimediaObject([MediaObject("image/png", location=str(path)), MediaObject("text/plain", text="?")])
    request = Request(model="lab/sees", model_deployment="lab/sees", multimodal_prompt=prompt)
    context = RemoteContext(server.url, user)
    assert context.make_request(request).success
    assert model.bodies[0]["messages"][0]["content"][0]["image_url"]["url"] == data_url(PNG)
    path.unlink()
    with pytest.raises(RemoteServiceError, match="Cannot read .*of-the-client.png"):
        context.make_request(request)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "[::1]", "169.254.169.254", "images.example"])
@pytest.mark.parametrize("form", ["media", "message"])
def test_addresses_of_media_are_neither_fetched_nor_passed_on(server, user, model, trap, host, form):
    url = f"http://{host}:{trap.server.server_port}/a.png"
    part = {"type": "image_url", "image_url": {"url": url}}
    request = picture(url) if form == "media" else sees(messages=[{"role": "user", "content": [part]}])
    answer = ask(server, user, request=request)
    assert (
        f"at '{host.strip('[]')}' are not allowed here" in answer["error"] and "--allow-media-host" in answer["error"]
    )
    assert trap.requests == [] and model.requests == []


def test_addresses_at_allowed_hosts_are_passed_on(start, user, model):
    server = start(media_hosts=["images.example"])
    url = "https://images.example/a.png"
    assert ask(server, user, request=picture(url))["success"]
    part = {"type": "image_url", "image_url": url}
    assert ask(server, user, request=sees(messages=[{"role": "user", "content": [part]}]))["success"]
    assert [url in json.dumps(body) for body in model.bodies] == [True, True]
    for other in ("https://images.example@127.0.0.1/", "https://127.0.0.1\\@images.example/", "gs://images.example/a"):
        assert ask(server, user, request=picture(other))["error"].startswith("EXCEPTION: ")
    assert len(model.requests) == 2


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "file", "file": {"file_id": "file-1"}}],
        [{"type": "video_url", "video_url": {"url": "http://127.0.0.1/"}}],
        [{"type": "text", "text": "a", "image_url": "file:///etc/passwd"}],
        [{"type": "image_url", "image_url": {"url": "file:///etc/passwd"}}],
        [{"type": "image_url", "image_url": 7}],
        [{"image_url": "http://127.0.0.1/"}],
        {"type": "image_url"},
    ],
)
def test_parts_of_messages_that_would_be_looked_up_elsewhere(server, user, model, content):
    answer = ask(server, user, request=sees(messages=[{"role": "user", "content": content}]))
    assert answer["error"].startswith("EXCEPTION: ") and model.requests == []


def test_parts_of_messages_with_their_content(server, user, model):
    parts = [{"type": "text", "text": "What?"}, {"type": "image_url", "image_url": {"url": data_url(PNG)}}]
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": parts}]
    assert ask(server, user, request=sees(messages=messages))["success"]
    assert model.bodies[0]["messages"] == messages


# --- queries, which need no key ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {"prompt": "${a}", "environments": "a: ${OPENAI_API_KEY}"},
        {"prompt": "${a}", "environments": "a: [${?OPENAI_API_KEY}]"},
        {"prompt": "${OPENAI_API_KEY}", "environments": "OPENAI_API_KEY += x"},
        {"prompt": "${labApiKey}", "environments": 'include "{file}"'},
        {"prompt": "${a}", "environments": 'a: {ınclude file("{file}")}'},
        {"prompt": "x", "settings": "random: ${OPENAI_API_KEY}"},
        {"prompt": "x", "settings": 'random: "a"\ninclude required(file("{file}"))'},
        {"prompt": "x", "environments": 'a: "$"', "settings": "random: ${a}{OPENAI_API_KEY}"},
    ],
)
def test_a_query_reads_neither_variables_nor_files(server, administrator, tmp_path, fields):
    (tmp_path / "credentials.conf").write_text(f'labApiKey: "{OWN_KEY}"\nrandom: "{OWN_KEY}"')
    fields = {name: text.replace("{file}", str(tmp_path / "credentials.conf")) for name, text in fields.items()}
    for method in ("GET", "POST"):
        path, headers = "/api/query", {"Content-Type": "application/x-www-form-urlencoded"}
        form = urlencode(fields)
        status, answer = exchange(server, method, path + f"?{form}" * (method == "GET"), headers, form)
        assert OWN_KEY not in json.dumps(answer) and "error" in answer, answer


def listed(number):
    return f"a: {list(range(number))}"


@pytest.mark.parametrize(
    "fields, expected",
    [
        ({"prompt": "x" * 20_001}, "20000 characters"),
        ({"prompt": "x" * 10_001, "settings": " " * 10_000}, "20000 characters"),
        ({"prompt": "x" * 10_001, "environments": " " * 10_000}, "20000 characters"),
        ({"environments": "\n".join(f"a{i}: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]" for i in range(12))}, "1000 requests"),
        ({"environments": listed(1001)}, "1000 requests"),
        ({"prompt": "${a}" * 2000, "environments": f"a: {'x' * 9000}"}, "characters together"),
        ({"prompt": "x" * 10_001, "environments": listed(1000)}, "10000000 characters together"),
    ],
)
def test_a_query_has_limits(server, administrator, fields, expected):
    assert expected in ask(server, administrator, "query", **fields)["error"]


@pytest.mark.parametrize("prompt, settings, environments, number", [
    ("x" * 20_000, "", "", 1), ("x", " " * 19_999, "", 1), ("x" * 10_000, "", listed(1000), 1000), ("${a}", "", "a: 1", 1),
])  # fmt: skip
def test_a_query_up_to_its_limits_is_expanded(prompt, settings, environments, number):
    requests = expand_query_of_strangers(Query(prompt, settings, environments)).requests
    assert len(requests) == number and len(requests[0].prompt) == min(len(prompt), 1 if "$" in prompt else len(prompt))


def test_a_query_is_expanded(server, administrator):
    query = {"prompt": "In ${city}", "settings": "max_tokens: ${n}", "environments": "city: [Rome, Paris], n: 3"}
    requests = ask(server, administrator, "query", **query)["requests"]
    assert [(request["prompt"], request["max_tokens"]) for request in requests] == [("In Rome", 3), ("In Paris", 3)]


# --- pages of others --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers, status",
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:1959"}, 421),
        ({"Host": ""}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/json"}, 415),
        ({"Content-Length": "-1"}, 411),
        ({"Content-Length": "x"}, 411),
        ({"Content-Length": "\u0661".encode()}, 411),
        ({"Content-Length": str(1 << 40)}, 413),
        ({"Content-Length": str((256 << 20) + 1)}, 413),
        ({"Content-Length": str(256 << 20)}, 401),
        ({"Content-Length": str((1 << 20) + 1)}, 401),
        ({"Transfer-Encoding": "chunked"}, 411),
    ],
)
def test_no_account_is_made_for_a_page_of_somebody_else(server, accounts, administrator, headers, status):
    form = urlencode({"auth": json.dumps(asdict(administrator))})
    usual = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(form))}
    found, answer = exchange(server, "POST", "/api/account", {**usual, **headers}, form.encode())
    assert found == status and answer["error"]
    assert len(accounts.get_all_accounts(administrator)) == 1


def test_large_bodies_are_read_of_those_who_have_a_key(server, user):
    body = urlencode({"request": json.dumps({"model_deployment": "simple/model1", "prompt": "a " * 600_000})})
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(body))}
    for known in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {user.api_key}"}):
        status, answer = exchange(server, "POST", "/api/request", {**headers, **known}, b"")
        assert status == 401 and "No account has this API key" in answer["error"]
    known = {"Authorization": f"Bearer {user.api_key}"}
    assert exchange(server, "POST", "/api/request", {**headers, **known}, body)[1]["success"]


def test_bodies_of_a_megabyte_are_read_of_everybody(server, accounts, administrator):
    form = urlencode({"auth": json.dumps(asdict(administrator))}) + "&x="
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    body = form + "x" * ((1 << 20) - len(form))
    assert exchange(server, "POST", "/api/account", headers, body)[1]["api_key"]
    assert len(accounts.get_all_accounts(administrator)) == 2


def test_a_query_has_so_many_fields(server, administrator):
    key = {"Authorization": f"Bearer {administrator.api_key}"}
    fields = {f"f{i}": "" for i in range(21)}
    assert "Max number of fields" in exchange(server, "GET", f"/api/account?{urlencode(fields)}", key)[1]["error"]
    del fields["f0"]
    assert exchange(server, "GET", f"/api/account?{urlencode(fields)}", key)[1][0]["is_admin"]


def test_the_kind_of_a_key_is_written_in_any_case(server, user):
    assert exchange(server, "GET", "/api/account", {"Authorization": f"bEARER  {user.api_key} "})[0] == 200
    answer = exchange(server, "GET", "/api/account", {"Authorization": f"Basic {user.api_key}"})[1]
    assert "needs the field 'auth'" in answer["error"]


def talk(server, *sent, ends=False):
    """What the server says until it closes the connection; `ends`: after all was sent, nothing more can come."""
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=60) as connection:
        for data in sent:
            connection.sendall(data)
        if ends:
            connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(1 << 16), b""))


HOST = b"Host: 127.0.0.1\r\n"


def test_the_longest_request_line(server):
    """With its end it has 64 MiB; where it is longer, nobody waits for the rest."""
    start, end = b"GET /api/general_info?", b" HTTP/1.1\r\n"
    path = b"x" * ((64 << 20) - len(start + end))
    assert talk(server, start + path + end + HOST + b"Connection: close\r\n\r\n").startswith(b"HTTP/1.1 200 ")
    assert talk(server, start + path + b"x" + end).startswith(b"HTTP/1.1 414 ")


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /api",
        b"POST /api/account HTTP/1.1\r\n" + HOST,
        b"POST /api/account HTTP/1.1\r\n"
        + HOST
        + b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5\r\n\r\na=",
    ],
)
def test_a_silent_user_is_left(start, accounts, administrator, sent):
    assert talk(start(timeout_s=0.3), sent) == b""
    assert len(accounts.get_all_accounts(administrator)) == 1


GOOD = b"GET /api/general_info HTTP/1.1\r\n" + HOST + b"\r\n"


def test_a_connection_is_used_again_until_something_is_refused(server):
    """And nobody on the way keeps an answer, or takes it for something else."""
    said = talk(server, GOOD, GOOD, b"GET /api/nothing HTTP/1.1\r\n" + HOST + b"\r\n")
    assert re.findall(rb"HTTP/1.1 (\d+)", said) == [b"200", b"200", b"404"]
    for header in (b"Content-Type: application/json", b"Cache-Control: no-store", b"X-Content-Type-Options: nosniff"):
        assert said.count(header + b"\r\n") == 3
    assert said.count(b"Connection: close\r\n") == 1


def test_a_connection_ends_with_its_user(start, server):
    assert talk(server, GOOD, ends=True).startswith(b"HTTP/1.1 200 OK")
    assert talk(start(timeout_s=0.3), GOOD).startswith(b"HTTP/1.1 200 OK")


def test_names_that_are_allowed(start, administrator):
    server = start(allowed_hosts=["proxy.lab.example"])
    for headers in ({"Host": "Proxy.Lab.example:1959"}, {"Host": "localhost"}, {"Sec-Fetch-Site": "none"}):
        assert exchange(server, "GET", "/api/general_info", headers)[0] == 200
    own = {"Host": "proxy.lab.example", "Origin": "https://proxy.lab.example", "Sec-Fetch-Site": "same-origin"}
    assert exchange(server, "GET", "/api/general_info", own)[0] == 200


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl for a certificate")
def test_a_silent_user_does_not_keep_others_from_https(tmp_path, accounts, isolated_registries, capfd):
    request = (
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k.pem -out c.pem -subj /CN=localhost"
    )
    subprocess.run(["openssl", *request.split()], cwd=tmp_path, check=True, capture_output=True)
    server = proxy.ProxyServer(proxy.ProxyService(LocalContext(str(tmp_path / "server")), accounts))
    proxy.encrypt(server, str(tmp_path / "c.pem"), str(tmp_path / "k.pem"))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        address = ("127.0.0.1", server.server_port)
        with socket.create_connection(address), socket.create_connection(address) as plain:
            plain.sendall(b"GET / HTTP/1.1\r\n\r\n")
            context = ssl.create_default_context(cafile=str(tmp_path / "c.pem"))
            context.check_hostname = False
            connection = http.client.HTTPSConnection(*address, timeout=30, context=context)
            connection.request("GET", "/api/nothing")
            assert connection.getresponse().status == 404
            connection.close()
            plain.settimeout(30)
            while plain.recv(1000):
                pass
    finally:
        server.shutdown()
        server.server_close()
    assert "Traceback" not in capfd.readouterr().err


# --- keys -------------------------------------------------------------------------------------------------------------


def test_the_first_key_is_random_shown_once_and_for_its_owner_alone(tmp_path, capsys, isolated_registries):
    umask = os.umask(0)
    try:
        arguments = proxy.build_parser().parse_args(["-b", str(tmp_path / "env")])
        proxy.make_service(arguments)
    finally:
        os.umask(umask)
    path = tmp_path / "env/proxy_admin_key.txt"
    key = path.read_text().strip()
    assert len(key) >= 32 and capsys.readouterr().out.count(key) == 1
    for file in (path, tmp_path / "env/accounts.sqlite"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert Accounts(str(tmp_path / "env/accounts.sqlite")).authenticate(Authentication(key)).is_admin
    proxy.make_service(arguments)
    assert key not in capsys.readouterr().out and path.read_text().strip() == key


def test_a_key_that_cannot_be_kept_is_shown_all_the_same(tmp_path, capsys):
    (tmp_path / "taken").mkdir()
    proxy._hand_over("the-key", str(tmp_path / "taken"))
    said = capsys.readouterr().out
    assert "the-key" in said and f"kept in no file ({tmp_path / 'taken'}: Is a directory)" in said


def test_a_key_that_everybody_knows_is_renewed(tmp_path, accounts):
    (tmp_path / "accounts.sqlite").chmod(0o644)
    known = Account("root", "as HELM makes it", is_admin=True)
    with accounts._transaction() as database:
        database.execute("INSERT INTO accounts VALUES (?, ?)", ("root", json.dumps(asdict(known))))
    again = Accounts(str(tmp_path / "accounts.sqlite"))
    key = again.ensure_administrator()
    assert key != "root" and again.get_all_accounts(Authentication(key)) == [replace(known, api_key=key)]
    assert again.ensure_administrator() is None
    assert stat.S_IMODE((tmp_path / "accounts.sqlite").stat().st_mode) == 0o600


def test_our_client_puts_nothing_into_addresses(user, trap):
    context = RemoteContext(trap.url, user)
    with pytest.raises(RemoteServiceError, match="helm-proxy-server"):  # HELM's server has no such route
        context.make_request(Request(prompt="a private prompt"))
    ((path, headers, body),) = trap.requests
    assert path == "/api/request" and headers["Authorization"] == f"Bearer {user.api_key}"
    assert b"private" in body and user.api_key.encode() not in body


def test_our_client_is_redirected_nowhere(user, trap):
    redirecting = Trap(trap.url)
    try:
        with pytest.raises(RemoteServiceError, match="HTTP status 307"):
            RemoteContext(redirecting.url, user).make_request(Request(prompt="a private prompt"))
    finally:
        redirecting.close()
    assert len(redirecting.requests) == 1 and trap.requests == []


def test_a_key_that_cannot_be_sent_is_not_quoted(server):
    with pytest.raises(RemoteServiceError, match="cannot be sent") as caught:
        RemoteContext(server.url, Authentication("sëcret\n")).make_request(Request(prompt="x"))
    assert "cret" not in str(caught.value)


def test_keys_are_in_no_message(server, user, capfd, caplog, monkeypatch):
    def fail(request):
        raise RuntimeError("out of order")

    monkeypatch.setattr(server.service._service.context, "make_request", fail)
    request = json.dumps({"model_deployment": "simple/model1", "prompt": "x"})
    query = urlencode({"auth": json.dumps(asdict(user)), "request": request})
    for path in (f"/api/request?{query}", f"/api/nothing?{query}", f"/api/request?{query}&auth=x"):
        _, answer = exchange(server, "GET", path)
        assert user.api_key not in json.dumps(answer) and "Traceback" not in json.dumps(answer)
    assert repr(user) == "Authentication()"
    said = capfd.readouterr()
    assert "out of order" in said.out + said.err + caplog.text
    assert user.api_key not in said.out + said.err + caplog.text
