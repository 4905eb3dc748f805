"""What comes over the wire, right and wrong, from a server that writes bytes as they are."""

import gzip
import os
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from helm.clients.http import http_connections
from helm.clients.http.http_connections import (
    BrokenExchange,
    ConnectError,
    ConnectionPool,
    ConnectTimeout,
    DeadlineExceeded,
    ReadTimeout,
)
from helm.common.answer_limits import AnswerTooLong
from helm.common.errors import ConfigError

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Name: a\r\nx-name: b\r\n\r\nhi"


class Server:
    """Reads one request after the other, and lets `answer` write what it wants to the connection."""

    def __init__(self, answer: Callable[[socket.socket, bytes], None], tls: ssl.SSLContext | None = None):
        self.answer, self.tls = answer, tls
        self.requests: list[bytes] = []
        self.num_connections = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._connections: list[socket.socket] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.num_connections += 1
            self._connections.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            if self.tls is not None:
                connection = self.tls.wrap_socket(connection, server_side=True)
            with connection:
                while request := _read_request(connection):
                    self.requests.append(request)
                    self.answer(connection, request)
        except OSError:
            pass

    def close(self) -> None:
        """Afterwards nobody is answered here, even if a later server gets the same port or descriptor."""
        self._listener.shutdown(socket.SHUT_RDWR)  # wakes who waits in accept
        self._accepting.join()
        self._listener.close()
        for connection in self._connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it is closed


def _read_request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(1 << 16)
        if not piece:
            return b""
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    lines = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")]
    while lines and len(body) < int(lines[0]):
        body += connection.recv(1 << 16)
    return head + b"\r\n\r\n" + body


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    servers: list[Server] = []

    def start(answer: Any, tls: ssl.SSLContext | None = None) -> Server:
        write = answer if callable(answer) else lambda connection, _: connection.sendall(answer)
        servers.append(Server(write, tls))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def post(
    pool: ConnectionPool,
    body: bytes = b"{}",
    target: str = "/v1",
    timeout_s: float = 5.0,
    deadline_s: float = 9.0,
    **headers: str,
) -> Any:
    return pool.exchange("POST", target, headers, body, 2.0, timeout_s, deadline_s)


def exchange_with(server: Server, **arguments: Any) -> Any:
    return post(ConnectionPool("http", "127.0.0.1", server.port), **arguments)


def test_a_request_and_its_answer(serve):
    server = serve(OK)
    status, headers, body = exchange_with(server, body=b'{"a": 1}', target="/v1/ü x?q=1", Authorization="Bearer k")
    assert (status, body) == (200, b"hi")
    assert headers["X-NAME"] == "a, b" and "content-LENGTH" in headers and headers.get("other", 3) == 3
    head, _, sent = server.requests[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /v1/%C3%BC%20x?q=1 HTTP/1.1\r\n") and b"\r\nAuthorization: Bearer k" in head
    assert sent == b'{"a": 1}' and b"Expect" not in head


def test_connections_stay_open_and_a_dropped_one_is_replaced(serve):
    server = serve(OK)
    pool = ConnectionPool("http", "127.0.0.1", server.port)
    for _ in range(5):
        post(pool)
    assert server.num_connections == 1
    server.answer = lambda connection, _: (connection.sendall(OK), connection.shutdown(socket.SHUT_RDWR))
    post(pool)
    time.sleep(0.05)
    server.answer = lambda connection, _: connection.sendall(OK)
    assert post(pool)[2] == b"hi"
    assert (server.num_connections, len(server.requests)) == (2, 7)


def test_methods_without_a_body_and_of_other_names(serve):
    server = serve(OK)
    pool = ConnectionPool("http", "127.0.0.1", server.port)
    for method, body in (("GET", None), ("DELETE", None), ("PUT", b"x"), ("POST", b"y"), ("GET", None)):
        assert pool.exchange(method, "/", {}, body, 2.0, 2.0, 2.0)[0] == 200
    assert [request.split(b" ")[0] for request in server.requests] == [b"GET", b"DELETE", b"PUT", b"POST", b"GET"]


@pytest.mark.parametrize(
    "answer, body",
    [
        (b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + OK, b"hi"),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n1\r\n!\r\n0\r\nTrailer: 1\r\n\r\n",
            b"hi!",
        ),
        (b"HTTP/1.0 200 OK\r\nConnection: close\r\n\r\n" + b"x" * 100_000, b"x" * 100_000),
        (
            b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n"
            % len(gzip.compress(b"hi", mtime=0))
            + gzip.compress(b"hi", mtime=0),
            b"hi",
        ),
        (b"HTTP/1.1 204 No Content\r\n\r\n", b""),
    ],
    ids=["early hints", "chunks", "until the end", "gzip", "no content"],
)
def test_framings(serve, answer, body):
    def write(connection: socket.socket, _: bytes) -> None:
        connection.sendall(answer)
        if b"HTTP/1.0" in answer:
            connection.shutdown(socket.SHUT_RDWR)

    status, headers, received = exchange_with(serve(write))
    assert received == body and "link" not in headers


