"""What the conformance server answers in the dialects that are not OpenAI's."""

import json
from urllib.parse import parse_qs

from conformance_faults import (
    FILTERED,
    LENGTH,
    NO_CHOICES,
    NO_USAGE,
    NULL_CONTENT,
    REFUSAL,
    THINKING,
    TOOL_CALL,
    Response,
)
from conformance_openai import REFUSAL_TEXT, stream, usage

TOKEN = "token-of-an-hour"


def anthropic(server, body, fault):
    content, reason = [{"type": "text", "text": server.text}], "end_turn"
    if fault == THINKING:
        content.insert(0, {"type": "thinking", "thinking": server.thinking, "signature": "s"})
    if fault == FILTERED:
        content, reason = [], "refusal"
    if fault == REFUSAL:
        content = [{"type": "text", "text": REFUSAL_TEXT}]
    if fault == LENGTH:
        reason = "max_tokens"
    if fault == NULL_CONTENT:
        content = None
    if fault == NO_CHOICES:
        content, reason = [], None
    if fault == TOOL_CALL:
        content = [{"type": "tool_use", "id": "c1", "name": "look_up", "input": {"word": "cat"}}]
        reason = "tool_use"
    message = {"type": "message", "role": "assistant", "content": content, "stop_reason": reason}
    if fault != NO_USAGE:
        message["usage"] = {"input_tokens": 5, "cache_read_input_tokens": 2, "output_tokens": 3}
    if body.get("stream"):
        events = _anthropic_events(message)
        raise stream(fault, events, server.pieces, names=[event["type"] for event in events], end="")
    return message


