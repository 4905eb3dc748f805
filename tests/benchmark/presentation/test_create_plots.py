"""Every figure of `helm-create-plots`, from a suite of the classic schema's shape; and what is missing is named."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from classic_suite_support import MODELS, ClassicSuite, register_models
from helm.benchmark.presentation import create_plots
from helm.benchmark.presentation.plots.plot_data import (
    PlotError,
    SuiteTables,
    pair_values,
    parse_table,
    pearson,
    round_to_leading_digit,
    round_to_multiple,
)
from helm.benchmark.presentation.summarize import Summarizer

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def summarized_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the suite and its tables, of which each test has a copy."""
    folder = tmp_path_factory.mktemp("classic")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        register_models(patch)
        ClassicSuite(Path("benchmark_output")).add_all()
        Summarizer(None, None, "classic", schema_path="schema_classic.yaml").run_pipeline()
    return folder


@pytest.fixture
def summarized(summarized_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(summarized_once, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    register_models(monkeypatch)
    return ClassicSuite(Path("benchmark_output")).path


def run_command(*arguments: str) -> int:
    try:
        create_plots.main(["--suite", "classic", *arguments])
    except SystemExit as e:
        return int(e.code or 0)
    return 0


def test_every_figure_is_made(
    summarized: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(create_plots, "DOTS_PER_INCH", 30)
    assert run_command() == 0
    made = {path.name: path.read_bytes() for path in (summarized / "plots").iterdir()}
    assert {f"{name}.png" for name in create_plots.PLOTS} <= set(made) and len(create_plots.PLOTS) == 14
    assert all(content.startswith(b"\x89PNG") and len(content) > 2000 for content in made.values())
    assert f"{summarized}/plots/mc_ablations.png" in capsys.readouterr().out


@pytest.mark.parametrize("plot_format, start", [("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_equal_tables_give_equal_files(summarized: Path, plot_format: str, start: bytes) -> None:
    path = summarized / "plots" / f"bbq_bars.{plot_format}"
    contents = []
    for _ in range(2):
        assert run_command("--plots", "bbq_bars", "--plot-format", plot_format) == 0
        contents.append(path.read_bytes())
    assert contents[0] == contents[1] and contents[0].startswith(start)


def test_a_missing_group_is_named_and_the_others_are_made(summarized: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (summarized / "groups/harms.json").unlink()
    assert run_command("--plots", "copyright", "model_ranking_all") == 1
    output = capsys.readouterr().out
    assert "Cannot make copyright: There are no tables of group 'harms'" in output
    assert [path.name for path in (summarized / "plots").iterdir()] == ["model_ranking_all.png"]


def test_a_missing_table_is_named(summarized: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = summarized / "groups/harms.json"
    path.write_text(json.dumps([t for t in json.loads(path.read_text()) if t["title"] != "BBQ metrics"]))
    assert run_command("--plots", "bbq_bars") == 1
    assert "Group 'harms' has no table 'BBQ metrics'. Its tables: " in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--suite", "none"], "run helm-summarize for this suite first"),
        (["--plots", "bbq_bar"], "There is no plot 'bbq_bar'."),
    ],
)
def test_wrong_arguments_are_named(
    summarized: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run_command(*arguments) == 1
    assert message in capsys.readouterr().err


def test_files_that_are_no_tables_are_named(summarized: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for content, message in [("{", "is not valid JSON"), ("{}", "expected a list"), ("[{}]", "is not a table")]:
        (summarized / "groups/harms.json").write_text(content)
        assert run_command("--plots", "copyright") == 1
        assert message in capsys.readouterr().out


def test_tables_become_numbers(summarized: Path) -> None:
    suite = SuiteTables(str(summarized))
    accuracy = suite.table("core_scenarios", "Accuracy")
    assert {row.model for row in accuracy.rows} == {display_name for _, display_name, *_ in MODELS}
    assert [column.group for column in accuracy.columns][:2] == ["MMLU", "BoolQ"]
    assert accuracy.win_rates is not None and len(accuracy.win_rates) == len(MODELS)
    bias = suite.metric_tables("core_scenarios")["Bias"]
    assert bias.columns and all(column.metric == "Representation (gender)" for column in bias.columns)
    robustness = suite.metric_tables("core_scenarios")["Robustness"]
    _, xs, ys = pair_values(accuracy, robustness)["BoolQ"]
    assert pearson(xs, ys) == pytest.approx(1, abs=0.01)
    rows = suite.table("ablation_in_context", "Accuracy").rows
    assert {row.details["max_train_instances"] for row in rows} == {"0", "1", "4", "16"}
    assert suite.models()["Large (70B)"].release_month == "2023-02"


def test_values_that_are_no_numbers_are_left_out() -> None:
    header: list[dict[str, Any]] = [{"value": "Model"}, {"value": "EM", "lower_is_better": False}]
    cells: list[Any] = [float("nan"), float("inf"), None, "text", True, 0.5]
    table = parse_table({"title": "t", "header": header, "rows": [[{"value": "m"}, {"value": v}] for v in cells]}, "t")
    assert table.columns[0].values == [None] * 5 + [0.5] and table.win_rates is None
    with pytest.raises(PlotError, match="t is not a table"):
        parse_table({"title": "t"}, "t")


def test_rounding() -> None:
    assert [round_to_leading_digit(x) for x in (6_900_000_000, 1499, 0.00234)] == [7e9, 1000, 0.002]
    assert round_to_multiple(0.7, 0.016) == pytest.approx(0.704)
    assert pearson([1, 1], [0, 1]) is None and pearson([1], [1]) is None
