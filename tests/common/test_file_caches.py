"""Files of pictures: HELM's vectors, names by key and content, two processes, and processes that are killed."""

import base64
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from helm.clients.auto_client import AutoClient
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig
from helm.common.file_caches.file_cache import FileCache
from helm.common.file_caches.local_file_cache import LocalFileCache, LocalPILFileCache
from helm.common.general import generate_unique_id
from helm.common.media_object import MediaObject
from vectors_support import vector_cases

CASES = vector_cases("helm-heim/file_cache.json")
ID = "[0-9a-f]{32}"


def of_kind(kind):
    return pytest.mark.parametrize("case", [c for c in CASES if c["kind"] == kind], ids=lambda c: c["label"])


def as_pattern(path):
    return re.escape(path).replace(r"\{id\}", ID)


@of_kind("local")
def test_local_file_vectors(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if "files_left" in case:  # HELM leaves an empty file
        cache = LocalFileCache("fc", "png")
        with pytest.raises(ZeroDivisionError):
            cache.store(lambda: 1 / 0)
        assert os.listdir("fc") == []
        return
    folder = case["attributes"]["_location"]
    cache = LocalFileCache(folder, case["extension"])
    assert os.path.isdir(folder) is case["folder_made_by_constructor"]
    assert {name: getattr(cache, name) for name in case["attributes"]} == case["attributes"]
    contents = [base64.b64decode(text) for text in case["contents_base64"]]
    paths = [cache.store(lambda content=content: content) for content in contents]
    for path, content, wanted in zip(paths, contents, case["paths"], strict=True):
        assert re.fullmatch(as_pattern(wanted), path)
        with open(path, "rb") as file:
            assert file.read() == content
    assert len(set(paths)) == len(paths)


@of_kind("pil")
def test_pil_file_vectors(case, tmp_path, monkeypatch):
    Image = pytest.importorskip("PIL.Image")  # noqa: N806
    monkeypatch.chdir(tmp_path)
    cache = LocalPILFileCache("fc/pil")
    for mode, wanted, pixels in zip(case["stored_modes"], case["paths"], case["loaded_bytes_base64"], strict=True):
        loaded = base64.b64decode(pixels)
        data = loaded if mode == "RGB" else loaded[::3]
        path = cache.store_image(lambda mode=mode, data=data: Image.frombytes(mode, (4, 4), data))
        assert re.fullmatch(as_pattern(wanted), path)
        with Image.open(path) as stored:
            assert (stored.format, stored.mode) == ("PNG", mode)
        image = cache.load_image(path)
        assert image.mode == "RGB" and image.tobytes() == loaded


@of_kind("auto_client")
def test_folder_of_a_host_vectors(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    client = AutoClient({}, os.path.join(case["base_path"], "cache"), BlackHoleCacheBackendConfig())
    cache = client._get_file_cache(case["host_organization"])
    assert (cache._location, cache._file_extension) == (case["folder"], case["extension"])


@of_kind("unique_id")
def test_unique_id_vectors(case):
    name = generate_unique_id()
    assert bool(re.match(case["pattern"], name)) is case["matches"] and len(name) == case["length"]


@of_kind("media_object")
def test_media_object_vectors(case, tmp_path):
    (tmp_path / "m.png").write_bytes(b"x")

    def at(value):
        return value.replace("{base}", str(tmp_path)) if isinstance(value, str) else value

    for row in case["rows"]:
        arguments = {name: at(value) for name, value in row["arguments"].items()}
        if "raises" in row["result"]:
            assert row["result"]["raises"] == "AssertionError"
            with pytest.raises(AssertionError):
                MediaObject(**arguments)
            continue
        media = MediaObject(**arguments)
        found = {name: getattr(media, name) for name in ("type", "subtype", "is_local_file")}
        wanted = {name: at(value) for name, value in row["result"].items() if name != "to_dict"}
        assert found == wanted
        assert media.to_dict() == {name: at(value) for name, value in row["result"]["to_dict"].items()}


def test_a_plugin_defines_store_and_nothing_else():
    class Mine(FileCache):
        def store(self, compute):
            return f"mine/{compute()}"

    assert Mine().store(lambda: 1) == "mine/1"


def test_what_is_kept_has_one_name_for_its_key_and_content(tmp_path):
    cache = LocalFileCache(str(tmp_path / "a"), "png")
    path = cache.keep(b"one", "key")
    assert re.fullmatch(rf"{ID}\.png", os.path.basename(path))
    assert cache.keep(b"one", "key") == path
    assert len({path, cache.keep(b"two", "key"), cache.keep(b"one", "another"), cache.keep(b"one", None)}) == 4
    assert cache.keep(b"one", None) != cache.keep(b"one", None)
    assert cache.keep(b"one", "key", "jpg").endswith(".jpg")
    with open(path, "rb") as file:
        assert file.read() == b"one"
    os.rename(tmp_path / "a", tmp_path / "b")
    assert cache.find(path) is None
    assert LocalFileCache(str(tmp_path / "b"), "png").find(path) == str(tmp_path / "b" / os.path.basename(path))


WRITER = """
import sys
from helm.common.file_caches.local_file_cache import LocalFileCache
cache = LocalFileCache(sys.argv[1], "png")
print("go", flush=True)
while True:
    for number in range(20):
        cache.keep(bytes([number]) * 300_000, f"key {number}")
        cache.store(lambda: bytes([number]) * 300_000)
"""


def test_two_processes_that_are_killed_leave_whole_files_only(tmp_path):
    folder = tmp_path / "pictures"
    for _ in range(3):
        writers = [
            subprocess.Popen([sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE) for _ in range(2)
        ]
        for writer in writers:
            assert writer.stdout.readline() == b"go\n"
        time.sleep(0.05)
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
            writer.wait()
            writer.stdout.close()
    names = [name for name in os.listdir(folder) if name.endswith(".png")]
    assert names
    for name in names:
        content = (folder / name).read_bytes()
        assert len(content) == 300_000 and len(set(content)) == 1, name
