"""`helm-compare --published`: runs beside published ones of the same name."""

import functools
import json
import os
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from compare_support import make_run, plain_stat, zeros_and_ones
from helm.benchmark.commands import compare
from helm.common.errors import ConfigError
from helm.results.comparison.published_places import find_published, match_key
from helm.results.run_files.compressed_files import convert_run


def set_num_instances(folder, count):
    """Let a run tell the number of its instances, as HELM's runs do in `stats.json`."""
    stats = json.loads((folder / "stats.json").read_text())
    stats.append(plain_stat({"name": "num_instances", "split": "test"}, [count]))
    (folder / "stats.json").write_text(json.dumps(stats))


def run_command(monkeypatch, capsys, tmp_path, *arguments):
    base = ["helm-compare", "--suite", "mine", "-o", str(tmp_path), "--metric", "exact_match"]
    place = [] if "--published" in arguments else ["--published", str(tmp_path / "published")]
    monkeypatch.setattr(sys, "argv", [*base, *place, *arguments])
    try:
        status = compare.main() or 0
    except SystemExit as e:
        status = e.code or 0
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize("is_paired", [True, False])
@pytest.mark.parametrize(
    "ours, theirs, count, verdict",
    [(30, 30, 60, "agrees"), (31, 30, 60, "agrees"), (10, 50, 60, "differs"), (1, 1, 2, "cannot tell")],
)
def test_the_verdict(tmp_path, monkeypatch, capsys, ours, theirs, count, verdict, is_paired):
    make_run(tmp_path / "runs" / "mine", zeros_and_ones(ours, count))
    folder = make_run(tmp_path / "published" / "runs" / "v1", zeros_and_ones(theirs, count))
    if not is_paired:
        (folder / "per_instance_stats.json").unlink()
        set_num_instances(folder, count)
    status, out, _ = run_command(monkeypatch, capsys, tmp_path, "--format", "json")
    (score,) = json.loads(out)["scores"]
    assert (score["verdict"], score["is_paired"], score["instances"]) == (verdict, is_paired, count)
    assert score["difference"] == pytest.approx((ours - theirs) / count)
    assert status == (0 if verdict == "agrees" else 1)


def test_runs_that_are_not_published_are_named(tmp_path, monkeypatch, capsys):
    make_run(tmp_path / "runs" / "mine", zeros_and_ones(30, 60))
    make_run(tmp_path / "runs" / "mine", zeros_and_ones(30, 60), task="other")
    make_run(tmp_path / "published", zeros_and_ones(30, 60))
    status, out, err = run_command(monkeypatch, capsys, tmp_path)
    assert status == 1 and "agrees" in out and "Not published: other:model=a_one" in err
    assert run_command(monkeypatch, capsys, tmp_path, "--format", "csv")[1].startswith("run,metric,published,ours")


def test_folders_without_runs_are_refused(tmp_path):
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(ConfigError, match="--published: there "):
            find_published(str(path))
    assert match_key("a:b=c,model=m/x,model_deployment=p/m") == "a:b=c,model=m_x"


@pytest.mark.parametrize("flags", [["--allow", "instances"], ["--cluster", "x"], ["--details"], ["a/one"]])
def test_what_does_not_apply_is_refused(tmp_path, monkeypatch, capsys, flags):
    make_run(tmp_path / "runs" / "mine", zeros_and_ones(30, 60))
    make_run(tmp_path / "published", zeros_and_ones(30, 60))
    status, out, err = run_command(monkeypatch, capsys, tmp_path, *flags)
    assert status == 1 and out == "" and "--published" in err


# A release: the runs are in the suites that its file names.


def make_release(root, suites):
    """A release of one run in suite `v1`, and another suite with a run of the same name that it does not name."""
    make_run(root / "runs" / "v1", zeros_and_ones(30, 60))
    make_run(root / "runs" / "v0", zeros_and_ones(10, 60))
    release = root / "releases" / "r1"
    release.mkdir(parents=True)
    (release / "runs_to_run_suites.json").write_text(suites if isinstance(suites, str) else json.dumps(suites))
    return release


