"""Tokenizers behind the HTTP interfaces of providers, against a server on this machine, and those of files."""

import base64
import json
import sys
import threading
import types
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from helm.common.cache import SqliteCacheConfig
from helm.common.optional_dependencies import OptionalDependencyNotInstalled
from helm.common.tokenization_request import DecodeRequest, TokenizationRequest
from helm.tokenizers.ai21_tokenizer import AI21LocalTokenizer
from helm.tokenizers.aleph_alpha_tokenizer import AlephAlphaTokenizer
from helm.tokenizers.cohere_tokenizer import CohereLocalTokenizer, CohereTokenizer
from helm.tokenizers.grok_tokenizer import GrokAPITokenizer
from helm.tokenizers.hosted_tokenizer import TokenizerUnavailableError
from helm.tokenizers.ice_tokenizer import ICETokenizer
from helm.tokenizers.lit_gpt_tokenizer import LitGPTTokenizer
from helm.tokenizers.vertexai_tokenizer import VertexAITokenizer
from helm.tokenizers.yalm_tokenizer import YaLMTokenizer
from helm.tokenizers.yalm_tokenizer_data.yalm_tokenizer import YaLMTokenizer as VocabularyOfYaLM


class _Handler(BaseHTTPRequestHandler):
    def _answer(self):
        length = int(self.headers.get("Content-Length", 0))
        payload = json.loads(self.rfile.read(length)) if length else None
        self.server.received.append((self.command, self.path, payload, self.headers.get("Authorization")))
        status, answer = self.server.answer(self.path, payload)
        body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = _answer

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.received = []
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield server
    server.shutdown()
    server.server_close()


def tokens(tokenizer, text, encode=True, name="x/m", **kwargs):
    return tokenizer.tokenize(TokenizationRequest(text, tokenizer=name, encode=encode, **kwargs)).raw_tokens


def text(tokenizer, ids, name="x/m"):
    return tokenizer.decode(DecodeRequest(ids, tokenizer=name)).text


def test_grok(server, tmp_path):
    found = [{"token_id": 7, "string_token": "Hi", "token_bytes": [72, 105]}, {"token_id": 9, "string_token": " you"}]
    server.answer = lambda path, payload: (200, {"token_ids": found})
    tokenizer = GrokAPITokenizer(SqliteCacheConfig(str(tmp_path / "xai.sqlite")), "key", server.url)
    assert tokens(tokenizer, "Hi you") == [7, 9]
    assert tokens(tokenizer, "Hi you", encode=False) == ["Hi", " you"]
    assert tokens(tokenizer, "Hi you") == [7, 9]
    payload = {"text": "Hi you", "model": "m"}
    assert server.received == [("POST", "/tokenize-text", payload, "Bearer key")] * 2  # the third was cached
    with pytest.raises(TokenizerUnavailableError, match="NoDecodingWindowService"):
        text(tokenizer, [7])


def test_aleph_alpha(server):
    def answer(path, payload):
        if path == "/detokenize":
            return 200, {"result": "ab"}
        return 200, {"tokens": ["a", "b"] if payload["tokens"] else None, "token_ids": [1, 2]}

    server.answer = answer
    tokenizer = AlephAlphaTokenizer(None, "key", server.url)
    assert tokens(tokenizer, "ab") == [1, 2]
    assert tokens(tokenizer, "ab", encode=False) == ["a", "b"]
    assert text(tokenizer, [1, 2]) == "ab"
    assert server.received[-1][1:3] == ("/detokenize", {"model": "m", "token_ids": [1, 2]})


def test_cohere(server):
    answers = {"/tokenize": {"tokens": [1, 2], "token_strings": ["a", "b"]}, "/detokenize": {"text": "ab"}}
    server.answer = lambda path, payload: (200, answers[path])
    tokenizer = CohereTokenizer("key", None, server.url)
    assert (tokens(tokenizer, "ab"), tokens(tokenizer, "ab", encode=False)) == ([1, 2], ["a", "b"])
    assert text(tokenizer, [1, 2]) == "ab"


@pytest.fixture
def bytes_tokenizer_json():
    pytest.importorskip("tokenizers")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={s: i for i, s in enumerate([*alphabet, "he"])}, merges=[("h", "e")]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer.to_str()


