"""Data sets in folders of this machine: the user's own, and offline those of the Hugging Face cache."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from data_server import data_server, jsonl_bytes, parquet_bytes
from helm.common.data.data_lock import DataChangedError, DataLock
from helm.common.data.data_session import data_session, log_sources
from helm.common.data.downloads import OfflineError
from helm.common.data.hub_datasets import HubDatasetError, load_hub_split
from helm.common.data.hub_folders import HubFolderError
from helm.common.errors import ConfigError

ROWS = [{"question": "one?", "answer": 1}, {"question": "two?", "answer": 2}]
COMMIT = "3373e0b32277875b8db2aa555a333b78a08477ea"
README = b"""---
license: mit
configs:
- config_name: easy
  data_files:
  - {split: train, path: easy/tr*.jsonl}
  - {split: test, path: "easy/*.csv"}
- config_name: hard
  data_dir: difficult
---
# Questions
"""


@pytest.fixture(autouse=True)
def machine(tmp_path, monkeypatch):
    """No network, no settings, a home and a working directory of its own."""
    for name in (
        "HELM_OFFLINE",
        "HF_HUB_OFFLINE",
        "HF_HOME",
        "HF_HUB_CACHE",
        "HUGGINGFACE_HUB_CACHE",
        "XDG_CACHE_HOME",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HELM_DATA_MIRROR", "http://127.0.0.1:9,off")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def write(folder, files):
    for name, body in files.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)


def cache(home, files, path="owner/set", commit=COMMIT, refs=("main",)):
    """What the Hub's own tools leave behind: blobs named by their SHA-256 or, of small files, otherwise; links to them."""
    repository = Path(home, "hub", "datasets--" + path.replace("/", "--"))
    for name, body in files.items():
        digest = hashlib.sha256(body).hexdigest() if name.endswith(".parquet") else hashlib.sha1(body).hexdigest()
        write(repository / "blobs", {digest: body})
        link = repository / "snapshots" / commit / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(os.path.relpath(repository / "blobs" / digest, link.parent))
    for ref in refs:
        write(repository / "refs", {ref: commit.encode()})
    return repository


# ---- Folders of the user's


@pytest.mark.parametrize("name, body", [
    ("data/train-00000-of-00001.parquet", parquet_bytes(ROWS)),
    ("train.jsonl", jsonl_bytes(ROWS)),
    ("train.csv", b"question,answer\none?,1\ntwo?,2\n"),
])  # fmt: skip
@pytest.mark.parametrize("path", ["./set", "set/../set", "{here}/set"])
def test_a_folder_in_the_layout_of_the_hub_is_read(tmp_path, path, name, body):
    write("set", {name: body})
    path = path.format(here=tmp_path) if path != "set/../set" else "./set/../set"
    found = load_hub_split(path, "train", cache_dir="cache")
    assert found.rows == ROWS and found.files == [name]
    assert not Path("cache").exists()


def test_configurations_are_those_of_the_readme_or_folders(tmp_path):
    write("set", {
        "README.md": README, "easy/train.jsonl": jsonl_bytes(ROWS), "easy/x.csv": b"question\nlast?\n",
        "difficult/test-00000-of-00001.parquet": parquet_bytes(ROWS[1:]),
    })  # fmt: skip
    assert load_hub_split("./set", "train", config="easy").rows == ROWS
    assert load_hub_split("./set", "test", config="easy").rows == [{"question": "last?"}]
    assert load_hub_split("./set", "test", config="hard").rows == ROWS[1:]
    with pytest.raises(ConfigError, match="./set has no configuration 'esay', but easy, hard. Did you mean 'easy'"):
        load_hub_split("./set", "train", config="esay")
    Path("set/README.md").unlink()
    assert load_hub_split("./set", "test", config="difficult").rows == ROWS[1:]


def test_a_folder_is_read_offline_and_its_edits_are_seen(monkeypatch):
    monkeypatch.setenv("HELM_OFFLINE", "1")
    write("set", {"train.jsonl": jsonl_bytes(ROWS)})
    first = load_hub_split("./set", "train")
    write("set", {"train.jsonl": jsonl_bytes(ROWS[:1])})
    second = load_hub_split("./set", "train")
    assert (len(first), len(second)) == (2, 1) and len({first.commit, second.commit}) == 2