@pytest.fixture
def name(tmp_path):
    return make_run(tmp_path / "runs" / "mine", zeros_and_ones(30, 60)).name


class Server:
    """Serves a folder, and says what was asked of it. `faults` maps the ends of paths to a status or a body."""

    def __init__(self, folder):
        self.paths, self.faults = [], {}
        outer = self

        class Handler(SimpleHTTPRequestHandler):
            def do_GET(self):
                outer.paths.append(self.path)
                fault = next((fault for end, fault in outer.faults.items() if self.path.endswith(end)), None)
                if isinstance(fault, int):
                    self.send_error(fault)
                elif fault is not None:
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(fault)))
                    self.end_headers()
                    self.wfile.write(fault)
                else:
                    super().do_GET()

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "web").mkdir()
    made = Server(tmp_path / "web")
    yield made
    made.close()


def test_a_release_names_the_suites_of_its_runs(tmp_path, monkeypatch, capsys, name):
    release = make_release(tmp_path / "lite", {name: "v1"})
    status, out, err = run_command(monkeypatch, capsys, tmp_path, "--published", str(release))
    assert (status, err) == (0, "") and "agrees" in out
    with pytest.raises(ConfigError, match="name the folder of one suite, or a release"):
        find_published(str(tmp_path / "lite"))


@pytest.mark.parametrize("place", ["releases/r1", "releases/r1/", "runs/v1"])
def test_a_release_at_an_address(tmp_path, monkeypatch, capsys, name, server, place):
    make_release(tmp_path / "web" / "lite", {name: "v1", "other:model=x": "v1"})
    (tmp_path / "web/lite/runs/v1/runs_to_run_suites.json").write_text(json.dumps({name: "v1"}))
    arguments = ("--published", f"{server.url}/lite/{place}")
    status, out, _ = run_command(monkeypatch, capsys, tmp_path, *arguments)
    assert status == 0 and "agrees" in out and "True" in out and "Downloading" not in out
    assert not any("other" in path or "v0" in path for path in server.paths)  # only what is wanted is fetched
    asked = len(server.paths)
    assert run_command(monkeypatch, capsys, tmp_path, *arguments)[0] == 0
    assert len(server.paths) == asked  # kept in the cache folder


def test_compressed_scores_of_instances_are_fetched(tmp_path, monkeypatch, capsys, name, server):
    make_release(tmp_path / "web" / "lite", {name: "v1"})
    convert_run(str(tmp_path / "web/lite/runs/v1" / name), True)
    arguments = ("--published", f"{server.url}/lite/releases/r1")
    assert "True" in run_command(monkeypatch, capsys, tmp_path, *arguments)[1]  # paired
    assert [path.rpartition("/")[2] for path in server.paths][-2:] == [
        "per_instance_stats.json",
        "per_instance_stats.json.gz",
    ]


def test_without_scores_of_instances_the_published_number_counts(tmp_path, monkeypatch, capsys, name, server):
    make_release(tmp_path / "web" / "lite", {name: "v1"})
    set_num_instances(tmp_path / "web" / "lite" / "runs" / "v1" / name, 60)
    server.faults["per_instance_stats.json"] = 404
    status, out, _ = run_command(
        monkeypatch, capsys, tmp_path, "--published", f"{server.url}/lite/releases/r1", "--format", "json"
    )
    (score,) = json.loads(out)["scores"]
    assert (status, score["is_paired"], score["verdict"]) == (0, False, "agrees")