def test_redirections_are_answers(serve):
    server = serve(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
    status, headers, _ = exchange_with(server)
    assert (status, headers["location"], len(server.requests)) == (302, "http://127.0.0.1:1/", 1)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"no HTTP at all\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhi",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi",
        b"HTTP/1.1 200 OK\r\n" + b"X: " + b"x" * 1_000_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\n",
    ],
    ids=["nothing", "garbage", "short", "bad chunk", "no gzip", "endless head", "negative length"],
)
def test_broken_answers(serve, answer):
    def write(connection: socket.socket, _: bytes) -> None:
        connection.sendall(answer)
        connection.shutdown(socket.SHUT_RDWR)

    with pytest.raises(BrokenExchange):
        exchange_with(serve(write))


def test_silence_is_what_counts_and_not_how_long_an_answer_takes(serve):
    def trickle(connection: socket.socket, _: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n")
        for _ in range(8):
            time.sleep(0.25)
            connection.sendall(b"\n")

    assert exchange_with(serve(trickle), timeout_s=1.5)[2] == b"\n" * 8
    with pytest.raises(DeadlineExceeded):
        exchange_with(serve(trickle), timeout_s=1.5, deadline_s=0.6)
    begun = time.monotonic()
    with pytest.raises(ReadTimeout):
        exchange_with(serve(lambda connection, _: time.sleep(10)), timeout_s=0.3)
    assert time.monotonic() - begun < 5


def test_no_connection():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(ConnectError, match="Connection refused"):
            post(ConnectionPool("http", "127.0.0.1", unused.getsockname()[1]))
    with pytest.raises(ConnectError, match="no.such.host.invalid"):
        post(ConnectionPool("http", "no.such.host.invalid", None))
    with pytest.raises(ConfigError, match="cannot be the name of a host"):
        ConnectionPool("http", "ü" * 80, None)
    full = socket.create_server(("127.0.0.1", 0), backlog=0)
    waiting = [socket.socket() for _ in range(8)]
    for other in waiting:
        other.setblocking(False)
        other.connect_ex(full.getsockname())
    with pytest.raises(ConnectTimeout):
        ConnectionPool("http", "127.0.0.1", full.getsockname()[1]).exchange("GET", "/", {}, None, 0.3, 5.0, 5.0)
    for other in [*waiting, full]:
        other.close()


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "ключ", "a\0b"])
def test_headers_that_cannot_be_sent(serve, value):
    server = serve(OK)
    with pytest.raises(ConfigError, match="The header Authorization cannot be sent") as failure:
        exchange_with(server, Authorization=value)
    assert value not in str(failure.value) and not server.requests


def test_proxies_are_for_other_hosts(serve, monkeypatch):
    proxy = serve(OK)
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
    assert exchange_with(serve(OK))[0] == 200 and not proxy.requests
    assert post(ConnectionPool("http", "models.example", None))[0] == 200
    assert proxy.requests[0].startswith(b"POST http://models.example/v1 HTTP/1.1")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_certificates(serve, tmp_path, monkeypatch):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command + names, check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    server = serve(OK, tls)
    with pytest.raises(ConnectError):
        post(ConnectionPool("https", "localhost", server.port))
    assert not server.requests, "nothing is sent to a host that nobody vouches for"
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert post(ConnectionPool("https", "localhost", server.port))[2] == b"hi"
    with pytest.raises(ConnectError):
        post(ConnectionPool("https", "127.0.0.1", server.port))
    command = ["openssl", "x509", "-noout", "-hash", "-in", str(certificate)]
    name = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    (tmp_path / f"{name}.0").write_bytes(certificate.read_bytes())  # the name under which a folder is searched
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    assert post(ConnectionPool("https", "localhost", server.port))[2] == b"hi"


