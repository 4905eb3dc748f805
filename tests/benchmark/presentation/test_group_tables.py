"""Which runs a table of a run group shows, under which heads, and what stands in a cell."""

import json
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.presentation.contamination import Contamination, ContaminationPoint
from helm.benchmark.presentation.table import Cell, Table
from helm.benchmark.presentation.tables.group_tables import GroupTables, RunIndex, describe_stat
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.specs import ScenarioSpec
from helm.common.errors import ConfigError
from helm.results.run_files.run_reader import Run
from helm.results.schema import schema_from_dict

METRICS = [
    {"name": "exact_match", "display_name": "Exact match", "short_display_name": "EM", "lower_is_better": False},
    {"name": "quasi_exact_match", "display_name": "Quasi"},
    {"name": "time", "description": "How long.", "unit": "s", "lower_is_better": True},
    {"name": "NDCG@10"},
]
ENVIRONMENT = {"main_name": "exact_match", "main_split": "test"}


def column(name: str = "${main_name}", **more: Any) -> dict[str, Any]:
    return {"name": name, "split": "${main_split}", **more}


def group(name: str, *metric_groups: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "metric_groups": list(metric_groups), "environment": ENVIRONMENT, **more}


def stat(value: float, name: str = "exact_match", **more: Any) -> Stat:
    return Stat(MetricName(name, **{"split": "test", **more})).add(value)


def run(
    model: str,
    *stats: Stat,
    groups: tuple[str, ...] = ("shown",),
    name: str = "",
    scenario: ScenarioSpec = ScenarioSpec("my.Scenario"),
    **adapter: Any,
) -> Run:
    spec = AdapterSpec(**{"method": "generation", "model": model, "model_deployment": model, **adapter})
    name = name or f"task:model={model}"
    return Run(f"runs/nowhere/{name}", RunSpec(name, scenario, spec, [], groups=list(groups)), list(stats))


def tables_of(runs: list[Run], run_groups: list[dict[str, Any]], metric_groups: list[Any], **more: Any) -> GroupTables:
    schema = schema_from_dict(
        {
            "metrics": METRICS,
            "perturbations": [{"name": "typos", "display_name": "Typos", "short_display_name": "typo"}],
            "metric_groups": metric_groups,
            "run_groups": run_groups,
        }
    )
    return GroupTables(schema, RunIndex.from_runs(runs), **more)


def create(tables: GroupTables, name: str = "shown") -> list[Table]:
    return tables.create_group_tables(tables.schema.name_to_run_group[name])


ACCURACY = {"name": "accuracy", "display_name": "Accuracy", "metrics": [column()]}


def only_cell(found: Run, metric: dict[str, Any] | None = None, **more: Any) -> Cell:
    metric_group = {**ACCURACY, "metrics": [metric or column()]}
    (table,) = create(tables_of([found], [group("shown", "accuracy")], [metric_group], **more))
    return table.rows[0][1]


@pytest.mark.parametrize(
    "groups, table, is_visible",
    [
        ([], "shown", True),
        (["shown"], "shown", True),
        (["unknown", "shown"], "shown", True),
        (["shown", "hidden"], "shown", False),
        (["hidden", "own"], "own", False),
        (["own", "shown"], "shown", False),
        (["own", "shown"], "own", True),
        (["shown"], "own", False),
    ],
)
def test_which_tables_show_a_run(groups: list[str], table: str, is_visible: bool) -> None:
    run_groups = [group("shown"), group("own", visibility="this_group_only"), group("hidden", visibility="no_groups")]
    tables = tables_of([], run_groups, [])
    found = run("a", groups=tuple(groups))
    assert tables.is_visible(found, tables.schema.name_to_run_group[table]) is is_visible


