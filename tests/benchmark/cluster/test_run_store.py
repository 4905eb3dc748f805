"""Results in object stores: in memory, and a real S3 server on loopback where one is installed."""

import json
import os
import uuid

import pytest

from helm.benchmark.cluster import run_store
from helm.benchmark.cluster.run_store import RunStore, RunStoreError, create_run_store, stored
from helm.benchmark.running.run_writer import RUN_FILE_NAMES
from helm.common.commands.output_path import staging_path
from helm.common.errors import ConfigError

LARGE = ("scenario_state.json", "per_instance_stats.json")
JOURNAL = b'{"version":1}\n[0]\n[0,{"success":true}]\n'


@pytest.fixture
def memory():
    pytest.importorskip("fsspec")
    return RunStore(f"memory://{uuid.uuid4().hex}/helm", "suite")


@pytest.fixture(scope="module")
def s3_address():
    """A bucket of a server that speaks S3."""
    pytest.importorskip("s3fs")
    server_module = pytest.importorskip("moto.server")
    server = server_module.ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    names = {
        "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{port}", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }  # fmt: skip
    earlier = {name: os.environ.get(name) for name in names}
    os.environ.update(names)
    import s3fs

    s3fs.S3FileSystem().mkdir("results")
    yield "s3://results/helm"
    server.stop()
    for name, value in earlier.items():
        os.environ.pop(name)
        if value is not None:
            os.environ[name] = value


def make_run(path, content="1", names=RUN_FILE_NAMES):
    path.mkdir(parents=True, exist_ok=True)
    for name in names:
        (path / name).write_text(json.dumps({name: content}))


def check_store(store, tmp_path):
    run = tmp_path / "run"
    assert store.names("run") == [] and not store.is_completed("run")

    with pytest.raises(ZeroDivisionError), stored(store, "run", str(run)):
        make_run(run, names=["error.json"])
        (run / "requests.journal").write_bytes(JOURNAL + b"[1,{half a li")
        raise ZeroDivisionError
    assert store.names("run") == ["error.json", "requests.journal"] and not store.is_completed("run")

    elsewhere = tmp_path / "elsewhere"
    with stored(store, "run", str(elsewhere)):
        assert (elsewhere / "requests.journal").read_bytes() == JOURNAL, "only whole lines are kept"
        (elsewhere / "requests.journal").unlink()
        make_run(elsewhere, names=[*RUN_FILE_NAMES, "coverage.json"])
    assert store.is_completed("run") and store.names("run") == sorted([*RUN_FILE_NAMES, "coverage.json"])
    assert not elsewhere.exists(), "the disk fills up"

    with stored(store, "run", str(run)):
        (run / "requests.journal").unlink()
        (run / "error.json").unlink()
        make_run(run, "2")
    assert store.names("run") == sorted(RUN_FILE_NAMES)
    path = store._path("run", "stats.json")
    assert json.loads(store._fs.cat_file(path)) == {"stats.json": "2"}

    for number, form in enumerate((str, lambda name: f"{name}.gz" if name in LARGE else name, str)):
        with stored(store, "run", str(run)):
            make_run(run, str(number), map(form, RUN_FILE_NAMES))
        assert store.names("run") == sorted(map(form, RUN_FILE_NAMES)) and store.is_completed("run")


def test_a_run_appears_when_it_is_complete(memory, tmp_path):
    check_store(memory, tmp_path)


def test_the_same_with_a_server_that_speaks_s3(s3_address, tmp_path):
    check_store(RunStore(s3_address, uuid.uuid4().hex), tmp_path)


@pytest.mark.parametrize("piece_bytes", [1, 7, 1 << 20])
def test_a_journal_is_copied_piece_by_piece_up_to_its_last_line(tmp_path, monkeypatch, piece_bytes):
    monkeypatch.setattr(run_store, "_PIECE_BYTES", piece_bytes)
    source, target = tmp_path / "source", tmp_path / "target"
    for written, expected in (
        (b"", b""),
        (b"half", b""),
        (b"one\ntwo\nhalf a line", b"one\ntwo\n"),
        (b"one\n", b"one\n"),
    ):
        source.write_bytes(written)
        run_store.copy_whole_lines(str(source), str(target))
        assert target.read_bytes() == expected
    source.unlink()
    run_store.copy_whole_lines(str(source), str(target))
    assert target.read_bytes() == b""


def test_a_failure_of_the_store_names_it(memory, tmp_path, monkeypatch):
    def fail(*args, **kwargs):
        raise TimeoutError("no answer")

    make_run(tmp_path / "run")
    monkeypatch.setattr(type(memory._fs), "put_file", fail)
    with pytest.raises(
        RunStoreError, match="memory://.*/helm/runs/suite: cannot write .* of run: TimeoutError: no answer"
    ):
        memory.put("run", str(tmp_path / "run"))
    assert not memory.is_completed("run") and (tmp_path / "run/stats.json").exists()


def test_addresses_and_folders_are_told_apart(tmp_path):
    pytest.importorskip("fsspec")
    assert create_run_store(str(tmp_path), "suite") is None
    assert staging_path("some/folder", "env") == "some/folder"
    assert staging_path("s3://a/b", "env") == staging_path("s3://a/b", "env") != staging_path("s3://a/c", "env")
    with pytest.raises(ConfigError, match="Results cannot be put at nowhere://x"):
        create_run_store("nowhere://x", "suite")
