"""OpenAI's protocol piece by piece: what goes into a request, and what is read out of an answer or a stream."""

import base64
import json

import pytest

from helm.clients.http.http_endpoint import HTTPEndpoint
from helm.clients.http.request_failure import RequestFailure
from helm.clients.protocols.openai_protocol import (
    CHAT_ROUTE,
    COMPLETIONS_ROUTE,
    content_parts,
    cut_at_stop,
    finish_reason,
    image_url,
    join_chunks,
    json_schema_format,
    message_text,
    mime_type,
    read_chat_choice,
    read_json_or_stream,
    read_text_choice,
    read_tokens,
    read_tool_calls,
    sorted_choices,
    split_thinking,
    stream_events,
)
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import GeneratedOutput, Token


@pytest.mark.parametrize(
    ("start", "told", "mime"),
    [
        (b"\xff\xd8\xff\xe0", "image/png", "image/jpeg"),
        (b"\x89PNG\r\n\x1a\n", "image/jpeg", "image/png"),
        (b"RIFF1234WEBPVP8 ", "image/png", "image/webp"),
        (b"RIFF1234WAVEfmt ", "image/png", "image/png"),
        (b"1234____WEBPVP8 ", "image/png", "image/png"),
        (b"GIF89a", "image/jpg", "image/jpeg"),
        (b"", "image/gif", "image/gif"),
    ],
)
def test_pictures_are_what_they_begin_with(start, told, mime, tmp_path):
    path = tmp_path / "picture"
    path.write_bytes(start)
    media = MediaObject(content_type=told, location=str(path))
    assert mime_type(media) == mime
    assert image_url(media) == f"data:{mime};base64,{base64.b64encode(start).decode()}"


def test_remote_pictures_are_named():
    assert image_url(MediaObject(content_type="image/png", location="https://example.org/a.png")) == (
        "https://example.org/a.png"
    )


def test_what_a_message_cannot_hold_is_refused(tmp_path):
    (tmp_path / "film").write_bytes(b"")
    for media in (
        MediaObject(content_type="video/mp4", location=str(tmp_path / "film")),
        MediaObject(content_type="audio/mpeg", location="https://example.org/a.mp3"),
    ):
        with pytest.raises(RequestFailure, match=f"the prompt holds {media.content_type}, which cannot be sent there"):
            content_parts(MultimediaObject([media]), HTTPEndpoint("http://localhost/v1"))


def test_schemas():
    schema = {"type": "object", "properties": {"a": {}, "b": {}}}
    assert json_schema_format(schema, strict=False) == {
        "type": "json_schema",
        "json_schema": {"name": "response", "schema": schema, "strict": True},
    }
    assert json_schema_format(schema, strict=True) == {
        "type": "json_schema",
        "json_schema": {
            "name": "response",
            "description": "",
            "schema": {"additionalProperties": False, "required": ["a", "b"], **schema},
            "strict": True,
        },
    }
    given = {"additionalProperties": True, "required": []}
    assert json_schema_format(given, strict=True)["json_schema"]["schema"] == given


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": "a"}, "a"),
        ({"content": ""}, ""),
        ({"content": None}, None),
        ({}, None),
        ({"content": None, "refusal": "no"}, "no"),
        ({"content": "", "refusal": "no"}, ""),
        ({"content": 3}, None),
        ({"content": []}, None),
        ({"content": [], "refusal": "no"}, "no"),
        ({"content": [{"text": "a"}, {"type": "other"}, "x", {"text": "b"}]}, "ab"),
        ({"content": ["x"]}, None),
    ],
)
def test_the_text_of_a_message(message, text):
    assert message_text(message) == text


@pytest.mark.parametrize(
    ("message", "thinking"),
    [
        ({"content": "a"}, None),
        ({"content": "a", "reasoning_content": "r", "reasoning": "s"}, "r"),
        ({"content": "a", "reasoning_content": "", "reasoning": "s"}, "s"),
        ({"content": "a", "thinking": "t"}, "t"),
        ({"content": "a", "thinking": 3}, None),
        (
            {
                "content": [
                    {"type": "thinking", "thinking": [{"text": "r"}, "x", {}, {"text": "s"}]},
                    "y",
                    {"text": "a"},
                ]
            },
            "rs",
        ),
        ({"content": [{"type": "thinking", "thinking": "r"}, {"text": "a"}]}, "r"),
        ({"content": [{"type": "thinking", "thinking": None}, {"text": "a"}]}, None),
        ({"content": [{"type": "text", "thinking": "r", "text": "a"}]}, None),
    ],
)
def test_reasoning_apart_from_the_text(message, thinking):
    output = read_chat_choice({"message": message}, splits_thinking=False)
    assert output.text == "a"
    assert (output.thinking and output.thinking.text) == thinking