def test_runs_that_no_table_shows_leave_their_rows_where_scenarios_are_apart() -> None:
    runs = [
        run(model, stat(0.5), groups=groups, scenario=ScenarioSpec("my.Scenario", {"part": part}))
        for part in (1, 2)
        for model, groups in (("a", ("shown",)), ("b", ("shown", "hidden")))
    ]
    run_groups = [
        group("all", subgroups=["shown"]),
        group("shown", "accuracy", display_name="Shown"),
        group("hidden", visibility="no_groups"),
    ]
    tables = tables_of(runs, run_groups, [ACCURACY])
    (gathered,) = create(tables, "all")
    assert [row[0].value for row in gathered.rows] == ["a"]
    mean, *parts = create(tables)
    assert [row[0].value for row in mean.rows] == ["a"] and (mean.name, mean.title) == ("shown", "Shown")
    assert [[row[0].value for row in table.rows] for table in parts] == [["a", "b"], ["a", "b"]]


def test_instructions_that_name_the_scenario_do_not_make_rows() -> None:
    runs = [
        run("a", stat(1.0), instructions=text, name=text, scenario=ScenarioSpec(class_name, {"subset": text}))
        for class_name in ("x.RAFTScenario", "x.OtherScenario")
        for text in ("one", "two")
    ]
    more = {"adapter_keys_shown": ["model", "instructions"], "subgroup_display_mode": "by_metric"}
    run_groups = [group("all", "accuracy", subgroups=["shown"], **more), group("shown", "accuracy")]
    (table,) = create(tables_of(runs, run_groups, [ACCURACY]), "all")
    assert len(table.rows) == 3


def test_a_group_without_runs_or_columns_has_no_table(caplog: pytest.LogCaptureFixture) -> None:
    run_groups = [group("all", "accuracy", "none", subgroups=["shown"]), group("shown", "accuracy")]
    none = {"name": "none", "metrics": [column("not_defined")]}
    assert create(tables_of([], run_groups, [ACCURACY, none]), "all") == []
    assert create(tables_of([], run_groups, [ACCURACY, none])) == []
    tables = tables_of([run("a", stat(1.0))], run_groups, [ACCURACY, none])
    assert [table.name for table in create(tables, "all")] == ["accuracy"]
    shown = tables.schema.name_to_run_group["shown"]
    for rows, columns in (({}, [(shown, tables.schema.metric_groups[0])]), ({AdapterSpec(): [run("a")]}, [])):
        assert tables.create_group_table("name", "title", rows, columns) == Table(title="empty", header=[], rows=[])


def test_what_the_schema_does_not_define_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("WARNING", "helm")
    run_groups = [group("shown", "accuracy", "acuracy", "times")]
    metric_groups = [ACCURACY, {"name": "times", "metrics": [column("tim"), column("time")]}]
    tables = tables_of([run("a", stat(1.0), stat(2.0, "time"))], run_groups, metric_groups)
    for _ in range(2):
        (table,) = create(tables)
        assert [head.value for head in table.header] == ["Model", "EM", "time"]
    assert caplog.text.count("metric group 'acuracy', which the schema does not define. Did you mean 'accuracy'?") == 1
    assert caplog.text.count("Metric 'tim' of run group 'shown' is not defined in the schema") == 1


def test_a_detailed_group_replaces_the_short_one_of_the_subgroups() -> None:
    metric_groups = [
        {"name": name, "metrics": [column()]} for name in ("accuracy", "accuracy_detailed", "times", "more")
    ]
    run_groups = [
        {**group("all", subgroups=["shown"]), "subgroup_metric_groups_hidden": ["more"]},
        group("shown", "accuracy", "accuracy_detailed", "times", "more"),
    ]
    tables = tables_of([run("a", stat(1.0))], run_groups, metric_groups)
    assert [table.name for table in create(tables, "all")] == ["accuracy_detailed", "times"]