def _anthropic_events(message):
    events = [{"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}, {"type": "ping"}]
    for index, block in enumerate(message["content"] or []):
        kind = block["type"]
        if kind == "tool_use":
            start, deltas = {**block, "input": {}}, [{"partial_json": json.dumps(block["input"])}]
        else:
            start, half = {**block, kind: ""}, len(block[kind]) // 2
            deltas = [{kind: block[kind][:half]}, {kind: block[kind][half:]}]
        events.append({"type": "content_block_start", "index": index, "content_block": start})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    events.append(
        {"type": "message_delta", "delta": {"stop_reason": message["stop_reason"]}, "usage": {"output_tokens": 3}}
    )
    events.append({"type": "message_stop"})
    return events


def anthropic_text(server, body, fault):
    """The older API of texts."""
    answer = {"type": "completion", "completion": server.text, "stop_reason": "stop_sequence", "model": body["model"]}
    if fault in (NULL_CONTENT, NO_CHOICES):
        answer["completion"] = None
    if fault == LENGTH:
        answer["stop_reason"] = "max_tokens"
    return answer


def gemini(server, body, fault):
    parts, reason = [{"text": server.text}], "STOP"
    if fault == THINKING:
        parts.insert(0, {"text": server.thinking, "thought": True})
    if fault == LENGTH:
        reason = "MAX_TOKENS"
    if fault == FILTERED:
        return {"promptFeedback": {"blockReason": "SAFETY"}}
    if fault == NO_CHOICES:
        return {"candidates": []}
    if fault == TOOL_CALL:
        parts = [{"functionCall": {"id": "c1", "name": "look_up", "args": {"word": "cat"}}}]
    content = {"role": "model", "parts": parts}
    candidate = {"content": content, "finishReason": reason}
    if fault == NULL_CONTENT:
        candidate = {"content": None, "finishReason": "OTHER"}
    answer = {"candidates": [candidate]}
    if fault != NO_USAGE:
        answer["usageMetadata"] = {"promptTokenCount": 7, "candidatesTokenCount": 2, "thoughtsTokenCount": 1}
    return answer


def vertex_text(server, body, fault):
    predictions = [{"content": server.text, "safetyAttributes": {"blocked": False}}]
    if fault == FILTERED:
        predictions = [{"content": "", "safetyAttributes": {"blocked": True, "errors": [251]}}]
    if fault == NULL_CONTENT:
        predictions[0]["content"] = None
    return {"predictions": [] if fault == NO_CHOICES else predictions}


def cohere(server, body, fault):
    content, reason = [{"type": "text", "text": server.text}], "COMPLETE"
    if fault == THINKING:
        content.insert(0, {"type": "thinking", "thinking": server.thinking})
    if fault == LENGTH:
        reason = "MAX_TOKENS"
    if fault in (NULL_CONTENT, NO_CHOICES):
        content, reason = None, "COMPLETE"
    message = {"role": "assistant", "content": content}
    if fault == FILTERED:
        message, reason = {"role": "assistant", "content": []}, "ERROR_TOXIC"
    if fault == TOOL_CALL:
        function = {"name": "look_up", "arguments": '{"word": "cat"}'}
        message, reason = {"tool_calls": [{"id": "c1", "type": "function", "function": function}]}, "TOOL_CALL"
    used = {} if fault == NO_USAGE else {"usage": {"tokens": {"input_tokens": 7, "output_tokens": 3}}}
    return {"id": "x", "message": message, "finish_reason": reason, **used}


def cohere_text(server, body, fault):
    words = server.text.split(" ")
    texts = [word if i == 0 else f" {word}" for i, word in enumerate(words)]
    tokens = [{"token": text, "likelihood": -0.25} for text in texts]
    text = server.text
    if body["return_likelihoods"] == "ALL":
        text = body["prompt"] + text
        tokens = [{"token": body["prompt"][:4]}, {"token": body["prompt"][4:], "likelihood": -0.5}, *tokens]
    generation = {"id": "g", "text": text, "token_likelihoods": tokens, "finish_reason": "COMPLETE"}
    if fault == LENGTH:
        generation["finish_reason"] = "MAX_TOKENS"
    if fault == NULL_CONTENT:
        generation["text"] = None
    if fault == FILTERED:
        generation.update(text="", token_likelihoods=[], finish_reason="ERROR_TOXIC")
    number = 0 if fault == NO_CHOICES else body.get("num_generations") or 1
    return {"id": "x", "generations": [generation] * number, "prompt": body["prompt"]}


def ai21_text(server, body, fault):
    words = server.text.split(" ")
    texts = [word if i == 0 else f"▁{word}" for i, word in enumerate(words)]
    tokens = [{"generatedToken": {"token": t, "logprob": -0.2, "raw_logprob": -0.25}, "topTokens": None} for t in texts]
    reason = {"reason": "length", "length": 5} if fault == LENGTH else {"reason": "endoftext"}
    data = {"text": None if fault == NULL_CONTENT else server.text, "tokens": tokens}
    number = 0 if fault == NO_CHOICES else body.get("numResults") or 1
    return {"id": "x", "prompt": {}, "completions": [{"data": data, "finishReason": reason}] * number}


def aleph_alpha(server, body, fault):
    words = server.text.split(" ")
    tokens = [word if i == 0 else f" {word}" for i, word in enumerate(words)]
    completion = {
        "completion": None if fault == NULL_CONTENT else server.text,
        "completion_tokens": tokens,
        "log_probs": [{token: -0.25, "other": -1.0} for token in tokens],
        "finish_reason": "maximum_tokens" if fault == LENGTH else "end_of_text",
    }
    number = 0 if fault == NO_CHOICES else body.get("n") or 1
    used = {} if fault == NO_USAGE else {"num_tokens_prompt_total": 7, "num_tokens_generated": 3}
    return {"model_version": "1", "completions": [completion] * number, **used}


def reka(server, body, fault):
    message = {"role": "assistant", "content": None if fault == NULL_CONTENT else server.text}
    answer = {"finish_reason": "length" if fault == LENGTH else "stop", "message": message}
    used = {} if fault == NO_USAGE else {"usage": {"input_tokens": 7, "output_tokens": 3}}
    return {"id": "x", "responses": [] if fault == NO_CHOICES else [answer], **used}


def bedrock(server, body, fault):
    content, reason = [{"text": server.text}], "end_turn"
    if fault == THINKING:
        content.insert(0, {"reasoningContent": {"reasoningText": {"text": server.thinking}}})
    if fault == LENGTH:
        reason = "max_tokens"
    if fault == FILTERED:
        content, reason = [], "content_filtered"
    if fault in (NULL_CONTENT, NO_CHOICES):
        content = None
    if fault == TOOL_CALL:
        content = [{"toolUse": {"toolUseId": "c1", "name": "look_up", "input": {"word": "cat"}}}]
        reason = "tool_use"
    used = {} if fault == NO_USAGE else {"usage": {"inputTokens": 7, "outputTokens": 3}}
    return {"output": {"message": {"role": "assistant", "content": content}}, "stopReason": reason, **used}


def watsonx_chat(server, body, fault):
    message, reason = {"role": "assistant", "content": server.text}, "stop"
    if fault == NULL_CONTENT:
        message["content"] = None
    if fault == REFUSAL:
        message = {"role": "assistant", "refusal": REFUSAL_TEXT}
    if fault == TOOL_CALL:
        function = {"name": "look_up", "arguments": '{"word": "cat"}'}
        message = {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": function}]}
        reason = "tool_calls"
    if fault == LENGTH:
        reason = "length"
    choices = [] if fault == NO_CHOICES else [{"index": 0, "message": message, "finish_reason": reason}]
    return {"id": "x", "model_id": body["model_id"], "choices": choices, **usage(server, body, fault)}


def watsonx_text(server, body, fault):
    result = {
        "generated_text": None if fault == NULL_CONTENT else server.text,
        "stop_reason": "max_tokens" if fault == LENGTH else "eos_token",
    }
    if fault != NO_USAGE:
        result.update(input_token_count=7, generated_token_count=3)
    return {"model_id": body["model_id"], "results": [] if fault == NO_CHOICES else [result]}


def palmyra_text(server, body, fault):
    choice = {"text": None if fault == NULL_CONTENT else server.text, "log_probs": None}
    return {"choices": [] if fault == NO_CHOICES else [choice]}


palmyra_vision = palmyra_text


def http_model(server, body, fault):
    words = server.text.split(" ")
    texts = [word if i == 0 else f" {word}" for i, word in enumerate(words)]
    text = None if fault == NULL_CONTENT else server.text
    answer = {"text": text, "logprob": -0.5, "tokens": [{"text": t, "logprob": -0.25} for t in texts]}
    return {} if fault == NO_CHOICES else {**answer, "request_time": 0.1}


def token(server, body, fault):
    """The tokens of an hour that IBM and Google give for a key. The form is checked as they check it."""
    form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
    grant = form.get("grant_type", "")
    if grant == "urn:ibm:params:oauth:grant-type:apikey":
        if server.key not in (None, form.get("apikey")):
            message = "Provided API key could not be found."
            raise Response(400, {"errorCode": "BXNIM0415E", "errorMessage": message, "context": {"requestId": "r"}})
    elif grant == "urn:ietf:params:oauth:grant-type:jwt-bearer":
        if form["assertion"].count(".") != 2:
            raise Response(400, {"error": "invalid_grant", "error_description": "Invalid JWT Signature."})
    else:
        raise Response(400, {"error": "unsupported_grant_type"})
    server.num_tokens_given += 1
    return {"access_token": f"{TOKEN}-{server.num_tokens_given}", "token_type": "Bearer", "expires_in": 3600}
