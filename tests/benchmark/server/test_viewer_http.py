"""The server itself, over a socket: who is answered, and what is never given out."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("jinja2")
pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from viewer_support import RunningServer, make_output, serve  # noqa: E402

SECRET = "the contents of a file that is nobody's business"


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    (folder / "secret.json").write_text(SECRET)
    output = make_output(folder / "benchmark_output")
    (output / "scenarios").mkdir()
    (output / "scenarios" / "data.json").write_text(SECRET)
    suite = output / "runs" / "mixed"
    (suite / "page.html").write_text("<script>alert(1)</script>")
    (suite / ".hidden.json").write_text(SECRET)
    (suite / "link.json").symlink_to(folder / "secret.json")
    (suite / "folder").symlink_to(folder)
    return output


@pytest.fixture(scope="module")
def server(output: Path) -> Iterator[RunningServer]:
    with serve(output, allowed_hosts=["eval.example"]) as running:
        yield running


@pytest.mark.parametrize(
    "name", ["localhost", "localhost:8000", "127.0.0.1:99", "[::1]:8000", "10.1.2.3", "Eval.Example:80"]
)
def test_addresses_and_named_hosts_are_answered(server: RunningServer, name: str) -> None:
    assert server.request("/", {"Host": name})[0] == 200


@pytest.mark.parametrize(
    "name", ["attacker.example", "localhost.attacker.example", "127.0.0.1.nip.example", "", "[x]", "a:b:c"]
)
def test_other_names_are_refused_because_of_dns_rebinding(server: RunningServer, name: str) -> None:
    status, _, body = server.request("/", {"Host": name})
    assert status in (400, 421) and b"leaderboard" not in body.lower()


def test_every_answer_tells_browsers_what_to_refuse(server: RunningServer) -> None:
    for path in (
        "/",
        "/nothing",
        "/static/viewer.js",
        "/benchmark_output/runs/mixed/quiz:model=a_one/stats.json",
        "/config.js",
    ):
        headers = server.request(path)[1]
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin" and "server" not in headers
        assert headers["cache-control"] == "no-cache, no-store, must-revalidate" and headers["expires"] == "0"


def test_only_reading_is_possible(server: RunningServer) -> None:
    for method in ("POST", "PUT", "DELETE"):
        assert server.request("/", method=method)[0] == 405


def test_files_of_runs_are_given_as_they_are(server: RunningServer, output: Path) -> None:
    status, headers, body = server.request("/benchmark_output/runs/mixed/quiz%3Amodel%3Da_one/stats.json")
    assert status == 200 and headers["content-type"] == "application/json"
    assert body == (output / "runs/mixed/quiz:model=a_one/stats.json").read_bytes()


def test_a_page_among_the_results_is_for_saving_only(server: RunningServer) -> None:
    status, headers, _ = server.request("/benchmark_output/runs/mixed/quiz%3Amodel%3Da_one/stats.json?download=1")
    assert status == 200 and headers["content-type"] == "application/octet-stream"
    assert headers["content-disposition"].startswith("attachment")
    status, headers, _ = server.request("/benchmark_output/runs/mixed/page.html")
    assert status == 200 and headers["content-type"] == "application/octet-stream"
    assert headers["content-disposition"].startswith("attachment")


@pytest.mark.parametrize(
    "path",
    [
        "/benchmark_output/../secret.json",
        "/benchmark_output/runs/../../secret.json",
        "/benchmark_output/runs/%2e%2e/%2e%2e/secret.json",
        "/benchmark_output/runs/..%2f..%2fsecret.json",
        "/benchmark_output/runs/..%5c..%5csecret.json",
        "/benchmark_output/runs//etc/passwd",
        "/benchmark_output/runs/mixed/link.json",
        "/benchmark_output/runs/mixed/folder/secret.json",
        "/benchmark_output/runs/mixed/.hidden.json",
        "/benchmark_output/runs/mixed",
        "/benchmark_output/runs/mixed/x%00.json",
        "/benchmark_output/runs/" + "a" * 5000,
        "/benchmark_output/scenarios/data.json",
        "/benchmark_output/.helm-index/runs.sqlite",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/cache/output/x",
        "/run/../../secret.json",
        "/run/..%2f..%2f..",
        "/run/mixed/folder",
        "/instances/%2e%2e/%2e%2e",
        "/tables?suite=../..",
        "/tables?group=../../../secret",
        "/live?suite=../..",
    ],
)
def test_nothing_outside_the_results_is_given_out(server: RunningServer, path: str) -> None:
    status, _, body = server.request(path)
    assert status in (400, 404) and SECRET.encode() not in body and b"import " not in body


def test_what_the_page_of_helm_asks_for_is_there(server: RunningServer) -> None:
    status, headers, body = server.request("/config.js")
    assert headers["content-type"] == "application/javascript; charset=UTF-8"
    expected = (
        'window.BENCHMARK_OUTPUT_BASE_URL = "benchmark_output";\nwindow.SUITE = "mixed";\nwindow.PROJECT_ID = "lite";\n'
    )
    assert status == 200 and body.decode() == expected
    status, headers, body = server.request("/benchmark_output/runs/mixed/schema.json")
    assert status == 200 and headers["content-type"] == "application/json" and b'"run_groups"' in body


def test_odd_queries_are_answered_with_a_page(server: RunningServer) -> None:
    run = "/instances/mixed/quiz:model=a_one"
    for query in (
        "?q=%ff%fe",
        "?low=nan",
        "?low=x",
        "?start=1e9",
        "?sort=drop",
        "?metric=%00",
        "?" + "a=1&" * 500,
        "?q=" + "x" * 9000,
    ):
        status, _, body = server.request(run + query)
        assert status in (200, 400) and body.startswith(b"<!doctype html>"), query


def test_an_index_in_the_background_ends_up_complete(tmp_path: Path) -> None:
    output = make_output(tmp_path)
    with serve(output, in_background=True) as running:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            body = running.request("/")[2]
            if b"Computing intervals" not in body and b"Reading runs" not in body and b"0.234" in body:
                break
            time.sleep(0.2)
        assert "0.234 – 0.766" in body.decode()
        while time.monotonic() < end:
            body = running.request("/instances/mixed/quiz:model=a_one?q=river")[2]
            if b"being read" not in body and b"<progress" not in body:
                break
            time.sleep(0.2)
        assert body.count(b"data-row") == 3
    assert not [name for name in os.listdir(output / ".helm-index" / "instances") if "unfinished" in name]


def test_results_that_cannot_be_written_to_are_shown_with_a_temporary_index(tmp_path: Path) -> None:
    output = make_output(tmp_path / "real")
    (tmp_path / "elsewhere").mkdir()
    (output / ".helm-index").symlink_to(tmp_path / "elsewhere")  # what root can be kept from writing to
    with serve(output) as running:
        assert running.request("/instances/mixed/quiz:model=a_one")[2].count(b"data-row") == 13
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="needs /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_the_command_ends_with_its_worker(tmp_path: Path, how: int) -> None:
    output = make_output(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-m", "helm.benchmark.server", "-o", str(output), "-p", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # where the tests run in the background
    )
    assert process.stdout is not None
    address = next(found[1] for line in process.stdout if (found := re.search(r"(http://\S+)/ shows", line)))
    with urllib.request.urlopen(address + "/", timeout=60) as answer:
        assert answer.status == 200
    workers = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if parent_of(pid) == process.pid]
    assert workers
    process.send_signal(how)
    assert process.wait(60) == {signal.SIGTERM: 0, signal.SIGINT: 130, signal.SIGKILL: -signal.SIGKILL}[how]
    process.stdout.close()
    end = time.monotonic() + 30
    while any(os.path.exists(f"/proc/{pid}") for pid in workers):
        assert time.monotonic() < end, "the worker goes on"
        time.sleep(0.1)


def parent_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0
