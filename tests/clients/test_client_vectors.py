"""Golden vectors: how completions are cut, which key a request has in the cache, and a cache file from elsewhere."""

import json
import shutil
from dataclasses import asdict

from helm.clients import client
from helm.clients.auto_client import AutoClient
from helm.clients.client import truncate_and_tokenize_response_text, truncate_sequence
from helm.common.cache import Cache, get_all_from_sqlite
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig, SqliteCacheBackendConfig
from helm.common.codec import asdict_without_nones, structure
from helm.common.key_value_store import request_to_key
from helm.common.object_spec import get_class_by_name
from helm.common.request import GeneratedOutput, Request
from helm.common.tokenization_request import DecodeRequest, TokenizationRequest
from helm.tokenizers import tokenizer as tokenizers
from helm.tokenizers.auto_tokenizer import AutoTokenizer
from helm.tokenizers.caching_tokenizer import CachingTokenizer
from helm_core_support import error_mismatch
from vectors_support import load_vectors, vector_cases, vectors_dir


def run_truncation(case, auto_tokenizer):
    function = case["function"]
    if function == "clients.client.cleanup_str":
        return client.cleanup_str(*case["args"])
    if function == "tokenizers.tokenizer.cleanup_str":
        return tokenizers.cleanup_str(*case["args"])
    request = Request(**case["request"])
    if function == "truncate_sequence":
        sequence = structure(case["sequence"], GeneratedOutput)
        return asdict_without_nones(truncate_sequence(sequence, request, case["end_of_text_token"]))
    assert function == "truncate_and_tokenize_response_text", function
    name = case["tokenizer"]
    tokenizer = auto_tokenizer.get_tokenizer(name)
    return asdict_without_nones(
        truncate_and_tokenize_response_text(case["text"], request, tokenizer, name, case["end_of_text_token"])
    )


def test_truncate_vectors(vector_environment):
    auto_tokenizer = AutoTokenizer({}, BlackHoleCacheBackendConfig())
    for case in vector_cases("helm-core/truncate.json"):
        error, result = None, None
        try:
            result = run_truncation(case, auto_tokenizer)
        except Exception as e:
            error = e
        if "error" in case:
            assert error_mismatch(error, case["error"]) is None, f"{case}: {error_mismatch(error, case['error'])}"
        else:
            assert error is None, f"{case}: {error!r}"
            assert result == case["result"], f"{case}: {result}"


class _EchoTokenizer(CachingTokenizer):
    """A caching tokenizer with the default keys."""

    def _tokenize_do_it(self, request):
        return {"tokens": [7] if request["encode"] else ["7"]}

    def _decode_do_it(self, request):
        return {"text": "7"}


def test_cache_key_vectors(tmp_path, monkeypatch):
    """The key is taken from what the client or tokenizer really asks its cache for."""
    asked = []
    original = Cache.get
    monkeypatch.setattr(Cache, "get", lambda self, key, compute: asked.append(key) or original(self, key, compute))
    config = BlackHoleCacheBackendConfig().get_cache_config("x")
    for case in vector_cases("helm-core/cache_keys.json"):
        asked.clear()
        if "request" in case:
            get_class_by_name(case["client"])(cache_config=config).make_request(structure_request(case["request"]))
        elif "tokenization_request" in case:
            _EchoTokenizer(config).tokenize(TokenizationRequest(**case["tokenization_request"]))
        elif "decode_request" in case:
            _EchoTokenizer(config).decode(DecodeRequest(**case["decode_request"]))
        else:
            asked.append(case["key_of"])
        assert [request_to_key(key) for key in asked] == [case["key"]], case


def structure_request(differences):
    return structure({**asdict(Request()), **differences}, Request)


def test_foreign_cache_vectors(vector_environment, tmp_path):
    """Responses that the original wrote (pickled) are found under the same keys and used."""
    folder = tmp_path / "prod_env" / "cache"
    folder.mkdir(parents=True)
    contents = load_vectors("helm-core/cache/contents.json")
    shutil.copy(vectors_dir() / "helm-core" / "cache" / contents["file"], folder / contents["file"])
    auto_client = AutoClient({}, str(folder), SqliteCacheBackendConfig(str(folder)))
    cases = vector_cases("helm-core/cache/contents.json")
    assert list(get_all_from_sqlite(str(folder / contents["file"]))) == [
        (json.loads(case["key"]), case["value"]) for case in cases
    ]
    for case in cases:
        key, value = json.loads(case["key"]), case["value"]
        request = Request(
            model=f"simple/{key['engine']}",
            model_deployment="simple/model1",
            prompt=key["prompt"],
            num_completions=key["num_completions"],
            random=key.get("random"),
        )
        result = auto_client.make_request(request)
        assert result.success and result.cached, case
        assert [completion.text for completion in result.completions] == value["completions"]
        assert (result.request_time, result.request_datetime) == (value["request_time"], value["request_datetime"])