def test_tokens_in_both_dialects():
    assert read_tokens(CHAT_ROUTE, {}) == [] == read_tokens(COMPLETIONS_ROUTE, {"logprobs": {}})
    content = {"logprobs": {"content": [{"token": "a", "logprob": -1}, {"token": "b", "logprob": None}]}}
    assert read_tokens(CHAT_ROUTE, content) == [Token(text="a", logprob=-1.0), Token(text="b", logprob=0.0)]
    lists = {"logprobs": {"content": None, "tokens": ["a", "b"], "token_logprobs": [None, -2]}}
    for route in (CHAT_ROUTE, COMPLETIONS_ROUTE):
        assert read_tokens(route, lists) == [Token(text="a", logprob=0.0), Token(text="b", logprob=-2.0)]
    assert read_tokens(CHAT_ROUTE, {"logprobs": {"content": None}}) == []
    with pytest.raises(KeyError):
        read_tokens(COMPLETIONS_ROUTE, {"logprobs": {"content": None}})
    with pytest.raises(ValueError):
        read_tokens(COMPLETIONS_ROUTE, {"logprobs": {"tokens": ["a"], "token_logprobs": []}})
    with pytest.raises(TypeError, match="tokens must be texts"):
        read_tokens(COMPLETIONS_ROUTE, {"logprobs": {"tokens": ["a", 1], "token_logprobs": [0, 0]}})


def test_choices():
    choice = {
        "text": "ab",
        "finish_reason": "length",
        "logprobs": {"tokens": ["a", "b"], "token_logprobs": [-1, -2]},
    }
    output = read_text_choice(choice)
    assert (output.text, output.logprob, len(output.tokens)) == ("ab", -3, 2)
    assert output.finish_reason == {"reason": "length"}
    for ending, text, logprob in (("b", "b", -2), ("", "", 0), ("ab", "ab", -3), ("longer", "ab", -3)):
        output = read_text_choice(choice, ending)
        assert (output.text, output.logprob) == (text, logprob) == ("".join(t.text for t in output.tokens), logprob)
    assert finish_reason(None) is None and finish_reason({"type": "stop"}) is None
    choices = [{"index": 2, "text": "c"}, {"text": "a"}, {"index": 1, "text": "b"}]
    assert [choice["text"] for choice in sorted_choices({"choices": choices})] == ["a", "b", "c"]


def test_calls_of_tools():
    assert read_tool_calls({}) is None and read_tool_calls({"tool_calls": ["x", {"function": 1}]}) is None
    calls = [
        {"id": "1", "function": {"name": "f", "arguments": '{"a": 1}'}},
        {"id": "2", "function": {"name": "g", "arguments": "{"}},
        {"id": "3", "function": {"name": "h", "arguments": {"b": 2}}},
        {"id": "4", "function": {}},
    ]
    assert read_tool_calls({"tool_calls": calls}) == [
        {"id": "1", "name": "f", "arguments": {"a": 1}},
        {"id": "2", "name": "g", "arguments": "{"},
        {"id": "3", "name": "h", "arguments": {"b": 2}},
        {"id": "4", "name": None, "arguments": None},
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("answer", ("answer", None)),
        ("<think>\nwhy\n</think>\n\nanswer", ("answer", "why")),
        ("why</think>answer", ("answer", "why")),
        (" <think>why", ("", "why")),
        ("the <think> tag", ("the <think> tag", None)),
    ],
)
def test_thoughts_in_tags(text, expected):
    assert split_thinking(text) == expected


def test_tokens_of_thoughts_go_with_them():
    texts = ["<think>", "why", "</think>", "an", "swer"]
    logprobs = {"content": [{"token": text, "logprob": -1} for text in texts]}
    choice = {"message": {"content": "".join(texts)}, "logprobs": logprobs}
    output = read_chat_choice(choice, splits_thinking=True)
    assert (output.text, output.thinking.text, [token.text for token in output.tokens]) == (
        "answer",
        "why",
        ["an", "swer"],
    )
    assert output.logprob == -2
    whole = read_chat_choice(choice, splits_thinking=False)
    assert (whole.text, whole.thinking, whole.logprob) == ("".join(texts), None, -5)
    apart = {"message": {"content": "<think>a</think>b", "reasoning": "r"}}
    assert read_chat_choice(apart, splits_thinking=True).text == "<think>a</think>b"
    nothing = {"message": {"content": "<think>why"}, "logprobs": {"content": [{"token": "<think>why", "logprob": -1}]}}
    output = read_chat_choice(nothing, splits_thinking=True)
    assert (output.text, output.tokens, output.logprob) == ("", [], 0)


def generated(*texts):
    tokens = [Token(text=text, logprob=-1.0) for text in texts]
    return GeneratedOutput(
        text="".join(texts), logprob=-1.0 * len(texts), tokens=tokens, finish_reason={"reason": "length"}
    )


@pytest.mark.parametrize(
    ("stops", "text", "tokens"),
    [
        (["x"], "one END two", None),
        ([""], "one END two", None),
        (["END"], "one ", ["one "]),
        (["two", "END"], "one ", ["one "]),
        (["e"], "on", ["on"]),
        (["o"], "", []),
        (["ND"], "one E", ["one ", "E"]),
        ([" two"], "one END", ["one ", "END"]),
    ],
)
def test_what_is_behind_a_stop_sequence_is_cut(stops, text, tokens):
    output = generated("one ", "END", " two")
    cut = cut_at_stop(output, stops)
    if tokens is None:
        assert cut is output
        return
    assert (cut.text, [token.text for token in cut.tokens], cut.logprob) == (text, tokens, -1.0 * len(tokens))
    assert cut.finish_reason == {"reason": "stop"}


