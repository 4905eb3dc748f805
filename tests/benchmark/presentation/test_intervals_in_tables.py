"""Intervals in the tables of helm-summarize: shown and in CSV files, not in the files that HELM writes."""

import csv
import json
from pathlib import Path

import pytest

from compare_support import make_episode_run, make_run, zeros_and_ones
from helm.benchmark.presentation import summarize
from helm.benchmark.presentation.summarize import Summarizer
from helm.benchmark.presentation.table import Cell, HeaderCell, Table, table_to_plain
from helm.benchmark.presentation.tables.interval_cells import IntervalCells, add_intervals
from helm.benchmark.presentation.tables.terminal_tables import cell_text, describe_interval, format_csv, interval_text
from helm.common.hierarchical_logger import setup_default_logging
from helm.results.run_files.run_reader import Run
from helm.results.schema import MetricNameMatcher
from helm.results.statistics.intervals import Estimate

SUITE = Path("benchmark_output/runs/s")


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def summary():
    found = Summarizer(None, None, "s").run_pipeline()
    add_intervals(found)
    return found


def make_models() -> None:
    for model, right in [("a/one", 30), ("b/two", 20), ("c/three", 0)]:
        for task in ("simple_mcqa", "simple_classification"):
            make_run(SUITE, zeros_and_ones(right, 40), model, task, groups=[task])


def test_every_score_of_a_table_has_its_interval() -> None:
    make_models()
    (table, *_) = summary().tables["language_models"]
    rows = {row[0].value: row for row in table.rows}
    mean, first = rows["a/one"][1], rows["a/one"][2]
    assert first.estimate.low == pytest.approx(0.598060) and first.estimate.method == "wilson"
    assert mean.estimate.count == 80 and first.estimate.reach > mean.estimate.reach
    assert rows["c/three"][2].estimate.high == pytest.approx(0.087621, rel=1e-4)
    assert cell_text(
        first
    ) == "0.75 ±0.15" and "95% interval 0.5981 to 0.8587 (wilson, 40 values)" == describe_interval(first)


def test_win_rates_have_intervals() -> None:
    for model, right in [("a/one", 24), ("b/two", 20), ("c/three", 0)]:
        make_run(SUITE, zeros_and_ones(right, 40), model)
    found = summary()
    (table, *_) = found.tables["language_models"]
    head = HeaderCell("Mean win rate", lower_is_better=False)
    columns = [i for i, h in enumerate(table.header) if "run_group" in h.metadata and table.rows[0][i].sources]
    rows = [
        [row[0], Cell(rate), *(row[i] for i in columns)] for row, rate in zip(table.rows, (1.0, 0.5, 0.0), strict=True)
    ]
    own = Table("t", [table.header[0], head, *(table.header[i] for i in columns)], rows)
    IntervalCells().add(own)
    rates = [row[1].estimate for row in own.rows]
    assert rates[0].low < 1 == rates[0].high and rates[2].high == 0 and rates[1].low <= 0.5 <= rates[1].high


def test_the_files_of_helm_do_not_have_them() -> None:
    make_models()
    found = summary()
    table = found.tables["language_models"][0]
    assert "estimate" not in json.dumps(table_to_plain(table)) and "0.598" not in json.dumps(table_to_plain(table))


def test_the_command_writes_them_into_csv_and_page(capsys: pytest.CaptureFixture[str]) -> None:
    make_models()
    summarize.main(["--suite", "s"])
    output = " ".join(capsys.readouterr().out.split())  # a narrow terminal wraps lines
    assert "0.75 ±0.15" in output and "± reach of the 95% interval" in output
    (row, *_) = csv.DictReader((SUITE / "groups/csv/simple_mcqa_simple_mcqa_.csv").open())
    assert float(row["EM (low)"]) == pytest.approx(0.598060) and float(row["EM (standard error)"]) > 0.06
    assert "95% interval 0.5981 to 0.8587" in (SUITE / "index.html").read_text()
    assert (SUITE / "simple_mcqa:model=a_one/intervals.json").is_file()
    before = (SUITE / "index.html").read_bytes()
    summarize.main(["--suite", "s", "--format", "csv"])
    assert (SUITE / "index.html").read_bytes() == before
    assert ",standard_error,low,high" in capsys.readouterr().out


def test_several_processes_give_the_same() -> None:
    make_models()
    for i in range(6):
        make_run(SUITE, zeros_and_ones(i, 12), f"d/{i}", "simple_mcqa")
    found = Summarizer(None, None, "s").run_pipeline()
    add_intervals(found, num_processes=2)
    texts = [interval_text(cell) for row in found.tables["simple_mcqa"][0].rows for cell in row]
    for path in SUITE.rglob("intervals.json"):
        path.unlink()
    assert texts == [interval_text(cell) for row in summary().tables["simple_mcqa"][0].rows for cell in row]