def test_a_column_for_each_sub_split() -> None:
    runs = [
        run("a", stat(1.0, sub_split="hard"), stat(0.5, sub_split="easy"), stat(0.1, sub_split="x", split="valid")),
        run("b", stat(0.2, sub_split="odd"), groups=("other",)),
        run("c", stat(0.25)),
    ]
    by_sub_split = {"name": "parts", "by_sub_split": True, "metrics": [column()]}
    run_groups = [group("shown", "accuracy", "parts", sub_splits=["easy"]), group("other")]
    for table in create(tables_of(runs, run_groups, [ACCURACY, by_sub_split])):
        assert [head.value for head in table.header] == ["Model", "EM", "easy", "hard"]
        assert [cell.value for cell in table.rows[0][2:]] == [0.5, 1.0]
        is_of_sub_split = table.name == "shown:sub_split=easy"
        assert [row[1].value for row in table.rows] == ([0.5, None] if is_of_sub_split else [0.75, 0.25])
        assert table.title == ("None (sub-split: easy)" if is_of_sub_split else table.title)


def test_what_stands_at_the_head_of_a_column() -> None:
    columns = [column(), column("time"), column(perturbation_name="typos")]
    run_groups = [
        group("all", subgroups=["shown", "other"]),
        group("shown", "accuracy", display_name="Shown", short_description="In short.", description="At length."),
        group("other", "accuracy", description="Others."),
    ]
    metric_groups = [{"name": "accuracy", "metrics": columns, "hide_win_rates": True}]
    tables = tables_of([run("a", stat(1.0)), run("a", groups=("other",))], run_groups, metric_groups)
    (table,) = create(tables)
    _, plain, time, typos = table.header
    assert (plain.value, plain.lower_is_better, plain.unit) == ("EM", False, None)
    assert plain.description == "In short.\n\nExact match: "
    assert plain.metadata == {"metric": "EM", "run_group": "Shown"}
    assert (time.value, time.lower_is_better, time.unit) == ("time", True, "s")
    assert time.description == "In short.\n\ntime: How long."
    assert typos.value == "EM (typo)" and typos.description == "In short.\n\nExact match: \n- Perturbation Typos: ???"
    assert typos.metadata == {"metric": "EM", "run_group": "Shown", "perturbation": "typo"}
    (together,) = create(tables, "all")
    assert [head.value for head in together.header][1:5] == [
        "Shown - EM", "Shown - time", "Shown - EM (typo)", "other - EM"
    ]  # fmt: skip
    assert together.header[4].description == "Others.\n\nExact match: "


def test_a_head_without_descriptions_and_one_of_an_unknown_perturbation() -> None:
    (table,) = create(tables_of([run("a", stat(1.0))], [group("shown", "accuracy")], [ACCURACY]))
    assert table.header[1].description == "Exact match: "
    with pytest.raises(ConfigError, match="Run group 'shown': the schema defines no perturbation 'typoes'. Did you"):
        only_cell(run("a", stat(1.0)), column(perturbation_name="typoes"))


@pytest.mark.parametrize(
    "options, heads, first",
    [
        ({}, ["Model", "Mean win rate", "EM"], [1.0, 0.5]),
        ({"hide_win_rates": True}, ["Model", "EM"], [0.5]),
        ({"aggregation_strategies": []}, ["Model", "EM"], [0.5]),
        (
            {"aggregation_strategies": ["mean", "win_rate"]},
            ["Model", "Mean score", "Mean win rate", "EM"],
            [0.5, 1, 0.5],
        ),
    ],
)
def test_summary_columns_stand_behind_the_labels(options: Any, heads: list[str], first: list[float]) -> None:
    run_groups = [group("all", subgroups=["shown"]), group("shown", "accuracy")]
    runs = [run("a", stat(0.5)), run("b", stat(0.25))]
    (table,) = create(tables_of(runs, run_groups, [{**ACCURACY, **options}]), "all")
    assert [str(head.value).removeprefix("shown - ") for head in table.header] == heads
    assert table.header[-1].value == "shown - EM", "of two groups"
    assert [cell.value for cell in table.rows[0][1:]] == first
    directions = {"Mean win rate": False, "Mean score": None, "Model": None, "EM": False}
    assert [head.lower_is_better for head in table.header] == [directions[name] for name in heads]
    best = [bool(row[-1].style and row[-1].style.get("font-weight")) for row in table.rows]
    assert best == [True, False]