@pytest.mark.parametrize("options, message", [
    ({"path": "./sett"}, "./sett should be a folder in the layout of the Hub, but {here}/sett is not there"),
    ({"path": "./set/train.jsonl"}, "but {here}/set/train.jsonl is a file"),
    ({"path": "./set", "revision": "v1"}, "is a local folder, which has no revision 'v1'"),
    ({"path": "./set", "split": "tran"}, "./set has no split 'tran', but train. Did you mean 'train'"),
    ({"path": "./set", "data_files": "../secret.jsonl"}, "no file that matches '../secret.jsonl'"),
])  # fmt: skip
def test_what_cannot_be_read_is_named_in_one_line(tmp_path, options, message):
    write("set", {"train.jsonl": jsonl_bytes(ROWS)})
    write(".", {"secret.jsonl": jsonl_bytes(ROWS)})
    with pytest.raises((ConfigError, HubDatasetError)) as raised:
        load_hub_split(**{"split": "train", **options})
    assert message.format(here=tmp_path) in str(raised.value) and "\n" not in str(raised.value)


def test_a_folder_above_is_not_looked_into():
    write("set", {"train.jsonl": jsonl_bytes(ROWS)})
    write(".", {"train.jsonl": b"{}"})
    assert load_hub_split("./set", "train", data_dir="..").rows == ROWS


def test_links_that_lead_out_of_the_folder_are_refused(tmp_path):
    write("elsewhere", {"train.jsonl": jsonl_bytes(ROWS)})
    write("set", {"notes.txt": b""})
    Path("set/train.jsonl").symlink_to(tmp_path / "elsewhere/train.jsonl")
    with pytest.raises(HubFolderError, match="train.jsonl is a link to .*elsewhere/train.jsonl, which lies outside"):
        load_hub_split("./set", "train")
    Path("set/train.jsonl").unlink()
    Path("set/data").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(HubFolderError, match="set/data is a link to a folder, which is not followed"):
        load_hub_split("./set", "train")
    Path("set/data").unlink()
    Path("set/README.md").symlink_to("/etc/passwd")
    with pytest.raises(HubFolderError, match="README.md is a link to /etc/passwd"):
        load_hub_split("./set", "train")
    Path("linked").symlink_to("elsewhere")  # the folder itself may be one: the user names it
    assert load_hub_split("./linked", "train").rows == ROWS


def test_a_pipe_is_not_waited_for():
    write("set", {"notes.txt": b""})
    os.mkfifo("set/train.jsonl")
    with pytest.raises(HubFolderError, match="train.jsonl is not a regular file"):
        load_hub_split("./set", "train")


def test_a_script_is_not_run_and_not_passed_over():
    write("set", {"set.py": b"raise SystemExit\n", "raw.jsonl": jsonl_bytes(ROWS)})
    with pytest.raises(HubDatasetError, match="made by a script, which is never run. Use data_files"):
        load_hub_split("./set", "train")
    assert load_hub_split("./set", "train", data_files="raw.jsonl").rows == ROWS


def test_a_part_of_a_split_does_not_pass_for_the_whole():
    write("set", {"data/train-00001-of-00002.parquet": parquet_bytes(ROWS)})
    with pytest.raises(
        HubFolderError, match="lacks 1 of the 2 files that belong together, such as data/train-00000-of-00002"
    ):
        load_hub_split("./set", "train")
    assert load_hub_split("./set", "train", data_files="data/train-00001-of-00002.parquet").rows == ROWS


