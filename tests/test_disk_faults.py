"""Disks that are full, caches that are damaged, locked, or not to be written: a clear error, exit status 1, and nothing lost.

Full disks and folders that cannot be written are real mounts, where the user of the tests may mount; a limit on the size of
files stands for a full disk elsewhere.
"""

import json
import os
import resource
import sqlite3
import subprocess
import sys
from contextlib import contextmanager

import pytest

from counting_server import CountingServer
from helm.common.key_value_store import SqliteKeyValueStore

ENTRY = "simple_mcqa:model=openai-compat/m"
NUM_INSTANCES = 75
CACHE = "prod_env/cache/openai-compat.sqlite"


@pytest.fixture
def server():
    server = CountingServer(0.002, padding=" and" * 16_000)
    yield server
    server.close()


@pytest.fixture
def helm(tmp_path, server, monkeypatch, capfd):
    """Runs `helm-run` in a folder of its own; returns exit status and messages."""
    from helm.benchmark import run
    from helm.clients.pacing.limiter import forget_limiters

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)

    def helm(*flags, instances=NUM_INSTANCES):
        forget_limiters()
        try:
            run.main(["-r", ENTRY, "-m", str(instances), "-n", "8", *flags])
            status = 0
        except SystemExit as e:
            status = e.code
        try:
            SqliteKeyValueStore.close_all()  # as at the end of a process
        except Exception as e:
            sys.stderr.write(f"at exit: {e}\n")
        out, err = capfd.readouterr()
        return status, out + err

    yield helm
    forget_limiters()


