"""Tokenizers: characters, bytes, a real HTTP server, and what AutoTokenizer makes of a name."""

import json
import random
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from helm.common.cache import BlackHoleCacheConfig, SqliteCacheConfig
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig
from helm.common.errors import ConfigError
from helm.common.tokenization_request import DecodeRequest, TokenizationRequest
from helm.tokenizers.auto_tokenizer import AutoTokenizer
from helm.tokenizers.byte_tokenizer import ByteTokenizer
from helm.tokenizers.caching_tokenizer import CachingTokenizer
from helm.tokenizers.http_model_tokenizer import HTTPModelTokenizer, TokenIdsUnavailableError
from helm.tokenizers.simple_tokenizer import SimpleTokenizer


def encode(tokenizer, text, **kwargs):
    return tokenizer.tokenize(TokenizationRequest(text, tokenizer="x/y", encode=True, **kwargs)).raw_tokens


def decode(tokenizer, tokens):
    return tokenizer.decode(DecodeRequest(tokens, tokenizer="x/y")).text


def test_bytes_are_ids():
    assert encode(ByteTokenizer(), "aé") == [97, 0xC3, 0xA9]
    assert ByteTokenizer().tokenize(TokenizationRequest("aé", tokenizer="x/y")).raw_tokens == ["a", "\ufffd", "\ufffd"]
    assert encode(ByteTokenizer(), "abc", truncation=True, max_length=2) == [97, 98]
    assert encode(ByteTokenizer(), "abc", truncation=True, max_length=-1) == []


def test_half_a_character_decodes_to_a_replacement():
    assert decode(ByteTokenizer(), [97, 0xC3]) == "a\ufffd"


def test_characters_are_tokens_and_truncation_is_ignored():
    assert encode(SimpleTokenizer(), "aé", truncation=True, max_length=1) == [97, 233]
    assert SimpleTokenizer().tokenize(TokenizationRequest("aé", tokenizer="x/y")).raw_tokens == ["a", "é"]


@pytest.mark.parametrize("tokenizer", [SimpleTokenizer(), ByteTokenizer()], ids=["characters", "bytes"])
@pytest.mark.parametrize("seed", range(30))
def test_counts_agree_decoding_inverts_and_counts_never_fall(tokenizer, seed):
    rng = random.Random(seed)
    alphabet = "ab \n\té日\U0001f600\u0301\x00"
    text = "".join(rng.choice(alphabet) for _ in range(rng.randrange(40)))
    tokens = encode(tokenizer, text)
    assert tokenizer.count_tokens(text) == len(tokens)
    assert decode(tokenizer, tokens) == text
    counts = [tokenizer.count_tokens(text[:i]) for i in range(len(text) + 1)]
    assert counts == sorted(counts)


def test_a_lone_surrogate_does_not_break_counting():
    assert ByteTokenizer().count_tokens("\ud800") == len(encode(ByteTokenizer(), "\ud800")) == 3


class _Words(CachingTokenizer):
    """Words; counts how often it really worked."""

    calls = 0

    def _tokenize_do_it(self, request):
        self.calls += 1
        if "!" in request["text"]:
            raise RuntimeError("no exclamations")
        words = request["text"].split()
        return {"tokens": [len(word) for word in words] if request["encode"] else words}

    def _decode_do_it(self, request):
        return {"text": " ".join("x" * length for length in request["tokens"])}


def test_a_caching_tokenizer_asks_once_and_cuts_afterwards(tmp_path):
    tokenizer = _Words(SqliteCacheConfig(str(tmp_path / "words.sqlite")))
    request = TokenizationRequest("one three", tokenizer="a/b", encode=True, truncation=True, max_length=1)
    first, second = tokenizer.tokenize(request), tokenizer.tokenize(request)
    assert (first.raw_tokens, first.cached, second.raw_tokens, second.cached) == ([3], False, [3], True)
    assert tokenizer.calls == 1
    assert decode(tokenizer, [2, 1]) == "xx x"


def test_a_failure_names_the_class(tmp_path):
    with pytest.raises(ValueError, match="Failed to tokenize text with _Words tokenizer: no exclamations"):
        _Words(None).tokenize(TokenizationRequest("a!", tokenizer="a/b"))


