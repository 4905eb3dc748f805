"""The server of the bridge: it answers the requests of an outside program with the model of its episode."""

import hmac
import json
import re
import secrets
import socket
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from helm.agents.bridge.anthropic_messages import MessagesProtocol
from helm.agents.bridge.chat import ChatProtocol
from helm.agents.bridge.gemini import GeminiProtocol
from helm.agents.bridge.protocol import BadCall, BridgeAnswer, BridgeCall, Protocol
from helm.agents.bridge.responses import ResponsesProtocol
from helm.agents.episode import Episode
from helm.agents.errors import EpisodeEnd, InfrastructureFailure, LimitReached, RequestRefused
from helm.agents.events import sha256_of
from helm.common.agent_request import BRIDGE_ROLE
from helm.common.hierarchical_logger import hlog
from helm.common.request import Request, Usage

_MAX_BODY = 32 << 20
_MAX_LINE = 1 << 16
_CHARACTERS_PER_TOKEN = 4
_CUT = ("length", "max_tokens", "model_length")

_ROUTES: dict[str, Protocol] = {
    "/v1/chat/completions": ChatProtocol(),
    "/v1/responses": ResponsesProtocol(),
    "/v1/messages": MessagesProtocol(),
}
_GEMINI = GeminiProtocol()
_GEMINI_ACTIONS = (":generateContent", ":streamGenerateContent")


