"""The table of the kinds of subject: what it says is what every table shows."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

pytest.importorskip("jinja2")

from compare_support import make_episode_run, make_run, zeros_and_ones  # noqa: E402
from helm.benchmark import subjects  # noqa: E402
from helm.benchmark.adaptation.adapter_spec import AdapterSpec  # noqa: E402
from helm.benchmark.adaptation.request_state import AnyRequest, AnyResult  # noqa: E402
from helm.benchmark.model_groups import get_model_group, get_subject_kind  # noqa: E402
from helm.benchmark.presentation import summarize  # noqa: E402
from helm.benchmark.run_spec_factory import subject_synonyms  # noqa: E402
from helm.benchmark.subjects import (  # noqa: E402
    COMPILER,
    SubjectKind,
    kind_of_method,
    named_kind_of_method,
    register_subject_kind,
    subject_kinds,
)
from helm.common.errors import ConfigError  # noqa: E402
from helm.common.object_spec import get_class_by_name  # noqa: E402
from results_support import edit_json  # noqa: E402
from viewer_support import html_of, viewer  # noqa: E402

ROBOT = SubjectKind(
    name="robot",
    title="Robots",
    row_title="Robot",
    singular="a robot",
    plural="robots",
    request_type="helm.common.evaluate_request.EvaluateRequest",
    result_type="helm.common.evaluate_request.EvaluateResult",
    example="made/up",
    adapters={"robot": "my.RobotAdapter"},
    request_kind="robot",
    tag="ROBOT_TAG",
    main_scores=(("share_of_tasks",),),
    answered_word="finished",
    failure_metrics={"gave_up": "gave up"},
)

SCHEMA = """
metrics:
  - {name: exact_match, display_name: EM, lower_is_better: false}
  - {name: instruction_count_reduction_oz, display_name: Reduction, lower_is_better: false}
  - {name: share_of_tasks, display_name: Tasks, lower_is_better: false}
metric_groups:
  - {name: all, metrics: [{name: "${main_name}", split: test}]}
run_groups:
  - {name: compiler_gym, metric_groups: [all], environment: {main_name: instruction_count_reduction_oz, main_split: test}}
  - {name: robots, metric_groups: [all], environment: {main_name: share_of_tasks, main_split: test}}
"""


@pytest.fixture
def robots(monkeypatch: pytest.MonkeyPatch) -> Iterator[SubjectKind]:
    """A fourth kind of subject."""
    monkeypatch.setattr(subjects, "_KINDS", dict(subjects._KINDS))
    register_subject_kind(ROBOT)
    yield ROBOT


def show_tables(folder: Path, monkeypatch: pytest.MonkeyPatch, group: str) -> list:
    """The tables that helm-summarize writes for a group."""
    (folder / "schema.yaml").write_text(SCHEMA)
    monkeypatch.chdir(folder)
    summarize.main(["--suite", "s", "--output-path", str(folder), "--schema-path", "schema.yaml", "--format", "none"])
    return json.loads((folder / "runs" / "s" / "groups" / f"{group}.json").read_text())


def make_dialog_run(suite: Path) -> None:
    """A language model that proposes the passes of a compiler."""
    path = make_episode_run(suite, "openai/made-up", "crc32", 1.25)

    def edit(data: dict) -> None:
        data.get("adapter_spec", data)["method"] = "compiler_dialog"

    edit_json(path / "run_spec.json", edit)
    edit_json(path / "scenario_state.json", edit)


def test_a_model_that_proposes_passes_is_a_policy_in_every_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_dialog_run(tmp_path / "runs" / "s")
    (table,) = show_tables(tmp_path, monkeypatch, "compiler_gym")
    with viewer(tmp_path) as shown:
        (entry,) = shown.entries().values()
        page, run = html_of(shown, "/"), html_of(shown, f"/run/{entry.path}")
        compilers = html_of(shown, "/compilers")
    assert table["header"][0]["value"] == COMPILER.row_title == "Policy"
    assert entry.subject_kind is COMPILER and entry.kind == "compiler"
    assert ">Policy</a>" in page and "Compilers" in page and "Language models" not in page
    assert "1.250" in page and "0% worked" not in page and "answered" not in page.partition("<main")[2]
    assert "100%" in run and "Episodes" in run  # what became of the request; what the episode did
    assert "openai/made-up" in compilers
    # `model=` still names a language model there.
    assert get_subject_kind(AdapterSpec(method="compiler_dialog")) == "model"
    assert named_kind_of_method("episode") is COMPILER


def test_one_row_makes_a_kind_of_subject(robots: SubjectKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = tmp_path / "runs" / "s"
    for ones, name in ((6, "made/good"), (2, "made/bad")):
        path = make_run(suite, zeros_and_ones(ones, 8), name, "chores", metric="share_of_tasks", groups=["robots"])

        def edit(data: dict) -> None:
            data.get("adapter_spec", data)["method"] = "robot"
            for number, state in enumerate(data.get("request_states", [])):
                state["request"] = {"kind": "robot", "chore": state["instance"]["id"]}
                state["result"] = {"kind": "robot", "success": number > 0, "output": {"did": number}, "status": "ok"}

        edit_json(path / "run_spec.json", edit)
        edit_json(path / "scenario_state.json", edit)
    (table,) = show_tables(tmp_path, monkeypatch, "robots")
    with viewer(tmp_path) as shown:
        page, runs = html_of(shown, "/"), html_of(shown, "/runs?kind=robot")
        entries = sorted(shown.entries().values(), key=lambda entry: entry.name)
        instances = html_of(shown, f"/instances/{entries[0].path}")
        instance = html_of(shown, f"/instance/{entries[0].path}?id=id1")
    assert [entry.kind for entry in entries] == ["robot", "robot"]
    assert table["header"][0]["value"] == "Robot" and len(table["rows"]) == 2
    assert 'id="board-robot"' in page and ">Robots" in page and ">Robot</a>" in page
    assert "share_of_tasks" in page.replace("<wbr>", "") and "87% finished" in page and "Language models" not in page
    assert '<option value="robot" selected>robots</option>' in runs and runs.count("<tr data-row>") == 2
    assert "did" in instances and "chore" in instance
    assert "robot" in subject_synonyms() and get_model_group("all", "robot") == []
    assert kind_of_method("robot") is ROBOT


def test_what_belongs_to_a_kind_is_not_given_to_another(robots: SubjectKind) -> None:
    with pytest.raises(ConfigError, match="named 'robot' already"):
        register_subject_kind(ROBOT)
    with pytest.raises(ConfigError, match="the method 'episode' belongs to 'compiler'"):
        register_subject_kind(replace(ROBOT, name="x", request_kind="x", adapters={"episode": "a.D"}))
    with pytest.raises(ConfigError, match="Did you mean 'compiler'"):
        subjects.find_subject_kind("compilers")


def test_the_classes_that_rows_name_are_those_that_run() -> None:
    for kind in subject_kinds():
        request = get_class_by_name(kind.request_type)
        if kind.request_kind is not None:
            assert request().kind == get_class_by_name(kind.result_type)().kind == kind.request_kind
        for path in kind.adapters.values():
            assert get_class_by_name(path).request_type is request
        assert request in get_args(AnyRequest) and get_class_by_name(kind.result_type) in get_args(AnyResult)