@contextmanager
def mounted(folder, size, *options):
    """A small disk of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    flags = ",".join([f"size={size}", *options])
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", flags, "tmpfs", str(folder)], capture_output=True)
    if done.returncode:
        pytest.skip("mounting is not allowed here")
    try:
        yield lambda *options: subprocess.run(["mount", "-o", ",".join(["remount", *options]), str(folder)], check=True)
    finally:
        SqliteKeyValueStore.close_all()
        subprocess.run(["umount", "-l", str(folder)], check=True)


def final_state(tmp_path):
    (path,) = tmp_path.glob("benchmark_output/runs/default/*/scenario_state.json")
    return json.loads(path.read_text())["request_states"]


def check_all_is_there(tmp_path, server):
    assert len(final_state(tmp_path)) == NUM_INSTANCES
    assert sorted(server.counts.values()) == [1] * NUM_INSTANCES, "something that was answered was lost"


@pytest.mark.parametrize("where", ["prod_env", "benchmark_output"])
def test_a_full_disk(helm, tmp_path, server, where):
    """What was answered until it was full is kept; with more space the same command does the rest."""
    with mounted(tmp_path / where, "5m" if where == "prod_env" else "2m") as change:
        status, messages = helm()
        assert status == 1 and ("No space left on device" in messages or "disk is full" in messages), messages
        assert ("response cache" if where == "prod_env" else "requests.journal") in messages
        assert "Traceback" not in messages
        assert 8 < len(server.counts) < NUM_INSTANCES
        change("size=200m")
        status, messages = helm()
        assert status == 0, messages
        check_all_is_there(tmp_path, server)
        names = os.listdir(tmp_path / "prod_env/cache")
        assert "openai-compat.sqlite" in names and not [name for name in names if "-pending-" in name]


def test_a_disk_that_is_full_when_results_are_written(helm, tmp_path, server):
    with mounted(tmp_path / "benchmark_output", "9m") as change:
        status, messages = helm()
        assert status == 1 and "Cannot write" in messages and "No space left on device" in messages
        (run,) = (tmp_path / "benchmark_output/runs/default").glob("simple_mcqa*")
        assert [name for name in os.listdir(run) if name.endswith((".json", ".tmp"))] in ([], ["error.json"])
        change("size=200m")
        assert helm()[0] == 0
        check_all_is_there(tmp_path, server)


def test_a_limit_on_the_size_of_files(tmp_path, server):
    """Stands for a full disk where nothing can be mounted."""

    def run(limit_bytes):
        limits = (limit_bytes, resource.RLIM_INFINITY)
        return subprocess.run(
            [sys.executable, "-m", "helm.benchmark.run", "-r", ENTRY, "-m", str(NUM_INSTANCES), "-n", "8"],
            cwd=tmp_path,
            env={**os.environ, "OPENAI_BASE_URL": server.url},
            capture_output=True,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits),
        )

    done = run(2_500_000)
    messages = done.stdout + done.stderr
    assert done.returncode == 1 and "File too large" in messages and "Traceback" not in messages, messages
    assert 0 < len(server.counts) < NUM_INSTANCES
    done = run(resource.RLIM_INFINITY)
    assert done.returncode == 0, done.stderr
    check_all_is_there(tmp_path, server)


@pytest.mark.parametrize("is_new", [True, False], ids=["no-cache-yet", "with-a-cache"])
def test_a_cache_folder_that_cannot_be_written(helm, tmp_path, server, is_new):
    with mounted(tmp_path / "prod_env", "50m") as change:
        if is_new:
            (tmp_path / "prod_env/cache").mkdir()
        else:
            assert helm(instances=5)[0] == 0
        num_sent = len(server.counts)
        change("ro")
        status, messages = helm()
        assert status == 1 and CACHE in messages and "--local-path" in messages and "--disable-cache" in messages
        assert "Traceback" not in messages and len(server.counts) == num_sent
        change("rw")
        assert helm()[0] == 0
        check_all_is_there(tmp_path, server)


def damage_header(path):
    path.write_bytes(b"garbage " * 1000)


def damage_middle(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 20_000] = b"\xff" * 20_000
    inside_entry = data.index(b'"choices"', len(data) // 4)  # on a page that is whole
    assert inside_entry < len(data) // 2 - 4096
    data[inside_entry : inside_entry + 9] = b"\xff" * 9
    path.write_bytes(bytes(data))


def damage_end(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])


@pytest.mark.parametrize("damage", [damage_header, damage_end])
def test_a_damaged_cache_is_named_left_alone_and_repaired(helm, tmp_path, server, damage, capfd):
    from helm.benchmark.commands.manage_cache import main

    assert helm("--suite", "first", instances=40)[0] == 0
    damage(tmp_path / CACHE)
    before = (tmp_path / CACHE).read_bytes()
    status, messages = helm()
    assert status == 1 and CACHE in messages and "helm-cache repair" in messages and "Traceback" not in messages
    assert (tmp_path / CACHE).read_bytes() == before
    num_sent = sum(server.counts.values())
    main(["repair"])
    saved = int(capfd.readouterr().out.split(": ")[1].split()[0])
    assert saved == 0 if damage is damage_header else 0 < saved < 40
    (aside,) = [p for p in (tmp_path / "prod_env/cache").glob("*.damaged-*") if p.name[-4:] not in ("-wal", "-shm")]
    assert aside.read_bytes() == before
    status, messages = helm()
    assert status == 0, messages
    assert sum(server.counts.values()) <= num_sent + NUM_INSTANCES - saved


def test_repairing(helm, tmp_path, capfd):
    from helm.benchmark.commands.manage_cache import main

    assert helm(instances=40)[0] == 0
    main(["repair", CACHE])
    assert capfd.readouterr().out == f"{CACHE}: whole\n"
    damage_middle(tmp_path / CACHE)
    with pytest.raises(SystemExit):
        main(["repair", CACHE])
    messages = capfd.readouterr().out
    saved = int(messages.split(": ")[1].split()[0])
    assert 20 < saved < 40 and "refused: {" in messages, "an entry of which a part is overwritten"
    main(["repair", CACHE])
    assert capfd.readouterr().out == f"{CACHE}: whole\n"
    with sqlite3.connect(tmp_path / CACHE) as connection:
        assert connection.execute("SELECT count(*) FROM unnamed").fetchone() == (saved,)


def test_an_empty_file_and_a_lost_log_are_no_damage(helm, tmp_path, server):
    (tmp_path / "prod_env/cache").mkdir(parents=True)
    (tmp_path / CACHE).touch()
    assert helm(instances=5)[0] == 0
    (tmp_path / f"{CACHE}-wal").unlink(missing_ok=True)
    assert helm(instances=5)[0] == 0
    assert sorted(server.counts.values()) == [1] * 5


def test_a_database_of_something_else(helm, tmp_path, server):
    (tmp_path / "prod_env/cache").mkdir(parents=True)
    with sqlite3.connect(tmp_path / CACHE) as connection:
        connection.execute('CREATE TABLE "unnamed" (name TEXT, price REAL)')
    status, messages = helm(instances=5)
    assert status == 1 and CACHE in messages and "a database of something else" in messages
    assert not server.counts


def test_a_cache_that_another_process_has_locked(helm, tmp_path, server, monkeypatch):
    monkeypatch.setattr(SqliteKeyValueStore, "_BUSY_TIMEOUT_S", 0.2)
    monkeypatch.setattr(SqliteKeyValueStore, "_OPEN_TIMEOUT_S", 0.5)
    assert helm(instances=5)[0] == 0
    other = sqlite3.connect(tmp_path / CACHE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    status, messages = helm(instances=10)
    assert status == 1 and CACHE in messages and "Another process holds it" in messages and "Traceback" not in messages
    other.execute("ROLLBACK")
    other.close()
    assert helm(instances=10)[0] == 0
    assert sorted(server.counts.values()) == [1] * 10, "what was answered while it was locked is kept"
