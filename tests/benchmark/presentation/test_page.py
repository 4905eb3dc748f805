"""The page of a suite: the same tables, every text escaped, nothing fetched from anywhere."""

from html.parser import HTMLParser

from helm.benchmark.presentation.page import render_page, write_page
from helm.benchmark.presentation.summary import RunRemark, Summary
from helm.benchmark.presentation.table import Cell, HeaderCell, Table
from helm.common.formats.number_text import (
    SECONDS,
    format_duration,  # its earlier place
)
from helm.results.schema import RunGroup, Schema

HOSTILE = '<script>alert("x")</script>'


class Reader(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.tags, self.cells = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        assert not any(name in ("src", "href") or name.startswith("on") for name, _ in attrs)
        if tag == "td":
            self.cells.append("")

    def handle_data(self, data):
        if self.tags and self.tags[-1] == "td":
            self.cells[-1] += data.strip()


def make_summary(path: str = "") -> Summary:
    header = [
        HeaderCell(value="Model"),
        HeaderCell(value="Scenario - EM", lower_is_better=False, metadata={"metric": "EM", "run_group": "Scenario"}),
        HeaderCell(value="Scenario - Time (s)", metadata={"metric": "Time (s)", "run_group": "Scenario"}),
    ]
    rows = [
        [Cell(value=HOSTILE), Cell(value=0.5, description=HOSTILE), Cell(value=5.34e-5)],
        [Cell(value="other"), Cell(description="No matching runs"), Cell(value=0.0)],
    ]
    rows[0][1].mark = "*"
    header[2].unit = SECONDS
    table = Table(title="Accuracy", header=header, rows=rows, name="accuracy")
    return Summary(
        tables={"group": [table]},
        schema=Schema(run_groups=[RunGroup(name="group", display_name=HOSTILE)]),
        without_results=[RunRemark("run", HOSTILE)],
        path=path,
    )


def test_tables_are_shown_and_texts_escaped(tmp_path):
    path = write_page(make_summary(str(tmp_path)))
    text = open(path, encoding="utf-8").read()
    reader = Reader(text)
    assert reader.cells == [HOSTILE, "0.5", "53.4 µs", "other", "-", "0 s"]
    assert "script" not in reader.tags and 'class="best"' in text and "Scenario<br>EM ↑" in text


def test_the_page_asks_nothing_from_anywhere():
    assert "http" not in render_page("Results", make_summary())


def test_durations_carry_a_unit():
    assert [format_duration(s) for s in (0.0, 7.775e-07, 0.0099996, 0.2083, 12.3456, 750.0)] == [
        "0 s",
        "777 ns",
        "10.0 ms",
        "208 ms",
        "12.3 s",
        "750 s",
    ]