def test_cohere_downloads_its_tokenizer_once(server, bytes_tokenizer_json):
    def answer(path, payload):
        if path == "/models/m":
            return 200, {"name": "m", "tokenizer_url": f"{server.url}/files/m.json"}
        return 200, bytes_tokenizer_json.encode()

    server.answer = answer
    tokenizer = CohereLocalTokenizer("key", None, server.url)
    ids = tokens(tokenizer, "he é")
    assert text(tokenizer, ids) == "he é"
    assert tokens(tokenizer, "he!", encode=False) == ["he", "!"]
    assert tokens(tokenizer, "he é", truncation=True, max_length=2) == ids[:2]
    asked = [(method, path, key) for method, path, _, key in server.received]
    assert asked == [("GET", "/models/m", "Bearer key"), ("GET", "/files/m.json", None)]  # no key for the file


def test_lit_gpt(bytes_tokenizer_json, tmp_path):
    (tmp_path / "tokenizer.json").write_text(bytes_tokenizer_json, encoding="utf-8")
    tokenizer = LitGPTTokenizer(None, str(tmp_path), tokenizer_name="x/m")
    assert text(tokenizer, tokens(tokenizer, "he é")) == "he é"
    assert tokens(tokenizer, "he!", encode=False) == ["he", "!"]
    with pytest.raises(TokenizerUnavailableError, match="x/m.*checkpoint_dir.*there is none in .*elsewhere"):
        tokens(LitGPTTokenizer(None, str(tmp_path / "elsewhere"), tokenizer_name="x/m"), "a")
    with pytest.raises(TokenizerUnavailableError, match="checkpoint_dir"):
        tokens(LitGPTTokenizer(None, tokenizer_name="x/m"), "a")


def test_vertex_ai(server, monkeypatch):
    account = types.SimpleNamespace(valid=True, token="t")
    modules = {name: types.ModuleType(name) for name in ("google", "google.auth", "google.auth.exceptions")}
    modules["google.auth.transport"] = types.ModuleType("google.auth.transport")
    modules["google.auth.transport.urllib3"] = types.ModuleType("google.auth.transport.urllib3")
    modules["google.auth"].default = lambda scopes: (account, "project")
    modules["google.auth.exceptions"].GoogleAuthError = RuntimeError
    modules["google"].auth = modules["google.auth"]
    modules["google.auth"].exceptions = modules["google.auth.exceptions"]
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    found = [{"tokens": [base64.b64encode(b).decode() for b in (b"Hi", b"\xc3")], "tokenIds": ["7", "9"]}]
    server.answer = lambda path, payload: (200, {"tokensInfo": found})
    tokenizer = VertexAITokenizer(None, "proj", None, server.url)
    assert tokens(tokenizer, "Hi") == [7, 9]
    assert tokens(tokenizer, "Hi", encode=False) == ["Hi", "\ufffd"]
    path = "/projects/proj/locations/us-central1/publishers/google/models/m:computeTokens"
    assert server.received[0] == ("POST", path, {"instances": [{"prompt": "Hi"}]}, "Bearer t")
    with pytest.raises(TokenizerUnavailableError, match="googleProjectId"):
        tokens(VertexAITokenizer(None), "Hi")


def test_a_missing_key_is_named_and_nothing_is_sent(server):
    for make in (GrokAPITokenizer, AlephAlphaTokenizer):
        with pytest.raises(TokenizerUnavailableError, match="xaiApiKey"):
            tokens(make(None, None, server.url), "a", name="xai/m")
    assert server.received == []


@pytest.mark.parametrize(
    "status, answer, error, message",
    [
        (401, {"error": "bad key"}, TokenizerUnavailableError, "refused with HTTP status 401.*bad key"),
        (404, b"no", TokenizerUnavailableError, "refused with HTTP status 404"),
        (429, b"slow down", ValueError, "GrokAPITokenizer.*HTTP status 429: slow down"),
        (500, b"oops", ValueError, "HTTP status 500"),
        (200, b"<html>", ValueError, "expected JSON"),
        (200, [], ValueError, "expected a JSON object"),
        (200, {"token_ids": None}, ValueError, "expected 'token_ids' to be a list"),
        (200, {"token_ids": [{"token_id": "7"}]}, ValueError, "expected 'token_id' to be a int"),
    ],
)
def test_what_a_server_may_answer(server, status, answer, error, message):
    server.answer = lambda path, payload: (status, answer)
    with pytest.raises(error, match=message):
        tokens(GrokAPITokenizer(None, "key", server.url), "a")


