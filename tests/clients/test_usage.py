"""What providers count, in all their dialects, is counted and priced once."""

import json
from datetime import date

import pytest

import conformance_server as faults
from conformance_server import ConformanceServer
from helm.clients.anthropic_client import _read_usage as read_anthropic
from helm.clients.bedrock_client import BedrockClient
from helm.clients.cohere_client import CohereChatClient
from helm.clients.google_genai_client import read_usage_metadata as read_google
from helm.clients.protocols.openai_protocol import read_usage
from helm.common.budgets.charges import Charge, charging
from helm.common.budgets.spending import Budget, BudgetExceeded, Ledger
from helm.common.cache import BlackHoleCacheConfig, SqliteCacheConfig
from helm.common.request import Request, RequestResult, Usage


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        # OpenAI: reasoning is in the completion, and what was seen before in the prompt.
        (
            {
                "prompt_tokens": 100,
                "completion_tokens": 50,
                "total_tokens": 150,
                "completion_tokens_details": {"reasoning_tokens": 40},
                "prompt_tokens_details": {"cached_tokens": 64},
            },
            Usage(100, 50, 40, 64),
        ),
        # OpenAI's responses
        (
            {
                "input_tokens": 100,
                "output_tokens": 50,
                "output_tokens_details": {"reasoning_tokens": 0},
                "input_tokens_details": {"cached_tokens": 0},
            },
            Usage(100, 50, 0, 0),
        ),
        # DeepSeek
        (
            {
                "prompt_tokens": 100,
                "completion_tokens": 50,
                "total_tokens": 150,
                "prompt_cache_hit_tokens": 60,
                "prompt_cache_miss_tokens": 40,
                "completion_tokens_details": {"reasoning_tokens": 30},
            },
            Usage(100, 50, 30, 60),
        ),
        # xAI: reasoning is beside the completion.
        (
            {
                "prompt_tokens": 32,
                "completion_tokens": 9,
                "total_tokens": 135,
                "prompt_tokens_details": {"cached_tokens": 6},
                "completion_tokens_details": {"reasoning_tokens": 94},
            },
            Usage(32, 103, 94, 6),
        ),
        # OpenRouter
        (
            {
                "prompt_tokens": 100,
                "completion_tokens": 50,
                "prompt_tokens_details": {"cached_tokens": 10, "cache_write_tokens": 80},
            },
            Usage(100, 50, None, 10, 80),
        ),
        # vLLM
        ({"prompt_tokens": 7, "completion_tokens": 0, "total_tokens": 7, "prompt_tokens_details": None}, Usage(7, 0)),
        ({"prompt_tokens": "7", "completion_tokens": 3}, None),
        ({"prompt_tokens": -1, "completion_tokens": 3}, None),
        ({"prompt_tokens": 7, "completion_tokens": 3, "completion_tokens_details": "none"}, Usage(7, 3)),
        ([], None),
    ],
)
def test_openai_and_those_like_it(usage, expected):
    assert read_usage({"usage": usage}) == expected


def test_anthropic_counts_what_it_has_seen_and_what_it_remembers_apart():
    usage = {"input_tokens": 5, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 30, "output_tokens": 9}
    assert read_anthropic({"usage": usage}) == Usage(55, 9, None, 20, 30)
    assert read_anthropic({"usage": {"input_tokens": 5, "output_tokens": 9}}) == Usage(5, 9)


def test_google_counts_thoughts_apart():
    usage = {
        "promptTokenCount": 100,
        "toolUsePromptTokenCount": 4,
        "candidatesTokenCount": 10,
        "thoughtsTokenCount": 90,
        "cachedContentTokenCount": 50,
    }
    assert read_google({"usageMetadata": usage}) == Usage(104, 100, 90, 50)
    assert read_google({"usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": None}}) == Usage(3, 0)


def test_bedrock_and_cohere():
    bedrock = BedrockClient(BlackHoleCacheConfig(), bedrock_model_id="m", api_key="k")
    usage = {"inputTokens": 5, "outputTokens": 9, "cacheReadInputTokens": 20, "cacheWriteInputTokens": 30}
    assert bedrock._usage({"usage": usage}) == Usage(55, 9, None, 20, 30)
    cohere = CohereChatClient("k", BlackHoleCacheConfig())
    usage = {"tokens": {"input_tokens": 5.0, "output_tokens": 9.0}, "cached_tokens": 2}
    assert cohere._usage({"usage": usage}) == Usage(5, 9, None, 2)


def price(**more):
    from helm.benchmark.price_registry import Price

    million = 1_000_000
    return Price("d", input=1 * million, output=10 * million, date=date(2026, 1, 1), source="-", **more)


def result(usage, cached=False):
    return RequestResult(success=True, cached=cached, completions=[], embedding=[], usage=usage)