def test_files_of_a_folder_are_locked_and_noted_as_those_of_others(tmp_path):
    write("set", {"README.md": b"---\nlicense: mit\n---\n", "train.jsonl": jsonl_bytes(ROWS), "test.jsonl": b"{}\n"})
    with data_session(DataLock("data.lock")), log_sources() as log:
        load_hub_split("./set", "train")
        load_hub_split("./set", "test")
    known = json.loads(Path("data.lock").read_text())
    sha256 = hashlib.sha256(jsonl_bytes(ROWS)).hexdigest()
    assert known["files"]["./set/train.jsonl"] == {"sha256": sha256, "bytes": len(jsonl_bytes(ROWS)), "license": "mit"}
    assert [(used.name, used.split, used.revision, used.num_rows) for used in log.data_sets.values()] == [
        ("./set", "train", "local", 2), ("./set", "test", "local", 1),
    ]  # fmt: skip
    write("set", {"train.jsonl": jsonl_bytes(ROWS[:1])})
    with (
        data_session(DataLock("data.lock")),
        pytest.raises(DataChangedError, match="set/train.jsonl is not what data.lock"),
    ):
        load_hub_split("./set", "train")
    with data_session(DataLock("data.lock", update=True)):
        load_hub_split("./set", "train")
    with data_session(DataLock("data.lock")):
        assert len(load_hub_split("./set", "train")) == 1


# ---- The cache of the Hub's own tools


@pytest.mark.parametrize("variable", ["HELM_OFFLINE", "HF_HUB_OFFLINE"])
@pytest.mark.parametrize("setting, home", [
    ("HF_HOME", "there"), ("HF_HUB_CACHE", "there/hub"), ("XDG_CACHE_HOME", "."), (None, "home/.cache/huggingface"),
])  # fmt: skip
def test_offline_the_cache_of_the_hub_is_read(tmp_path, monkeypatch, variable, setting, home):
    root = {"HF_HUB_CACHE": "there", "XDG_CACHE_HOME": "huggingface"}.get(setting or "", home)
    cache(tmp_path / root, {"data/train-00000-of-00001.parquet": parquet_bytes(ROWS), "README.md": b"# Set\n"})
    if setting:
        monkeypatch.setenv(setting, str(tmp_path / home))
    monkeypatch.setenv(variable, "1")
    before = sorted(Path(".").rglob("*"))
    found = load_hub_split("owner/set", "train", cache_dir="cache")
    assert found.rows == ROWS and found.commit == COMMIT
    assert sorted(Path(".").rglob("*")) == before


def test_branches_tags_and_commits_of_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    other = "b" * 40
    cache(tmp_path, {"train.jsonl": jsonl_bytes(ROWS)}, refs=["main", "refs/pr/1"])
    cache(tmp_path, {"train.jsonl": jsonl_bytes(ROWS[:1])}, commit=other, refs=["v1.0"])
    for revision, number in ((None, 2), ("refs/pr/1", 2), (COMMIT, 2), ("v1.0", 1), (other, 1)):
        assert len(load_hub_split("owner/set", "train", revision=revision, cache_dir="cache")) == number


def test_the_converted_copy_of_a_script_is_found_in_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    cache(tmp_path, {"set.py": b"raise SystemExit\n"})
    with pytest.raises(OfflineError, match="refs/refs/convert/parquet"):
        load_hub_split("owner/set", "train", cache_dir="cache")
    converted = {"first/train/0000.parquet": parquet_bytes(ROWS)}
    cache(tmp_path, converted, commit="c" * 40, refs=["refs/convert/parquet"])
    assert load_hub_split("owner/set", "train", config="first", cache_dir="cache").rows == ROWS


@pytest.mark.parametrize("revision, refs, commit, message", [
    ("main", ["v1"], COMMIT, "has neither {repo}/refs/main nor {repo}/snapshots/main"),
    ("main", [], "..", "refs/main holds no commit"),
    ("main", [], "d" * 40, "has {repo}/refs/main, but no {repo}/snapshots/" + "d" * 40),
    ("../../x", ["main"], COMMIT, "is not the name of a data set and a revision"),
    ("v2", ["main"], COMMIT, "has neither {repo}/refs/v2 nor"),
])  # fmt: skip
def test_what_the_cache_lacks_is_named_with_the_place(tmp_path, monkeypatch, revision, refs, commit, message):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    repository = cache(tmp_path, {"train.jsonl": jsonl_bytes(ROWS)}, refs=refs)
    if commit != COMMIT:
        write(repository / "refs", {"main": commit.encode()})
    with pytest.raises(OfflineError) as raised:
        load_hub_split("owner/set", "train", revision=revision, cache_dir="cache")
    assert message.format(repo=repository) in str(raised.value) and "\n" not in str(raised.value)
    assert "HF_HUB_OFFLINE is set" in str(raised.value)


