"""The report on tools: what counts, what it looks like, and that leaving work out never helps."""

import json
import os
import random
import shutil
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from helm.common.errors import HelmError
from helm.gradbench import main as gradbench
from helm.gradbench.report.curves import make_panels, scaling_exponent, size_pattern, workload_sizes
from helm.gradbench.report.measurements import Measurement, ToolRun, read_log, read_runs
from helm.gradbench.report.overview import format_ratio, format_seconds, format_speed, make_overview
from helm.gradbench.report.pages import _contrast, cell_color, write_markdown, write_report


def run(tool, *measurements, eval_name="llsq", problem=None):
    return ToolRun(eval_name, tool, measurements, problem)


def timed(function, workload, seconds, **fields):
    return Measurement(function, workload, (seconds,) * 6, **{"valid": True, **fields})


def pair(workload, primal_s, derivative_s):
    return [timed("primal", workload, primal_s), timed("gradient", workload, derivative_s)]


def cells(*runs):
    (results,) = make_overview(runs).evals
    return results.cells


def test_speed_is_the_mean_share_of_the_shortest_time_of_a_workload():
    fast = run("fast", *pair("a", 1.0, 3.0), *pair("b", 2.0, 2.0))
    slow = run("slow", *pair("a", 1.0, 7.0), *pair("b", 10.0, 30.0))
    found = cells(fast, slow)
    assert found["fast"].speed == 1.0
    assert found["slow"].speed == pytest.approx((4 / 8 + 4 / 40) / 2)
    assert found["slow"].total_s == pytest.approx(48.0)
    assert found["slow"].interval_s == pytest.approx((48.0, 48.0))
    assert found["slow"].ratio == pytest.approx((7 * 3) ** 0.5)


@pytest.mark.parametrize("seed", range(30))
def test_leaving_out_work_never_makes_a_tool_faster(seed):
    generator = random.Random(seed)
    names = [str(i) for i in range(5)]
    runs = [
        run(tool, *[m for name in names for m in pair(name, generator.lognormvariate(0, 2), generator.random() + 0.1)])
        for tool in "abc"
    ]
    whole = cells(*runs)["a"].speed
    kept = [m for m in runs[0].measurements if generator.random() < 0.7]
    worse = [replace(m, valid=False) if generator.random() < 0.3 else m for m in runs[0].measurements]
    for measurements in (kept, worse, []):
        assert cells(replace(runs[0], measurements=tuple(measurements)), *runs[1:])["a"].speed <= whole


def test_what_has_no_usable_answer_is_named_and_counted():
    asked = run("good", *[timed("primal", name, 1.0) for name in "abcde"], eval_name="toy")
    odd = run(
        "odd",
        timed("primal", "a", 1.0, valid=False),
        Measurement("primal", "b", status="timeout"),
        Measurement("primal", "c", valid=True),
        timed("primal", "d", 2.0, valid=None),
        eval_name="toy",
    )
    cell = cells(asked, odd)["odd"]
    assert cell.problems == (("invalid", 1), ("missing", 1), ("timeout", 1), ("untimed", 1))
    assert (cell.num_counted, cell.num_asked, cell.is_judged) == (1, 5, False)
    assert cell.speed == pytest.approx(0.1)


# --- reading -------------------------------------------------------------------------------------------------------


def log_lines(*exchanges):
    lines = []
    for message, response in exchanges:
        lines.append({"elapsed": {"nanoseconds": 1}, "message": message})
        if response is not None:
            lines.append({"elapsed": {"nanoseconds": 2}, "response": response})
    return [json.dumps(line).encode() + b"\n" for line in lines]


START = ({"id": 0, "kind": "start", "eval": "llsq"}, {"id": 0, "tool": "x"})
DEFINE = ({"id": 1, "kind": "define", "module": "llsq"}, {"id": 1, "success": True})


def evaluation(message_id, times_ns, success=True):
    message = {"id": message_id, "kind": "evaluate", "module": "llsq", "function": "primal", "description": "n=1"}
    timings = [{"name": "evaluate", "nanoseconds": t} for t in times_ns] + [{"name": "compile", "nanoseconds": 9}]
    output = {"output": 1.0} if success else {}
    return message, {"id": message_id, "success": success, **output, "timings": timings}


