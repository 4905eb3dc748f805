"""What goes wrong between a data set and its reader: each fault from a real server, and what the loader makes of it."""

import hashlib
import os
import threading

import pytest

from data_server import Fault, data_server, tar_bytes, zip_bytes
from helm.common.data.downloads import (
    DataChangedError,
    DownloadError,
    GatedDataError,
    OfflineError,
    ensure_downloaded,
)
from helm.common.errors import ConfigError

URL = "https://example.org/some/file.bin?dl=1"
MIRROR = "https://mirror.example/copy.bin"
BODY = bytes(range(256)) * 3000
SHA256 = hashlib.sha256(BODY).hexdigest()


@pytest.fixture
def server(monkeypatch):
    with data_server() as server:
        for name in ("HELM_OFFLINE", "HF_HUB_OFFLINE", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
            monkeypatch.delenv(name, raising=False)
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        server.add_file(URL, BODY)
        yield server


def fetch(tmp_path, **arguments):
    target = tmp_path / "data" / "file.bin"
    ensure_downloaded(URL, str(target), **arguments)
    return target.read_bytes()


def leftovers(tmp_path):
    return [
        path.name for path in (tmp_path / "data").iterdir() if path.name not in ("file.bin", ".file.bin.source.json")
    ]


def test_redirects_are_followed(server, tmp_path):
    server.add_file("/elsewhere", BODY)
    server.add_fault(URL, Fault(redirect=server.url + "/again"))
    server.add_fault("/again", Fault(redirect="/elsewhere", status=308))
    assert fetch(tmp_path) == BODY
    assert leftovers(tmp_path) == []


def test_a_body_that_breaks_off_is_taken_up_where_it_ended(server, tmp_path):
    server.add_fault(URL, Fault(truncate=200_000), times=2)
    assert fetch(tmp_path, sha256=SHA256) == BODY
    ranges = [seen.headers.get("Range") for seen in server.requests]
    assert ranges[0] is None and all(ranges[1:]) and len(ranges) == 3


def test_a_later_call_goes_on_where_an_earlier_one_gave_up(server, tmp_path):
    server.add_fault(URL, Fault(truncate=200_000))
    server.add_fault(URL, Fault(truncate=0), times=9)
    with pytest.raises(DownloadError, match="could not be downloaded"):
        fetch(tmp_path)
    assert not (tmp_path / "data" / "file.bin").exists()
    server.faults.clear()
    server.requests.clear()
    assert fetch(tmp_path) == BODY
    assert len(server.requests) == 1
    assert 200_000 - (1 << 16) <= int(server.requests[0].headers["Range"][6:-1]) <= 200_000
    assert leftovers(tmp_path) == []


def test_what_changed_at_the_source_meanwhile_is_fetched_anew(server, tmp_path):
    server.add_fault(URL, Fault(truncate=200_000))
    server.add_fault(URL, Fault(truncate=0), times=9)
    with pytest.raises(DownloadError):
        fetch(tmp_path)
    server.faults.clear()
    server.add_file(URL, b"new" * 100_000)
    assert fetch(tmp_path) == b"new" * 100_000


def test_a_source_that_became_shorter_is_fetched_anew(server, tmp_path):
    server.add_fault(URL, Fault(truncate=200_000))
    server.add_fault(URL, Fault(truncate=0), times=9)
    with pytest.raises(DownloadError):
        fetch(tmp_path)
    server.faults.clear()
    server.add_fault(URL, Fault(status=416))
    assert fetch(tmp_path) == BODY


def test_wrong_bytes_are_refused_and_the_next_mirror_is_asked(server, tmp_path):
    server.add_fault(URL, Fault(body=b"not the data"))
    wrong = hashlib.sha256(b"not the data").hexdigest()
    with pytest.raises(DownloadError, match=f"its SHA-256 is {wrong}, not {SHA256}. Nothing was kept."):
        fetch(tmp_path, sha256=SHA256)
    assert leftovers(tmp_path) == []
    server.add_fault(URL, Fault(body=b"not the data"))
    server.add_file(MIRROR, BODY)
    assert fetch(tmp_path, sha256=SHA256.upper(), mirrors=[MIRROR]) == BODY


def test_a_mirror_is_asked_when_the_source_is_gone(server, tmp_path):
    server.add_fault(URL, Fault(status=404))
    server.add_file(MIRROR, BODY)
    assert fetch(tmp_path, mirrors=["https://dead.example/x", MIRROR]) == BODY
    assert [path.rpartition("/")[2] for path in server.paths()] == ["file.bin?dl=1", "x", "copy.bin"]


def test_when_nobody_has_it_every_place_is_named(server, tmp_path):
    server.add_fault(URL, Fault(status=404))
    with pytest.raises(
        DownloadError, match=r"None of 2 places.*\(1\).*file.bin\?dl=1.*404.*\(2\).*dead.example/x.*404"
    ):
        fetch(tmp_path, mirrors=["https://dead.example/x"])
    assert leftovers(tmp_path) == []


def test_too_many_requests_wait_as_long_as_the_server_asks(server, tmp_path):
    server.add_fault(URL, Fault(status=429, headers={"Retry-After": "1"}))
    assert fetch(tmp_path) == BODY
    assert len(server.requests) == 2


def test_a_server_in_trouble_is_tried_again_and_then_reported(server, tmp_path, monkeypatch):
    server.add_fault(URL, Fault(status=500, headers={"Retry-After": "0"}))
    assert fetch(tmp_path) == BODY
    monkeypatch.delenv("HELM_DATA_MIRROR")
    server.add_fault("/x", Fault(status=503, headers={"Retry-After": "0"}, body=b"overloaded"), times=9)
    with pytest.raises(DownloadError, match="HTTP status 503 .*overloaded"):
        ensure_downloaded(server.url + "/x", str(tmp_path / "x"))


def test_site_mirrors_are_asked_in_order_and_then_the_source(server, tmp_path, monkeypatch):
    monkeypatch.setenv("HELM_DATA_MIRROR", f"{server.url}/none, {server.url}/empty/")
    server.add_file("/file", BODY)
    ensure_downloaded(server.url + "/file", str(tmp_path / "file"))
    host = server.url.removeprefix("http://")
    assert server.paths() == [f"/none/http/{host}/file", f"/empty/http/{host}/file", "/file"]


@pytest.mark.parametrize("value, message", [
    ("off,http://127.0.0.1:1", "'off' has to be the last word"), ("off", "does not name a mirror"), ("ftp://x", "not 'ftp://x'"),
])  # fmt: skip
def test_malformed_mirror_settings(monkeypatch, tmp_path, value, message):
    monkeypatch.delenv("HELM_OFFLINE", raising=False)
    monkeypatch.setenv("HELM_DATA_MIRROR", value)
    with pytest.raises(ConfigError, match=message):
        ensure_downloaded(URL, str(tmp_path / "file"))


@pytest.mark.parametrize("variable", ["HELM_OFFLINE", "HF_HUB_OFFLINE"])
def test_offline_names_the_fetch_and_asks_nobody(server, tmp_path, monkeypatch, variable):
    monkeypatch.setenv(variable, "1")
    with pytest.raises(OfflineError, match=rf"file.bin is missing, and {variable} is set, so https://example.org/some"):
        fetch(tmp_path)
    assert server.requests == []
    (tmp_path / "copy").write_bytes(b"here")
    ensure_downloaded(str(tmp_path / "copy"), str(tmp_path / "local"))  # what is on this machine is no download


def test_a_gated_file_says_where_to_ask_and_what_to_set(server, tmp_path, monkeypatch):
    server.add_dataset("owner/secret", {"a.jsonl": b"{}"}, token="hf_mine")
    url = "https://huggingface.co/datasets/owner/secret/resolve/main/a.jsonl"
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    with pytest.raises(
        GatedDataError, match=r"Accept the terms at https://huggingface.co/datasets/owner/secret.*HF_TOKEN"
    ):
        ensure_downloaded(url, str(tmp_path / "a"))
    monkeypatch.setenv("HF_TOKEN", "hf_other")
    with pytest.raises(GatedDataError, match="A token was sent, but its owner has no access") as e:
        ensure_downloaded(url, str(tmp_path / "a"))
    assert "hf_other" not in str(e.value)
    monkeypatch.setenv("HF_TOKEN", "hf_mine")
    ensure_downloaded(url, str(tmp_path / "a"))


def test_the_token_comes_from_the_credentials_or_the_file_of_the_hubs_own_tools(server, tmp_path, monkeypatch):
    server.add_dataset("owner/secret", {"a.jsonl": b"{}"}, token="hf_mine")
    url = "https://huggingface.co/datasets/owner/secret/resolve/main/a.jsonl"
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    (tmp_path / "token").write_text("hf_mine\n")
    ensure_downloaded(url, str(tmp_path / "a"))
    (tmp_path / "token").unlink()
    monkeypatch.setenv("HELM_CREDENTIALS", "huggingfaceToken: hf_mine")
    ensure_downloaded(url, str(tmp_path / "b"))


def test_the_token_goes_to_the_hub_only(server, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_mine")
    monkeypatch.setenv("HELM_DATA_MIRROR", f"{server.url}/mirror")
    fetch(tmp_path)
    with data_server() as storage:
        storage.add_file("/blob", b"x")
        host = storage.url.replace("127.0.0.1", "localhost")
        server.add_file("https://huggingface.co/datasets/o/n/resolve/main/a", b"")
        server.add_fault("/hub/datasets/o/n/resolve/main/a", Fault(redirect=f"{host}/blob"))
        ensure_downloaded("https://huggingface.co/datasets/o/n/resolve/main/a", str(tmp_path / "a"))
        assert (tmp_path / "a").read_bytes() == b"x"
        assert "Authorization" not in storage.requests[0].headers
    sent = {seen.path.split("/")[1] for seen in server.requests if "Authorization" in seen.headers}
    assert sent == {"hub"}


def test_google_drives_page_for_large_files_is_passed(server, tmp_path, monkeypatch):
    from helm.common.data import http_transfer

    monkeypatch.setattr(http_transfer, "_DRIVE_HOSTS", ("127.0.0.1",))
    page = (
        '<html><title>Drive</title><form id="download-form" action="/download?x=1" method="get">'
        '<input type="submit" value="Download anyway"/><input type="hidden" name="id" value="a&amp;b">'
        '<input type="hidden" name="confirm" value="t"></form></html>'
    )
    server.add_file("/uc?id=1", page.encode(), "text/html; charset=utf-8")
    server.add_file("/download?x=1&id=a%26b&confirm=t", BODY)
    monkeypatch.delenv("HELM_DATA_MIRROR")
    ensure_downloaded(f"{server.url}/uc?id=1", str(tmp_path / "file"))
    assert (tmp_path / "file").read_bytes() == BODY
    server.add_file("/uc?id=2", b"<html><title>Quota exceeded</title></html>", "text/html")
    with pytest.raises(DownloadError, match='does not give a file, but a page titled "Quota exceeded"'):
        ensure_downloaded(f"{server.url}/uc?id=2", str(tmp_path / "file2"))


def test_the_form_of_google_drive_leads_nowhere_else():
    from helm.common.data.http_transfer import drive_confirmation_url

    form = '<form id="download-form" action="{}"><input name="id" value="1"></form>'
    url = "https://drive.google.com/uc?id=1"
    good = "https://drive.usercontent.google.com/download"
    assert drive_confirmation_url(form.format(good), url) == good + "?id=1"
    assert drive_confirmation_url(form.format("https://evil.example/x"), url) is None


def test_several_threads_fetch_once(server, tmp_path):
    server.add_fault(URL, Fault(pause_s=0.3))
    threads = [threading.Thread(target=fetch, args=(tmp_path,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.requests) == 1
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("name", ["../escape.txt", "/tmp/escape.txt", "a/../../escape.txt"])
def test_archives_that_would_write_elsewhere_are_refused(server, tmp_path, name):
    archives = {".zip": zip_bytes({name: b"x"}), ".tar.gz": tar_bytes({name: b"x"})}
    if name.startswith("/"):
        del archives[".tar.gz"]  # tar takes the slash off
    for ending, body in archives.items():
        server.add_file(f"https://example.org/a{ending}", body)
        with pytest.raises(DownloadError, match=rf"https://example.org/a{ending} could not be unpacked"):
            ensure_downloaded(f"https://example.org/a{ending}", str(tmp_path / "in" / "a"), unpack=True)
    assert not (tmp_path / "escape.txt").exists()
    assert list((tmp_path / "in").iterdir()) == []


def test_archives_with_links_that_lead_out_are_refused(server, tmp_path):
    import io
    import tarfile

    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc"
        archive.addfile(link)
        archive.addfile(tarfile.TarInfo("link/x"))
    server.add_file("https://example.org/a.tar", buffer.getvalue())
    with pytest.raises(DownloadError, match="could not be unpacked"):
        ensure_downloaded("https://example.org/a.tar", str(tmp_path / "a"), unpack=True)


@pytest.mark.parametrize("ending", [".zip", ".tar.gz", ".gz"])
def test_archives_that_grow_beyond_measure_are_refused(server, tmp_path, monkeypatch, ending):
    import gzip

    from helm.common.data import archives

    monkeypatch.setattr(archives, "_RATIO_COUNTS_FROM_BYTES", 1 << 20)
    monkeypatch.setattr(archives, "_MAX_RATIO", 10)
    zeros = bytes(50 << 20)
    body = {".zip": lambda: zip_bytes({"a": zeros}), ".tar.gz": lambda: tar_bytes({"a": zeros})}.get(
        ending, lambda: gzip.compress(zeros)
    )()
    server.add_file(f"https://example.org/bomb{ending}", body)
    with pytest.raises(DownloadError, match="over the limit"):
        ensure_downloaded(f"https://example.org/bomb{ending}", str(tmp_path / "bomb"), unpack=True)
    assert list(tmp_path.iterdir()) == []


def test_how_large_an_archive_may_become(tmp_path, monkeypatch):
    """Two megabytes of deflate may not become two gigabytes; sizes are told by the archive, and nothing is written."""
    from helm.common.data import archives

    packed = tmp_path / "a.zip"
    packed.write_bytes(bytes(2 << 20))
    assert archives._limit_of(str(packed)) == 1 << 30
    packed.write_bytes(bytes(20 << 20))
    assert archives._limit_of(str(packed)) == 2000 << 20
    os.truncate(packed, 20 << 30)  # without content, so it takes no place
    assert archives._limit_of(str(packed)) == 1 << 40
    packed.write_bytes(zip_bytes({"a": bytes(3 << 20)}))
    monkeypatch.setenv("HELM_MAX_UNPACKED_MIB", "2")
    with pytest.raises(
        archives.UnpackError, match="over the limit of 2097152 for its size.*HELM_MAX_UNPACKED_MIB allows it"
    ):
        archives.unpacked(str(packed), "unzip", str(tmp_path))
    assert list((tmp_path / "unpacked").iterdir()) == []
    (tmp_path / "unpacked").rmdir()
    monkeypatch.setenv("HELM_MAX_UNPACKED_MIB", "3")
    assert os.path.getsize(archives.unpacked(str(packed), "unzip", str(tmp_path))) == 3 << 20


def test_a_page_instead_of_a_file_is_refused_and_a_mirror_is_asked(server, tmp_path):
    page = b"\n<!DOCTYPE html><html><head><title>Log in</title></head></html>"
    server.add_file(URL, page, "text/html; charset=utf-8")
    with pytest.raises(DownloadError, match='does not give a file, but a web page titled "Log in"'):
        fetch(tmp_path)
    assert leftovers(tmp_path) == []
    server.add_file(MIRROR, BODY)
    assert fetch(tmp_path, mirrors=[MIRROR]) == BODY
    server.add_file("https://example.org/page.html", page, "text/html")
    ensure_downloaded("https://example.org/page.html", str(tmp_path / "page"))
    server.add_file("https://example.org/text", b"<p>", "text/html")
    ensure_downloaded("https://example.org/text", str(tmp_path / "text"))


def test_dropbox_is_asked_for_the_file():
    from helm.common.data.http_transfer import _file_address

    assert _file_address("https://www.dropbox.com/s/a/b.json?dl=0") == "https://www.dropbox.com/s/a/b.json?dl=1"
    assert _file_address("https://www.dropbox.com/s/a/b.json?x=1") == "https://www.dropbox.com/s/a/b.json?x=1&dl=1"
    assert _file_address("https://example.org/b.json?dl=0") == "https://example.org/b.json?dl=0"


def test_broken_archives_and_files_are_named(server, tmp_path):
    import gzip

    whole = gzip.compress(BODY)
    for name, body in {
        "a.txt.gz": whole[:-50],
        "b.txt.gz": whole[:500] + b"x" * 100 + whole[600:],
        "c.zst": b"no",
    }.items():
        server.add_file(f"https://example.org/{name}", body)
        with pytest.raises(DownloadError, match=f"https://example.org/{name} could not be unpacked"):
            ensure_downloaded(f"https://example.org/{name}", str(tmp_path / "target"))
    assert list(tmp_path.iterdir()) == []


def test_a_mirror_may_want_a_password_which_no_message_shows(server, tmp_path, monkeypatch):
    host = server.url.removeprefix("http://")
    monkeypatch.setenv("HELM_DATA_MIRROR", f"http://ann:s%40cret@{host}/mirror,off")
    assert fetch(tmp_path) == BODY
    assert server.requests[0].headers["Authorization"] == "Basic YW5uOnNAY3JldA=="
    with pytest.raises(DownloadError) as e:
        ensure_downloaded("https://example.org/none", str(tmp_path / "none"))
    assert "cret" not in str(e.value) and "ann" not in str(e.value)


def test_an_archive_stays_one_unless_it_is_to_be_unpacked(server, tmp_path):
    body = zip_bytes({"a": b"x"})
    server.add_file("https://example.org/a.zip", body)
    ensure_downloaded("https://example.org/a.zip", str(tmp_path / "a.zip"))
    assert (tmp_path / "a.zip").read_bytes() == body


def test_a_listing_has_no_note_beside_it_and_is_fetched_once(server, tmp_path):
    for _ in range(2):
        assert fetch(tmp_path, is_data=False) == BODY
    assert os.listdir(tmp_path / "data") == ["file.bin"] and len(server.requests) == 1


def test_what_is_there_has_to_have_the_bytes_that_are_expected(server, tmp_path):
    fetch(tmp_path, sha256=SHA256)
    assert fetch(tmp_path, sha256=SHA256.upper()) == BODY
    with pytest.raises(DataChangedError, match=f"file.bin is not what was expected of .* is {SHA256}, not {'0' * 64}"):
        fetch(tmp_path, sha256="0" * 64)
    assert len(server.requests) == 1


def test_the_error_of_several_places_is_the_one_that_the_user_can_mend(server, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    server.add_dataset("owner/secret", {"a.jsonl": b"{}"}, token="hf_mine")
    url = "https://huggingface.co/datasets/owner/secret/resolve/main/a.jsonl"
    with pytest.raises(GatedDataError, match="None of 3 places gave the file"):
        ensure_downloaded(url, str(tmp_path / "a"), mirrors=["https://dead.example/x"])
    server.add_fault(URL, Fault(status=410))
    with pytest.raises(DownloadError, match="None of 2 places gave the file") as e:
        fetch(tmp_path, mirrors=["https://dead.example/x"])
    assert type(e.value) is DownloadError and e.value.status == 404, "that of the last place"


def test_what_is_on_this_machine_is_copied(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    (tmp_path / "folder" / "inner" / "a").write_text("x")
    (tmp_path / "odd:name").write_text("y")
    ensure_downloaded("folder", "copy")
    ensure_downloaded("odd:name", "other")
    assert (tmp_path / "copy" / "inner" / "a").read_text() == "x" and (tmp_path / "other").read_text() == "y"
    assert (tmp_path / "folder" / "inner" / "a").read_text() == "x"
    for address in ("ftp://host/a", "sftp:a"):
        with pytest.raises(DownloadError, match="cannot fetch 's?ftp:' addresses; use http, https, file or a path"):
            ensure_downloaded(address, "none")
    assert sorted(os.listdir()) == ["copy", "folder", "odd:name", "other"]