def test_a_data_set_that_is_nowhere_and_a_folder_that_was_meant(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    write("owner/set", {"train.jsonl": b"{}"})
    with pytest.raises(OfflineError) as raised:
        load_hub_split("owner/set", "train", cache_dir="cache")
    assert f"has no {tmp_path}/home/.cache/huggingface/hub/datasets--owner--set either." in str(raised.value)
    assert "To read the folder of that name here, write ./owner/set." in str(raised.value)


def test_links_of_the_cache_lead_to_its_blobs_and_nowhere_else(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    repository = cache(tmp_path, {"train.jsonl": jsonl_bytes(ROWS)})
    link = repository / "snapshots" / COMMIT / "train.jsonl"
    blob = link.resolve()
    write("elsewhere", {"x": jsonl_bytes(ROWS)})
    for target, message in (
        (tmp_path / "elsewhere/x", "lies outside"),
        (repository / "blobs/gone", "a file that is not there"),
    ):
        link.unlink()
        link.symlink_to(target)
        with pytest.raises(HubFolderError, match=message):
            load_hub_split("owner/set", "train", cache_dir="cache")
    link.unlink()
    link.symlink_to(blob)
    assert load_hub_split(str(link.parent), "train").rows == ROWS  # a snapshot named as a folder


def test_a_damaged_blob_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    repository = cache(tmp_path, {"train.parquet": parquet_bytes(ROWS)})
    next((repository / "blobs").iterdir()).write_bytes(parquet_bytes(ROWS[:1]))
    with pytest.raises(HubFolderError, match="train.parquet is damaged: its SHA-256 is"):
        load_hub_split("owner/set", "train", cache_dir="cache")


def test_the_lock_file_is_the_same_for_the_cache_and_the_network(tmp_path, monkeypatch):
    files = {"README.md": b"---\nlicense: mit\n---\n", "data/train-00000-of-00001.parquet": parquet_bytes(ROWS)}
    with data_server() as server:
        commit = server.add_dataset("owner/set", files, license="mit")
        for name, value in {**server.environment(), "HF_HOME": str(tmp_path)}.items():
            monkeypatch.setenv(name, value)
        with data_session(DataLock("fetched.lock")):
            load_hub_split("owner/set", "train", cache_dir="cache")
    cache(tmp_path, files, commit=commit)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with data_session(DataLock("cached.lock")):
        load_hub_split("owner/set", "train", cache_dir="elsewhere")
    assert Path("cached.lock").read_text() == Path("fetched.lock").read_text()
    other = "e" * 40
    cache(tmp_path, {"train.jsonl": jsonl_bytes(ROWS)}, commit=other)  # main has moved on; the lock file holds it
    with data_session(DataLock("cached.lock")):
        assert load_hub_split("owner/set", "train", cache_dir="elsewhere").commit == commit


def test_online_the_hub_is_asked_and_offline_what_was_fetched_goes_first(tmp_path, monkeypatch):
    with data_server() as server:
        server.add_dataset("owner/set", {"train.jsonl": jsonl_bytes(ROWS), "test.jsonl": jsonl_bytes(ROWS)})
        for name, value in {**server.environment(), "HF_HOME": str(tmp_path)}.items():
            monkeypatch.setenv(name, value)
        cache(tmp_path, {"train.jsonl": jsonl_bytes(ROWS[:1])})
        found = load_hub_split("owner/set", "train", cache_dir="cache")
        assert len(found) == 2
        monkeypatch.setenv("HELM_OFFLINE", "1")
        assert len(load_hub_split("owner/set", "train", cache_dir="cache")) == 2
        cache(tmp_path, {"test.jsonl": jsonl_bytes(ROWS)}, commit=found.commit, refs=[])
        assert load_hub_split("owner/set", "test", cache_dir="cache").rows == ROWS  # listed here, its bytes only there
