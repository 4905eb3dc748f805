"""Tables of a summary that are kept in a file."""

from pathlib import Path

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.presentation.contamination import ContaminationPoint
from helm.benchmark.presentation.spooled_tables import SpooledTables
from helm.benchmark.presentation.table import Cell, CellSources, HeaderCell, Hyperlink, Table
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.specs import ScenarioSpec
from helm.results.run_files.run_reader import Run
from helm.results.schema import MetricNameMatcher
from helm.results.statistics.intervals import Estimate

RUNS = tuple(Run(f"runs/s/r{n}", RunSpec(f"r{n}", ScenarioSpec("x.Y"), AdapterSpec(), []), []) for n in range(3))
MATCHER = MetricNameMatcher("exact_match", "test")


def make_table(title: str, value: float = 0.5) -> Table:
    cell = Cell(value, description="d", style={"font-weight": "bold"}, run_spec_names=["r0", "r1"])
    cell.sources = CellSources(RUNS[:2], (MATCHER,))
    cell.contamination = ContaminationPoint(["m"], ["g"], "strong", "seen")
    cell.note, cell.answered, cell.estimate = "90% answered", 0.9, Estimate(value, 0.1)
    header = [HeaderCell("Model"), HeaderCell("EM", lower_is_better=False, metadata={"metric": "EM"})]
    header[1].unit = "s"
    return Table(title, header, [[Cell("a"), cell], [Cell("b"), Cell()]], [Hyperlink("t", "h")], name=title)


@pytest.fixture(autouse=True)
def nothing_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("helm.benchmark.presentation.spooled_tables._CELLS_IN_MEMORY", 0)


@pytest.mark.parametrize("folder", ["", "missing"])
def test_a_table_is_as_it_was_put(tmp_path: Path, folder: str) -> None:
    tables = SpooledTables(str(tmp_path / folder))  # without the folder, as on a full disk, it stays in memory
    tables["g"] = [make_table("one"), make_table("two", 0.25)]
    tables["h"] = [make_table("three")]
    assert list(tables) == ["g", "h"] and len(tables["g"]) == 2 and list(tmp_path.iterdir()) == []
    assert list(tables["g"]) == [make_table("one"), make_table("two", 0.25)] == tables["g"][:]
    found = tables["g"][0]
    assert found is not tables["g"][0] and found.header[1].unit == "s"
    cell = found.rows[0][1]
    assert (cell.note, cell.answered, cell.estimate) == ("90% answered", 0.9, Estimate(0.5, 0.1))
    assert cell.contamination == ContaminationPoint(["m"], ["g"], "strong", "seen")
    assert list(cell.sources) == [(RUNS[0], MATCHER), (RUNS[1], MATCHER)]
    assert cell.sources[0][0] is RUNS[0]


def test_a_changed_table_lasts_if_it_is_put_back(tmp_path: Path) -> None:
    tables = SpooledTables(str(tmp_path))
    tables["g"] = [make_table("one"), make_table("two")]
    changed = tables["g"][0]
    changed.rows[0][1].mark = "*"
    changed.title = "better"
    assert tables["g"][0].rows[0][1].mark == "" and tables["g"][0].title == "one"
    tables["g"][0] = changed
    assert tables["g"][0].rows[0][1].mark == "*"
    tables["g"].insert(0, make_table("zero"))
    del tables["g"][2]
    assert [table.title for table in tables["g"]] == ["zero", "better"]
    tables["g"][:] = [make_table("last")]
    assert [table.title for table in tables["g"]] == ["last"]
    del tables["g"]
    assert not tables


def test_a_value_that_cannot_be_written_stays_in_memory(tmp_path: Path) -> None:
    tables = SpooledTables(str(tmp_path))
    shown = Table("of a plugin", [HeaderCell("x")], [[Cell(lambda: 1)]])
    tables["g"] = [shown, make_table("one")]
    assert list(tables["g"]) == [shown, make_table("one")]
    assert tables["g"][0].rows[0][0].value is shown.rows[0][0].value


def test_the_first_tables_stay_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("helm.benchmark.presentation.spooled_tables._CELLS_IN_MEMORY", 9)
    tables = SpooledTables(str(tmp_path))
    first, second, third = map(make_table, ("first", "second", "third"))
    tables["g"] = [first, second, third]
    for number, table in enumerate(tables["g"]):
        tables["g"][number] = table
    assert tables["g"][0] is first and tables["g"][1] is second
    assert tables["g"][2] is not third and tables["g"][2] == third


def test_sources_have_one_matcher_for_all_runs_or_one_for_each() -> None:
    other = MetricNameMatcher("quasi_exact_match", "test")
    assert list(CellSources(RUNS, (MATCHER,))) == [(run, MATCHER) for run in RUNS]
    each = CellSources(RUNS[:2], (MATCHER, other))
    assert each[1:] == [(RUNS[1], other)] and each[-1] == (RUNS[1], other) and len(each) == 2
    assert not CellSources((), ())
