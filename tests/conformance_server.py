"""A server on loopback that speaks the protocols of hosted models, and misbehaves on demand. Real HTTP, real sockets.

    server = ConformanceServer()
    server.faults = [RATE_LIMIT, OK]         # in turn; the last one for ever
    base_url = f"{server.origin}/mistral/v1"  # the first part of the path says which provider it is (`PROFILES`)

What is answered is `server.text`. `server.strict` refuses unknown fields and nulls; `server.key` is the only key that is
accepted. A new dialect is a function in `DIALECTS` and a route in `conformance_profiles`.
"""

import json
import socket
import struct
import threading
import time
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import conformance_dialects
import conformance_openai
import conformance_vllm
from conformance_faults import *  # noqa: F403 (the faults are part of this module)
from conformance_faults import (
    AUTH,
    BAD_REQUEST,
    BROKEN_JSON,
    DEEP,
    EMPTY,
    ERROR_BESIDE,
    ERROR_INSIDE,
    ERROR_OBJECT,
    ERROR_REASON,
    EXTRA_FIELDS,
    FILTERED_PROMPT,
    HALF_BODY,
    HANG,
    HTML,
    HTML_PAGE,
    LOGIN_PAGE,
    NO_CREDIT,
    NO_OBJECT,
    OK,
    OVERLOADED,
    RATE_LIMIT,
    RATE_LIMIT_RETRY_AFTER,
    RATE_LIMIT_RETRY_DATE,
    RATE_LIMIT_SOON_FULL,
    RESET,
    SERVER_ERROR,
    SERVER_ERROR_RETRY_AFTER,
    TOO_LONG,
    TRICKLE,
    UNAVAILABLE,
    Response,
    add_error,
)
from conformance_profiles import FIELDS, MESSAGES, PROFILES, STATUSES, dialect_of, split_path

DIALECTS = {
    "vllm_tokenize": conformance_vllm.tokenize,
    "vllm_detokenize": conformance_vllm.detokenize,
    **{
        name: getattr(conformance_openai, name)
        for name in ("chat", "completions", "responses", "embeddings", "transcriptions")
    },
    **{
        name: getattr(conformance_dialects, name)
        for name in (
            "ai21_text",
            "aleph_alpha",
            "anthropic",
            "anthropic_text",
            "bedrock",
            "cohere",
            "cohere_text",
            "gemini",
            "http_model",
            "palmyra_text",
            "palmyra_vision",
            "reka",
            "token",
            "vertex_text",
            "watsonx_chat",
            "watsonx_text",
        )
    },
}
"""Name -> function of (server, body, fault) that gives the body of an answer or raises Response."""