def test_an_unknown_summary_column_is_refused() -> None:
    run_groups = [group("all", subgroups=["shown"]), group("shown", "accuracy")]
    tables = tables_of([run("a", stat(1.0))], run_groups, [{**ACCURACY, "aggregation_strategies": ["win_rat"]}])
    with pytest.raises(ConfigError, match="Unknown aggregation strategy 'win_rat'.*Did you mean 'win_rate'"):
        create(tables, "all")


@pytest.mark.parametrize("number, is_linked", [(1, False), (2, True), (5, True), (6, False)])
def test_a_few_runs_of_one_scenario_can_be_seen_side_by_side(number: int, is_linked: bool) -> None:
    runs = [run(f"m{i}", stat(0.5)) for i in range(number)]
    (table,) = create(tables_of(runs, [group("shown", "accuracy")], [ACCURACY]))
    names = [found.run_spec.name for found in runs]
    assert [row[0].run_spec_names for row in table.rows] == [[name] for name in names]
    assert all(row[0].href and "runSpecs=%5B%22task" in row[0].href for row in table.rows)
    assert all(row[1].run_spec_names is None for row in table.rows), "the label leads there"
    assert [link.text for link in table.links] == ["compare all"] * is_linked
    if is_linked:
        assert all(name.replace(":", "%3A").replace("=", "%3D") in table.links[0].href for name in names)


def test_the_cells_of_gathered_scenarios_lead_to_their_runs() -> None:
    runs = [
        run("a", stat(value), name=f"part{i}", scenario=ScenarioSpec("my.Scenario", {"part": i}))
        for i, value in enumerate((1.0, 0.5))
    ]
    tables = tables_of(runs, [group("shown", "accuracy")], [ACCURACY])
    mean, *_ = create(tables)
    label, cell = mean.rows[0]
    assert (label.href, label.run_spec_names, mean.links) == (None, None, [])
    assert (cell.value, cell.run_spec_names) == (0.75, ["part0", "part1"])
    assert [(found.run_spec.name, matcher.name) for found, matcher in cell.sources] == [
        ("part0", "exact_match"), ("part1", "exact_match")
    ]  # fmt: skip


def test_the_description_of_a_cell_lists_its_runs_only_when_asked() -> None:
    found = run("a", stat(0.5))
    assert only_cell(found).description == stat(0.5).bare_str()
    assert only_cell(found, verbose=True).description == f"{stat(0.5).bare_str()}\nRun specs:\n-- task:model=a"
    assert only_cell(run("a"), verbose=True).description == "1 matching runs, but no matching metrics"


def test_a_statistic_with_an_infinite_value_is_described() -> None:
    found = stat(float("inf"))
    assert describe_stat(found) == "min=inf, mean=inf, max=inf, sum=inf (1)"


def test_what_a_model_may_have_seen_is_known_of_its_cells() -> None:
    point = ContaminationPoint(["a"], ["shown"], "weak", "seen")
    assert only_cell(run("a", stat(0.5)), contamination=Contamination([point])).contamination is point
    assert only_cell(run("b", stat(0.5)), contamination=Contamination([point])).contamination is None
    assert only_cell(run("a", stat(0.5))).contamination is None


def test_scores_of_models_without_probabilities_are_left_out() -> None:
    for model, metric, value in (
        ("meta/llama-7b", "NDCG@10", None),
        ("meta/llama-7b", "exact_match", 0.5),
        ("meta/llama-9b", "NDCG@10", 0.5),
    ):
        cell = only_cell(run(model, stat(0.5, metric)), column(metric))
        assert cell.value == value and cell.description == stat(0.5).bare_str()


