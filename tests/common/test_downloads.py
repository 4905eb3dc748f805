"""Fetching and unpacking, against a real server on loopback."""

import gzip
import io
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from helm.common.data.downloads import DownloadError, ensure_downloaded
from helm.common.data.http_transfer import describe_page
from helm.common.errors import ConfigError

BODY = bytes(range(256)) * 4000


@pytest.fixture
def server():
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.paths.append((self.path, self.headers.get("Range")))
            if self.path == "/missing":
                self.send_error(404)
                return
            body = self.server.files.get(self.path, BODY)
            start = int(self.headers["Range"][6:-1]) if self.headers.get("Range") else 0
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(body) - start))
            if self.path != "/no-etag":
                self.send_header("ETag", '"v1"')
            self.end_headers()
            if self.path in self.server.broken:
                self.server.broken.remove(self.path)
                self.wfile.write(body[start : start + len(body) // 2])
                self.wfile.flush()
                self.connection.close()
                return
            self.wfile.write(body[start:])

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.files, server.paths, server.broken = {}, [], []
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield server
    server.shutdown()
    server.server_close()


def zip_of(**files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/"), text)
    return buffer.getvalue()


def tar_of(members):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, text in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    return buffer.getvalue()


def test_file_arrives_and_is_not_fetched_twice(server, tmp_path):
    target = tmp_path / "folder" / "file.bin"
    ensure_downloaded(f"{server.url}/file.bin", str(target))
    ensure_downloaded(f"{server.url}/file.bin", str(target))
    assert target.read_bytes() == BODY
    assert len(server.paths) == 1
    assert sorted(path.name for path in target.parent.iterdir()) == [".file.bin.source.json", "file.bin"]


@pytest.mark.parametrize("path", ["/file.bin", "/no-etag"])
def test_transfer_that_breaks_off_is_finished(server, tmp_path, path):
    server.broken = [path]
    ensure_downloaded(server.url + path, str(tmp_path / "file.bin"))
    assert (tmp_path / "file.bin").read_bytes() == BODY
    assert len(server.paths) == 2
    assert (server.paths[1][1] is not None) == (path == "/file.bin")  # resumed only with an ETag


def test_transfer_that_always_breaks_off_leaves_nothing(server, tmp_path):
    server.broken = ["/no-etag"] * 10
    with pytest.raises(DownloadError, match="/no-etag could not be downloaded: "):
        ensure_downloaded(f"{server.url}/no-etag", str(tmp_path / "file.bin"))
    assert list(tmp_path.iterdir()) == []


def test_missing_file_names_url_and_status(server, tmp_path):
    with pytest.raises(DownloadError, match=f"^{server.url}/missing could not be downloaded: HTTP status 404"):
        ensure_downloaded(f"{server.url}/missing", str(tmp_path / "file.bin"))
    assert list(tmp_path.iterdir()) == []


def test_a_page_in_place_of_a_file_is_not_quoted():
    page = "<!DOCTYPE html>\n<html><head><title>404 &amp; gone</title></head><body>" + "x" * 500
    assert describe_page(page) == 'It is a web page titled "404 & gone".'
    assert describe_page("<html><body>no") == "It is a web page."
    assert describe_page("Not Found") == "" and describe_page("<Error><Code>NoSuchKey</Code></Error>") == ""


def test_refused_connection_names_url(tmp_path):
    with pytest.raises(DownloadError, match="http://127.0.0.1:9/x could not be downloaded: .*refused"):
        ensure_downloaded("http://127.0.0.1:9/x", str(tmp_path / "file.bin"))


def test_local_paths_and_file_urls_are_copied(tmp_path):
    (tmp_path / "a b.txt").write_text("hello")
    ensure_downloaded(str(tmp_path / "a b.txt"), str(tmp_path / "one"))
    ensure_downloaded((tmp_path / "a b.txt").as_uri(), str(tmp_path / "two"))
    assert (tmp_path / "one").read_text() == (tmp_path / "two").read_text() == "hello"
    with pytest.raises(DownloadError, match="nowhere could not be copied"):
        ensure_downloaded(str(tmp_path / "nowhere"), str(tmp_path / "three"))


def test_it_is_said_what_is_fetched_and_which_places_failed(server, tmp_path, caplog):
    caplog.set_level("INFO", logger="helm")
    url, target = f"{server.url}/file.bin", str(tmp_path / "file.bin")
    ensure_downloaded(url, target)
    with pytest.raises(DownloadError):
        ensure_downloaded(f"{server.url}/missing", str(tmp_path / "other"))
    assert f"Downloading {url} to {target}" in caplog.text and "other places" not in caplog.text
    ensure_downloaded(f"{server.url}/missing", str(tmp_path / "other"), mirrors=[url])
    assert "(1 other places to ask)" in caplog.text


def test_archive_with_one_entry_becomes_that_entry(server, tmp_path):
    server.files = {"/one.zip": zip_of(inner__a="1", inner__b="2"), "/many.tar.gz": tar_of({"a": "1", "b/c": "2"})}
    ensure_downloaded(f"{server.url}/one.zip", str(tmp_path / "one"), unpack=True)
    ensure_downloaded(f"{server.url}/many.tar.gz", str(tmp_path / "many"), unpack=True)
    assert (tmp_path / "one" / "a").read_text() == "1"
    assert (tmp_path / "many" / "b" / "c").read_text() == "2"


def test_gz_is_decompressed_unless_the_target_is_gz_too(server, tmp_path):
    server.files = {"/x.txt.gz": gzip.compress(b"text")}
    ensure_downloaded(f"{server.url}/x.txt.gz", str(tmp_path / "x.txt"))
    ensure_downloaded(f"{server.url}/x.txt.gz", str(tmp_path / "x.txt.gz"))
    assert (tmp_path / "x.txt").read_bytes() == b"text"
    assert gzip.decompress((tmp_path / "x.txt.gz").read_bytes()) == b"text"


@pytest.mark.parametrize(
    "name, content",
    [("evil.zip", zip_of(ok="1", **{"..__evil": "2"})), ("evil.tar.gz", tar_of({"ok": "1", "../evil": "2"}))],
    ids=["zip", "tar"],
)
def test_archive_cannot_write_outside_of_its_folder(server, tmp_path, name, content):
    server.files = {f"/{name}": content}
    with pytest.raises(DownloadError, match="could not be unpacked"):
        ensure_downloaded(f"{server.url}/{name}", str(tmp_path / "data" / "target"), unpack=True)
    assert not (tmp_path / "data" / "evil").exists() and not (tmp_path / "data" / "target").exists()


def test_archive_that_is_none_is_an_error(server, tmp_path):
    with pytest.raises(DownloadError, match="x.zip could not be unpacked"):
        ensure_downloaded(f"{server.url}/x.zip", str(tmp_path / "x"), unpack=True)
    assert list(tmp_path.iterdir()) == []


def test_unpack_type_is_checked_before_anything_is_fetched(server, tmp_path):
    with pytest.raises(ConfigError, match="not 'unzp'. Did you mean 'unzip'?"):
        ensure_downloaded(f"{server.url}/x", str(tmp_path / "x"), unpack=True, unpack_type="unzp")
    with pytest.raises(ConfigError, match="give unpack_type"):
        ensure_downloaded(f"{server.url}/x", str(tmp_path / "x"), unpack=True)
    assert server.paths == []