def test_auto_tokenizer_makes_one_object_for_a_name(vector_environment):
    auto_tokenizer = AutoTokenizer({}, BlackHoleCacheBackendConfig())
    assert auto_tokenizer.get_tokenizer("simple/tokenizer1") is auto_tokenizer.get_tokenizer("simple/tokenizer1")
    result = auto_tokenizer.tokenize(TokenizationRequest("ab", tokenizer="vec/tokenizer"))
    assert result.success and result.raw_tokens == ["ab"]


def test_an_unknown_tokenizer_is_named_at_once(vector_environment):
    with pytest.raises(ConfigError, match="Could not find tokenizer config for simple/tokenizer9"):
        AutoTokenizer({}, BlackHoleCacheBackendConfig()).tokenize(
            TokenizationRequest("ab", tokenizer="simple/tokenizer9")
        )


def test_a_tokenizer_class_that_does_not_import_is_named(vector_environment):
    from helm.benchmark.tokenizer_config_registry import TokenizerConfig, TokenizerSpec, register_tokenizer_config

    register_tokenizer_config(TokenizerConfig("odd/one", TokenizerSpec("no_such_package.Tokenizer")))
    with pytest.raises(ConfigError, match="odd/one.*no_such_package.Tokenizer"):
        AutoTokenizer({}, BlackHoleCacheBackendConfig()).get_tokenizer("odd/one")


# --- over HTTP --------------------------------------------------------------------------------------------------------


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        payload = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.received.append((self.path, payload))
        status, body = self.server.answer(self.path, payload)
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.received = []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield server
    server.shutdown()
    server.server_close()


def _answer(path, payload):
    body = {"/tokenize": lambda: {"tokens": payload["text"].split()}, "/decode": lambda: {"text": "t"}}[path]()
    return 200, json.dumps(body).encode()


def test_http_tokenizer_asks_the_server(server):
    server.answer = _answer
    tokenizer = HTTPModelTokenizer(BlackHoleCacheConfig(), base_url=server.url)
    assert tokenizer.tokenize(TokenizationRequest("a b", tokenizer="x/y")).raw_tokens == ["a", "b"]
    assert decode(tokenizer, [1, 2]) == "t"
    assert server.received == [
        ("/tokenize", {"text": "a b", "truncation": False, "max_length": 2048}),
        ("/decode", {"tokens": [1, 2]}),
    ]


def test_http_tokenizer_caches_when_asked(server, tmp_path):
    server.answer = _answer
    config = SqliteCacheConfig(str(tmp_path / "http.sqlite"))
    tokenizer = HTTPModelTokenizer(config, base_url=server.url, do_cache=True)
    request = TokenizationRequest("a b", tokenizer="x/y")
    assert [tokenizer.tokenize(request).cached for _ in range(2)] == [False, True]
    assert len(server.received) == 1


@pytest.mark.parametrize(
    "status, body, message",
    [
        (500, b"boom", "HTTP status 500"),
        (200, b"<html>", "Expecting value"),
        (200, b'{"tokens": 3}', "expected a JSON"),
    ],
)
def test_http_tokenizer_says_what_the_server_did(server, status, body, message):
    server.answer = lambda path, payload: (status, body)
    result = HTTPModelTokenizer(BlackHoleCacheConfig(), base_url=server.url).tokenize(
        TokenizationRequest("a b", tokenizer="x/y")
    )
    assert not result.success
    assert server.url in result.error and message in result.error


def test_http_tokenizer_has_no_ids(server):
    with pytest.raises(TokenIdsUnavailableError, match="NoDecodingWindowService"):
        encode(HTTPModelTokenizer(BlackHoleCacheConfig(), base_url=server.url), "a")


def test_a_server_that_is_not_there_is_a_failed_result(server):
    server.shutdown()
    server.server_close()
    result = HTTPModelTokenizer(BlackHoleCacheConfig(), base_url=server.url).decode(DecodeRequest([1], "x/y"))
    assert not result.success and server.url in result.error


def test_hugging_face_tokenizer_says_which_package_is_missing():
    try:
        import transformers  # noqa: F401
    except ModuleNotFoundError:
        from helm.common.optional_dependencies import OptionalDependencyNotInstalled
        from helm.tokenizers.huggingface_tokenizer import HuggingFaceTokenizer

        with pytest.raises(OptionalDependencyNotInstalled, match="transformers.*huggingface"):
            HuggingFaceTokenizer.create_tokenizer("gpt2")
    else:
        pytest.skip("transformers is installed")


# --- optional packages ------------------------------------------------------------------------------------------------