def stream(*events, end="\n"):
    return "".join(f"data: {json.dumps(event)}{end}{end}" for event in events).encode()


def test_a_body_is_json_or_a_stream():
    assert read_json_or_stream(b'{"a": 1}', "application/json") == {"a": 1}
    event = {"id": 1, "choices": [{"text": "a", "finish_reason": "stop"}]}
    assert read_json_or_stream(stream(event), "text/event-stream; charset=utf-8") == {
        "id": 1,
        "choices": [{"index": 0, "text": "a", "finish_reason": "stop"}],
    }


def test_events_of_a_stream():
    for end in ("\n", "\r\n", "\r"):
        assert stream_events(stream({"a": 1}, {"a": "\u2028"}, end=end)) == [{"a": 1}, {"a": "\u2028"}]
    data = (
        b'\xef\xbb\xbf: comment\nevent: x\ndata:{"a":\ndata: 1}\nid: 3\n\n\n\ndata: [DONE]\n\ndata:\n\ndata:  {"b": 2}'
    )
    assert stream_events(data) == [{"a": 1}, {"b": 2}]
    for nothing in (b"", b"data: [DONE]\n\n", b": comment\n\n"):
        with pytest.raises(ValueError, match="a stream without events"):
            stream_events(nothing)


def chunk(index=0, **more):
    return {"choices": [{"index": index, **more}]}


def test_chunks_become_one_answer():
    logprobs = [{"content": [{"token": text, "logprob": -1}], "other": None} for text in ("a", "b")]
    events = [
        {"id": "1", "model": "m", "usage": None, "choices": []},
        chunk(1, delta={"content": "second"}, finish_reason="length"),
        chunk(0, delta={"role": "assistant", "content": None}, finish_reason=None),
        chunk(0, delta={"content": "a", "reasoning": "r"}, logprobs=logprobs[0]),
        chunk(0, delta={"content": "b", "reasoning": "s", "refusal": "no"}, logprobs=logprobs[1]),
        chunk(0, delta=None, finish_reason="stop"),
        {"usage": {"n": 1}, "choices": None},
        {"usage": None},
    ]
    assert join_chunks(events) == {
        "id": "1",
        "model": "m",
        "usage": {"n": 1},
        "choices": [
            {
                "index": 0,
                "message": {"content": "ab", "reasoning": "rs", "refusal": "no"},
                "logprobs": {"content": [{"token": "a", "logprob": -1}, {"token": "b", "logprob": -1}]},
                "finish_reason": "stop",
            },
            {"index": 1, "message": {"content": "second"}, "finish_reason": "length"},
        ],
    }
    texts = [chunk(text="a"), chunk(text="b"), chunk(finish_reason="stop")]
    assert join_chunks(texts)["choices"] == [{"index": 0, "text": "ab", "finish_reason": "stop"}]
    empty = [chunk(delta={}, finish_reason="stop")]
    assert join_chunks(empty)["choices"] == [{"index": 0, "message": {"content": None}, "finish_reason": "stop"}]


def test_a_stream_that_breaks_off_is_no_answer():
    for events in (
        [],
        [{"choices": []}],
        [chunk(text="a")],
        [chunk(0, text="a", finish_reason="stop"), chunk(1, text="b")],
    ):
        with pytest.raises(ValueError, match="a stream that broke off"):
            join_chunks(events)
    with pytest.raises(ValueError, match="not an object"):
        join_chunks([[]])


def test_an_error_in_a_stream_is_what_it_says():
    failed = {"error": {"message": "m"}}
    assert join_chunks([chunk(text="a"), failed, chunk(finish_reason="stop")]) is failed
    inside = join_chunks([chunk(text="a"), chunk(error={"message": "m"}, finish_reason="error")])
    assert inside["choices"][0]["error"] == {"message": "m"}


def test_calls_of_tools_come_bit_by_bit():
    def call(index, **function):
        return chunk(delta={"tool_calls": [{"index": index, **function}]})

    events = [
        call(0, id="x", function={"name": "f"}),
        call(1, id="y", function={"name": "g", "arguments": "{"}),
        call(0, function={"arguments": "1"}),
        call(1, function={"arguments": "}"}),
        call(0, function={"arguments": "2"}),
        call(1, function=None),
        call(0),
        call(None, id="z", function={"name": "h"}),
        call(None, id="w"),
        chunk(finish_reason="tool_calls"),
    ]
    calls = join_chunks(events)["choices"][0]["message"]["tool_calls"]
    assert [(call.get("id"), call["function"]) for call in calls] == [
        ("x", {"name": "f", "arguments": "12"}),
        ("y", {"name": "g", "arguments": "{}"}),
        ("z", {"name": "h"}),
        ("w", {}),
    ]