def test_a_log_is_read_with_its_verdicts():
    verdict = ({"id": 3, "kind": "analysis", "of": 2, "valid": False, "error": "no"}, {"id": 3})
    lines = log_lines(START, DEFINE, evaluation(2, [5, 7]), verdict, evaluation(4, [1], success=False))
    found = read_log(lines, "llsq-n-1", "x")
    assert (found.eval, found.tool) == ("llsq", "x")
    assert found.measurements == (
        Measurement("primal", "n=1", (5e-9, 7e-9), valid=False),
        Measurement("primal", "n=1", (1e-9,), status="failure"),
    )


@pytest.mark.parametrize("end", [b"", b"no JSON\n", b'{ "elapsed": { "nanosec'])
def test_a_log_that_breaks_off_is_read_as_far_as_it_goes(end):
    message, _ = evaluation(2, [])
    found = read_log([*log_lines(START, DEFINE, (message, None)), end][: None if end else -1], "llsq", "x")
    assert found.problem == "unanswered"
    assert found.measurements == (Measurement("primal", "n=1", status="unanswered"),)


def test_a_tool_without_the_module_is_undefined():
    lines = log_lines(START, (DEFINE[0], {"id": 1, "success": False, "error": "no"}))
    assert cells(read_log(lines, "llsq", "x"))["x"].is_undefined


def test_a_folder_without_runs_and_a_broken_log_are_errors(tmp_path):
    with pytest.raises(HelmError, match="holds neither logs"):
        read_runs(tmp_path)
    (tmp_path / "llsq").mkdir()
    (tmp_path / "llsq" / "x.jsonl").write_bytes(b"{}\n" * 3)
    with pytest.raises(HelmError, match=r"x\.jsonl: missing field"):
        read_runs(tmp_path)


# --- the files -----------------------------------------------------------------------------------------------------


@pytest.fixture
def logs(tmp_path):
    """Logs of two tools, one of which has a name that is no good in HTML."""
    for tool, factor in (("a<b>&'\"|c", 1), ("z", 40)):
        exchanges = [START, DEFINE]
        for i, n in enumerate((16, 32, 64)):
            for j, function in enumerate(("primal", "gradient")):
                message, response = evaluation(2 + 4 * i + 2 * j, [1000 * factor * n * (j + 1)] * 8)
                message.update(function=function, description=f"n={n},m=128")
                exchanges.append((message, response))
                verdict = {"id": message["id"] + 1, "kind": "analysis", "of": message["id"], "valid": True}
                exchanges.append((verdict, {"id": message["id"] + 1}))
        file = tmp_path / "logs" / "llsq" / f"{tool}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"".join(log_lines(*exchanges)))
    return tmp_path / "logs"


def test_the_report_has_a_page_pictures_and_markdown(logs, tmp_path, capsys):
    with pytest.raises(SystemExit) as exit_:
        gradbench.main(["report", str(logs), "-o", str(tmp_path / "report")])
    assert exit_.value.code == 0
    names = ["index.html", "overview.svg", "overview.md", "curves/llsq.svg"]
    assert capsys.readouterr().out.split() == [(tmp_path / "report" / name).as_posix() for name in names]
    for name in names[1:2] + names[3:]:
        root = ElementTree.parse(tmp_path / "report" / name).getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
    text = (tmp_path / "report" / "overview.md").read_text()
    assert "| llsq | 100%, 336 µs | 2.5%, 13.4 ms |" in text
    assert "| llsq::gradient | 1.00 | 1.00 |" in text
    assert "a<b>&'\"\\|c" in text
    page = (tmp_path / "report" / "index.html").read_text()
    assert "a<b>" not in page and "a&lt;b&gt;" in page
    assert "<script" not in page and "http:" not in page.replace("http://www.w3.org/2000/svg", "")
    assert page.count("<svg") == 1 and "95%: " in page


