"""A server on loopback that speaks the protocols of hosted models, and misbehaves on demand. Real HTTP, real sockets.

    server = ConformanceServer()
    server.faults = [Fault.RATE_LIMIT, Fault.OK]     # in turn; the last one for ever

Dialects: OpenAI (chat, completions with echo, responses, embeddings), Anthropic, Gemini, Cohere, Bedrock; what is answered
is `server.text`.
"""

import json
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

OK = "ok"
RATE_LIMIT = "429"
RATE_LIMIT_RETRY_AFTER = "429 with Retry-After"
SERVER_ERROR = "500"
OVERLOADED = "529"
HTML = "502 with HTML"
HANG = "hang"
RESET = "reset before the answer"
HALF_BODY = "connection closed in the middle of the body"
BROKEN_JSON = "200 with broken JSON"
EMPTY = "200 without a body"
ERROR_OBJECT = "200 with an error object"
NULL_CONTENT = "null content"
NO_CHOICES = "no choices"
NO_USAGE = "no usage"
EXTRA_FIELDS = "fields nobody knows"
AUTH = "401"
NO_CREDIT = "429 without credit"
FILTERED = "content filter"
LENGTH = "cut at max_tokens"
BAD_REQUEST = "400"
THINKING = "reasoning before the answer"
STREAM = "a stream though nobody asked"
TOOL_CALL = "a call of a tool"

HTML_PAGE = b"<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>"


class Response(Exception):
    """Ends the handling of a request: status, body, headers."""

    def __init__(self, status, body, headers=None, content_type="application/json"):
        self.status, self.headers, self.content_type = status, headers or {}, content_type
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()


class ConformanceServer:
    def __init__(self, text="hi there", latency_s=0.0):
        self.lock = threading.Lock()
        self.reset(text, latency_s)
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                try:
                    outer.handle(self, body)
                except Response as response:
                    self.answer(response)

            def do_GET(self):
                if self.path.endswith("/models"):
                    entry = {"id": "m", "max_model_len": 4096}
                    self.answer(Response(200, {"data": [entry]}))
                else:
                    self.answer(Response(404, {"detail": "Not Found"}))

            def answer(self, response, length=None):
                try:
                    self.send_response(response.status)
                    self.send_header("Content-Type", response.content_type)
                    self.send_header("Content-Length", str(length or len(response.body)))
                    for name, value in response.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(response.body)
                except OSError:
                    pass  # the client has gone

            def log_message(self, *args):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 1024

        self._server = Server(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def reset(self, text="hi there", latency_s=0.0):
        """As new, at the same address."""
        self.text, self.thinking, self.latency_s = text, "first I think", latency_s
        self.faults = [OK]
        self.requests = []
        self.limit = None
        self.in_flight = self.max_in_flight = self.num_rejected = 0

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    @property
    def bodies(self):
        return [request["body"] for request in self.requests]

    def handle(self, handler, data):
        with self.lock:
            fault = self.faults.pop(0) if len(self.faults) > 1 else self.faults[0]
            try:
                body = json.loads(data)
            except ValueError:
                body = data
            self.requests.append({"path": handler.path, "headers": dict(handler.headers), "body": body})
            self.in_flight += 1
            self.max_in_flight = max(self.max_in_flight, self.in_flight)
            is_beyond = self.limit is not None and self.in_flight > self.limit
            if is_beyond:
                self.in_flight -= 1
                self.num_rejected += 1
        if is_beyond:
            raise Response(429, {"error": {"message": "Too many requests at once"}})
        try:
            if self.latency_s:
                time.sleep(self.latency_s)
            self._misbehave(handler, fault)
            response = self._respond(handler, body, fault)
        finally:
            with self.lock:
                self.in_flight -= 1
        if fault == BROKEN_JSON:
            response.body = response.body[:-20]
        if fault == HALF_BODY:
            length, response.body = len(response.body), response.body[: len(response.body) // 2]
            handler.answer(response, length=length)
            handler.close_connection = True
            return
        raise response

    def _respond(self, handler, body, fault):
        try:
            answer = DIALECTS[dialect_of(handler.path)](self, body, fault)
        except Response as response:
            return response
        return Response(200, {"x_new": {"a": [1]}, **answer} if fault == EXTRA_FIELDS else answer)

    def _misbehave(self, handler, fault):
        if fault == RATE_LIMIT:
            raise Response(429, {"error": {"message": "Rate limit reached", "type": "rate_limit_error"}})
        if fault == RATE_LIMIT_RETRY_AFTER:
            raise Response(429, {"error": {"message": "Rate limit reached"}}, {"Retry-After": "0.3"})
        if fault == SERVER_ERROR:
            raise Response(500, {"error": {"message": "Something broke", "type": "server_error"}})
        if fault == OVERLOADED:
            raise Response(529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
        if fault == HTML:
            raise Response(502, HTML_PAGE, content_type="text/html")
        if fault == EMPTY:
            raise Response(200, b"")
        if fault == ERROR_OBJECT:
            raise Response(200, {"error": {"message": "upstream failed", "type": "server_error", "code": 500}})
        if fault == AUTH:
            raise Response(401, {"error": {"message": "Incorrect API key provided", "type": "authentication_error"}})
        if fault == NO_CREDIT:
            raise Response(429, {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}})
        if fault == BAD_REQUEST:
            raise Response(400, {"error": {"message": "prompt is too long", "type": "invalid_request_error"}})
        if fault == HANG:
            time.sleep(5)
        if fault == RESET:
            linger = struct.pack("ii", 1, 0)  # closing sends RST
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            handler.connection.close()
            handler.close_connection = True
            handler.wfile = _Nowhere()
            raise Response(200, b"")


class _Nowhere:
    closed = False

    def write(self, data):
        return len(data)

    def flush(self):
        pass

    def close(self):
        pass


def dialect_of(path):
    path = path.partition("?")[0]
    if path.endswith("/chat/completions") or path.endswith("/v1/chat"):
        return "chat"
    if path.endswith("/completions"):
        return "completions"
    if path.endswith("/responses"):
        return "responses"
    if path.endswith("/embeddings"):
        return "embeddings"
    if path.endswith("/messages"):
        return "anthropic"
    if path.endswith(":generateContent"):
        return "gemini"
    if path.endswith("/v2/chat"):
        return "cohere"
    if path.endswith("/converse"):
        return "bedrock"
    if path.endswith("/transcriptions"):
        return "transcriptions"
    raise Response(404, {"detail": "Not Found"})


def _usage(server, body, fault):
    if fault == NO_USAGE:
        return {}
    return {"usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}}


def _chat(server, body, fault):
    message = {"role": "assistant", "content": server.text}
    reason = "stop"
    if fault == NULL_CONTENT:
        message["content"] = None
    if fault == THINKING:
        message["reasoning_content"] = server.thinking
    if fault == FILTERED:
        message["content"], reason = None, "content_filter"
    if fault == LENGTH:
        reason = "length"
    if fault == TOOL_CALL:
        function = {"name": "look_up", "arguments": '{"word": "cat"}'}
        message.update(content=None, tool_calls=[{"id": "c1", "type": "function", "function": function}])
        reason = "tool_calls"
    if fault == NO_CHOICES:
        return {"id": "x", "choices": []}
    if fault == STREAM:
        chunks = [{"choices": [{"index": 0, "delta": {"content": part}}]} for part in server.text.partition(" ")]
        chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], **_usage(server, body, fault)})
        events = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
        raise Response(200, events.encode(), content_type="text/event-stream")
    choices = [{"index": i, "message": message, "finish_reason": reason} for i in range(body.get("n") or 1)]
    return {"id": "x", "object": "chat.completion", "choices": choices, **_usage(server, body, fault)}


