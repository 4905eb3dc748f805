"""What a model can do is found out by asking it, and says which runs it can take part in."""

import base64
import json
import re
import zlib

import pytest

import conformance_server as faults
from conformance_server import ConformanceServer
from helm.benchmark.commands import probe


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    server = ConformanceServer()
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.origin}/v1")
    yield server
    server.close()


def run(capsys, *argv):
    try:
        probe.main(list(argv))
        status = 0
    except SystemExit as e:
        status = e.code
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_a_server_that_can_do_almost_everything(server, capsys):
    status, out, _ = run(capsys, "openai-compat/m", "--json")
    (found,) = json.loads(out[out.index("[\n") :])  # another test may have turned messages on
    assert status == 0 and found["context_length"] == 4096
    works = {capability["name"]: capability.get("works") for capability in found["capabilities"]}
    assert works == {
        "text": True, "logprobs": False, "messages": True, "prompt log-probabilities": True, "images": None, "tools": False,
        "embeddings": False,
    }  # fmt: skip
    assert "though their tokens are counted" in out, "it always says the same"


def test_what_a_server_cannot_do_says_which_runs_cannot_be_made(server, capsys):
    faults.DIALECTS["completions"], original = _no_route, faults.DIALECTS["completions"]
    try:
        status, out, _ = run(capsys, "openai-compat/m")
    finally:
        faults.DIALECTS["completions"] = original
    assert status == 0
    (cannot,) = [line for line in out.splitlines() if line.startswith("That cannot")]
    assert cannot == (
        "That cannot: language_modeling, multiple_choice_separate_original, multiple_choice_separate_calibrated"
    )
    assert "this server has none" in out or "HTTP status 404" in out
    assert "For prompt log-probabilities: vLLM: gives them without a flag" in out
    assert "Instead of multiple_choice_separate_original: multiple_choice_joint" in out
    assert "Instead of language_modeling" not in out, "there is no other way"


def test_a_server_that_says_what_it_is_gets_its_own_advice(server, capsys, monkeypatch):
    monkeypatch.setitem(faults.DIALECTS, "completions", _no_route)
    server.models = [{"id": "other"}, {"id": "m", "owned_by": "vllm", "max_model_len": 100}]
    status, out, _ = run(capsys, "openai-compat/m")
    assert status == 0 and "Server: vLLM" in out and "context length" in out and "100" in out
    assert "llama.cpp" not in out and "vLLM: gives them without a flag on /v1/completions" in out


@pytest.mark.parametrize("models", [None, [], [7], [{"id": "m", "meta": 7, "max_model_len": True}], "x"])
def test_a_list_of_models_that_says_nothing(server, capsys, models):
    server.models = models
    status, out, _ = run(capsys, "openai-compat/m")
    assert status == 0 and "context length" not in out


@pytest.mark.parametrize("fault", [faults.SERVER_ERROR, faults.RATE_LIMIT, faults.BROKEN_JSON])
def test_what_could_not_be_asked_is_not_known(server, capsys, fault, monkeypatch):
    monkeypatch.delenv("HELM_RETRIES")
    server.faults = [faults.OK, faults.OK, fault, faults.OK]
    status, out, _ = run(capsys, "openai-compat/m", "--json")
    (found,) = json.loads(out[out.index("[\n") :])
    assert status == 0 and len(server.requests) == 9, "nothing is tried again"
    (one,) = [c for c in found["capabilities"] if c["name"] == "prompt log-probabilities"]
    assert "works" not in one and one["reason"]


def _no_route(server, body, fault):
    raise faults.Response(404, {"detail": "Not Found"})


def test_a_server_that_accepts_no_key_is_asked_once(server, capsys):
    server.faults = [faults.AUTH]
    status, out, _ = run(capsys, "openai-compat/m")
    assert status == 1 and "HTTP status 401" in out and len(server.requests) == 1


def test_pictures_that_are_taken_and_ignored_are_not_seen(server, capsys):
    server.ignores_images = True
    status, out, _ = run(capsys, "openai-compat/m", "--json")
    (found,) = json.loads(out[out.index("[\n") :])
    (images,) = [c for c in found["capabilities"] if c["name"] == "images"]
    assert status == 0 and images["works"] is False and "they are ignored" in images["reason"]
    status, out, _ = run(capsys, "openai-compat/m")
    assert "generation_multimodal" in next(line for line in out.splitlines() if line.startswith("That cannot"))


def look(body):
    """The colour of the picture in a request; None without one."""
    url = re.search(r"data:image/png;base64,([^\"]+)", json.dumps(body))
    if url is None:
        return None
    content = base64.b64decode(url[1])
    start = content.index(b"IDAT")
    length = int.from_bytes(content[start - 4 : start], "big")
    red, green, blue = zlib.decompress(content[start + 4 : start + 4 + length])[1:4]
    return {(1, 0, 0): "Red.", (0, 1, 0): "Green.", (0, 0, 1): "blue", (1, 1, 0): "It is **yellow**."}[
        red > 99, green > 99, blue > 99
    ]


def guess(number):
    return ["Red.", "Blue.", "Green.", "Yellow."][number % 4]


@pytest.mark.parametrize("counts_tokens", [True, False])
@pytest.mark.parametrize(
    "answer, works",
    [
        (lambda color, number: color, True),
        (lambda color, number: guess(number), None),
        (lambda color, number: "Red.", None),
        (lambda color, number: "Red, green, blue or yellow.", None),
        (lambda color, number: "", None),
    ],
    ids=["sees", "guesses", "says one", "says all", "silent"],
)
def test_what_a_picture_shows_decides_whether_a_model_sees(answer, works, counts_tokens, server, capsys, monkeypatch):
    chat = faults.DIALECTS["chat"]
    seen = []

    def replies(server, body, fault):
        reply = chat(server, body, fault)
        if not counts_tokens:
            del reply["usage"]
        color = look(body)
        if color is not None:
            reply["choices"][0]["message"]["content"] = answer(color, len(seen))
            seen.append(color)
        return reply

    monkeypatch.setitem(faults.DIALECTS, "chat", replies)
    _, out, _ = run(capsys, "openai-compat/m", "--json")
    (found,) = json.loads(out[out.index("[\n") :])
    (images,) = [c for c in found["capabilities"] if c["name"] == "images"]
    assert images.get("works") is works and len(set(seen)) == len(seen) == 4
    if works is None:
        said = "though their tokens are counted" if counts_tokens else "does not count the tokens"
        assert "shown blue, yellow, red, green, it answers" in images["reason"] and said in images["reason"]


def test_a_model_that_the_server_lacks_brings_its_nearest_name(server, capsys, monkeypatch):
    def no_model(server, body, fault):
        raise faults.Response(404, {"error": {"message": "The model `llama-3.1-8b` does not exist."}})

    for name in ("chat", "completions"):
        monkeypatch.setitem(faults.DIALECTS, name, no_model)
    server.models = [{"id": "llama-3.1-8b-instruct"}, {"id": "bge-m3"}]
    status, out, _ = run(capsys, "openai-compat/llama-3.1-8b")
    assert status == 1
    assert "The server has no model 'llama-3.1-8b'. Did you mean 'llama-3.1-8b-instruct'?" in out
    assert "It has llama-3.1-8b-instruct, bge-m3." in out and "Adapter methods" not in out


def test_a_model_that_does_not_exist(server, capsys):
    status, _, err = run(capsys, "no-such-model")
    assert status == 1 and "no-such-model" in err