def test_every_number_of_the_pictures_is_there_in_words(logs, tmp_path):
    write_report([logs], tmp_path / "report")
    svg = "{http://www.w3.org/2000/svg}"
    curves = ElementTree.parse(tmp_path / "report" / "curves" / "llsq.svg").getroot().find(f"{svg}desc").text
    assert "z: n=16,m=128 1.28 ms, n=32,m=128 2.56 ms, n=64,m=128 5.12 ms" in curves
    table = ElementTree.parse(tmp_path / "report" / "overview.svg").getroot().find(f"{svg}desc").text
    assert "z 2.5%, 13.4 ms" in table
    page = (tmp_path / "report" / "index.html").read_text()
    assert "<td>1.28 ms (1.28 ms to 1.28 ms)</td>" in page
    assert "<th scope='row'>z</th><td>2.5%</td><td>13.4 ms</td><td>13.4 ms to 13.4 ms</td><td>±0.0%</td>" in page
    assert (
        "| z | 2.5% | 13.4 ms | 13.4 ms to 13.4 ms | ±0.0% | 2.00 | 6 of 6 |"
        in (tmp_path / "report" / "overview.md").read_text()
    )


def test_the_words_in_cells_stand_out_from_their_colour():
    good = run("good", timed("primal", "a", 1.0))
    for exponent in range(60):
        cell = cells(good, run("other", timed("primal", "a", 1.15**exponent)))["other"]
        background, text = cell_color(cell)
        color = tuple(int(background[i : i + 2], 16) / 255 for i in (1, 3, 5))
        assert _contrast(color, {"#ffffff": 1.0, "#000000": 0.0}[text]) >= 4.5


def test_what_was_not_run_is_not_called_lacking():
    overview = make_overview(
        [
            run("a", timed("primal", "x", 1.0)),
            run("b", timed("primal", "x", 1.0), eval_name="lse"),
            run("b", problem="undefined"),
        ]
    )
    text = write_markdown(overview)
    assert "| llsq | 100%, 1.00 s | – |" in text
    assert "| lse | not run | 100%, 1.00 s |" in text


def test_facts_that_all_tools_share_are_told_once_and_different_machines_are_called_so():
    facts = (("cpu", "Z80"), ("cores", "1"), ("threads", "1"))
    runs = [
        replace(run("a"), machines=frozenset({(*facts, ("numpy", "2"))})),
        replace(run("b", eval_name="lse"), machines=frozenset({(*facts, ("jax", "3"))})),
        replace(run("c", eval_name="lse"), machines=frozenset({(*facts, ("jax", "3"))})),
    ]
    overview = make_overview(runs)
    assert overview.machines == ("cpu Z80, cores 1, threads 1", "a: numpy 2", "b, c: jax 3")
    assert overview.is_one_machine
    other = replace(run("d"), machines=frozenset({(("cpu", "6502"),)}))
    assert not make_overview([*runs, other]).is_one_machine
    assert "Not all on the same: their times do not compare." in write_markdown(make_overview([*runs, other]))


def test_the_report_says_how_outputs_were_judged():
    strict = replace(run("a"), is_strict=True)
    assert "judged strictly" in make_overview([strict]).judges
    assert "judged as GradBench does" in make_overview([run("a")]).judges
    both = make_overview([strict, run("a", eval_name="lse")]).judges
    assert "Outputs of llsq were judged strictly" in both and "Outputs of lse were judged as GradBench does" in both
    both = make_overview([strict, run("b")]).judges
    assert "Outputs of a were judged strictly" in both and "Outputs of b were judged as GradBench does" in both
    assert make_overview([strict, run("a", eval_name="lse"), run("b")]).judges.startswith("Some outputs were judged")


def test_functions_of_a_single_workload_share_a_panel():
    times = [timed(function, "w=0", seconds) for function, seconds in (("rr", 1.0), ("ff", 2.0))]
    (results,) = make_overview([run("a", *times, eval_name="saddle")]).evals
    places, panels = make_panels(results)
    assert (places, [panel.title for panel in panels]) == (["rr", "ff"], ["saddle, median time"])
    assert [point.value for point in panels[0].lines["a"]] == [1.0, 2.0]


