"""Addresses that answers and data sets name lead outside only: as they are written, as names resolve, and as servers redirect."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from helm.clients.http.http_connections import ConnectError, get_pool
from helm.clients.http.http_endpoint import HTTPEndpoint
from helm.clients.http.request_failure import RequestFailure
from helm.clients.image_generation.received_pictures import download
from helm.common.data import http_transfer
from helm.common.data.download_errors import DownloadError
from helm.common.data.downloads import ensure_downloaded
from helm.common.inside_addresses import is_inside, is_inside_address


@pytest.fixture
def servers():
    """Starts servers at addresses of this machine, each with what it answers: bytes, or an address to go to."""
    running = []

    def serve(address, answer):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                server.num_asked += 1
                self.send_response(302 if isinstance(answer, str) else 200)
                if isinstance(answer, str):
                    self.send_header("Location", answer)
                body = b"" if isinstance(answer, str) else answer
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                pass

        server = ThreadingHTTPServer((address, 0), Handler)
        server.num_asked = 0
        server.url = f"http://{address}:{server.server_port}/a.png"
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        running.append(server)
        return server

    yield serve
    for server in running:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    "text, is_inner",
    [("8.8.8.8", False), ("2606:4700::1111", False), ("10.1.2.3", True), ("100.64.0.1", True), ("169.254.169.254", True),
     ("::1", True), ("fe80::1%eth0", True), ("::ffff:127.0.0.1", True), ("64:ff9b::7f00:1", True), ("2002:7f00:1::", True),
     ("64:ff9b::808:808", False), ("224.0.0.1", True), ("0.0.0.0", True)],
)  # fmt: skip
def test_addresses(text, is_inner):
    assert is_inside_address(text) == is_inner


def resolve_as(monkeypatch, **names):
    real = socket.getaddrinfo

    def getaddrinfo(host, *args, **kwargs):
        found = names.get(str(host).partition(".")[0])
        if found is None:
            return real(host, *args, **kwargs)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


def test_names_are_inside_if_one_of_their_addresses_is(monkeypatch):
    resolve_as(monkeypatch, outer=["8.8.8.8"], inner=["8.8.8.8", "192.168.0.7"])
    assert is_inside("inner.example") and not is_inside("outer.example") and is_inside("localhost.")
    assert not is_inside("no-such-name.invalid"), "it cannot be asked anyway"


def test_pictures_at_names_of_inner_addresses_are_not_fetched(monkeypatch):
    resolve_as(monkeypatch, inner=["10.0.0.8"], api=["8.8.8.8"])
    with pytest.raises(RequestFailure, match="inside the network"):
        download("http://inner.example/a.png", HTTPEndpoint("https://api.example/v1"))


def test_a_name_that_moves_inside_when_it_is_used_is_not_connected_to(servers, monkeypatch):
    server = servers("127.0.0.1", b"secret")
    address = server.url.replace("127.0.0.1", "localhost")
    pool = get_pool(address, only_outside=True)
    with pytest.raises(ConnectError):
        pool.exchange("GET", "/a.png", {}, None, 5, 5, 10)
    assert server.num_asked == 0
    assert get_pool(address).exchange("GET", "/a.png", {}, None, 5, 5, 10)[2] == b"secret"


def test_data_sets_do_not_choose_inner_addresses(servers, tmp_path):
    server = servers("127.0.0.1", b"secret")
    target = str(tmp_path / "a.png")
    for address in (server.url, server.url.replace("127.0.0.1", "localhost")):
        with pytest.raises(DownloadError, match="inside the network"):
            ensure_downloaded(address, target, is_named_by_data=True)
    for address in (f"file://{__file__}", __file__):
        with pytest.raises(DownloadError, match="no address of the web"):
            ensure_downloaded(address, target, is_named_by_data=True)
    assert server.num_asked == 0
    ensure_downloaded(server.url, target)  # the entry itself may
    assert server.num_asked == 1


def test_servers_outside_do_not_redirect_inside(servers, tmp_path, monkeypatch):
    inner = servers("127.0.0.2", b"secret")
    outer = servers("127.0.0.1", inner.url)
    monkeypatch.setattr(http_transfer, "is_inside_address", lambda text: text == "127.0.0.2")
    with pytest.raises(DownloadError, match="127.0.0.2 is inside the network"):
        ensure_downloaded(outer.url, str(tmp_path / "a.png"), is_named_by_data=True)
    assert (outer.num_asked, inner.num_asked) == (1, 0)
