"""The lock file of data: what was used once has to be so again."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from data_server import Fault, data_server, jsonl_bytes, tar_bytes
from helm.common.data.data_lock import DataChangedError, DataLock, LockedFile, render_lock
from helm.common.data.data_session import data_session, default_lock_path, log_sources, survey_sources
from helm.common.data.downloads import DownloadError, OfflineError, ensure_downloaded, sha256_of
from helm.common.data.hub_datasets import load_hub_split
from helm.common.errors import ConfigError

URL = "https://example.org/data.txt"
ARCHIVE = "https://example.org/archive.tar.gz"


@pytest.fixture
def server(monkeypatch, tmp_path):
    with data_server() as server:
        for name in ("HELM_OFFLINE", "HF_HUB_OFFLINE", "HF_TOKEN"):
            monkeypatch.delenv(name, raising=False)
        for name, value in {**server.environment(), "HF_HOME": str(tmp_path)}.items():
            monkeypatch.setenv(name, value)
        server.add_file(URL, b"old\n")
        server.add_file(ARCHIVE, tar_bytes({"folder/a": b"a", "folder/b": b"b"}))
        server.add_dataset("owner/set", {"train.jsonl": jsonl_bytes([{"a": 1}]), "test.jsonl": jsonl_bytes([{"a": 2}])})
        monkeypatch.chdir(tmp_path)
        yield server


def use(folder, update=False, license=None):
    """What a scenario would do, with the lock file of the working directory."""
    with data_session(DataLock("helm-data.lock", update)), log_sources() as log:
        ensure_downloaded(URL, f"{folder}/data.txt", license=license)
        ensure_downloaded(ARCHIVE, f"{folder}/archive", unpack=True)
        for split in ("train", "test"):
            load_hub_split("owner/set", split, cache_dir=str(folder))
    return log


def test_the_first_use_is_locked_and_the_file_is_always_the_same(server, tmp_path):
    use("one", license="mit")
    text = (tmp_path / "helm-data.lock").read_text()
    content = json.loads(text)
    assert content["files"][URL] == {"bytes": 4, "license": "mit", "sha256": sha256_of("one/data.txt")}
    assert content["files"][ARCHIVE]["bytes"] == len(server.files[ARCHIVE])
    entry = content["data_sets"]["owner/set"]["main"]
    assert entry == {
        "commit": server.repositories["owner/set"].names["main"],
        "rows": {"default/test": 1, "default/train": 1},
    }
    use("one", license="mit")
    assert (tmp_path / "helm-data.lock").read_text() == text
    os.unlink("helm-data.lock")
    use("two", license="mit")
    assert (tmp_path / "helm-data.lock").read_text() == text


def test_changed_bytes_are_refused_and_old_and_new_are_named(server, tmp_path):
    use("one")
    old = sha256_of("one/data.txt")
    server.add_file(URL, b"new\n")
    with pytest.raises(DataChangedError) as e:
        use("two")
    assert "not " + old in str(e.value) and "Nothing was kept" in str(e.value)
    assert "helm-data fetch --update --data-lock helm-data.lock" in str(e.value)
    assert not (tmp_path / "two" / "data.txt").exists()
    use("one")  # what was fetched before is still right


def test_a_mirror_with_other_bytes_is_passed_over(server, tmp_path):
    use("one")
    server.add_fault(URL, Fault(body=b"spoiled"))
    server.add_file("https://mirror.example/data.txt", b"old\n")
    with data_session(DataLock("helm-data.lock")):
        ensure_downloaded(URL, "two/data.txt", mirrors=["https://mirror.example/data.txt"])
    assert (tmp_path / "two" / "data.txt").read_text() == "old\n"


def test_an_update_accepts_what_is_new(server, tmp_path):
    use("one")
    server.add_file(URL, b"new\n")
    server.add_file(ARCHIVE, tar_bytes({"folder/c": b"c"}))
    server.add_dataset("owner/set", {"train.jsonl": jsonl_bytes([{"a": 3}, {"a": 4}]), "test.jsonl": b'{"a": 5}\n'})
    use("one", update=True)
    assert (tmp_path / "one" / "data.txt").read_text() == "new\n"
    assert [path.name for path in (tmp_path / "one" / "archive").iterdir()] == ["c"]
    content = json.loads((tmp_path / "helm-data.lock").read_text())
    assert content["data_sets"]["owner/set"]["main"]["rows"] == {"default/test": 1, "default/train": 2}
    assert content["files"][URL]["sha256"] == sha256_of("one/data.txt")
    use("one")


def test_an_update_that_was_killed_is_made_up_for(server, tmp_path):
    use("one")
    old = tmp_path / "one" / ".archive.old"
    old.mkdir()
    (old / "file").write_text("left behind")
    use("one", update=True)
    assert not old.exists() and sorted(os.listdir("one/archive")) == ["a", "b"]


def test_a_checksum_that_is_not_the_locked_one_is_refused_before_anything_is_fetched(server, tmp_path):
    use("one")
    server.requests.clear()
    with data_session(DataLock("helm-data.lock")):
        with pytest.raises(DataChangedError, match=f"should have the SHA-256 {'0' * 64}, but had "):
            ensure_downloaded(URL, "two/data.txt", sha256="0" * 64)
        assert server.requests == []
        ensure_downloaded(URL, "two/data.txt", sha256=sha256_of("one/data.txt").upper())
    with data_session(DataLock("helm-data.lock", update=True)):
        with pytest.raises(DownloadError, match="is not what was expected"):
            ensure_downloaded(URL, "three/data.txt", sha256="0" * 64)


def test_a_file_that_was_changed_on_this_machine_is_refused(server, tmp_path):
    use("one")
    (tmp_path / "one" / "data.txt").write_text("mine")
    with pytest.raises(
        DataChangedError, match="one/data.txt is not what helm-data.lock says of https://example.org/data"
    ):
        use("one")


def test_a_file_that_was_only_touched_is_read_again_and_is_right(server, tmp_path):
    use("one")
    os.utime("one/data.txt", (1, 1))
    use("one")


def test_files_of_another_tool_are_taken_and_locked(server, tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "data.txt").write_bytes(b"theirs")
    log = use("one")
    assert json.loads((tmp_path / "helm-data.lock").read_text())["files"][URL]["bytes"] == 6
    assert log.files[URL, str(tmp_path / "one" / "data.txt")].sha256 == sha256_of("one/data.txt")


def test_a_locked_revision_keeps_its_commit_on_every_machine(server, tmp_path):
    use("one")
    server.add_dataset("owner/set", {"train.jsonl": jsonl_bytes([{"a": 9}]), "test.jsonl": b""})
    with data_session(DataLock("helm-data.lock")):
        assert load_hub_split("owner/set", "train", cache_dir="two").rows == [{"a": 1}]
    assert load_hub_split("owner/set", "train", cache_dir="three").rows == [{"a": 9}]


def test_another_number_of_rows_is_refused(server, tmp_path):
    use("one")
    content = json.loads((tmp_path / "helm-data.lock").read_text())
    content["data_sets"]["owner/set"]["main"]["rows"]["default/test"] = 7
    (tmp_path / "helm-data.lock").write_text(json.dumps(content))
    with pytest.raises(
        DataChangedError, match="had 7 rows in default/test when helm-data.lock was written, and now has 1"
    ):
        use("one")


@pytest.mark.parametrize("text, message", [
    ("{", "not a lock file of data"), ("[]", "'version' has to be 1"), ('{"version": 2}', "'version' has to be 1"),
    ('{"version": 1, "files": {"u": {"sha256": 1}}}', "'files', 'u': 'sha256'"),
    ('{"version": 1, "files": {"u": {"sha256": "a"}}}', "'files', 'u': 'sha256'"),
    ('{"version": 1, "files": {"u": {"bytes": 1}}}', "'files', 'u': 'sha256'"),
    ('{"version": 1, "files": {"u": 1}}', "'files', 'u': 'sha256'"),
    ('{"version": 1, "files": []}', "'files' has to be an object"),
    ('{"version": 1, "data_sets": []}', "'data_sets' has to be an object"),
    ('{"version": 1, "data_sets": {"d": {"main": {}}}}', "'data_sets', 'd': 'commit'"),
    ('{"version": 1, "data_sets": {"d": {"main": 1}}}', "'data_sets', 'd': 'commit'"),
    ('{"version": 1, "data_sets": {"d": {"a": {"commit": "c"}, "b": {}}}}', "'data_sets', 'd': 'commit'"),
    ('{"version": 1, "data_sets": {"d": 1}}', "'data_sets', 'd': 'commit'"),
])  # fmt: skip
def test_malformed_lock_files(tmp_path, text, message):
    (tmp_path / "lock").write_text(text)
    with pytest.raises(ConfigError, match=message):
        DataLock(str(tmp_path / "lock"))
    with pytest.raises(ConfigError, match="is not a lock file of data: .*directory"):
        DataLock(str(tmp_path))


def test_which_lock_file_is_used(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert default_lock_path("out") == os.path.join("out", "helm-data.lock")
    (tmp_path / "helm-data.lock").write_text("{}")
    assert default_lock_path("out") == "helm-data.lock"


def test_several_processes_write_one_lock_file(server, tmp_path):
    program = (
        "import sys\n"
        "from helm.common.data.data_lock import DataLock\n"
        "lock = DataLock('helm-data.lock')\n"
        "for i in range(20): lock.check_file(f'https://x/{sys.argv[1]}/{i}', 'a' * 64, i, 'x')\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", program, str(n)]) for n in range(3)]
    assert [process.wait(30) for process in processes] == [0, 0, 0]
    assert len(DataLock("helm-data.lock").files()) == 60


def test_files_of_an_unpacked_folder_are_watched(server, tmp_path):
    use("one")
    folder = tmp_path / "one" / "archive"
    (folder / "added").write_text("by the loader")
    os.utime(folder / "a", (1, 1))
    use("one")
    (folder / "a").write_text("A")
    with pytest.raises(
        DataChangedError, match="one/archive/a is not the file that was unpacked from https://example.org/archive"
    ):
        use("one")
    use("one", update=True)
    assert (folder / "a").read_text() == "a" and not (folder / "added").exists()
    (folder / "b").unlink()
    with pytest.raises(DataChangedError, match="one/archive/b is not the file"):
        use("one")


def test_folders_of_very_many_files_are_believed(server, tmp_path, monkeypatch):
    from helm.common.data import data_stamps

    monkeypatch.setattr(data_stamps, "_MOST_FILES", 1)
    use("one")
    (tmp_path / "one" / "archive" / "a").write_text("A")
    use("one")


@pytest.mark.parametrize("text", ["{", "[]", '{"url": 1, "sha256": "", "bytes": 1}', '{"url": "u", "x": 1}',
                                  '{"url": "u", "sha256": "", "bytes": 1, "files": {"../a": [1, 1, ""]}}',
                                  '{"url": "u", "sha256": "", "bytes": 1, "files": {"a": [1]}}'])  # fmt: skip
def test_damaged_notes_beside_files_are_ignored(server, tmp_path, text):
    use("one")
    (tmp_path / "one" / ".archive.source.json").write_text(text)
    log = use("one")
    assert log.files[ARCHIVE, str(tmp_path / "one" / "archive")].sha256 is None


# ---- Several processes, and one that dies

_FETCH = "import sys\nfrom helm.common.data.downloads import ensure_downloaded\nensure_downloaded(sys.argv[1], sys.argv[2])\n"


def start_fetch(url, target):
    return subprocess.Popen([sys.executable, "-c", _FETCH, url, target])


def test_after_kill_9_the_next_process_goes_on(server, tmp_path):
    body = os.urandom(6_000_000)
    server.add_file(URL, body)
    server.add_fault(URL, Fault(pause_s=30))
    process = start_fetch(URL, "big")
    deadline = time.monotonic() + 20
    while not any(path.stat().st_size > 2_000_000 for path in tmp_path.glob(".big.*.part")):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "big").exists()
    server.requests.clear()
    assert start_fetch(URL, "big").wait(30) == 0
    assert (tmp_path / "big").read_bytes() == body
    assert int(server.requests[0].headers["Range"][len("bytes=") : -1]) > 2_000_000
    assert sorted(path.name for path in tmp_path.iterdir()) == [".big.source.json", "big"]


def test_several_processes_fetch_once(server, tmp_path):
    server.add_fault(URL, Fault(pause_s=1.0))
    processes = [start_fetch(URL, "file") for _ in range(3)]
    assert [process.wait(30) for process in processes] == [0, 0, 0]
    assert len(server.requests) == 1


# ---- What is used, and what is missing


def test_what_was_used_is_said_once_in_one_order(server, tmp_path):
    log = use("one", license="mit")
    content = log.to_json(str(tmp_path))
    assert content["files"][0] == {
        "url": ARCHIVE, "path": "one/archive", "sha256": DataLock("helm-data.lock").file(ARCHIVE).sha256,
        "bytes": len(server.files[ARCHIVE]),
    }  # fmt: skip
    assert [used["url"] for used in content["files"]][1] == URL
    assert [(used["name"], used["split"], used["rows"]) for used in content["data_sets"]] == [
        ("owner/set", "train", 1), ("owner/set", "test", 1)
    ]  # fmt: skip
    assert use("one").to_json(str(tmp_path))["data_sets"] == content["data_sets"]


def load_all(folder):
    rows = []
    ensure_downloaded(URL, f"{folder}/data.txt")
    with open(f"{folder}/data.txt", encoding="utf-8") as file:
        rows += file.readlines()
    ensure_downloaded(ARCHIVE, f"{folder}/archive", unpack=True)
    rows += os.listdir(f"{folder}/archive")
    for split in ("train", "test"):
        rows += load_hub_split("owner/set", split, cache_dir=folder).rows
    return rows


def test_a_survey_names_all_that_is_missing_and_changes_nothing(server, tmp_path):
    (tmp_path / "one").mkdir()
    ensure_downloaded(URL, "one/data.txt")
    before = sorted(map(str, (tmp_path / "one").rglob("*")))
    server.requests.clear()
    survey, rows, error = survey_sources(load_all, "one")
    assert (rows, error) == (["old\n"], None)
    assert [fetch.url for fetch in survey.missing] == [
        ARCHIVE,
        "https://huggingface.co/api/datasets/owner/set/revision/main?blobs=true",
    ]
    assert survey.missing[0].path == str(tmp_path / "one" / "archive")
    assert sorted(map(str, (tmp_path / "one").rglob("*"))) == before and server.requests == []
    load_all("one")
    with log_sources() as log:
        survey, rows, error = survey_sources(load_all, "one")
    assert (survey.missing, error, len(rows)) == ([], None, 5)
    assert {used.path for used in log.files.values()} >= {
        str(tmp_path / "one" / "data.txt"),
        str(tmp_path / "one" / "archive"),
    }


def test_offline_every_blocked_fetch_is_kept_for_the_end(server, tmp_path, monkeypatch):
    monkeypatch.setenv("HELM_OFFLINE", "1")
    with data_session() as session:
        for name in ("a", "b", "a"):
            with pytest.raises(OfflineError):
                ensure_downloaded(URL, name)
    assert [fetch.path for fetch in session.blocked] == [str(tmp_path / "a"), str(tmp_path / "b")]


def test_a_present_file_with_a_known_checksum_has_to_have_it(server, tmp_path):
    ensure_downloaded(URL, "file")
    ensure_downloaded(URL, "file", sha256=sha256_of("file").upper())
    with pytest.raises(
        DataChangedError, match="file is not what was expected of https://example.org/data.txt: its SHA-256"
    ):
        ensure_downloaded(URL, "file", sha256="0" * 64)


def test_tables_of_metrics_and_perturbations_are_noted_too_and_locked(server, tmp_path):
    from helm.common.concurrency import parallel_map
    from helm.common.data.data_files import DataFile

    file = DataFile("data.txt", URL)
    for _ in range(2):
        with data_session(DataLock("helm-data.lock")), log_sources() as log:
            parallel_map(lambda _: file.find("A metric", "HELM_METRIC_DATA", "tables"), [1, 2], 2)
        assert [used.path for used in log.files.values()] == [str(tmp_path / "tables" / "data.txt")]
    assert DataLock("helm-data.lock").file(URL) is not None
    (tmp_path / "tables" / "data.txt").write_text("other")
    with data_session(DataLock("helm-data.lock")), pytest.raises(DataChangedError):
        file.find("A metric", "HELM_METRIC_DATA", "tables")


def test_a_data_set_must_be_the_commit_and_have_the_rows_that_were_locked(tmp_path):
    path = str(tmp_path / "data.lock")
    lock = DataLock(path)
    lock.check_data_set("a/b", "main", "c1", "mit", "train", 10)
    lock.check_data_set("a/b", "main", "c1", None, "test", 5)
    lock.check_data_set("a/b", "main", "c1", None, "train", 10)
    assert lock.commit("a/b", "main") == DataLock(path).commit("a/b", "main") == "c1"
    assert lock.commit("a/b", "other") is None and lock.commit("other", "main") is None
    with pytest.raises(DataChangedError, match="was commit c1 when .* was written, and now is c2"):
        lock.check_data_set("a/b", "main", "c2", None, "train", 10)
    with pytest.raises(DataChangedError):
        lock.check_data_set("a/b", "main", "c1", None, "train", 11)
    assert DataLock(path).commit("a/b", "main") == "c1", "what is refused changes nothing"
    DataLock(path, update=True).check_data_set("a/b", "main", "c2", None, "train", 11)
    assert DataLock(path).commit("a/b", "main") == "c2"


def written(path):
    """The content of a lock file, and the time when it was last written becomes a known one."""
    os.utime(path, ns=(1, 1))
    return json.loads(path.read_text())


def test_a_file_is_locked_with_its_license_and_what_is_known_is_not_written_again(tmp_path):
    path = tmp_path / "folder" / "data.lock"
    lock = DataLock(str(path))
    lock.check_file("u", "aa", 2, "u")
    assert written(path)["files"] == {"u": {"sha256": "aa", "bytes": 2}}
    lock.check_file("u", "aa", 2, "u")
    assert path.stat().st_mtime_ns == 1
    lock.check_file("u", "aa", 2, "u", "mit")
    assert written(path)["files"] == {"u": {"sha256": "aa", "bytes": 2, "license": "mit"}}
    for license in (None, "mit"):
        lock.check_file("u", "aa", 2, "u", license)
    assert path.stat().st_mtime_ns == 1
    with pytest.raises(DataChangedError, match=r"its SHA-256 was aa \(2 bytes\) and now is bb \(3 bytes\)"):
        lock.check_file("u", "bb", 3, "u")
    assert path.stat().st_mtime_ns == 1
    DataLock(str(path), update=True).check_file("u", "bb", 3, "u")
    assert written(path)["files"] == {"u": {"sha256": "bb", "bytes": 3, "license": "mit"}}
    assert DataLock(str(path)).files() == {"u": LockedFile("bb", 3, "mit")} == {"u": DataLock(str(path)).file("u")}


def test_a_data_set_is_locked_with_its_rows_and_what_is_known_is_not_written_again(tmp_path):
    path = tmp_path / "data.lock"
    lock = DataLock(str(path))
    lock.check_data_set("d", "main", "c1", None, "test", 0)
    assert written(path)["data_sets"] == {"d": {"main": {"commit": "c1", "rows": {"test": 0}}}}
    lock.check_data_set("d", "main", "c1", "mit", "train", 7)
    assert written(path)["data_sets"]["d"]["main"] == {
        "commit": "c1",
        "license": "mit",
        "rows": {"test": 0, "train": 7},
    }
    lock.check_data_set("d", "main", "c1", None, "test", 0)
    lock.check_data_set("d", "main", "c1", "mit", "train", 7)
    assert path.stat().st_mtime_ns == 1
    DataLock(str(path), update=True).check_data_set("d", "main", "c1", None, "test", 5)
    assert written(path)["data_sets"]["d"]["main"]["rows"] == {"test": 5, "train": 7}
    DataLock(str(path), update=True).check_data_set("d", "main", "c2", None, "test", 5)
    assert written(path)["data_sets"]["d"]["main"] == {"commit": "c2", "license": "mit", "rows": {"test": 5}}


@pytest.mark.parametrize("update", [False, True])
def test_what_another_process_added_meanwhile_is_kept(tmp_path, update):
    path = tmp_path / "data.lock"
    one, other = (DataLock(str(path), update) for _ in range(2))
    other.check_file("theirs", "aa", 1, "x")
    other.check_data_set("d", "main", "c", "mit", "train", 1)
    other.check_data_set("d", "old", "b", None, "train", 3)
    one.check_file("mine", "bb", 2, "x")
    one.check_data_set("d", "main", "c", None, "test", 2)
    content = json.loads(path.read_text())
    assert set(content["files"]) == {"mine", "theirs"}
    assert content["data_sets"]["d"] == {
        "main": {"commit": "c", "license": "mit", "rows": {"test": 2, "train": 1}},
        "old": {"commit": "b", "rows": {"train": 3}},
    }


def test_a_lock_file_takes_over_another_one_and_gives_a_part_of_itself(tmp_path):
    source, target = (DataLock(str(tmp_path / name)) for name in ("source", "target"))
    for url in ("u", "v"):
        source.check_file(url, "aa", 2, url, "mit")
    for revision in ("main", "old"):
        source.check_data_set("d", revision, "c", "mit", "test", 5)
    target.merge_from(source)
    assert (tmp_path / "target").read_text() == (tmp_path / "source").read_text()
    part = target.part_for(["u", "unknown"], [("d", "old"), ("unknown", "main")])
    assert part == {
        "version": 1,
        "files": {"u": {"sha256": "aa", "bytes": 2, "license": "mit"}},
        "data_sets": {"d": {"old": {"commit": "c", "license": "mit", "rows": {"test": 5}}}},
    }
    assert target.part_for([], []) == {"version": 1, "files": {}, "data_sets": {}}
    for change in (("check_file", "u", "bb", 2, "u"), ("check_data_set", "d", "main", "c", None, "test", 6)):
        getattr(DataLock(str(tmp_path / "source"), update=True), change[0])(*change[1:])
        with pytest.raises(DataChangedError):
            DataLock(str(tmp_path / "target")).merge_from(DataLock(str(tmp_path / "source")))
        (tmp_path / "source").write_text((tmp_path / "target").read_text())


def test_a_lock_file_is_text_that_people_can_read(tmp_path):
    assert render_lock({"b": "Zürich", "a": 1}) == '{\n  "a": 1,\n  "b": "Zürich"\n}\n'


def test_in_a_survey_what_is_missing_is_empty_as_its_kind_is(server, tmp_path):
    found = {}

    def load(folder):
        for _ in range(2):
            ensure_downloaded("https://example.org/a.json?x=1", f"{folder}/new/a")
            ensure_downloaded("https://example.org/b.txt", f"{folder}/b")
            ensure_downloaded("https://example.org/c.zip", f"{folder}/c", unpack=True)
        with open(f"{folder}/b", "rb") as file:
            found["b"] = file.read()
        found["c"] = os.listdir(f"{folder}/c")
        with open(f"{folder}/new/a") as file:
            return json.load(file)

    survey, result, error = survey_sources(load, "one")
    assert error is None and result in ([], {}) and found == {"b": b"", "c": []}
    assert [fetch.url.rpartition("/")[2] for fetch in survey.missing] == ["a.json?x=1", "b.txt", "c.zip"]
    assert server.requests == [] and not (tmp_path / "one").exists()
