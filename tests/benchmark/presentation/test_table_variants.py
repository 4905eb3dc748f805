"""Tables of sub-splits, of groups without a display name, of ToRR; and what the terminal leaves out as repeated."""

import json
from pathlib import Path
from typing import Any

import pytest

from classic_suite_support import ClassicSuite, make_stat
from helm.benchmark.presentation import summarize
from helm.benchmark.presentation.summarize import Summarizer
from helm.benchmark.presentation.torr_robustness_summarizer import ToRRRobustnessSummarizer
from helm.common.errors import ConfigError

TORR = """
metrics: [{name: exact_match, display_name: EM, lower_is_better: false},
          {name: robustness, display_name: Robustness, lower_is_better: false}]
metric_groups:
  - {name: performance_metrics, display_name: Performance, metrics: [{name: "${main_name}", split: test}]}
  - {name: robustness_metrics, display_name: Robustness, metrics: [{name: robustness, split: test}]}
run_groups:
  - name: tables
    display_name: Tables
    metric_groups: [performance_metrics, robustness_metrics]
    environment: {main_name: exact_match}
"""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ClassicSuite:
    monkeypatch.chdir(tmp_path)
    return ClassicSuite(Path("benchmark_output"))


def read(suite: ClassicSuite, name: str) -> Any:
    return json.loads((suite.path / "groups" / name).read_text())


def write_scores(suite: ClassicSuite, run: str, scores: dict[str, list[float]]) -> None:
    """Per-instance scores of a run, one for each trial; the last of an instance is of a perturbed copy."""
    entries: list[dict[str, Any]] = []
    for instance, values in scores.items():
        for trial, value in enumerate(values):
            entry = {
                "instance_id": instance,
                "train_trial_index": trial,
                "stats": [make_stat("exact_match", "test", value)],
            }
            entries.append(entry)
        perturbed = {"name": "typos", "robustness": True, "fairness": False}
        entries.append({**entries[-1], "perturbation": perturbed, "stats": [make_stat("exact_match", "test", -9.0)]})
    (suite.path / run / "per_instance_stats.json").write_text(json.dumps(entries))


def make_torr_runs(suite: ClassicSuite) -> None:
    for form, scores in [(1, {"a": [1.0], "b": [0.0, 1.0]}), (2, {"a": [0.25], "b": [0.5]}), (3, {"c": [0.5]})]:
        stats = [make_stat("exact_match", "test", 0.5)]
        suite.add_run("tables", "lab/a", stats, max_train_instances=form)
        write_scores(suite, f"tables:model=lab_a,max_train_instances={form}", scores)
    Path("schema.yaml").write_text(TORR)


def test_robustness_is_how_little_the_scores_of_an_instance_vary(suite: ClassicSuite) -> None:
    make_torr_runs(suite)
    ToRRRobustnessSummarizer(None, None, "classic", "schema.yaml").run_pipeline()
    (table,) = read(suite, "tables.json")
    cell = table["rows"][0][2]
    assert cell["value"] == pytest.approx((0.25 + 1 + 1) / 3) and cell["description"] == str(cell["value"])
    assert table["rows"][0][1]["value"] == 0.5


def test_the_command_takes_the_summarizer_by_name(suite: ClassicSuite, capsys: pytest.CaptureFixture[str]) -> None:
    make_torr_runs(suite)
    name = "helm.benchmark.presentation.torr_robustness_summarizer.ToRRRobustnessSummarizer"
    summarize.main(["--suite", "classic", "--schema-path", "schema.yaml", "--summarizer-class-name", name])
    assert "0.75" in capsys.readouterr().out


def test_robustness_without_one_performance_metric_is_an_error(suite: ClassicSuite) -> None:
    make_torr_runs(suite)
    text = TORR.replace("[performance_metrics, robustness_metrics]", "[robustness_metrics]")
    Path("schema.yaml").write_text(text)
    with pytest.raises(ConfigError, match="must show a metric group 'performance_metrics' too"):
        ToRRRobustnessSummarizer(None, None, "classic", "schema.yaml").run_pipeline()


SUB_SPLITS = """
metrics: [{name: toxic_frac, display_name: Toxic}]
metric_groups: [{name: toxicity, metrics: [{name: toxic_frac, split: test}]}]
run_groups: [{name: prompts, metric_groups: [toxicity], sub_splits: [toxic, mild]}]
"""


def test_each_scenario_is_followed_by_its_sub_splits(suite: ClassicSuite) -> None:
    for number in (1, 2):
        stats = []
        for sub_split, value in [("toxic", 0.5 * number), ("mild", 0.0)]:
            item = make_stat("toxic_frac", "test", value)
            item["name"]["sub_split"] = sub_split
            stats.append(item)
        suite.add_run("prompts", "lab/a", stats, max_train_instances=number)
        path = suite.path / f"prompts:model=lab_a,max_train_instances={number}" / "run_spec.json"
        spec = json.loads(path.read_text())
        spec["scenario_spec"]["args"] = {"number": number}
        path.write_text(json.dumps(spec))
    Path("schema.yaml").write_text(SUB_SPLITS)
    Summarizer(None, None, "classic", "schema.yaml").run_pipeline()
    tables = read(suite, "prompts.json")
    sub_splits = ["None (sub-split: toxic)", "None (sub-split: mild)"]
    assert [table["title"] for table in tables] == ["None", "number: 1", *sub_splits, "number: 2", *sub_splits]
    values = [table["rows"][0][1]["value"] for table in tables]
    assert values == [0.375, 0.25, 0.5, 0.0, 0.5, 1.0, 0.0]
    assert "value" not in json.loads((suite.path / "groups.json").read_text())[0]["rows"][0][0]


def test_the_terminal_shows_no_group_whose_runs_it_has_shown(
    suite: ClassicSuite, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.add_run("mmlu", "lab/a", [make_stat("exact_match", "test", 0.5), make_stat("ece_10_bin", "test", 0.1)])
    suite.add_run("gsm", "lab/a", [make_stat("exact_match_indicator", "test", 0.5)])
    summarize.main(["--suite", "classic"])
    titles = [line for line in capsys.readouterr().out.splitlines() if ": Accuracy" in line or "Calibration" in line]
    assert titles == ["Core scenarios: Accuracy", "Targeted evaluations: Accuracy (EM ↑)"]
    markdown = (suite.path / "groups/markdown").iterdir()
    assert {"knowledge.md", "calibration.md", "mmlu.md"} <= {path.name for path in markdown}
