"""The nightly matrix: budget, order, history, what changed, and the site."""

import json
import shlex
import sys

import pytest

from helm.gradbench import main as gradbench
from helm.gradbench.nightly import RUNS, compare_runs, history, write_site
from helm.gradbench.report.measurements import Measurement, ToolRun
from helm.results.timings import estimate_ratio_of_medians

LSE = "lse -n 50 --min-runs 8 --min-seconds 0"


def nightly(folder, *words):
    with pytest.raises(SystemExit) as exit_:
        gradbench.main(["nightly", str(folder), *words])
    return exit_.value.code


def run_of(*measurements):
    return ToolRun("lse", "abacus", measurements)


def times(scale, function="primal", **more):
    return Measurement(function, "n=1", tuple(scale * (1 + i / 1000) for i in range(20)), **more)


def test_a_slowdown_is_one_only_where_the_intervals_say_so():
    unsure, once = Measurement("noisy", "n=1", (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)), Measurement("once", "n=1", (1.0,))
    before = run_of(
        times(1.0), times(1.0, "same"), times(1.0, "fast"), unsure, once, times(1.0, "gone"), times(1.0, "right")
    )
    wrong = times(1.0, "right", valid=False)
    after = run_of(times(2.0), times(1.0, "same"), times(0.5, "fast"), unsure, once, wrong)
    found = compare_runs(before, after)
    changes = {change.key[2]: change for change in found.changes}
    assert [name for name, change in changes.items() if change.is_slower] == ["primal"]
    assert [name for name, change in changes.items() if change.is_faster] == ["fast"]
    ratio = estimate_ratio_of_medians(times(2.0).times_s, times(1.0).times_s)
    assert changes["primal"].ratio == (ratio.low, ratio.high)
    assert 1.98 < ratio.low < 2 < ratio.high < 2.02
    assert "once" not in changes and not changes["noisy"].is_slower and not changes["same"].is_slower
    assert [key[2] for key in found.broken] == ["right"] and [key[2] for key in found.missing] == ["gone"]


def slow_log(text, factor):
    """Multiply the nanoseconds of all runs of a log."""
    lines = []
    for line in text.splitlines():
        entry = json.loads(line)
        for timing in entry.get("response", {}).get("timings", ()):
            timing["nanoseconds"] = int(timing["nanoseconds"] * factor) + 1
        lines.append(json.dumps(entry))
    return "\n".join(lines) + "\n"


def test_two_nights_and_a_site(tmp_path, capsys):
    folder = tmp_path / "<ad>"
    assert nightly(folder, "-e", LSE, "-t", "numpy", "-t", "finite") == 0
    assert "2 of 2 pairs were run." in capsys.readouterr().out
    (first,) = history(folder)
    for factor, name in ((0.01, "2001-01-01T000000Z"), (1, "2000-01-01T000000Z")):
        for log in first.glob("*/*.jsonl"):  # an earlier night that was a hundred times as fast
            copy = folder / RUNS / name / log.parent.name / log.name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(slow_log(log.read_text(), factor))
    comparison = write_site(folder)
    slower = {change.key[:3] for change in comparison.changes if change.is_slower}
    assert slower == {("lse", tool, name) for tool in ("numpy", "finite") for name in ("primal", "gradient")}
    page = (folder / "site" / "changes.html").read_text()
    assert page.count('class="slower"') == 4 and "3 nights" in page
    assert "<script" not in page and "http" not in page
    table = json.loads((folder / "site" / "history.json").read_text())
    (log_name,) = {log.parent.name for log in first.glob("*/*.jsonl")}
    assert set(table) == {f"{log_name} numpy", f"{log_name} finite"} and first.name in table[f"{log_name} numpy"]
    assert "numpy" in (folder / "site" / "index.html").read_text()


def test_a_short_budget_takes_turns(tmp_path, capsys):
    """One pair is always run; the next night begins with the others, and a failed evaluation breaks what was right."""
    words = ["-e", LSE, "-t", "numpy", "-t", "finite", "--budget", "0"]
    assert nightly(tmp_path, *words) == 0
    (first,) = history(tmp_path)
    first.rename(first.with_name("2000-01-01T000000Z"))
    assert nightly(tmp_path, *words) == 0
    assert capsys.readouterr().out.count("1 of 2 pairs were run.") == 2
    assert sorted(log.stem for night in history(tmp_path) for log in night.glob("*/*.jsonl")) == ["finite", "numpy"]
    report = (tmp_path / "site" / "index.html").read_text()
    assert "numpy" in report and "finite" in report


def test_what_is_not_right_any_more_fails_the_night(tmp_path, capsys):
    tool = tmp_path / "tool.py"
    tool.write_text(
        "import sys, pathlib\nfrom helm.gradbench.tool import Tool\n"
        "tool = Tool('turncoat')\noffset = float(pathlib.Path(sys.argv[1]).read_text())\nsys.argv[1:] = []\n"
        "tool.function('hello', 'square')(lambda x: x * x + offset)\n"
        "tool.function('hello', 'double')(lambda x: 2 * x)\ntool.run()\n"
    )
    offset = tmp_path / "offset"
    command = "$ " + shlex.join([sys.executable, str(tool), str(offset)])
    for value, code in (("0", 0), ("7", 1)):
        offset.write_text(value)
        assert nightly(tmp_path / "ad", "-e", "hello", "-t", command) == code
        for night in history(tmp_path / "ad"):
            if not night.name.startswith("2000"):
                night.rename(night.with_name(f"2000-{value}"))
    assert "broken: " in capsys.readouterr().out


def test_an_empty_history_is_an_error(tmp_path):
    from helm.common.errors import HelmError

    with pytest.raises(HelmError, match="holds no night"):
        write_site(tmp_path)