KINDS = {
    RATE_LIMIT: "rate_limit",
    RATE_LIMIT_RETRY_AFTER: "rate_limit",
    RATE_LIMIT_RETRY_DATE: "rate_limit",
    SERVER_ERROR: "server",
    UNAVAILABLE: "overloaded",
    OVERLOADED: "overloaded",
    AUTH: "auth",
    NO_CREDIT: "credit",
    BAD_REQUEST: "bad",
    TOO_LONG: "too_long",
    FILTERED_PROMPT: "filter",
}


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
                outer.gets.append(self.path)
                if self.path.endswith("/models") and outer.models is not None:
                    self.answer(Response(200, {"object": "list", "data": outer.models}))
                else:
                    self.answer(Response(404, {"detail": "Not Found"}))

            def answer(self, response, length=None):
                try:
                    self.send_response(response.status)
                    self.send_header("Content-Type", response.content_type)
                    if response.pieces is None:
                        self.send_header("Content-Length", str(length or len(response.body)))
                    else:
                        self.send_header("Transfer-Encoding", "chunked")
                    for name, value in response.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    if response.pieces is None:
                        self.wfile.write(response.body)
                    else:
                        for data in _cut(response.body, response.pieces):
                            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                        self.wfile.write(b"0\r\n\r\n")
                except OSError:
                    self.close_connection = True  # the client has gone

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
        self.requests, self.gets = [], []
        self.strict, self.key, self.pieces = False, None, None
        self.models = [{"id": "m", "max_model_len": 4096}]
        self.ignores_images = False  # it takes pictures, and drops them
        """What `GET .../models` lists; None: there is no such route."""
        self.limit = None
        self.in_flight = self.max_in_flight = self.num_rejected = self.num_tokens_given = 0
        self.released = threading.Event()
        """Ends what hangs."""

    def close(self):
        self.released.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def bodies(self):
        return [request["body"] for request in self.requests]

    def handle(self, handler, data):
        path = handler.path
        is_token = split_path(path)[0] == "tokens"  # faults are for the requests behind it
        with self.lock:
            fault = OK if is_token else self.faults.pop(0) if len(self.faults) > 1 else self.faults[0]
            try:
                body = json.loads(data)
            except ValueError:
                body = data
            if not is_token:
                self.requests.append({"path": path, "headers": dict(handler.headers), "body": body})
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
        if fault == RATE_LIMIT_SOON_FULL:
            kinds = ("limit", "2"), ("remaining", "0"), ("reset", "600ms")
            response.headers.update({f"x-ratelimit-{part}-requests": value for part, value in kinds})
        if fault == HALF_BODY:
            length, response.body = len(response.body), response.body[: len(response.body) // 2]
            handler.answer(response, length=length)
            handler.close_connection = True
            return
        raise response

    def _respond(self, handler, body, fault):
        dialect = dialect_of(handler.path)
        if dialect is None:
            return Response(404, {"detail": "Not Found"})
        try:
            self._check_key(handler)
            if self.strict and isinstance(body, dict):
                self._check_fields(handler.path, dialect, body)
            answer = DIALECTS[dialect](self, body, fault)
        except Response as response:
            return response
        if fault == EXTRA_FIELDS:
            answer = {"x_new": {"a": [1]}, "error": None, **answer}
        if fault in (ERROR_BESIDE, ERROR_INSIDE, ERROR_REASON):
            answer = add_error(fault, dialect, answer)
        return Response(200, answer)

    def _check_key(self, handler):
        name, path = split_path(handler.path)
        header = PROFILES[name].key
        if name in ("watsonx", "vertex"):
            expected = f"Bearer {conformance_dialects.TOKEN}-{self.num_tokens_given}"
            is_right = self.key is None or handler.headers["Authorization"] == expected
        else:
            is_right = (
                self.key is None or header is None or handler.headers[header[0]] == header[1].format(key=self.key)
            )
        if not is_right:
            raise self.error(handler.path, "auth")

    def _check_fields(self, path, dialect, body):
        profile = PROFILES[split_path(path)[0]]
        found = [(dialect, body)]
        found += [(name, value) for name, value in body.items() if name in FIELDS and isinstance(value, dict)]
        for name, values in found:
            known = profile.fields.get(name, FIELDS[name])
            wrong = [key for key, value in values.items() if key not in known or value is None]
            if wrong:
                raise self.error(path, "bad", message=f"Unrecognized request argument supplied: {', '.join(wrong)}")

    def error(self, path, kind, status=None, message=None, headers=None):
        """The response with which the provider of a path complains."""
        profile = PROFILES[split_path(path)[0]]
        status = profile.statuses.get(kind, status or STATUSES[kind])
        message = message or profile.messages.get(kind, MESSAGES[kind])
        return Response(status, profile.error(status, kind, message), headers)

    def _misbehave(self, handler, fault):
        path = handler.path
        if fault == RATE_LIMIT_RETRY_AFTER:
            response = self.error(path, "rate_limit", headers={"Retry-After": "0.3"})
            if split_path(path)[0] in ("google", "vertex"):  # which say it in the body
                body = json.loads(response.body)
                info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.3s"}
                body["error"]["details"] = [{"@type": "type.googleapis.com/google.rpc.QuotaFailure"}, info]
                response = Response(response.status, body)
            raise response
        if fault == RATE_LIMIT_RETRY_DATE:
            raise self.error(path, "rate_limit", headers={"Retry-After": formatdate(time.time() + 2, usegmt=True)})
        if fault == SERVER_ERROR_RETRY_AFTER:
            raise self.error(path, "server", headers={"Retry-After": "3"})
        if fault == OVERLOADED:
            raise self.error(path, "overloaded", status=529)
        if fault in KINDS:
            raise self.error(path, KINDS[fault])
        if fault == HTML:
            raise Response(502, HTML_PAGE, content_type="text/html")
        if fault == LOGIN_PAGE:
            raise Response(200, HTML_PAGE, content_type="text/html")
        if fault == EMPTY:
            raise Response(200, b"")
        if fault == DEEP:
            raise Response(200, b"[" * 100_000 + b"]" * 100_000)
        if fault == NO_OBJECT:
            raise Response(200, [])
        if fault == ERROR_OBJECT:
            raise Response(200, {"error": {"message": "upstream failed", "type": "server_error", "code": 500}})
        if fault == HANG:
            self.released.wait(5)
        if fault == TRICKLE:
            self._trickle(handler)
        if fault == RESET:
            linger = struct.pack("ii", 1, 0)  # closing sends RST
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            handler.connection.close()
            handler.close_connection = True
            handler.wfile = _Nowhere()
            raise Response(200, b"")

    def _trickle(self, handler):
        """A byte now and then, as gateways send them to keep a connection open."""
        handler.close_connection = True
        try:
            handler.send_response(200)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Transfer-Encoding", "chunked")
            handler.end_headers()
            for _ in range(100):
                handler.wfile.write(b"1\r\n \r\n")
                if self.released.wait(0.05):
                    break
        except OSError:
            pass  # the client has gone
        handler.wfile = _Nowhere()
        raise Response(200, b"")


def _cut(data, size):
    return [data[i : i + size] for i in range(0, len(data), size)]


class _Nowhere:
    closed = False

    def write(self, data):
        return len(data)

    def flush(self):
        pass

    def close(self):
        pass
