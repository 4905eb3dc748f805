"""Contamination: the file, the lookup, and the marks in tables for people, which no file of the original has."""

import json
from pathlib import Path

import pytest

from classic_suite_support import ClassicSuite, make_stat
from helm.benchmark.presentation import summarize
from helm.benchmark.presentation.contamination import (
    CONTAMINATION_STYLES,
    CONTAMINATION_SYMBOLS,
    Contamination,
    ContaminationPoint,
    get_shipped_contamination_path,
    read_contamination,
)
from helm.common.errors import ConfigError

OWN = """
points:
  - {models: [lab/a], groups: [boolq], level: strong, description: Its report <says> so.}
  - {models: [lab/a, lab/b], groups: [imdb], level: weak, description: Quotes.}
"""


def test_lookup_finds_the_one_point() -> None:
    points = [ContaminationPoint(["a", "b"], ["g"], "weak", "x"), ContaminationPoint(["a"], ["h"], "strong", "y")]
    contamination = Contamination(points)
    assert contamination.get_point("b", "g") == points[0]
    assert contamination.get_point("a", "h") == points[1]
    assert contamination.get_point("b", "h") is None
    with pytest.raises(AssertionError, match="2 contamination points are about model 'a' and group 'g'"):
        Contamination([*points, ContaminationPoint(["a"], ["g"], "weak", "z")]).get_point("a", "g")


def test_symbols_and_styles() -> None:
    assert CONTAMINATION_SYMBOLS == {"weak": "⚠", "strong": "☠"}
    assert CONTAMINATION_STYLES == {"weak": {"color": "gray"}, "strong": {"color": "lightgray"}}


def test_the_shipped_file_can_be_read() -> None:
    assert Path(get_shipped_contamination_path()).is_file()
    assert all(point.description for point in read_contamination().points)


@pytest.mark.parametrize(
    "text, message",
    [
        ("points: 3", "expected `points:`"),
        ("- a", "expected `points:`"),
        ("points: [{models: [a]}]", "c.yaml: points[0]: Object missing required field `groups`"),
        (
            "points: [{models: [a], groups: [b], level: strog, description: x}]",
            "level must be weak or strong, not 'strog'. Did you mean 'strong'?",
        ),
        (
            "points: [{models: [a], groups: [b, c], level: weak, description: x},"
            " {models: [a], groups: [c], level: weak, description: x}]",
            "points[1]: model 'a' and group 'c' are already in ",
        ),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as error:
        read_contamination([str(path)])
    assert message in str(error.value)


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ClassicSuite:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    suite = ClassicSuite(Path("benchmark_output"))
    for model, score in [("lab/a", 0.25), ("lab/b", 0.75)]:
        for group in ("boolq", "imdb"):
            suite.add_run(group, model, [make_stat("quasi_exact_match", "valid", score)])
    Path("prod_env").mkdir()
    return suite


def run_summarize(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    summarize.main(["--suite", "classic", *arguments])
    return capsys.readouterr().out


def test_marks_are_in_every_table_for_people(suite: ClassicSuite, capsys: pytest.CaptureFixture[str]) -> None:
    Path("prod_env/contamination.yaml").write_text(OWN)
    text = run_summarize(capsys)
    rows: list[list[str]] = [line.split() for line in text.splitlines() if line.startswith("lab/")]
    assert ["lab/a", "0", "0.25", "☠", "0.25", "⚠"] in rows
    assert any(row[-2:] == ["0.75", "⚠"] or row[-3:] == ["0.75", "⚠", "*"] for row in rows)
    assert "☠ strong evidence that the model saw the questions" in " ".join(text.split())
    page = (suite.path / "index.html").read_text()
    assert 'class="contamination-strong" title="min=0.25' in page and "Its report &lt;says&gt; so." in page
    markdown = (suite.path / "groups/markdown/core_scenarios.md").read_text()
    assert "| 0.25 ☠ |" in markdown and "⚠ weak evidence" in markdown
    wide = (suite.path / "groups/csv/core_scenarios_accuracy.csv").read_text().splitlines()
    assert wide[0].endswith(",contamination") and wide[1].endswith("BoolQ - EM: strong; IMDB - EM: weak")
    assert "lab/a,BoolQ - EM,0.25,,strong" in run_summarize(capsys, "--format", "csv")


def test_the_files_of_the_original_carry_no_mark(suite: ClassicSuite, capsys: pytest.CaptureFixture[str]) -> None:
    run_summarize(capsys)
    before = {path: path.read_bytes() for path in suite.path.rglob("*.json")}
    before |= {path: path.read_bytes() for path in suite.path.rglob("*.tex")}
    Path("prod_env/contamination.yaml").write_text(OWN)
    run_summarize(capsys)
    assert before and all(path.read_bytes() == content for path, content in before.items())
    cell = json.loads((suite.path / "groups/json/core_scenarios_accuracy.json").read_text())["rows"][0][2]
    assert set(cell) <= {"value", "description", "style", "markdown", "run_spec_names"}


def test_names_that_nobody_knows_are_warned_of(suite: ClassicSuite, capsys: pytest.CaptureFixture[str]) -> None:
    Path("prod_env/contamination.yaml").write_text(OWN.replace("[boolq]", "[bolq]"))
    text = run_summarize(capsys)
    assert "Contamination: run group 'bolq' is not in the schema. Did you mean 'boolq'?" in text
    assert "Contamination: model 'lab/a' is not registered." in text