def test_one_model_without_probabilities_leaves_the_whole_cell_out() -> None:
    runs = [run(model, stat(0.5, "NDCG@10")) for model in ("meta/llama-7b", "meta/llama-9b")]
    metric_group = {**ACCURACY, "metrics": [column("NDCG@10")]}
    (table,) = create(tables_of(runs, [group("shown", "accuracy", adapter_keys_shown=["method"])], [metric_group]))
    assert [row[1].value for row in table.rows] == [None]


def test_a_score_without_white_space_is_shown_where_the_other_is_missing(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("WARNING", "helm")
    quasi = column("quasi_exact_match")
    assert only_cell(run("a", stat(0.5), stat(0.75, "quasi_exact_match")), quasi).value == 0.75
    assert not caplog.text
    assert only_cell(run("a", stat(0.5)), quasi).value == 0.5
    assert "has no quasi_exact_match; showing exact_match instead" in caplog.text
    assert only_cell(run("a", stat(0.5, "quasi_exact_match"))).value is None


def test_several_statistics_for_one_cell_name_the_run() -> None:
    twice = [
        stat(0.5),
        stat(0.5, perturbation=PerturbationDescription(name="typos", robustness=True, computed_on="worst")),
    ]
    assert only_cell(run("a", *twice)).value == 0.5
    with pytest.raises(ConfigError, match="Run 'task:model=a': .* picks 2 statistics"):
        only_cell(run("a", stat(0.5), stat(1.0, split="valid")), {"name": "exact_match", "split": "__all__"})


def test_of_babi_the_run_over_all_tasks_counts_unless_a_table_is_of_one_task() -> None:
    runs = [
        run(
            "a",
            stat(value),
            name=f"babi_qa:task={task}",
            groups=("babi_qa",),
            scenario=ScenarioSpec("B", {"task": task}),
        )
        for task, value in (("all", 1.0), ("15", 0.0))
    ]
    tables = tables_of(runs, [group("babi_qa", "accuracy")], [ACCURACY])
    assert [table.rows[0][1].value for table in create(tables, "babi_qa")] == [1.0, 1.0, 0.0]
    tables = tables_of(runs[1:] * 2, [group("babi_qa", "accuracy")], [ACCURACY])
    columns = [(tables.schema.run_groups[0], tables.schema.metric_groups[0])]
    table = tables.create_group_table("babi_qa", "title", {AdapterSpec(): runs[1:]}, columns)
    assert (table.rows[0][1].value, table.rows[0][1].description) == (None, "No matching runs")


def test_a_row_without_runs_of_a_group_says_so() -> None:
    run_groups = [group("all", subgroups=["shown", "other"]), group("shown", "accuracy"), group("other", "accuracy")]
    runs = [run("a", stat(0.5)), run("b", stat(0.25), groups=("other",))]
    (table,) = create(tables_of(runs, run_groups, [{**ACCURACY, "hide_win_rates": True}]), "all")
    cells = [[(cell.value, cell.description) for cell in row[1:]] for row in table.rows]
    nothing = (None, "No matching runs")
    assert cells == [[(0.5, stat(0.5).bare_str()), nothing], [nothing, (0.25, stat(0.25).bare_str())]]


def test_what_was_not_answered_or_failed_stands_beside_the_score(tmp_path: Path) -> None:
    failed = [stat(0.5, "failed"), stat(4, "num_instances")]
    assert only_cell(run("a", stat(0.25), *failed, method="evaluate")).display_value == "0.25 (2 failed)"
    assert only_cell(run("a", *failed, method="evaluate")).display_value == "2 failed"
    assert only_cell(run("a", stat(0.25))).display_value is None
    found = run("a", stat(0.25))
    found.run_path = str(tmp_path)
    (tmp_path / "coverage.json").write_text(json.dumps({"requests": {"asked": 4, "answered": 3}}))
    cell = only_cell(found)
    assert (cell.note, cell.answered) == ("75% answered", 0.75)
    empty = run("a")
    empty.run_path = str(tmp_path)
    assert (only_cell(empty).note, only_cell(empty).answered) == ("", None)