def _completions(server, body, fault):
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
    return {"choices": [] if fault == NO_CHOICES else [choice], **_usage(server, body, fault)}


def _responses(server, body, fault):
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
    if fault == TOOL_CALL:
        call = {"type": "function_call", "call_id": "c1", "name": "look_up", "arguments": '{"word": "cat"}'}
        answer["output"] = [call]
    if fault != NO_USAGE:
        answer["usage"] = {"input_tokens": 7, "output_tokens": 3, "output_tokens_details": {"reasoning_tokens": 1}}
    return answer


def _embeddings(server, body, fault):
    return {"data": [{"index": 0, "embedding": [0.5, -0.5]}]}


def _anthropic(server, body, fault):
    content, reason = [{"type": "text", "text": server.text}], "end_turn"
    if fault == THINKING:
        content.insert(0, {"type": "thinking", "thinking": server.thinking, "signature": "s"})
    if fault == FILTERED:
        content, reason = [], "refusal"
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
        raise Response(200, _anthropic_events(message), content_type="text/event-stream")
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
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()


def _gemini(server, body, fault):
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


def _cohere(server, body, fault):
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
    usage = {} if fault == NO_USAGE else {"usage": {"tokens": {"input_tokens": 7, "output_tokens": 3}}}
    return {"id": "x", "message": message, "finish_reason": reason, **usage}


def _bedrock(server, body, fault):
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
    usage = {} if fault == NO_USAGE else {"usage": {"inputTokens": 7, "outputTokens": 3}}
    return {"output": {"message": {"role": "assistant", "content": content}}, "stopReason": reason, **usage}


def _transcriptions(server, body, fault):
    return {"text": server.text}


DIALECTS = {
    "chat": _chat,
    "completions": _completions,
    "responses": _responses,
    "embeddings": _embeddings,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "cohere": _cohere,
    "bedrock": _bedrock,
    "transcriptions": _transcriptions,
}