# ---- Limits, and what may happen while an answer comes


def answer_of(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def test_a_head_has_a_limit(serve, monkeypatch):
    answer = answer_of(b"hi")
    monkeypatch.setattr(http_connections, "MAX_HEAD_BYTES", len(answer) - 2)
    assert exchange_with(serve(answer))[2] == b"hi"
    with pytest.raises(AnswerTooLong):
        exchange_with(serve(answer.replace(b"OK", b"OK!")))


@pytest.mark.parametrize("length, max_bytes, is_good", [(5, 5, True), (6, 5, False), (0, 0, True), (1, 0, False)])
def test_a_body_has_a_limit(serve, length, max_bytes, is_good):
    pool = ConnectionPool("http", "127.0.0.1", serve(answer_of(b"x" * length)).port)
    try:
        assert pool.exchange("POST", "/", {}, b"", 2.0, 5.0, 9.0, max_bytes)[2] == b"x" * length and is_good
    except AnswerTooLong:
        assert not is_good


@pytest.mark.parametrize("body", [b"x", b"xyz"])
def test_what_stops_the_wait_for_room_ends_the_exchange(serve, body):
    class Stop(BaseException):
        pass

    def take(num_bytes):
        raise Stop

    server = serve(answer_of(body))
    pool = ConnectionPool("http", "127.0.0.1", server.port)
    with pytest.raises(Stop):
        pool.exchange("POST", "/", {}, b"", 2.0, 5.0, 9.0, None, take)
    assert post(pool)[2] == body and server.num_connections == 2


def test_every_piece_finds_its_room(serve):
    taken: list[int] = []
    pool = ConnectionPool("http", "127.0.0.1", serve(answer_of(b"x" * 1_000_000)).port)
    pool.exchange("POST", "/", {}, b"", 2.0, 5.0, 9.0, None, taken.append)
    assert sum(taken) == 1_000_000


def test_headers_that_are_given_again_are_sent_again(serve):
    server = serve(OK)
    pool = ConnectionPool("http", "127.0.0.1", server.port)
    headers = {"X-Mine": "1", "X-Empty": ""}
    for method, body in (("POST", b"{}"), ("GET", None), ("POST", b""), ("GET", None)):
        assert pool.exchange(method, "/", headers, body, 2.0, 5.0, 9.0)[2] == b"hi"
    assert [request.split(b" ", 1)[0] for request in server.requests] == [b"POST", b"GET", b"POST", b"GET"]
    assert all(b"\r\nX-Mine: 1\r\n" in request and b"\r\nX-Empty:" in request for request in server.requests)
    for number in range(100):  # more than are remembered
        pool.exchange("GET", "/", {"X-Mine": str(number)}, None, 2.0, 5.0, 9.0)
        assert b"\r\nX-Mine: %d\r\n" % number in server.requests[-1]


@pytest.mark.parametrize("code, is_silent, is_connected, kind", [
    ("E_COULDNT_CONNECT", False, False, ConnectError), ("E_COULDNT_RESOLVE_HOST", False, True, ConnectError),
    ("E_COULDNT_RESOLVE_PROXY", False, True, ConnectError), ("E_PEER_FAILED_VERIFICATION", False, True, ConnectError),
    ("E_RECV_ERROR", False, False, ConnectError), ("E_RECV_ERROR", False, True, BrokenExchange),
    ("E_GOT_NOTHING", False, True, BrokenExchange), ("E_GOT_NOTHING", False, False, BrokenExchange),
    ("E_OPERATION_TIMEDOUT", False, True, DeadlineExceeded), ("E_OPERATION_TIMEDOUT", False, False, ConnectTimeout),
    ("E_ABORTED_BY_CALLBACK", True, True, ReadTimeout), ("E_ABORTED_BY_CALLBACK", True, False, ConnectTimeout),
])  # fmt: skip
def test_what_a_failure_is(code, is_silent, is_connected, kind):
    """Behind a proxy something has been sent before the server's certificate is looked at."""
    import pycurl

    exchange = http_connections._Exchange(1.0, 1, None)
    exchange.is_silent = is_silent
    error = pycurl.error(getattr(pycurl, code), "why")
    found = ConnectionPool.failure(error, exchange, 1, is_connected, 0)
    assert type(found) is kind and ("why" in str(found) or code == "E_GOT_NOTHING")


def test_why_the_system_refused_is_said():
    import pycurl

    error = pycurl.error(pycurl.E_COULDNT_CONNECT, "Failed")
    exchange = http_connections._Exchange(1.0, 1, None)
    assert str(ConnectionPool.failure(error, exchange, 1, False, 111)) == f"{os.strerror(111)} (Failed)"


def test_a_silence_is_noticed_when_it_is_as_long_as_allowed(monkeypatch):
    now = 100.0
    monkeypatch.setattr(http_connections.time, "monotonic", lambda: now)
    exchange = http_connections._Exchange(5.0, 1, None)
    now = 104.9
    assert exchange.go_on(0, 0, 0, 0) == 0 and not exchange.is_silent
    now = 105.0
    assert exchange.go_on(0, 0, 0, 0) == 1 and exchange.is_silent
    assert exchange.go_on(0, 1, 0, 0) == 0, "something came"
    now = 110.0
    assert exchange.go_on(0, 1, 0, 1) == 0, "something went"
    exchange.head.write(b"x")
    now = 115.0
    assert exchange.go_on(0, 1, 0, 1) == 0, "a head came"
    now = 120.0
    assert exchange.go_on(0, 1, 0, 1) == 1


def test_large_bodies_and_small_ones_arrive(serve):
    server = serve(OK)
    pool = ConnectionPool("http", "127.0.0.1", server.port)
    for size in (0, 1 << 16, 3_000_000):
        body = b"x" * size
        assert post(pool, body=body)[2] == b"hi" and server.requests[-1].endswith(b"\r\n\r\n" + body)


def test_what_comes_after_an_answer_is_not_taken_for_the_next_one(serve):
    server = serve(OK + b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
    pool = ConnectionPool("http", "127.0.0.1", server.port)
    assert [post(pool)[2] for _ in range(3)] == [b"hi"] * 3 and server.num_connections == 3


@pytest.mark.parametrize("told", [b"Connection: close\r\n", b"connection: Keep-Alive, CLOSE\r\n"])
def test_a_connection_that_the_server_will_close_is_not_used_again(serve, told):
    server = serve(OK.replace(b"X-Name", told + b"X-Name"))
    pool = ConnectionPool("http", "127.0.0.1", server.port)
    assert [post(pool)[2] for _ in range(2)] == [b"hi"] * 2 and server.num_connections == 2


def test_a_request_is_sent_again_at_most_once(serve):
    """A server that takes a request and closes an old connection may have charged for it."""
    server = serve(OK)
    pool = ConnectionPool("http", "127.0.0.1", server.port)
    barrier = threading.Barrier(4)

    def wait_for_all(connection: socket.socket, _: bytes) -> None:
        barrier.wait()
        connection.sendall(OK)

    server.answer = wait_for_all
    threads = [threading.Thread(target=post, args=(pool,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.num_connections == 4
    server.answer = lambda connection, _: connection.shutdown(socket.SHUT_RDWR)
    before = len(server.requests)
    with pytest.raises(BrokenExchange, match="without an answer"):
        post(pool)
    assert len(server.requests) - before == 2


def test_an_answer_may_come_in_any_pieces(serve):
    def trickle(connection: socket.socket, _: bytes) -> None:
        for place in range(len(OK)):
            connection.sendall(OK[place : place + 1])
            time.sleep(0.001)

    status, headers, body = exchange_with(serve(trickle))
    assert (status, body, headers["x-name"]) == (200, b"hi", "a, b")


def test_a_packed_answer_is_not_unpacked_beyond_the_limit(serve):
    packed = gzip.compress(bytes(50_000_000))
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)
    pool = ConnectionPool("http", "127.0.0.1", serve(head + packed).port)
    taken: list[int] = []
    with pytest.raises(AnswerTooLong):
        pool.exchange("POST", "/", {}, b"", 2.0, 5.0, 9.0, 1_000_000, taken.append)
    assert sum(taken) <= 1_000_000


def test_origins_have_pools_of_their_own():
    get = http_connections.get_pool
    assert get("http://a.example/x") is get("http://a.example/y")
    assert len({id(get(f"{url}/")) for url in ("http://a.example", "https://a.example", "http://a.example:81")}) == 3
    assert get("http://[::1]:81/")._origin == "http://[::1]:81" and get("http://ü.example/")._origin.endswith(
        "xn--tda.example"
    )
    with pytest.raises(ConfigError, match="cannot be the name of a host"):
        ConnectionPool("http", "ü" * 70, None)
