"""vLLM as a server: log-likelihoods are exactly those of its model, with and without a tokenizer here."""

import json

import pytest

import conformance_server as faults
import conformance_vllm
from conformance_server import ConformanceServer
from conformance_vllm import logprob, split
from helm.benchmark import run
from helm.common.cache import BlackHoleCacheConfig
from helm.common.errors import ConfigError
from helm.common.request import Request
from helm.common.tokenization_request import DecodeRequest, TokenizationRequest
from helm.tokenizers.hosted_tokenizer import TokenizerUnavailableError
from helm.tokenizers.vllm_tokenizer import VLLMTokenizer

QUESTIONS = [
    ("The sky is", ["blue", "a lump of cheese", "no"]),
    ("Two and two is", ["four of them", "five"]),
    ("Ice is", ["very, very cold", "hot", "a kind of music", "warm"]),
]


@pytest.fixture
def server(tmp_path, monkeypatch):
    from helm.clients.pacing.limiter import forget_limiters

    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(faults.DIALECTS, "completions", conformance_vllm.completions)
    forget_limiters()
    server = ConformanceServer()
    server.models = [{"id": "m", "object": "model", "owned_by": "vllm", "max_model_len": 4096}]
    lines = [
        {
            "input": {"text": question},
            "references": [
                {"output": {"text": text}, "tags": ["correct"] if i == 0 else []} for i, text in enumerate(texts)
            ],
            "split": "test",
        }
        for question, texts in QUESTIONS
    ]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    yield server
    server.close()
    forget_limiters()


def write_deployment(tmp_path, server, with_tokenizer):
    folder = tmp_path / "prod_env"
    folder.mkdir(exist_ok=True)
    url = f"{server.origin}/vllm/v1"
    further = "    tokenizer_name: lab/m\n    max_sequence_length: 4096\n" if with_tokenizer else ""
    (folder / "model_deployments.yaml").write_text(
        f"model_deployments:\n  - name: lab/m\n{further}    client_spec:\n"
        f"      class_name: helm.clients.vllm_client.VLLMClient\n      args: {{base_url: '{url}'}}\n"
    )
    (folder / "tokenizer_configs.yaml").write_text(
        "tokenizer_configs:\n  - name: lab/m\n    tokenizer_spec:\n"
        f"      class_name: helm.tokenizers.vllm_tokenizer.VLLMTokenizer\n      args: {{base_url: '{url}'}}\n"
        "    end_of_text_token: ''\n    prefix_token: ''\n"
    )


def expected_scores(method, question, texts):
    """By hand, from the log-probabilities of the model."""
    scores = []
    for text in texts:
        tokens = split(f" {text}")
        total = sum(logprob(token) for token in tokens)
        if method.endswith("original"):
            scores.append(total / len(tokens))
        else:
            scores.append(0.0)  # the same tokens with and without the question
    return scores


@pytest.mark.parametrize("with_tokenizer", [True, False])
@pytest.mark.parametrize("name", ["lab/m", "openai-compat/m"])
def test_choices_are_those_of_the_exact_log_likelihoods(server, tmp_path, isolated_registries, name, with_tokenizer):
    write_deployment(tmp_path, server, with_tokenizer)
    model = name if name == "lab/m" else f"{name}@{server.origin}/vllm/v1"
    method = "multiple_choice_separate_original"
    run.main(["-r", f"custom_mcqa:path={tmp_path}/q.jsonl,method={method},model={model}", "-m", "9", "--disable-cache"])
    (folder,) = (tmp_path / "benchmark_output/runs/default").glob("custom_mcqa*")
    entries = json.loads((folder / "per_instance_stats.json").read_text())
    for entry, (question, texts) in zip(entries, QUESTIONS, strict=True):
        values = {stat["name"]["name"]: stat["sum"] for stat in entry["stats"]}
        scores = expected_scores(method, question, texts)
        assert values["predicted_index"] == scores.index(max(scores)), (question, scores)
        weights = [2.718281828459045 ** (score - max(scores)) for score in scores]
        assert values["max_prob"] == pytest.approx(1 / sum(weights), rel=1e-9)
    coverage = json.loads((folder / "coverage.json").read_text())
    assert coverage["coverage"] == 1.0 and coverage["requests"]["across_token_boundary"] == 0
    assert all(body["max_tokens"] == 0 and body["echo"] for body in server.bodies if "echo" in body)


def test_the_log_likelihood_of_a_prompt(server):
    from helm.clients.vllm_client import VLLMClient

    client = VLLMClient(cache_config=BlackHoleCacheConfig(), base_url=f"{server.origin}/vllm/v1", vllm_model_name="m")
    text = "One two, three!\nFour"
    result = client.make_request(Request(model="lab/m", prompt=text, echo_prompt=True, max_tokens=0))
    (completion,) = result.completions
    assert completion.text == text and [token.text for token in completion.tokens] == split(text)
    assert [token.logprob for token in completion.tokens] == [0.0, *map(logprob, split(text)[1:])]


def test_the_tokenizer_of_the_server(server, monkeypatch):
    tokenizer = VLLMTokenizer(BlackHoleCacheConfig(), base_url=f"{server.origin}/vllm/v1")
    text = "Hello, big world"

    def ask(**fields):
        return tokenizer.tokenize(TokenizationRequest(text, tokenizer="lab/m", **fields)).raw_tokens

    assert ask() == split(text) == ["Hello", ",", " big", " world"]
    ids = ask(encode=True)
    assert tokenizer.decode(DecodeRequest(ids, tokenizer="lab/m")).text == text
    assert ask(encode=True, truncation=True, max_length=2) == ids[:2]
    assert server.bodies[0] == {"model": "m", "prompt": text, "add_special_tokens": False, "return_token_strs": True}
    assert {request["path"] for request in server.requests} == {"/vllm/tokenize", "/vllm/detokenize"}


@pytest.mark.parametrize(
    "answer, expected",
    [
        ({"tokens": "x"}, "expected 'tokens' to be a list"),
        ({"tokens": ["a"]}, "expected ids of tokens"),
        ({}, "tokens"),
    ],
)
def test_answers_without_tokens(server, monkeypatch, answer, expected):
    monkeypatch.setitem(faults.DIALECTS, "vllm_tokenize", lambda *args: answer)
    tokenizer = VLLMTokenizer(BlackHoleCacheConfig(), base_url=f"{server.origin}/vllm/v1")
    with pytest.raises(ValueError, match=expected):
        tokenizer.tokenize(TokenizationRequest("x", tokenizer="lab/m", encode=True))


def test_a_server_that_refuses_or_has_no_address(server, monkeypatch):
    monkeypatch.delenv("VLLM_BASE_URL", raising=False)
    with pytest.raises(ConfigError, match="VLLM_BASE_URL"):
        VLLMTokenizer(BlackHoleCacheConfig())
    server.faults = [faults.BAD_REQUEST]
    tokenizer = VLLMTokenizer(BlackHoleCacheConfig(), base_url=f"{server.origin}/vllm")
    with pytest.raises(TokenizerUnavailableError, match="HTTP status 400"):
        tokenizer.tokenize(TokenizationRequest("x", tokenizer="lab/m"))
