"""What the conformance server answers in OpenAI's dialects: chat, completions, responses, embeddings, transcriptions."""

import json

from conformance_faults import (
    FILTERED,
    LENGTH,
    NO_CHOICES,
    NO_USAGE,
    NULL_CONTENT,
    REFUSAL,
    STREAM_BROKEN_OFF,
    STREAM_CHATTY,
    STREAM_ERROR,
    STREAM_IN_PIECES,
    STREAM_WITHOUT_END,
    STREAMS,
    THINKING,
    TOOL_CALL,
    Response,
)

REFUSAL_TEXT = "I cannot help with that."


def usage(server, body, fault):
    if fault == NO_USAGE:
        return {}
    image_tokens = 0 if server.ignores_images else 5 * json.dumps(body).count('"image_url": {')
    return {"usage": {"prompt_tokens": 7 + image_tokens, "completion_tokens": 3, "total_tokens": 10 + image_tokens}}


def _chat_tokens(text):
    words = text.split(" ")
    texts = [word if i == 0 else f" {word}" for i, word in enumerate(words)]
    return {"content": [{"token": text, "logprob": -0.25, "bytes": None, "top_logprobs": []} for text in texts]}


def chat(server, body, fault):
    message = {"role": "assistant", "content": server.text}
    reason = "stop"
    if fault == NULL_CONTENT:
        message["content"] = None
    if fault == THINKING:
        message["reasoning_content"] = server.thinking
    if fault == FILTERED:
        message["content"], reason = None, "content_filter"
    if fault == REFUSAL:
        message.update(content=None, refusal=REFUSAL_TEXT)
    if fault == LENGTH:
        reason = "length"
    if fault == TOOL_CALL:
        function = {"name": "look_up", "arguments": '{"word": "cat"}'}
        message.update(content=None, tool_calls=[{"id": "c1", "type": "function", "function": function}])
        reason = "tool_calls"
    if fault == NO_CHOICES:
        return {"id": "x", "choices": []}
    if fault in STREAMS or body.get("stream"):
        raise stream(fault, _chunks(message, reason, usage(server, body, fault)), server.pieces)
    choices = [{"index": i, "message": message, "finish_reason": reason} for i in range(body.get("n") or 1)]
    if body.get("logprobs") and message["content"]:
        for choice in choices:
            choice["logprobs"] = _chat_tokens(message["content"])
    return {"id": "x", "object": "chat.completion", "choices": choices, **usage(server, body, fault)}


def _chunks(message, reason, used):
    """Two for each text, calls of tools with their arguments in two."""
    deltas = [{"role": "assistant", "content": ""}]
    for key in ("reasoning_content", "content", "refusal"):
        text = message.get(key)
        if isinstance(text, str):
            deltas += [{key: text[: len(text) // 2]}, {key: text[len(text) // 2 :]}]
    for index, call in enumerate(message.get("tool_calls") or []):
        arguments = call["function"]["arguments"]
        first = {**call, "index": index, "function": {**call["function"], "arguments": arguments[:5]}}
        deltas += [
            {"tool_calls": [first]},
            {"tool_calls": [{"index": index, "function": {"arguments": arguments[5:]}}]},
        ]
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    return [*chunks, {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}, {"choices": [], **used}]


def stream(fault, chunks, pieces, names=None, end="data: [DONE]\n\n"):
    """The response that holds these events, with what `fault` does to streams."""
    texts = [f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n" for chunk in chunks]
    if names is not None:
        texts = [f"event: {name}\n{text}" for name, text in zip(names, texts, strict=True)]
    if fault == STREAM_BROKEN_OFF:
        texts, end = texts[: max(2, len(texts) // 2)], ""
    if fault == STREAM_ERROR:
        texts = [*texts[:2], 'data: {"error": {"message": "the worker died", "type": "server_error"}}\n\n']
    if fault == STREAM_WITHOUT_END:
        end = ""
    if fault == STREAM_CHATTY:
        texts = [text + (": keep-alive\n\n" if i % 2 else "id: 7\nretry: 1000\n\n:\n") for i, text in enumerate(texts)]
        texts = [text.replace("\n", ("\r\n", "\n", "\r")[i % 3]) for i, text in enumerate(texts)]
        texts[0] = "\ufeff" + texts[0]
    data = ("".join(texts) + end).encode()
    size = 5 if fault == STREAM_IN_PIECES else pieces
    return Response(200, data, content_type="text/event-stream; charset=utf-8", pieces=size)


def completions(server, body, fault):
    text = server.text
    tokens = [body["prompt"][i : i + 4] for i in range(0, len(body["prompt"]), 4)] if body.get("echo") else []
    logprobs = [None, *[-0.5] * (len(tokens) - 1)] if tokens else []
    if body.get("max_tokens") != 0:
        tokens, logprobs = [*tokens, *text.split(" ")], [*logprobs, *[-0.25] * len(text.split(" "))]
    text = (body["prompt"] if body.get("echo") else "") + (text if body.get("max_tokens") != 0 else "")
    choice = {"index": 0, "text": text, "finish_reason": "length" if fault == LENGTH else "stop"}
    if body.get("logprobs"):
        choice["logprobs"] = {"tokens": tokens, "token_logprobs": logprobs}
    if fault == NULL_CONTENT:
        choice["text"] = None
    if fault == FILTERED:
        choice.update(text="", finish_reason="content_filter")
    if fault in STREAMS:
        half = len(text) // 2
        chunks = [
            {"choices": [{"index": 0, "text": part, "finish_reason": None}]} for part in (text[:half], text[half:])
        ]
        chunks += [{"choices": [{"index": 0, "text": "", "finish_reason": "stop"}]}, usage(server, body, fault)]
        raise stream(fault, chunks, server.pieces)
    return {"choices": [] if fault == NO_CHOICES else [choice], **usage(server, body, fault)}


def responses(server, body, fault):
    output = [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": server.text}]}]
    answer = {"object": "response", "status": "completed", "output": output}
    if fault == THINKING:
        output.insert(0, {"type": "reasoning", "summary": [{"type": "summary_text", "text": server.thinking}]})
    if fault in (NULL_CONTENT, NO_CHOICES):
        answer["output"] = None if fault == NO_CHOICES else []
    if fault == LENGTH:
        answer.update(status="incomplete", incomplete_details={"reason": "max_output_tokens"})
    if fault == FILTERED:
        answer.update(status="incomplete", incomplete_details={"reason": "content_filter"}, output=[])
    if fault == REFUSAL:
        output[0]["content"] = [{"type": "refusal", "refusal": REFUSAL_TEXT}]
    if fault == TOOL_CALL:
        call = {"type": "function_call", "call_id": "c1", "name": "look_up", "arguments": '{"word": "cat"}'}
        answer["output"] = [call]
    if fault != NO_USAGE:
        answer["usage"] = {"input_tokens": 7, "output_tokens": 3, "output_tokens_details": {"reasoning_tokens": 1}}
    return answer


def embeddings(server, body, fault):
    return {"data": [{"index": 0, "embedding": [0.5, -0.5]}]}


def transcriptions(server, body, fault):
    return {"text": server.text}