@pytest.mark.parametrize("config", [{"config": {"strict": True}}, {"config": {"strict": 7}}, {"config": [5]}, {}])
def test_a_log_says_whether_its_eval_judges_strictly(config):
    start = ({**START[0], **config}, START[1])
    assert read_log(log_lines(start, DEFINE), "llsq", "x").is_strict == (config == {"config": {"strict": True}})


@pytest.mark.parametrize(
    ("speed", "text"),
    [(1.0, "100%"), (0.099, "9.9%"), (0.0101, "1.0%"), (0.0004, "0.04%"), (0.00001, "<0.01%"), (0.0, "0%")],
)
def test_speeds_are_percentages_without_exponents(speed, text):
    cell = replace(cells(run("a", timed("primal", "x", 1.0)))["a"], speed=speed)
    assert format_speed(cell) == text


@pytest.mark.parametrize(("ratio", "text"), [(1.0, "1.00"), (35.64, "35.6"), (999.7, "1000"), (20891.05, "20900")])
def test_ratios_have_three_digits(ratio, text):
    assert format_ratio(ratio) == text


def test_a_report_of_runs_without_any_times_is_written(tmp_path):
    file = tmp_path / "logs" / "llsq" / "x.jsonl"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"".join(log_lines(START, DEFINE, evaluation(2, [], success=False))))
    files = write_report([tmp_path / "logs"], tmp_path / "report")
    assert [path.name for path in files] == ["index.html", "overview.svg", "overview.md"]
    assert "| llsq | 0%, failure |" in files[2].read_text()


@pytest.mark.parametrize(
    ("names", "sizes"),
    [
        (["n=16,m=128", "n=32,m=128"], [16, 32]),
        (["5", "6", "7"], [5, 6, 7]),
        (["2_5_1000", "10_5_1000", "2_10_1000"], None),
        (["ba1_n49_m7_p31", "ba2_n21_m11_p36"], None),
        (["n=16"], None),
        (["#1", "#2"], None),
        (["n=0", "n=1"], None),
        (["n=1", "m=2"], None),
    ],
)
def test_sizes_are_the_one_number_that_differs(names, sizes):
    assert workload_sizes(names) == sizes


def test_the_axis_says_what_the_sizes_are_sizes_of():
    assert size_pattern(["n=16,m=128", "n=32,m=128"]) == "n=…,m=128"
    assert size_pattern(["5", "6"]) == "…"


def test_growth_is_the_slope_in_logarithms():
    assert scaling_exponent([1, 10, 100], [2.0, 200.0, 20000.0]) == pytest.approx(2.0)
    assert scaling_exponent([1, 10], [2.0, 200.0]) is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 s"),
        (1.5e-9, "1.50 ns"),
        (0.0009999, "1.00 ms"),
        (0.0123, "12.3 ms"),
        (99.96, "100 s"),
        (1234, "1234 s"),
    ],
)
def test_durations_have_three_digits(seconds, text):
    assert format_seconds(seconds) == text


def test_a_log_says_on_what_machine_its_tool_ran():
    facts = {"cpu": "Z80", "cores": "1", "governor": "unknown", "threads": "1", "system": "CP/M", "python": "3.12"}
    start = (START[0], {**START[1], "machine": facts})
    (machine,) = read_log(log_lines(start, DEFINE), "llsq", "x").machines
    assert dict(machine)["cpu"] == "Z80"
    assert read_log(log_lines((START[0], {**START[1], "machine": [5]}), DEFINE), "llsq", "x").machines == frozenset()


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_phone_and_follows_its_colours(logs, tmp_path, scheme):
    playwright = pytest.importorskip("playwright.sync_api")
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no chromium")
    write_report([logs], tmp_path / "report")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme=scheme).new_page()
        page.goto((tmp_path / "report" / "index.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
        assert page.evaluate("getComputedStyle(document.querySelector('svg .ad-paper')).fill") == paper
        page.get_by_text("All medians, with 95% intervals").click()
        assert page.get_by_text("llsq", exact=True).count() and page.get_by_text("gradient, n=16,m=128").is_visible()
        browser.close()