def test_a_server_that_is_not_there_may_be_asked_again():
    with pytest.raises(ValueError, match="127.0.0.1:1/tokenize-text") as raised:
        tokens(GrokAPITokenizer(None, "key", "http://127.0.0.1:1"), "a")
    assert not isinstance(raised.value, TokenizerUnavailableError)


def test_sentence_pieces(tmp_path):
    sentencepiece = pytest.importorskip("sentencepiece")
    lines = ["the cat sat on the mat", "the dog ate the cat", "a mat for a dog"] * 20
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_prefix=str(tmp_path / "tiny"), vocab_size=20, minloglevel=2
    )
    tokenizer = YaLMTokenizer(None, "Yandex/yalm", str(tmp_path / "tiny.model"))
    ids = tokens(tokenizer, "the cat")
    assert text(tokenizer, ids) == "the cat"
    assert "".join(tokens(tokenizer, "the cat", encode=False)) == " the cat"
    (tmp_path / "bad.model").write_bytes(b"no model")
    with pytest.raises(TokenizerUnavailableError, match="bad.model cannot be read"):
        tokens(ICETokenizer(None, "TsinghuaKEG/ice", str(tmp_path / "bad.model")), "a")


def test_yalm_keeps_line_breaks_and_drops_leading_spaces(tmp_path):
    sentencepiece = pytest.importorskip("sentencepiece")
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["the cat sat", "a mat for a dog"] * 20), model_prefix=str(tmp_path / "tiny"), minloglevel=2,
        vocab_size=21, user_defined_symbols=["[NL]", "[SEP]", "[MASK]"], remove_extra_whitespaces=False,
    )  # fmt: skip
    path = str(tmp_path / "tiny.model")
    tokenizer = YaLMTokenizer(None, "Yandex/yalm", path)
    assert text(tokenizer, tokens(tokenizer, "  the\n\ncat ")) == "the\n\ncat "
    assert tokens(tokenizer, "t\nt", encode=False).count("[NL]") == 1
    vocabulary = VocabularyOfYaLM(path)
    ids = vocabulary.tokenize(b"the\ncat")
    assert vocabulary.detokenize(ids) == "the[NL]cat"
    assert vocabulary.convert_tokens_to_ids(vocabulary.convert_ids_to_tokens(ids)) == ids
    assert "".join(vocabulary.convert_ids_to_string(ids)) == "the[NL]cat"
    assert vocabulary.convert_tokens_to_ids(["no piece"]) == [vocabulary.UNK]
    assert vocabulary.mask == vocabulary.vocab["[MASK]"] == 5 and vocabulary.inv_vocab[5] == "[MASK]"
    assert len(vocabulary.get_tokens()) == vocabulary.vocab_size == 21
    with pytest.raises(TypeError, match="not int"):
        vocabulary.tokenize(3)


@pytest.mark.parametrize(
    "tokenizer, file", [(YaLMTokenizer, "voc_100b.sp"), (ICETokenizer, "ice_text.model")], ids=["yalm", "ice"]
)
def test_a_missing_file_is_named(tokenizer, file):
    with pytest.raises(TokenizerUnavailableError, match=f"x/m.*{file}.*model_path"):
        tokens(tokenizer(None, "x/m"), "a")


def test_ai21():
    pytest.importorskip("ai21_tokenizer")
    tokenizer = AI21LocalTokenizer(None, "ai21/j2-tokenizer")
    assert text(tokenizer, tokens(tokenizer, "Hello world")) == "Hello world"
    assert tokens(tokenizer, "Hello world", encode=False) == [" Hello", " world"]


@pytest.mark.parametrize(
    "package, make, extra",
    [
        ("ai21_tokenizer", lambda: AI21LocalTokenizer(None, "ai21/j2-tokenizer"), "ai21"),
        ("sentencepiece", lambda: YaLMTokenizer(None, "Yandex/yalm", "x.model"), "sentencepiece"),
        ("google.auth", lambda: VertexAITokenizer(None, "proj"), "google"),
    ],
    ids=["ai21", "sentencepiece", "google"],
)
def test_a_missing_package_is_named_with_its_extra(monkeypatch, package, make, extra):
    monkeypatch.setitem(sys.modules, package, None)
    if package == "google.auth":
        monkeypatch.setitem(sys.modules, "google", types.ModuleType("google"))
    with pytest.raises(OptionalDependencyNotInstalled, match=rf"helm-evals\[{extra}\]"):
        tokens(make(), "a")
