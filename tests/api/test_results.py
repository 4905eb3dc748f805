"""`helm.Results`: frames, comparisons, the table of a notebook, pages, and results that are on disk."""

import builtins
import html.parser
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from xml.etree import ElementTree

import pytest

import helm
from helm.benchmark import run

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>\x1b[31m'


def rows(number=30):
    return [{"input": f"question {i}", "target": f"QUESTION {i}", "id": f"q{i}"} for i in range(number)]


def good(prompt):
    return prompt.upper()


def bad(prompt):
    return prompt.upper() if int(prompt.split()[-1]) % 3 == 0 else "no idea"


@pytest.fixture
def both(own_folder):
    return [helm.evaluate({"shout": rows()}, model, progress="none") for model in (good, bad)]


def test_scores_have_the_headline_with_its_interval(both):
    frame = both[1].scores()
    assert list(frame.columns) == [
        "task", "model", "metric", "score", "low", "high", "answered", "asked", "cost", "seconds", "state",
    ]  # fmt: skip
    (row,) = frame.to_dict("records")
    assert (row["task"], row["metric"], row["answered"], row["asked"]) == ("shout", "exact_match", 30, 30)
    assert row["score"] == pytest.approx(1 / 3) and row["low"] < row["score"] < row["high"]
    assert row["seconds"] > 0 and row["state"] == "done"


def test_instances_join_questions_answers_and_scores(both):
    frame = both[1].instances().set_index("instance_id")
    assert len(frame) == 30
    assert frame.loc["q3", ["input", "output", "score", "metric"]].tolist() == [
        "question 3", "QUESTION 3", 1.0, "exact_match",
    ]  # fmt: skip
    assert frame.loc["q4", ["output", "score", "correct"]].tolist() == ["no idea", 0.0, '["QUESTION 4"]']


def test_results_do_not_depend_on_the_working_directory(both, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert len(both[0].instances()) == 30 and both[0].compare(both[1]).differences() is not None


def test_stats_are_those_of_the_files(both):
    frame = both[0].stats()
    found = {stat.name.name: stat.mean for stat in both[0].runs[0].stats()}
    assert {name: value for name, value in zip(frame["metric"], frame["value"], strict=True)}.keys() == found.keys()
    assert frame[frame["metric"] == "exact_match"]["low"].notna().all()


def test_the_text_is_the_table_of_the_command(both, capsys):
    command = ["-r", "simple_mcqa:model=simple/model1", "-m", "5", "-o", "other"]
    run.main(command)
    printed = capsys.readouterr().out
    text = repr(helm.evaluate("simple_mcqa", "simple/model1", limit=5, output_path="third", progress="none"))
    without_time = [line.rsplit("  ", 1)[0] for line in text.splitlines() if line.startswith("simple")]
    assert without_time and all(line in printed for line in without_time)


def test_without_pandas_frames_are_lists(both, monkeypatch):
    real = builtins.__import__

    def without_pandas(name, *args, **kwargs):
        if name.partition(".")[0] == "pandas":
            raise ModuleNotFoundError("No module named 'pandas'", name="pandas")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    assert both[0].scores()[0]["score"] == 1.0
    assert len(both[0].instances()) == 30 and both[0].stats()[0]["run"]


def test_a_comparison_is_that_of_the_command(both, capsys):
    from helm.benchmark.commands import compare

    found = both[0].compare(both[1])
    (row,) = found.differences().to_dict("records")
    assert row["verdict"] == "first" and row["difference"] == pytest.approx(2 / 3) and row["p_value"] < 0.001
    assert row["low"] < row["difference"] < row["high"] and row["instances"] == 30
    names = [results.runs[0].run_spec.adapter_spec.model for results in both]
    assert (row["first"], row["second"]) == tuple(names)
    compare.main(["--suite", "default", *names])
    printed = capsys.readouterr().out
    assert all(line in printed for line in repr(found).splitlines())
    assert both[0].compare(both[0]).differences()["verdict"][0] == "identical"
    assert both[0].compare(both[1], labels=("a", "b")).differences()["first"][0] == "a"


def test_wrong_comparisons_are_refused(both):
    for arguments, message in (
        (([],), "not with a value of type list"),
        ((both[1], "exact_macht"), "exact_macht"),
    ):
        with pytest.raises(helm.ConfigError, match=message):
            both[0].compare(arguments[0], metrics=arguments[1:])
    with pytest.raises(helm.ConfigError, match="Did you mean 'prompts'"):
        both[0].compare(both[1], allow=["prompt"])
    with pytest.raises(helm.ConfigError, match="alpha is a number between 0 and 1"):
        both[0].compare(both[1], alpha=2)
    for labels in (("a",), ("a", "a"), "ab"):
        with pytest.raises(helm.ConfigError, match="labels are two different texts"):
            both[0].compare(both[1], labels=labels)
    other = helm.evaluate({"shout": rows(10)}, bad, suite="other", progress="none")
    assert both[0].compare(other).refused


def test_loaded_results_equal_those_that_were_returned(both):
    loaded = helm.Results.load("benchmark_output/runs/default")
    assert len(loaded) == 2 and (os.path.basename(loaded.output_path), loaded.suite) == ("benchmark_output", "default")
    columns = ["task", "model", "metric", "score", "low", "high", "answered", "asked", "state"]
    expected = sorted(both[i].scores()[columns].iloc[0].tolist() for i in (0, 1))
    assert sorted(loaded.scores()[columns].values.tolist()) == expected
    one = helm.Results.load(both[0].runs[0].path)
    assert len(one) == 1 and len(helm.Results.load("benchmark_output")) == 2
    assert one.instances().equals(both[0].instances())
    assert both[0].compare(helm.Results.load(both[1].runs[0].path)).differences()["verdict"][0] == "first"
    with pytest.raises(helm.HelmError, match="There is no folder"):
        helm.Results.load("benchmark_output/runs/defualt")


def test_failed_runs_are_loaded_with_their_reasons():
    def broken(prompt):
        raise ValueError("no luck")

    helm.evaluate(rows(2), broken, on_error="return", progress="none")
    (failure,) = helm.Results.load("benchmark_output").failures
    assert failure.stage == "execution" and "no luck" in failure.message


def test_results_of_tools_have_correctness_and_time():
    results = helm.evaluate("gradbench_hello", "gradbench/numpy", limit=2, progress="none")
    assert len(results.scores()) == 2 and len(results) == 1


class Strict(html.parser.HTMLParser):
    """Collects tags and attributes, as a browser would see them."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text = set(), [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


def check_html(text):
    found = Strict(text)
    assert found.tags <= {
        "div", "table", "thead", "tbody", "tr", "th", "td", "svg", "line", "circle", "p", "ul", "li", "b", "span",
    }  # fmt: skip
    assert not [name for name, _ in found.attributes if name.startswith("on") or name in ("href", "src", "id", "class")]
    assert "url(" not in text and "\x1b" not in text
    colours = {value for name, value in found.attributes if name in ("stroke", "fill")}
    assert "currentColor" in colours and not colours & {"black", "white", "#000", "#fff"}
    ElementTree.fromstring(text.replace("&nbsp;", " "))  # well-formed
    return found


def test_a_notebook_shows_tables_that_hostile_text_cannot_leave():
    def broken(prompt):
        if prompt.startswith("x"):
            raise ValueError(HOSTILE)
        return prompt

    broken.__name__ = HOSTILE
    metric = helm.metric(name=HOSTILE)(lambda output: 0.5)
    tasks = {HOSTILE: [{"input": "y", "target": HOSTILE}], "x": [{"input": "x"}]}
    results = helm.evaluate(tasks, broken, metrics=[metric], on_error="return", progress="none")
    found = check_html(results._repr_html_())
    assert "svg" in found.tags and "<script>alert(1)" in found.text.replace("\n", "")
    labels = (HOSTILE, "other")
    other = helm.evaluate({HOSTILE: [{"input": "y", "target": HOSTILE}]}, good, metrics=[metric], progress="none")
    first = helm.evaluate({HOSTILE: tasks[HOSTILE]}, broken, metrics=[metric], progress="none")
    check_html(first.compare(other, labels=labels)._repr_html_())


def test_the_viewer_serves_the_results_until_it_is_closed(both):
    with both[0].open_viewer() as viewer:
        page = urllib.request.urlopen(viewer.url).read().decode()
        assert "default" in page and viewer.url.startswith("http://127.0.0.1:")
        assert viewer.url in viewer._repr_html_() and not viewer.is_closed
        with pytest.raises(helm.HelmError, match="The viewer could not be started: .*"):
            both[0].open_viewer(port=int(viewer.url.rstrip("/").rpartition(":")[2]))
    assert viewer.is_closed and "closed" in repr(viewer)
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(viewer.url)
    viewer.close()


def test_the_viewer_ends_with_the_process_that_opened_it(both):
    program = """
import helm, time
viewer = helm.Results.load("benchmark_output").open_viewer()
print(viewer.url, flush=True)
time.sleep(99)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    url = process.stdout.readline().strip()
    assert urllib.request.urlopen(url).status == 200
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    deadline = time.monotonic() + 30
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            break
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_files_of_a_run_are_those_of_every_run(both):
    (found,) = both[0].runs
    assert not found.missing and json.loads(json.dumps(found.read_plain("run_spec.json")))
