"""Marks for Anthropic's prompt cache: where asked for, behind what requests have in common."""

import pytest

from conformance_server import ConformanceServer
from helm.clients.anthropic_client import AnthropicMessagesClient, mark_for_cache
from helm.clients.pacing.limiter import forget_limiters
from helm.common.cache import BlackHoleCacheConfig
from helm.common.request import Request

EXAMPLES = "\n\n".join(f"Question: {i} + {i}?\nAnswer: {2 * i}" for i in range(300))
PROMPT = f"{EXAMPLES}\n\nQuestion: 7 + 8?\nAnswer:"


@pytest.fixture
def server():
    forget_limiters()
    server = ConformanceServer()
    yield server
    server.close()
    forget_limiters()


def ask(server, cache_prompts, **fields):
    client = AnthropicMessagesClient(
        BlackHoleCacheConfig(), api_key="k", base_url=server.origin, cache_prompts=cache_prompts
    )
    request = Request(
        model="anthropic/claude-3-haiku", model_deployment="anthropic/claude-3-haiku", **{"prompt": PROMPT, **fields}
    )
    result = client.make_request(request)
    assert result.success, result.error
    return server.bodies[-1]


def test_the_examples_are_marked_and_the_question_is_not(server):
    (message,) = ask(server, True)["messages"]
    head, tail = message["content"]
    assert head["cache_control"] == {"type": "ephemeral"} and "cache_control" not in tail
    assert tail["text"] == "Question: 7 + 8?\nAnswer:" and head["text"] + tail["text"] == PROMPT


def test_without_being_asked_nothing_is_marked(server):
    assert ask(server, False)["messages"] == [{"role": "user", "content": PROMPT}]


@pytest.mark.parametrize("prompt", ["short", "a\n\nb", "x" * 9000, "x" * 9000 + "\n\n", "\n\n" + "x" * 9000])
def test_what_has_no_long_beginning_is_sent_as_it_is(server, prompt):
    assert ask(server, True, prompt=prompt)["messages"] == [{"role": "user", "content": prompt}]


def test_a_long_system_prompt_is_marked(server):
    messages = [{"role": "system", "content": EXAMPLES}, {"role": "user", "content": "7 + 8?"}]
    body = ask(server, True, prompt="", messages=messages)
    assert body["system"] == [{"type": "text", "text": EXAMPLES, "cache_control": {"type": "ephemeral"}}]
    assert body["messages"] == messages[1:]


def test_the_messages_of_the_request_are_not_changed():
    messages = [{"role": "user", "content": PROMPT}]
    mark_for_cache(None, messages)
    assert messages == [{"role": "user", "content": PROMPT}]


def test_two_questions_with_the_same_examples_have_the_same_marked_block(server):
    other = f"{EXAMPLES}\n\nQuestion: 9 + 9?\nAnswer:"
    blocks = [ask(server, True, prompt=prompt)["messages"][0]["content"][0] for prompt in (PROMPT, other)]
    assert blocks[0] == blocks[1]
