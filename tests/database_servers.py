"""Real Redis and PostgreSQL servers, started for the tests; fixtures for a `conftest.py` to import."""

import glob
import os
import shutil
import signal
import socket
import subprocess
import time

import pytest


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(connect, process):
    deadline = time.monotonic() + 20
    while True:
        try:
            return connect()
        except Exception:
            assert process.poll() is None and time.monotonic() < deadline, "the server does not start"
            time.sleep(0.05)


@pytest.fixture(scope="module")
def redis_uri(tmp_path_factory):
    redis = pytest.importorskip("redis")
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("no redis-server (apt install redis-server)")
    port = free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    process = subprocess.Popen(command, cwd=tmp_path_factory.mktemp("redis"), stdout=subprocess.DEVNULL)
    try:
        uri = f"redis://127.0.0.1:{port}/0"
        wait_for(lambda: redis.Redis.from_url(uri).ping(), process)
        yield uri
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(scope="module")
def postgres_uri(tmp_path_factory):
    psycopg = pytest.importorskip("psycopg")
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if not folders:
        pytest.skip("no PostgreSQL (apt install postgresql)")
    folder, port = tmp_path_factory.mktemp("postgres"), free_port()
    run_as = []
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        folder = f"/tmp/helm-test-postgres-{port}"
        os.makedirs(folder)
        shutil.chown(folder, "postgres")
        run_as = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    data = f"{folder}/data"
    initialize = [*run_as, f"{folders[-1]}/initdb", "-D", data, "-A", "trust", "-U", "helm", "--no-sync"]
    subprocess.run(initialize, check=True, stdout=subprocess.DEVNULL, cwd=folder)
    command = [*run_as, f"{folders[-1]}/postgres", "-D", data, "-p", str(port), "-k", str(folder), "-h", "127.0.0.1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    try:
        uri = f"postgresql://helm:secret@127.0.0.1:{port}/postgres"
        wait_for(lambda: psycopg.connect(uri).close(), process)
        yield uri
    finally:
        process.send_signal(signal.SIGINT)  # does not wait for open connections
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)
