"""The command with suites as they are: whole, damaged, failed, hostile."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.presentation import display_writer, run_display, summarize
from helm.benchmark.presentation.display_writer import DisplayWriter
from helm.benchmark.presentation.run_display import DisplayTask
from turns_support import by_turns

SCHEMA = """
metrics: [{name: exact_match, display_name: Exact match, short_display_name: EM, lower_is_better: false}]
metric_groups:
  - {name: accuracy, display_name: Accuracy, aggregation_strategies: [], metrics: [{name: exact_match, split: test}]}
run_groups:
  - {name: all, display_name: All, subgroups: [qa, other]}
  - {name: qa, display_name: QA, metric_groups: [accuracy]}
  - {name: other, display_name: Other, metric_groups: [accuracy]}
"""


def make_stat(name: str, mean: float, split: str | None = "test") -> dict[str, Any]:
    numbers = dict(count=1, sum=mean, sum_squared=mean * mean, min=mean, max=mean, mean=mean, variance=0, stddev=0)
    return {"name": {"name": name, "split": split} if split else {"name": name}, **numbers}


def make_run_spec(name: str, model: str, groups: list[str], method: str = "generation", **args: Any) -> dict[str, Any]:
    return {
        "name": name,
        "scenario_spec": {"class_name": "nowhere.Scenario", "args": args},
        "adapter_spec": {"method": method, "model": model, "model_deployment": model},
        "metric_specs": [],
        "groups": groups,
    }


def make_state(number: int, text: str, **instance: Any) -> dict[str, Any]:
    return {
        "instance": {
            "input": {"text": f"q{number}"},
            "references": [],
            "split": "test",
            "id": f"id{number}",
            **instance,
        },
        "train_trial_index": 0,
        "request": {"model": "m", "prompt": f"q{number}", "temperature": 0, "top_p": 1},
        "result": {
            "success": True,
            "embedding": [],
            "completions": [{"text": text, "logprob": 0, "tokens": []}],
            "cached": False,
        },
    }


class Suite:
    """Writes run folders under `benchmark_output/runs/s` and summarizes them."""

    def __init__(self, capsys: pytest.CaptureFixture[str]):
        self._capsys = capsys
        self.path = Path("benchmark_output/runs/s")
        self.path.mkdir(parents=True)
        Path("schema.yaml").write_text(SCHEMA)

    def add(self, folder: str, files: dict[str, Any]) -> Path:
        run = self.path / folder
        run.mkdir()
        for name, content in files.items():
            (run / name).write_text(content if isinstance(content, str) else json.dumps(content, indent=2))
        return run

    def add_run(
        self, name: str, model: str = "lab/a", score: float = 0.5, groups: list[str] | None = None, **args: Any
    ) -> Path:
        return self.add(
            name,
            {
                "run_spec.json": make_run_spec(name, model, groups or ["qa"], **args),
                "stats.json": [make_stat("exact_match", score)],
                "scenario_state.json": {
                    "adapter_spec": {"method": "generation"},
                    "request_states": [make_state(0, "yes")],
                },
                "per_instance_stats.json": [
                    {"instance_id": "id0", "train_trial_index": 0, "stats": [make_stat("exact_match", score)]}
                ],
            },
        )

    def summarize(self, *arguments: str, status: int = 0) -> str:
        """Run the command; returns what it printed."""
        arguments = (
            ("--suite", "s", "--schema-path", "schema.yaml", *arguments) if "--release" not in arguments else arguments
        )
        try:
            summarize.main(list(arguments))
            got = 0
        except SystemExit as e:
            got = int(e.code or 0)
        output = self._capsys.readouterr()
        assert got == status, output.out + output.err
        return output.out + output.err

    def read(self, name: str) -> Any:
        return json.loads((self.path / name).read_text())


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Suite:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return Suite(capsys)


def test_models_by_scenarios_on_the_terminal(suite: Suite) -> None:
    suite.add_run("qa:model=lab_a", "lab/a", 0.25)
    suite.add_run("qa:model=lab_b", "lab/b", 0.75)
    suite.add_run("other:model=lab_b", "lab/b", 1, groups=["other"])
    lines = suite.summarize().splitlines()
    start = lines.index("All: Accuracy (EM ↑)")
    assert [line.split() for line in lines[start + 2 : start + 6]] == [
        ["Model", "QA", "Other"], ["-------", "----", "-------"], ["lab/a", "0.25", "-"], ["lab/b", "0.75", "1"],
    ]  # fmt: skip
    assert lines[-3:] == [
        "3 runs summarized.",
        "Files: benchmark_output/runs/s",
        "Page:  benchmark_output/runs/s/index.html",
    ]


def test_broken_json_is_named_with_its_place_and_the_others_go_on(suite: Suite) -> None:
    suite.add_run("good")
    (suite.add_run("bad") / "stats.json").write_text('[\n  {"name": }\n]')
    (suite.add_run("cut") / "scenario_state.json").write_text(
        '{"adapter_spec": {"method": "generation"}, "request_states": ['
    )
    (suite.add_run("typed") / "stats.json").write_text('[{"name": {"name": "m"}, "mean": "high"}]')
    text = suite.summarize(status=1)
    assert "bad/stats.json: not valid JSON at line 2, column 12" in text
    assert "cut/scenario_state.json: not valid JSON at line 1, column" in text
    assert "typed/stats.json: Expected `float | null`, got `str` - at `$[0].mean`" in text
    assert [run["run_spec"]["name"] for run in suite.read("runs.json")] == ["cut", "good"]
    assert suite.read("good/display_predictions.json")[0]["predicted_text"] == "yes"


@pytest.mark.parametrize(
    ("name", "content"),
    by_turns(
        ["run_spec.json", "stats.json", "scenario_state.json", "per_instance_stats.json", "error.json"],
        ["", "null", "[1, 2", '{"a": 1}', "\x00", "[" * 100_000],
    ),
    ids=lambda text: repr(text[:9]),
)
def test_no_content_of_a_file_stops_the_others(suite: Suite, name: str, content: str) -> None:
    suite.add_run("good")
    (suite.add_run("bad") / name).write_text(content)
    suite.summarize(status=0 if name == "error.json" else 1)
    assert suite.read("good/display_predictions.json")


def test_nan_and_infinity_are_read_and_shown(suite: Suite) -> None:
    run = suite.add_run("r", score=float("inf"))
    assert "Infinity" in (run / "stats.json").read_text()
    text = suite.summarize()
    assert "inf" in text
    assert suite.read("r/display_predictions.json")[0]["stats"] == {"exact_match": float("inf")}


def test_runs_without_results_are_told_apart(suite: Suite) -> None:
    suite.add_run("good", "lab/a")
    spec = make_run_spec("failed", "lab/b", ["qa"])
    suite.add("failed", {"error.json": {"stage": "execution", "message": "no\nserver", "run_spec": spec}})
    suite.add("unfinished", {"requests.journal": "{}\n"})
    suite.add("empty", {})
    text = suite.summarize()
    assert "\n1 run failed and is in no table: failed. Why: error.json in the folder of each.\n" in text
    assert "<li>failed: failed at execution: no server</li>" in (suite.path / "index.html").read_text()
    assert "unfinished: not finished; the same helm-run command continues" in text
    assert "empty: no run_spec.json and no stats.json" in text
    rows = suite.read("groups/qa.json")[0]["rows"]
    assert [row[0]["value"] for row in rows] == ["lab/a"]
    assert [run["run_spec"]["name"] for run in suite.read("runs.json")] == ["good"]


def test_results_of_an_earlier_attempt_are_said_to_be_so(suite: Suite) -> None:
    run = suite.add_run("r")
    (run / "error.json").write_text(
        json.dumps({"stage": "metrics", "message": "boom", "run_spec": make_run_spec("r", "m", [])})
    )
    assert "Runs shown with the results of an earlier attempt (1):\n  r: failed at metrics: boom" in suite.summarize()


@pytest.mark.parametrize("with_count", [True, False])
def test_what_a_tool_could_not_do_stands_in_the_cell(suite: Suite, with_count: bool) -> None:
    stats = [make_stat("failed", 0.5), make_stat("undefined", 0)] + (
        [make_stat("num_instances", 4)] if with_count else []
    )
    suite.add("t", {"run_spec.json": make_run_spec("t", "tools/t", ["qa"], "evaluate"), "stats.json": stats})
    text = suite.summarize()
    failed = "2 failed" if with_count else "50% failed"
    assert failed in text and "Tool" in text
    assert suite.read("groups/qa.json")[0]["rows"][0][1]["display_value"] == failed


def test_display_files_of_an_ad_tool_and_a_compiler(suite: Suite) -> None:
    states: list[dict[str, Any]] = []
    for number, result in enumerate(
        [
            {"kind": "evaluate", "success": True, "output": [1.5, 2]},
            {"kind": "evaluate", "success": False, "status": "timeout", "error": "no answer within 1 s"},
            {"kind": "episode", "success": True, "actions": ["-gvn", "-dce"]},
        ]
    ):
        states.append(
            {
                **make_state(number, "", extra_data={"x": 1e-9}),
                "request": {"kind": "evaluate", "input": [1e-7]},
                "result": result,
            }
        )
    run = suite.add_run("t", method="evaluate")
    (run / "scenario_state.json").write_text(
        json.dumps({"adapter_spec": {"method": "evaluate"}, "request_states": states})
    )
    suite.summarize()
    predictions = suite.read("t/display_predictions.json")
    assert [item["predicted_text"] for item in predictions] == ["[1.5, 2]", "", "-gvn -dce"]
    assert [item.get("error") for item in predictions] == [None, "no answer within 1 s", None]
    assert predictions[1]["status"] == "timeout"
    assert suite.read("t/display_requests.json")[0]["request"] == {"kind": "evaluate", "input": [1e-7]}
    assert suite.read("t/instances.json")[0]["extra_data"] == {"x": 1e-9}


@pytest.mark.parametrize("text", ["é \u2028 \U0001f600", "tab\t\x7f\x00", "plain", '"\\/'])
def test_display_files_have_the_layout_of_json_dumps(suite: Suite, text: str) -> None:
    run = suite.add_run("r", score=1e-7)
    state = make_state(0, text, perturbation={"name": "typos", "robustness": True, "prob": 1e-9}, sub_split=None)
    (run / "scenario_state.json").write_text(
        json.dumps({"adapter_spec": {"method": "generation"}, "request_states": [state]})
    )
    suite.summarize()
    for name in ("instances.json", "display_predictions.json", "display_requests.json"):
        written = (run / name).read_text()
        assert written == json.dumps(json.loads(written), indent=2)
    assert suite.read("r/display_predictions.json")[0]["predicted_text"] == text
    instance = suite.read("r/instances.json")[0]
    assert instance["perturbation"]["prob"] == 1e-9 and "sub_split" not in instance


def test_all_that_was_asked_is_in_the_display_files(suite: Suite) -> None:
    run = suite.add_run("r")
    state = make_state(0, "yes")
    tools = [{"type": "function", "function": {"name": "look_up", "parameters": {"x": [1, None]}}}]
    state["request"].update(tools=tools, messages=None, response_format={"json_schema": {}})
    (run / "scenario_state.json").write_text(
        json.dumps({"adapter_spec": {"method": "generation"}, "request_states": [state]})
    )
    suite.summarize()
    request = suite.read("r/display_requests.json")[0]["request"]
    assert request["tools"] == tools and request["response_format"] == {"json_schema": {}} and "messages" not in request


def test_folders_beside_the_runs_are_no_runs(suite: Suite) -> None:
    suite.add_run("r")
    for name in ("plots", "groups", "eval_cache", ".cache"):
        suite.add(name, {})
    assert "1 run" in suite.summarize() and "plots" not in suite.summarize()


def test_a_failed_request_is_no_empty_answer(suite: Suite) -> None:
    run = suite.add_run("r")
    state = make_state(0, "")
    state["result"] = {"success": False, "embedding": [], "completions": [], "cached": False, "error": "refused"}
    (run / "scenario_state.json").write_text(
        json.dumps({"adapter_spec": {"method": "generation"}, "request_states": [state]})
    )
    suite.summarize()
    assert suite.read("r/display_predictions.json")[0]["error"] == "refused"


def test_names_from_files_lead_to_no_other_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Deep enough that what escapes is still in the folder of this test.
    folder = tmp_path / "a/b/c/d/e"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    suite = Suite(capsys)
    Path("schema.yaml").write_text(SCHEMA.replace("qa", "../../../../escaped"))
    suite.add_run("r", groups=["../../../../escaped"], path="../../../../../../escaped", long="x" * 5000)
    before = set(tmp_path.rglob("*"))
    suite.summarize()
    new = {path for path in set(tmp_path.rglob("*")) - before if ".helm-index" not in path.parts}
    assert new and all(path.is_relative_to(folder / suite.path) for path in new)
    assert suite.read("groups/.._.._.._.._escaped.json")


def test_terminal_sequences_from_files_are_not_printed(suite: Suite) -> None:
    Path("schema.yaml").write_text(SCHEMA.replace("display_name: All", 'display_name: "\\e]0;title\\a\\e[31mAll"'))
    suite.add_run("r", model="evil/\x1b[2J\x1b]0;x\x07model\r\u202e")
    text = suite.summarize()
    table = text[text.index("}") :]
    assert not any(c in table for c in "\x1b\x07\r\u202e") and "model" in table


def test_a_narrow_terminal_gets_blocks_of_columns(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    names = [f"scenario{i}" for i in range(9)]
    groups = "".join(f"  - {{name: {name}, metric_groups: [accuracy]}}\n" for name in names)
    Path("schema.yaml").write_text(
        SCHEMA.split("run_groups:")[0] + f"run_groups:\n  - {{name: all, subgroups: [{', '.join(names)}]}}\n" + groups
    )
    for name in names:
        suite.add_run(name, groups=[name])
    text = suite.summarize()
    table = text[text.index("all: Accuracy") : text.index("↑ more is better")]
    assert max(len(line) for line in table.splitlines()) <= 40
    assert table.count("lab/a") > 1 and all(name in table for name in names)


def test_markdown_and_csv(suite: Suite) -> None:
    suite.add_run("r", model="=cmd|x", score=1 / 3)
    assert "| =cmd\\|x | 0.3333 |" in suite.summarize("--format", "markdown")
    text = suite.summarize("--format", "csv")
    assert f"All,Accuracy,'=cmd|x,QA - EM,{1 / 3!r}," in text
    assert "Accuracy" not in suite.summarize("--format", "none")


def test_a_release_reads_several_suites(suite: Suite) -> None:
    suite.add_run("r")
    suite.summarize("--release", "v1", "--suites", "s", "--schema-path", "schema.yaml")
    assert json.loads(Path("benchmark_output/releases/v1/summary.json").read_text())["release"] == "v1"
    assert Path("benchmark_output/releases/v1/groups/qa.json").exists()


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--suite", "t"], "There is no suite 't'"),
        (["--suite", "s", "--release", "v1"], "--suite cannot be given together"),
        (["--release", "v1"], "--release and --suites need each other"),
        (["--suite", "s", "--schema-path", "none.yaml"], "Schema file 'none.yaml' does not exist"),
        (["--suite", "s", "--schema-path", "s.yaml", "--auto-generate-schema"], "cannot be given together"),
        (["--suite", "s", "--summarizer-class-name", "nowhere.Summarizer"], "'nowhere.Summarizer' cannot be imported"),
        (["--suite", "s", "--num-threads", "0"], "--num-threads must be at least 1"),
    ],
)
def test_wrong_arguments_are_named(suite: Suite, arguments: list[str], message: str) -> None:
    with pytest.raises(SystemExit) as exit:
        summarize.main(arguments)
    assert exit.value.code == 1
    assert message in suite._capsys.readouterr().err


def test_an_output_that_cannot_be_written_is_named(suite: Suite) -> None:
    suite.add_run("r")
    Path("benchmark_output/releases").write_text("a file")
    assert "Cannot create benchmark_output/releases/v1" in suite.summarize(
        "--release", "v1", "--suites", "s", "--schema-path", "schema.yaml", status=1
    )
    (suite.path / "runs.json").mkdir()
    assert "Cannot write benchmark_output/runs/s/runs.json" in suite.summarize(status=1)


def test_schema_validation_stops_only_when_asked_to(suite: Suite) -> None:
    suite.add_run("r")
    Path("schema.yaml").write_text(SCHEMA.replace("[qa, other]", "[qa, othr]"))
    assert "[ERROR] at run_groups[all].subgroups[1]: Subgroup 'othr' is not defined" in suite.summarize()
    assert "Schema validation failed with 1 error(s)" in suite.summarize("--schema-validation", "error", status=1)
    assert "[ERROR]" not in suite.summarize("--schema-validation", "off")


@pytest.mark.parametrize(
    "schema, message",
    [
        ("metrics: 3", "is not a valid schema"),
        ("[1]", "expected a mapping"),
        ("a: [", "is not valid YAML"),
        ("run_groups: [{}]", "name"),
    ],
)
def test_wrong_schema_is_named(suite: Suite, schema: str, message: str) -> None:
    Path("schema.yaml").write_text(schema)
    text = suite.summarize(status=1)
    assert message in text and "schema.yaml" in text


def test_undefined_template_variable_names_group_and_variable(suite: Suite) -> None:
    Path("schema.yaml").write_text(SCHEMA.replace("split: test", "split: '${main_split}'"))
    suite.add_run("r")
    assert "Run group 'qa', metric group 'accuracy': Template '${main_split}'" in suite.summarize(status=1)


def test_completed_display_files_are_skipped_on_request(suite: Suite) -> None:
    run = suite.add_run("r")
    suite.summarize()
    (run / "instances.json").write_text("[]")
    suite.summarize("--skip-completed-run-display-json")
    assert (run / "instances.json").read_text() == "[]"
    suite.summarize()
    assert len(suite.read("r/instances.json")) == 1


def test_summarizing_again_changes_no_file_but_the_summary(suite: Suite) -> None:
    suite.add_run("r")
    suite.summarize()
    first = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in suite.path.rglob("*.json")}
    suite.summarize()
    for path, (content, changed) in first.items():
        assert path.read_bytes() == content
        if path.parent != suite.path:
            assert path.stat().st_mtime_ns == changed


def test_own_programs_get_a_column_in_the_group_that_gathers_them(suite: Suite) -> None:
    Path("schema.yaml").write_text(
        SCHEMA.replace("subgroups: [qa, other]", "subgroups: [qa, other], gather_undefined_groups: true")
    )
    suite.add_run("r", groups=["all", "qa_mine"])
    suite.summarize()
    (table,) = suite.read("groups/all.json")
    assert [cell["value"] for cell in table["header"]] == ["Model", "QA - EM", "Other - EM", "qa_mine - EM"]
    assert table["rows"][0][3]["value"] == 0.5


def test_runs_that_no_table_shows_are_named(suite: Suite) -> None:
    suite.add_run("mine", groups=["unknown"])
    assert "Runs in no group of the schema (1):\n  mine" in suite.summarize()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_processes_write_the_same_files_and_report_errors(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    names = frozenset(["exact_match"])
    tasks = [DisplayTask(str(suite.add_run(f"r{i}")), "generation", names) for i in range(9)]
    (Path(tasks[3].run_path) / "scenario_state.json").write_text("{")
    monkeypatch.setattr(display_writer, "_can_fork", lambda: True)
    writer = DisplayWriter(tasks, 2)
    writer.start()
    assert len(writer._children) == 2
    (error,) = writer.finish()
    assert "r3/scenario_state.json: not valid JSON" in error
    path = suite.path / "r8/display_predictions.json"
    written = path.read_bytes()
    assert json.loads(written)[0]["stats"] == {"exact_match": 0.5}
    path.unlink()
    run_display.write_run_display_json(tasks[8])
    assert path.read_bytes() == written