def test_they_are_made_with_the_display_files_as_from_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command reads each large file once, for both; a program that only adds intervals reads them again."""
    make_models()
    make_run(
        SUITE, {f"id{i}": [1.0, 0.0] for i in range(9)}, "d/trials", extra_data={"id1": {"group_id": 7, "x": None}}
    )
    make_run(SUITE, zeros_and_ones(20, 20), "e/copies", perturbed={f"id{i}": float(i > 4) for i in range(10)})
    texts = {f"id{i}": "A passage. " * 20 + f"\nQuestion {i // 2}" for i in range(20)}
    make_run(SUITE, zeros_and_ones(7, 20), "f/passages", texts=texts)
    summary()
    expected = {path: path.read_bytes() for path in sorted(SUITE.rglob("intervals.json"))}
    for path in expected:
        path.unlink()
    with monkeypatch.context() as patched:
        patched.setattr("helm.results.scores.read_instance_values", None)
        patched.setattr("helm.results.scores.read_instance_facts", None)
        summarize.main(["--suite", "s", "-n", "1"])
    assert {path: path.read_bytes() for path in sorted(SUITE.rglob("intervals.json"))} == expected
    assert len(expected) == 9


def test_programs_are_the_sample_of_a_policy() -> None:
    for program, value in [("crc32", 1.0), ("sha1", 1.1), ("fft", 1.3)]:
        make_episode_run(SUITE, "llvm/greedy", program, value)
    for path in SUITE.glob("llvm*/run_spec.json"):
        spec = json.loads(path.read_text())
        spec["groups"] = ["compiler_gym", f"llvm_{spec['scenario_spec']['args']['program']}"]
        path.write_text(json.dumps(spec))
    (table, *_) = summary().tables["compiler_gym"]
    mean = next(cell for cell, head in zip(table.rows[0], table.header, strict=True) if head.value == "Mean score")
    assert mean.value == pytest.approx(3.4 / 3) and mean.estimate.clusters == 3 and mean.estimate.method == "t"
    assert all(cell.estimate is None or cell.estimate.low is None for cell in table.rows[0] if cell is not mean)


def test_a_value_that_the_instances_do_not_give_has_no_interval() -> None:
    folder = make_run(SUITE, zeros_and_ones(30, 40))
    stats = json.loads((folder / "stats.json").read_text())
    stats[0].update(mean=0.7, sum=0.7)
    (folder / "stats.json").write_text(json.dumps(stats))
    cells = [cell for row in summary().tables["simple_mcqa"][0].rows for cell in row]
    assert 0.7 in [cell.value for cell in cells] and all(cell.estimate is None for cell in cells)


def test_damaged_scores_of_instances_are_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    setup_default_logging()
    folder = make_run(SUITE, zeros_and_ones(30, 40))
    found = Summarizer(None, None, "s").run_pipeline()
    (folder / "per_instance_stats.json").write_text("[")
    add_intervals(found)
    assert "are shown without intervals" in capsys.readouterr().out


def cell(value: float, estimate: Estimate | None) -> Cell:
    found = Cell(value)
    found.estimate = estimate
    return found


@pytest.mark.parametrize(
    "value, low, high, unit, text",
    [
        (0.45, 0.26, 0.66, None, "0.45 ±0.21"), (0.0, 0.0, 0.16, None, "0 ±0.16"), (1.0, 1.0, 1.0, None, "1"),
        (5.34e-5, 5.3e-5, 5.4e-5, "s", "53.4 ±0.6 µs"), (1234.5, 1000.0, 1500.0, "bytes", "1234 ±266"),
    ],
)  # fmt: skip
def test_the_reach_is_in_the_unit_of_the_value(value: float, low: float, high: float, unit: str, text: str) -> None:
    head = HeaderCell("Metric", metadata={"metric": "Metric"})
    head.unit = unit
    assert cell_text(cell(value, Estimate(value, 0.1, low, high, 0.95, "t", 9, 9)), head) == text


def test_a_cell_without_interval_shows_the_value() -> None:
    assert interval_text(cell(0.5, None)) == "" and interval_text(cell(0.5, Estimate(0.5))) == ""
    found: list[dict[str, str]] = list(
        csv.DictReader(
            format_csv([("g", Table("t", [HeaderCell("M"), HeaderCell("EM")], [[Cell("m"), Cell(0.5)]]))]).splitlines()
        )
    )
    assert found[0]["value"] == "0.5" and found[0]["low"] == ""


def test_a_run_in_two_groups_counts_once() -> None:
    make_run(SUITE, zeros_and_ones(30, 40))
    found = Summarizer(None, None, "s").run_pipeline()
    (run,) = found.runs
    assert isinstance(run, Run)
    matcher = MetricNameMatcher("exact_match", "test")
    twice = Cell(0.75)
    twice.sources = [(run, matcher), (run, matcher)]
    table = Table("t", [HeaderCell("M"), HeaderCell("EM", lower_is_better=False)], [[Cell("m"), twice]])
    IntervalCells().add(table)
    assert twice.estimate is not None and twice.estimate.count == 40


def test_the_best_is_starred_where_it_is_shown_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    for model, right in [("a/one", 50), ("b/two", 20), ("d/few", 60)]:
        run = make_run(SUITE, zeros_and_ones(right, 60), model)
        answered = 12 if model == "d/few" else 60
        (run / "coverage.json").write_text(json.dumps({"requests": {"asked": 60, "answered": answered}}))
    make_run(SUITE, zeros_and_ones(50, 60), "a/one", "simple_classification", groups=["simple_classification"])
    make_run(SUITE, zeros_and_ones(48, 60), "b/two", "simple_classification", groups=["simple_classification"])
    summarize.main(["--suite", "s"])
    output = capsys.readouterr().out
    rows = {line.split()[0]: line for line in output.splitlines() if "±" in line and "/" in line.split()[0]}
    assert "0.8333 ±0.11 *" in rows["a/one"] and "0.8333 ±0.11 ≈" in rows["a/one"] and "0.8 ±0.12 ≈" in rows["b/two"]
    assert "20% answered" in rows["d/few"] and "*" not in rows["d/few"] and "≈" not in rows["d/few"]
    assert "* best of its column, by more than chance; ≈ no difference from the best is shown" in " ".join(
        output.split()
    )