class Bridge:
    """Answers the requests of one outside program, one after the other, as long as its episode lasts.

    Each request becomes one of the episode: it goes the way of all requests, is recorded, and counts for the limits. Calls of
    tools, which the program makes itself, are recorded when a later request tells their results.

    Args:
        episode: whose model answers.
        listener: the socket that the program reaches.
        interrupt: ends the program.
        volatile: regular expressions of what differs from run to run in the program's requests, such as random names. An
            interrupted episode finds its recorded answers without it.
    """

    def __init__(
        self,
        episode: Episode,
        listener: socket.socket,
        interrupt: Callable[[], None],
        volatile: Sequence[str] = (),
    ):
        self.token = secrets.token_hex(24)  # no dash: it may stand behind a flag
        """The key that the program uses. It is worth nothing after the episode."""
        self.error: BaseException | None = None
        """What ended the episode while the program ran."""
        self._episode, self._interrupt = episode, interrupt
        self._volatile = re.compile("|".join(f"(?:{pattern})" for pattern in volatile)) if volatile else None
        self._lock = threading.Lock()
        self._is_closed = False
        self._num_answers = 0
        self._waiting: dict[str, dict[str, Any]] = {}
        self._call_ids: set[str] = set()
        self._told: set[str] = set()
        self._server = _Server(self, listener)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, name="bridge", daemon=True
        )

    def __enter__(self) -> "Bridge":
        self._thread.start()
        return self

    def __exit__(self, *args: object) -> None:
        """End the service. An answer that is on its way is awaited, because it is paid for."""
        with self._lock:
            self._is_closed = True
            for call_id, call in self._waiting.items():  # the program has ended without telling a result
                self._episode.record_call(call_id, call["name"], call["arguments"])
            self._waiting.clear()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, protocol: Protocol, call: BridgeCall) -> BridgeAnswer:
        """Return the model's answer. Raises: _Failure."""
        with self._lock:
            if self._is_closed or self.error is not None:
                raise _Failure(503, "The episode is over.")
            self._tell_ignored(protocol, call)
            try:
                return self._ask(call)
            except RequestRefused as e:
                raise _Failure(400, str(e)) from e
            except BaseException as e:
                self.error = e
                if isinstance(e, LimitReached):
                    raise _Failure(429, f"The limit of this episode is reached: {e}.") from e
                if isinstance(e, (EpisodeEnd, InfrastructureFailure)):
                    raise _Failure(400 if isinstance(e, EpisodeEnd) else 503, str(e)) from e
                raise _Failure(503, "The run has ended.") from e

    def end_program(self) -> None:
        """End the program if something has ended the episode."""
        if self.error is not None:
            self._interrupt()

    def _ask(self, call: BridgeCall) -> BridgeAnswer:
        episode, given = self._episode, self._episode.request
        sampling = given.sampling
        messages = []
        for message in call.messages:
            is_error = bool(message.pop("is_error", False))
            messages.append(message)
            made = self._waiting.pop(message["tool_call_id"], None) if message["role"] == "tool" else None
            if made is not None:
                call_id = message["tool_call_id"]
                content = message["content"]
                plain = self._without_volatile(content)
                episode.record_call(call_id, made["name"], made["arguments"], content, is_error, plain)
        limit = sampling.max_tokens
        asked = Request(
            model=given.model,
            model_deployment=given.model_deployment,
            messages=messages,
            temperature=sampling.temperature if call.temperature is None else call.temperature,
            top_p=sampling.top_p if call.top_p is None else call.top_p,
            max_tokens=limit if call.max_tokens is None else min(limit, call.max_tokens),
            stop_sequences=[*sampling.stop_sequences, *call.stop_sequences],
            tools=call.tools or None,
            random=episode.draw,
        )
        digest = sha256_of(self._without_volatile(json.dumps(asdict(asked), sort_keys=True)))
        output = episode.send(asked, BRIDGE_ROLE, digest)
        event = episode.log.events[-1]
        self._num_answers += 1
        calls = []
        for number, made in enumerate(output.tool_calls or []):
            call_id = self._own_id(made.get("id"), f"{self._num_answers}_{number}")
            arguments = made.get("arguments")
            text = arguments if isinstance(arguments, str) else json.dumps(arguments if arguments is not None else {})
            space, own = call.namespaces.get(str(made.get("name")), (None, str(made.get("name"))))
            more = {"namespace": space} if space is not None else {}
            calls.append({"id": call_id, "name": own, "arguments": text, **more})
            self._waiting[call_id] = {"name": str(made.get("name")), "arguments": arguments}
        reason = (output.finish_reason or {}).get("reason")
        usage = Usage(**event["usage"]) if event.get("usage") else Usage(0, 0)
        return BridgeAnswer(self._num_answers, call.model, output.text, calls, reason in _CUT, usage)

    def _own_id(self, given: Any, number: str) -> str:
        """Return what a call is named for the program.

        Some models count calls from 0 in each answer, and programs tell all earlier results again, so a name that was used
        before would find the wrong result.
        """
        call_id = str(given) if given else f"call_{number}"
        while call_id in self._call_ids:
            call_id = f"{call_id}_{number}"
        self._call_ids.add(call_id)
        return call_id

    def _without_volatile(self, text: str) -> str:
        return text if self._volatile is None else self._volatile.sub("", text)

    def _tell_ignored(self, protocol: Protocol, call: BridgeCall) -> None:
        """Log, once for each, the parameters that have no effect."""
        new = sorted({name for name in call.ignored if name not in self._told})
        if new:
            self._told.update(new)
            hlog(f"Task {self._episode.request.task}: the program's {', '.join(new)} ({protocol.name}) have no effect")