@pytest.mark.parametrize(
    ("usage", "more", "batch_share", "cost"),
    [
        (Usage(100, 50, reasoning_tokens=40), {}, None, 600),
        (Usage(100, 50, cached_prompt_tokens=60), {}, None, 600),
        (Usage(100, 50, cached_prompt_tokens=60), {"cached_input": 100_000}, None, 546),
        (Usage(100, 50, None, 60, 20), {"cached_input": 100_000, "cache_write": 1_250_000}, None, 551),
        (Usage(100, 50), {}, 0.5, 300),
        (Usage(100, 50), {"batch_share": 0.4}, 0.5, 240),
        (Usage(100, 50), {"batch_share": 0.4}, None, 600),
    ],
)
def test_what_it_costs(usage, more, batch_share, cost):
    ledger = Ledger(get_price=lambda deployment: price(**more))
    charge = Charge(Request(model="m", model_deployment="d", prompt="p"))
    charge.batch_share = batch_share
    with charging(charge):
        ledger.record("d", result(usage))
        ledger.record("d", result(usage, cached=True))
    assert ledger.spent().cost == pytest.approx(cost)


def test_counts_that_contradict_each_other_do_no_harm():
    ledger = Ledger(get_price=lambda deployment: price(cached_input=0.0, cache_write=0.0))
    ledger.record("d", result(Usage(10, 1, None, 60, 20)))
    assert ledger.spent().cost == pytest.approx(10)


def test_what_is_reserved_counts_until_it_is_released():
    ledger = Ledger(Budget(max_cost=100, max_tokens=1000), lambda deployment: price())
    ledger.check_room(100, 1000)
    ledger.reserve("batch", 60, 600)
    ledger.check()
    for cost, tokens in ((50, 0), (0, 500)):
        with pytest.raises(BudgetExceeded):
            ledger.check_room(cost, tokens)
    ledger.reserve("other", 40, 0)
    with pytest.raises(BudgetExceeded):
        ledger.check()
    ledger.release("batch")
    ledger.check()


# --- stop sequences that the model does not take ----------------------------------------------------------------------


class NoStop(ConformanceServer):
    """Refuses `stop`, as OpenAI and xAI do for models that reason."""

    message = "Unsupported parameter: 'stop' is not supported with this model."

    def handle(self, handler, data):
        body = json.loads(data)
        self.requests.append({"path": handler.path, "body": body})
        if body.get("stop"):
            raise faults.Response(400, {"error": {"message": self.message, "type": "invalid_request_error"}})
        message = {"content": "one END two", "reasoning_content": "to the END"}
        raise faults.Response(200, {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})


@pytest.fixture
def server():
    server = NoStop()
    yield server
    server.close()


@pytest.mark.parametrize("name", ["openai_client.OpenAIClient", "openai_compatible_client.OpenAICompatibleClient"])
def test_a_model_without_stop_sequences_is_asked_without_and_the_answer_is_cut(name, server, tmp_path):
    from importlib import import_module

    module, _, class_name = name.partition(".")
    client = getattr(import_module(f"helm.clients.{module}"), class_name)(
        SqliteCacheConfig(str(tmp_path / "c.sqlite")), base_url=f"{server.origin}/v1", api_key="k"
    )
    for number in range(3):
        request = Request(model="org/m", model_deployment="d/m", prompt=f"Hi {number}", stop_sequences=["END"])
        answer = client.make_request(request)
        assert answer.success, answer.error
        (completion,) = answer.completions
        assert completion.text == "one " and completion.thinking.text == "to the END"
    assert [bool(r["body"].get("stop")) for r in server.requests] == [True, False, False, False]


def test_models_of_openai_that_refuse_stop_sequences_are_not_sent_any(server, tmp_path):
    from helm.clients.openai_client import OpenAIClient

    client = OpenAIClient(SqliteCacheConfig(str(tmp_path / "c.sqlite")), base_url=f"{server.origin}/v1", api_key="k")
    request = Request(model="openai/o3-2025-04-16", model_deployment="d/m", prompt="Hi", stop_sequences=["END"])
    assert client.make_request(request).completions[0].text == "one "
    assert ["stop" in r["body"] for r in server.requests] == [False]
    (key,) = [key for key, _ in client.cache.get_all()]
    assert key["stop"] == ["END"], "as HELM's cache has it"


def test_other_refusals_are_refusals(server):
    from helm.clients.openai_client import OpenAIClient

    server.message = "This model's maximum context length is 10 tokens; please stop."
    client = OpenAIClient(BlackHoleCacheConfig(), base_url=f"{server.origin}/v1", api_key="k")
    request = Request(model="org/m", model_deployment="d/m", prompt="Hi", stop_sequences=["END"])
    assert client.make_request(request).outcome == "refused"
    assert len(server.requests) == 1


def test_blank_stop_sequences_are_not_sent_to_anthropic(server):
    from helm.clients.anthropic_client import AnthropicMessagesClient

    anthropic = ConformanceServer("one\ntwo")
    try:
        client = AnthropicMessagesClient(BlackHoleCacheConfig(), base_url=anthropic.origin, api_key="k")
        request = Request(model="a/m", model_deployment="d/m", prompt="Hi", stop_sequences=["\n", "###"])
        answer = client.make_request(request)
        assert answer.completions[0].text == "one", answer
        assert anthropic.bodies[0]["stop_sequences"] == ["###"]
    finally:
        anthropic.close()