@pytest.fixture
def local_hugging_face_folder(tmp_path):
    """A tiny byte-level tokenizer, saved as the hub would give it."""
    pytest.importorskip("transformers")
    from transformers import PreTrainedTokenizerFast

    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {symbol: i for i, symbol in enumerate([*alphabet, "he", "Ġt"])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[("h", "e"), ("Ġ", "t")]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(str(tmp_path / "tiny"))
    return str(tmp_path / "tiny")


def test_hugging_face_tokenizer(local_hugging_face_folder, tmp_path):
    from helm.tokenizers.huggingface_tokenizer import HuggingFaceTokenizer

    config = SqliteCacheConfig(str(tmp_path / "cache" / "hf.sqlite"))
    tokenizer = HuggingFaceTokenizer(config, f"huggingface/{tmp_path.name}", local_hugging_face_folder)
    ids = encode(tokenizer, "he the é")
    assert decode(tokenizer, ids) == "he the é"
    assert encode(tokenizer, "he the é", truncation=True, max_length=2) == ids[:2]
    assert encode(tokenizer, "he the é", truncation=True, max_length=-3) == []
    strings = tokenizer.tokenize(TokenizationRequest("he the", tokenizer="x/y")).raw_tokens
    assert strings == ["he", " t", "he"]
    assert tokenizer.tokenize(TokenizationRequest("he the", tokenizer="x/y")).cached


def test_hugging_face_tokenizer_converts_tokens_one_by_one_for_gpt(local_hugging_face_folder, tmp_path):
    from helm.tokenizers.huggingface_tokenizer import HuggingFaceTokenizer

    tokenizer = HuggingFaceTokenizer(None, f"gpt/{tmp_path.name}", local_hugging_face_folder)
    strings = tokenizer.tokenize(TokenizationRequest("he té", tokenizer="x/y")).raw_tokens
    assert strings == ["he", " t", "\ufffd", "\ufffd"]


def test_tiktoken_tokenizer():
    tiktoken = pytest.importorskip("tiktoken")
    from helm.tokenizers.tiktoken_tokenizer import TiktokenTokenizer

    ranks = {bytes([i]): i for i in range(256)} | {b"he": 256}
    tokenizer = TiktokenTokenizer(BlackHoleCacheConfig(), "openai/tiny")
    encoding = tiktoken.Encoding("tiny", pat_str=r"\s?\S+|\s+", mergeable_ranks=ranks, special_tokens={"<|end|>": 300})
    tokenizer.__dict__["_encoding"] = encoding  # the real ones are downloaded
    assert encode(tokenizer, "he é") == [256, 32, 0xC3, 0xA9]
    assert encode(tokenizer, "he é", truncation=True, max_length=1) == [256]
    assert decode(tokenizer, encode(tokenizer, "he <|end|> é")) == "he <|end|> é"
    assert tokenizer.tokenize(TokenizationRequest("he é", tokenizer="x/y")).raw_tokens == [
        "he",
        " ",
        "\ufffd",
        "\ufffd",
    ]


def test_a_tokenizer_that_is_nowhere_is_looked_for_once(monkeypatch, tmp_path):
    pytest.importorskip("transformers")
    from helm.tokenizers.hosted_tokenizer import TokenizerUnavailableError
    from helm.tokenizers.huggingface_tokenizer import HuggingFaceTokenizer

    monkeypatch.setattr(HuggingFaceTokenizer, "_failures", {})
    folder = str(tmp_path / "no_such_folder" / "here")
    message = f"'{folder}' is neither on this machine nor could it be downloaded"
    for _ in range(2):
        with pytest.raises(TokenizerUnavailableError, match=message):
            encode(HuggingFaceTokenizer(None, "lab/lost", folder), "a")
        monkeypatch.setattr(HuggingFaceTokenizer, "create_tokenizer", None)  # the second time it is not called


def test_an_encoding_that_tiktoken_does_not_have_is_named():
    pytest.importorskip("tiktoken")
    from helm.tokenizers.hosted_tokenizer import TokenizerUnavailableError
    from helm.tokenizers.tiktoken_tokenizer import TiktokenTokenizer

    with pytest.raises(TokenizerUnavailableError, match="no encoding 'cl100_base'. Did you mean 'cl100k_base'"):
        encode(TiktokenTokenizer(BlackHoleCacheConfig(), "openai/cl100_base"), "a")