class _Failure(Exception):
    """An answer with an error."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, bridge: Bridge, listener: socket.socket):
        super().__init__(("127.0.0.1", 0), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener
        self.bridge = bridge

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a program may leave at any time."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 600
    server: _Server

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self._read_body()
        if not self._is_allowed():
            self._reply(401, ChatProtocol().error(401, "The key is not that of the episode."))
        elif path.rstrip("/") in ("/v1/models", "/models"):
            model = {"id": "model", "object": "model", "created": 0, "owned_by": "helm"}
            self._reply(200, {"object": "list", "data": [model]})
        else:
            self._reply(404, ChatProtocol().error(404, f"There is no {path:.200} here."))

    def do_POST(self) -> None:
        path = self.path.partition("?")[0]
        path = path.removeprefix("/v1") if path.startswith("/v1/v1") else path
        protocol, is_count = _find_route(path)
        shape = protocol or ChatProtocol()
        bridge = self.server.bridge
        try:
            data = self._read_body()
            if not self._is_allowed():
                raise _Failure(401, "The key is not that of the episode.")
            if protocol is None:
                raise _Failure(404, f"There is no {path:.200} here.")
            call = _read_call(protocol, path, data)
            if is_count:
                self._reply(200, protocol.count(_estimate_tokens(call)))
                return
            answer = bridge.answer(protocol, call)
        except _Failure as e:
            self._reply(e.status, shape.error(e.status, str(e)))
            bridge.end_program()
            return
        if call.is_stream:
            self._send(200, "text/event-stream", b"".join(map(_encode_event, shape.events(answer))))
        else:
            self._reply(200, shape.write(answer))

    def _is_allowed(self) -> bool:
        kind, _, key = self.headers.get("Authorization", "").partition(" ")
        given = [key.strip() if kind.lower() == "bearer" else ""]
        given += [self.headers.get(name, "") for name in ("x-api-key", "x-goog-api-key", "api-key")]
        token = self.server.bridge.token.encode()
        return any(hmac.compare_digest(one.encode("utf-8", "surrogateescape"), token) for one in given)

    def _read_body(self) -> bytes:
        """Return the body. Raises: _Failure, and closes the connection, if it is too long or cannot be read."""
        self.close_connection = True
        if self.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise _Failure(400, "The body must not be compressed.")
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            data = b"".join(self._chunks())
        else:
            length = self.headers.get("Content-Length") or "0"
            if not (length.isascii() and length.isdigit()) or int(length) > _MAX_BODY:
                raise _Failure(400, f"The body may have {_MAX_BODY >> 20} MiB.")
            data = self.rfile.read(int(length))
        self.close_connection = self.headers.get("Connection", "").lower() == "close"
        return data

    def _chunks(self) -> Iterable[bytes]:
        total = 0
        while True:
            line = self.rfile.readline(_MAX_LINE).split(b";")[0].strip()
            try:
                size = int(line, 16)
            except ValueError:
                raise _Failure(400, "The body cannot be read.") from None
            total += size
            if size < 0 or total > _MAX_BODY:
                raise _Failure(400, f"The body may have {_MAX_BODY >> 20} MiB.")
            if size == 0:
                while self.rfile.readline(_MAX_LINE).strip():
                    pass
                return
            yield self.rfile.read(size)
            self.rfile.readline(_MAX_LINE)

    def _reply(self, status: int, value: Mapping[str, Any]) -> None:
        self._send(status, "application/json", json.dumps(value).encode())

    def _send(self, status: int, content_type: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(data)))
        if status in (429, 503):
            self.send_header("x-should-retry", "false")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: the transcript has everything."""


def _find_route(path: str) -> tuple[Protocol | None, bool]:
    """Return the protocol of an address, and whether only tokens are counted."""
    path = path.rstrip("/")
    if path.endswith("/messages/count_tokens"):
        return _ROUTES["/v1/messages"], True
    for route, protocol in _ROUTES.items():
        if path in (route, route.removeprefix("/v1")):
            return protocol, False
    if "/models/" in path:
        if path.endswith(_GEMINI_ACTIONS):
            return _GEMINI, False
        if path.endswith(":countTokens"):
            return _GEMINI, True
    return None, False


def _read_call(protocol: Protocol, path: str, data: bytes) -> BridgeCall:
    try:
        body = json.loads(data)
        if not isinstance(body, dict):
            raise BadCall("the body is no object")
        return protocol.read(path, body)
    except (ValueError, RecursionError) as e:
        raise _Failure(400, f"The request cannot be read: {e}") from e


def _estimate_tokens(call: BridgeCall) -> int:
    return len(json.dumps([call.messages, call.tools])) // _CHARACTERS_PER_TOKEN


def _encode_event(event: tuple[str, Any]) -> bytes:
    name, data = event
    text = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()