@pytest.mark.parametrize(
    "end, fault, words",
    [
        ("runs_to_run_suites.json", 404, "404"),
        ("runs_to_run_suites.json", 503, "503"),
        ("runs_to_run_suites.json", b"<html><title>Sign in</title></html>", 'web page ("Sign in")|is no JSON'),
        ("runs_to_run_suites.json", b'{"a": ', "is no JSON"),
        ("runs_to_run_suites.json", b"[1]", "does not map names of runs"),
        ("runs_to_run_suites.json", b"[" * 100_000, "is no JSON"),
        ("stats.json", 404, "404"),
        ("stats.json", b"[{]", "stats.json"),
        ("stats.json", b'[{"name": 3}]', "stats.json"),
        ("run_spec.json", b"\x00\xff", "run_spec.json|no runs"),
        ("per_instance_stats.json", b"{}", "per_instance_stats.json"),
    ],
)
def test_bad_files_are_named_and_nothing_is_compared(tmp_path, monkeypatch, capsys, name, server, end, fault, words):
    import re

    monkeypatch.setattr("helm.common.data.http_transfer._ATTEMPTS", 1)
    make_release(tmp_path / "web" / "lite", {name: "v1"})
    server.faults[end] = fault
    status, out, err = run_command(monkeypatch, capsys, tmp_path, "--published", f"{server.url}/lite/releases/r1")
    assert status == 1 and out == "" and re.search(words, err), err


@pytest.mark.parametrize("suite", ["..", "../..", "/etc", "a/b", "", "."])
def test_names_that_lead_out_of_the_folder_are_not_followed(tmp_path, monkeypatch, capsys, name, server, suite):
    make_release(tmp_path / "web" / "lite", {name: suite})
    status, out, err = run_command(monkeypatch, capsys, tmp_path, "--published", f"{server.url}/lite/releases/r1")
    assert status == 1 and "no runs in" in err and len(server.paths) == 1
    outside = [p for p, _, files in os.walk(tmp_path) if "stats.json" in files and "web" not in p and "mine" not in p]
    assert outside == []


@pytest.mark.parametrize("address", ["ftp://x/releases/v1", "https://x/y", "file:///etc/releases/v"])
def test_other_addresses_are_refused(address):
    with pytest.raises(ConfigError, match="is no address of published runs"):
        find_published(address)


@pytest.mark.parametrize("count", [None, -5, 1e308 * 10, 0.5], ids=["none", "negative", "infinite", "half"])
def test_without_a_number_of_published_instances_nothing_is_said(tmp_path, monkeypatch, capsys, count):
    make_run(tmp_path / "runs" / "mine", zeros_and_ones(30, 60))
    folder = make_run(tmp_path / "published", zeros_and_ones(30, 60))
    (folder / "per_instance_stats.json").unlink()
    if count is not None:
        set_num_instances(folder, count)
    (score,) = json.loads(run_command(monkeypatch, capsys, tmp_path, "--format", "json")[1])["scores"]
    assert (score["verdict"], score["low"]) == ("cannot tell", None)


def test_unpaired_intervals_have_the_number_of_instances_of_each_side(tmp_path, monkeypatch, capsys):
    make_run(tmp_path / "runs" / "mine", zeros_and_ones(30, 60))
    folder = make_run(tmp_path / "published", zeros_and_ones(700, 1000))
    (folder / "per_instance_stats.json").unlink()
    set_num_instances(folder, 1000)
    (score,) = json.loads(run_command(monkeypatch, capsys, tmp_path, "--format", "json")[1])["scores"]
    error = (0.5 * 0.5 / 60 + 0.7 * 0.3 / 1000) ** 0.5
    assert score["verdict"] == "differs" and score["high"] - score["low"] == pytest.approx(2 * 1.959964 * error)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1e999"])
def test_published_values_that_are_no_numbers_are_never_scores(tmp_path, monkeypatch, capsys, value):
    make_run(tmp_path / "runs" / "mine", zeros_and_ones(30, 60))
    folder = make_run(tmp_path / "published", zeros_and_ones(30, 60))
    (folder / "per_instance_stats.json").unlink()
    data = json.loads((folder / "stats.json").read_text())
    for stat in data:
        stat.update(sum="@", mean="@")
    (folder / "stats.json").write_text(json.dumps(data).replace('"@"', value))
    status, out, err = run_command(monkeypatch, capsys, tmp_path)
    assert (status, out) == (1, "") and "Traceback" not in err, (out, err)
