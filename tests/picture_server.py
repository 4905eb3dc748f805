"""A server on loopback that answers like providers of pictures: `server.answers[path] = answer`, or a function of the request."""

import json
import struct
import threading
import zlib
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


def png(number: int, side: int = 4) -> bytes:
    """A picture in one colour, another for each number."""
    rows = b"".join(b"\0" + bytes((number % 256, 255 - number % 256, 77)) * side for _ in range(side))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Asked(NamedTuple):
    method: str
    path: str
    """With the query."""
    headers: dict[str, str]
    """By name in lower case."""
    data: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.data)


class Raw(NamedTuple):
    """An answer that is not JSON, or has another status."""

    data: bytes | Any
    status: int = 200
    content_type: str = "application/json"
    headers: dict[str, str] = {}


class PictureServer:
    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        """What a path (without the query) answers: JSON, `Raw`, or a function of `Asked` that returns one of them. In a list, one
        after the other; the last one stays."""
        self.asked: list[Asked] = []
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # otherwise each answer takes 40 ms

            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                answer = outer.answer(Asked(self.command, self.path, headers, data))
                body = answer.data if isinstance(answer.data, bytes) else json.dumps(answer.data).encode()
                self.send_response(answer.status)
                for name, value in {"Content-Type": answer.content_type, **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST  # noqa: N815

            def log_message(self, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: Any, address: Any) -> None:
                pass  # a client that has had enough hangs up

        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def answer(self, asked: Asked) -> Raw:
        with self._lock:
            self.asked.append(asked)
            answer = self.answers.get(asked.path.partition("?")[0], Raw({"error": {"message": "no such route"}}, 404))
            if isinstance(answer, list):
                answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if isinstance(answer, Callable):  # type: ignore[arg-type]
            answer = answer(asked)
        return answer if isinstance(answer, Raw) else Raw(answer)

    def asked_for(self, path: str) -> list[Asked]:
        return [asked for asked in self.asked if asked.path.partition("?")[0] == path]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
