"""`helm-export` and frames: rows for programs, tables for papers, records for collections."""

import csv
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from compare_support import make_ad_run, make_episode_run, make_run, zeros_and_ones
from helm.benchmark.commands import export
from helm.results import load
from helm.results.paper_tables import escape_latex
from helm.results.rows import ROW_KINDS, iterate_rows

SUITE = Path("benchmark_output/runs/s")


@pytest.fixture(autouse=True)
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    make_run(SUITE, zeros_and_ones(9, 20), task="simple_mcqa", answers={"id0": None, "id1": "-5", "id2": "=1+1"})
    make_run(SUITE, zeros_and_ones(3, 20), "b/two", "simple_mcqa")


def run_export(*arguments: object) -> int:
    try:
        export.main(["--suite", "s", *map(str, arguments)])
    except SystemExit as e:
        return int(e.code or 0)
    return 0


def read_csv(path: str) -> list[Any]:
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_scores_as_csv_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_export() == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [(row["model"], row["metric"], row["value"], row["interval"]) for row in rows] == [
        ("a/one", "exact_match", "0.45", "wilson"), ("b/two", "exact_match", "0.15", "wilson"),
    ]  # fmt: skip
    assert rows[0]["low"].startswith("0.249448") and rows[0]["answered"] == "0.95" and rows[0]["split"] == "test"


def test_scores_of_instances_and_answers_are_the_same_in_every_format() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for what in ROW_KINDS:
        for file_format in ("csv", "jsonl", "parquet"):
            assert run_export("--what", what, "--format", file_format, "--to", f"out/{what}.{file_format}") == 0
        lines = [json.loads(line) for line in Path(f"out/{what}.jsonl").read_text().splitlines()]
        assert parquet.read_table(f"out/{what}.parquet").to_pylist() == lines
        assert (
            len(read_csv(f"out/{what}.csv"))
            == len(lines)
            == {"runs": 2, "scores": 2, "instances": 40, "responses": 40}[what]
        )
        assert all(list(line) == list(ROW_KINDS[what].columns) for line in lines)


def test_texts_that_look_like_formulas_are_defused_and_numbers_are_not() -> None:
    run_export("--what", "responses", "--to", "r.csv", "--columns", "instance_id", "output", "success", "error")
    rows = read_csv("r.csv")
    assert [row["output"] for row in rows[:4]] == ["", "-5", "'=1+1", "yes"]
    assert rows[0] == {"instance_id": "id0", "output": "", "success": "false", "error": "no answer"}


def test_only_some_metrics_columns_and_runs() -> None:
    assert run_export("--what", "instances", "--metric", "exact_match", "--runs", "*b_two", "--to", "i.csv") == 0
    assert {row["model"] for row in read_csv("i.csv")} == {"b/two"}
    assert run_export("--what", "instances", "--metric", "f1", "--to", "i.csv") == 0 and read_csv("i.csv") == []


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--columns", "modle"], "scores have no column 'modle'. Did you mean 'model'?"),
        (["--what", "responses", "--metric", "exact_match"], "responses have no metric"),
        (["--runs", "nothing*"], "None of 2 runs matches nothing*."),
        (["--format", "eee"], "name a folder with --to"),
        (["--format", "markdown", "--metric", "nothing"], "There is nothing to show."),
        (["--format", "hf", "--to", "x", "--dataset", "wrong"], "expected PATTERN=DATASET#TASK"),
        (["--to", "benchmark_output"], "Cannot write"),
    ],
)
def test_wrong_arguments_are_named(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_export(*arguments) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["--to", "x.csv"], ["--format", "markdown", "--to", "x.md"], ["--format", "eee", "--to", "x"]]
)
def test_failed_and_unfinished_runs_are_left_out_and_said_in_one_line(arguments, capsys) -> None:
    (make_run(SUITE, zeros_and_ones(1, 4), "c/three", "simple_mcqa") / "stats.json").unlink()
    failed = SUITE / "simple_mcqa:model=d_four"
    failed.mkdir()
    (failed / "error.json").write_text('{"stage": "execution", "message": "no"}')
    assert run_export(*arguments) == 0
    names = "simple_mcqa:model=c_three, simple_mcqa:model=d_four"
    said = [line for line in capsys.readouterr().err.splitlines() if " INFO " not in line]
    assert said == [f"2 of 4 runs left out, because they failed or are not finished: {names}"]
    assert Path(arguments[-1]).exists()


def test_a_suite_of_failed_runs_has_nothing_to_export(capsys: pytest.CaptureFixture[str]) -> None:
    for path in SUITE.glob("*/stats.json"):
        path.unlink()
    assert run_export("--to", "x.csv") == 1
    assert "There is nothing to export: no run is finished" in capsys.readouterr().err and not Path("x.csv").exists()


def test_hostile_values_become_rows(tmp_path: Path) -> None:
    folder = make_run(
        SUITE, {"id0": [float("nan")], "id1": [float("inf")], "id2": [1.0]}, "d/four", "odd", groups=["x"]
    )
    text = (folder / "scenario_state.json").read_text()
    text = text.replace('"What is id1?"', '"\\ud800 half"').replace('"cached": false', '"cached": "maybe"')
    (folder / "scenario_state.json").write_text(text)
    for what in ("instances", "responses"):
        assert run_export("--what", what, "--format", "jsonl", "--runs", "odd*", "--to", "odd.jsonl") == 0
    lines = [json.loads(line) for line in Path("odd.jsonl").read_text().splitlines()]
    assert [line["input"] for line in lines] == ["What is id0?", "? half", "What is id2?"] and lines[0][
        "cached"
    ] is None


def test_rows_of_tools_and_compilers() -> None:
    make_ad_run(SUITE, "ad/x", {"primal n=1": [3.0, 1.0, 2.0], "primal n=2": []})
    make_episode_run(SUITE, "llvm/Oz", "crc32", 1.0)
    runs = load(str(SUITE))
    rows = {row["kind"]: row for row in iterate_rows(runs, ROW_KINDS["responses"])}
    assert rows["evaluate"]["prompt"] == "lse::primal n=2" and rows["evaluate"]["success"] is False
    first = next(row for row in iterate_rows(runs, ROW_KINDS["responses"]) if row["kind"] == "evaluate")
    assert (first["median_time_s"], first["timed_runs"], first["output"]) == (2.0, 3, "1.0")
    assert (rows["episode"]["output"], rows["episode"]["reward"]) == ('["-a"]', 0.5)


# --- frames -----------------------------------------------------------------------------------------------------------


def test_load_gives_frames() -> None:
    pandas = pytest.importorskip("pandas")
    runs = load(str(SUITE))
    assert len(runs) == 2 and runs[0].name == "simple_mcqa:model=a_one"
    scores = runs.scores()
    assert scores.set_index("model").loc["a/one", "value"] == 0.45 and scores.dtypes["value"] == "float64"
    wide = runs.instances().pivot(index="instance_id", columns="model", values="value")
    assert wide.shape == (20, 2) and wide.mean().tolist() == pytest.approx([0.45, 0.15])
    responses = runs.responses()
    assert responses["success"].sum() == 39 and pandas.isna(responses.loc[0, "output"])


# --- papers -----------------------------------------------------------------------------------------------------------


def test_a_table_in_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    make_ad_run(SUITE, "ad/x", {"primal n=1": [1e-4 * (1 + 0.01 * i) for i in range(20)]})
    assert run_export("--format", "markdown") == 0
    assert capsys.readouterr().out == (
        "| Subject | simple_mcqa ↑ |\n"
        "| --- | ---: |\n"
        "| a/one | **0.45 ± 0.21** |\n"
        "| b/two | 0.15 ± 0.21 |\n\n"
        "Language models: exact_match:test; best values bold. ±: how far the 95% interval reaches.\n"
        "\n"
        "| Subject | gradbench_lse solved ↑ | gradbench_lse primal_time_s ↓ |\n"
        "| --- | ---: | ---: |\n"
        "| ad/x | 1 | 109.5 ± 4.6 µs |\n\n"
        "AD tools: best values bold. ±: how far the 95% interval reaches.\n"
    )


def test_a_table_in_latex() -> None:
    assert run_export("--format", "latex", "--to", "paper/table.tex") == 0
    text = Path("paper/table.tex").read_text()
    assert r"Subject & simple\_mcqa $\uparrow$ \\" in text
    assert r"a/one & \textbf{\boldmath $0.45 \pm 0.21$} \\" in text and r"b/two & $0.15 \pm 0.21$ \\" in text
    assert r"exact\_match:test; best values bold. $\pm$: how far the 95\% interval reaches." in text
    assert text.count("{") == text.count("}")


def test_latex_prints_every_character_as_it_is() -> None:
    assert escape_latex("a_b & 50% {x} $1 #2 ~ ^ \\") == (
        r"a\_b \& 50\% \{x\} \$1 \#2 \textasciitilde{} \textasciicircum{} \textbackslash{}"
    )


# --- collections ------------------------------------------------------------------------------------------------------


def test_records_for_every_eval_ever(capsys: pytest.CaptureFixture[str]) -> None:
    """The keys and the form of values that schema 0.3.0 of Every Eval Ever demands."""
    assert run_export("--format", "eee", "--to", "eee", "--samples", "--organization", "Us", "--runs", "*a_one") == 0
    (path,) = Path("eee").rglob("*.json")
    assert re.fullmatch(
        r"eee/data/simple_mcqa/a/one/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.json",
        str(path),
    )
    record = json.loads(path.read_text())
    assert {"schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata", "eval_library", "model_info",
            "evaluation_results"} <= set(record)  # fmt: skip
    assert record["evaluation_id"] == "simple_mcqa/a/one/1700000000" and record["retrieved_timestamp"] == "1700000000"
    assert record["source_metadata"]["source_type"] == "evaluation_run"
    assert record["model_info"]["additional_details"]["model_availability"] == "unknown"
    (result,) = record["evaluation_results"]
    assert result["metric_config"]["score_type"] == "continuous" and result["metric_config"]["max_score"] == 1
    assert result["metric_config"]["lower_is_better"] is False
    details = result["score_details"]
    assert details["score"] == 0.45 and details["uncertainty"]["num_samples"] == 20
    assert details["uncertainty"]["confidence_interval"]["lower"] == pytest.approx(0.2494483)
    assert details["details"] == {"share_of_requests_answered": "0.95"}
    reference = record["detailed_evaluation_results"]
    samples = Path("eee") / reference["file_path"]
    assert reference["checksum"] == hashlib.sha256(samples.read_bytes()).hexdigest() and reference["total_rows"] == 20
    lines = [json.loads(line) for line in samples.read_text().splitlines()]
    required = {"schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id", "interaction_type", "input",
                "answer_attribution", "evaluation", "output"}  # fmt: skip
    assert all(required <= set(line) and line["evaluation_id"] == record["evaluation_id"] for line in lines)
    assert lines[0]["error"] == "no answer" and lines[0]["output"] == {"raw": []}
    assert lines[3]["input"]["reference"] == ["yes"] and lines[3]["input"]["choices"] == ["yes", "no"]
    assert {line["evaluation_result_id"] for line in lines} == {result["evaluation_result_id"]}
    assert str(path) in capsys.readouterr().out


def test_equal_results_give_equal_records() -> None:
    contents = []
    for folder in ("one", "two"):
        assert run_export("--format", "eee", "--to", folder) == 0
        contents.append({p.relative_to(folder): p.read_bytes() for p in Path(folder).rglob("*.json")})
    assert contents[0] == contents[1] and len(contents[0]) == 2


def test_tools_have_no_place_in_every_eval_ever(capsys: pytest.CaptureFixture[str]) -> None:
    make_ad_run(SUITE, "ad/x", {"primal n=1": [1.0]})
    assert run_export("--format", "eee", "--to", "eee") == 1
    assert (
        "AD tools, compilers and agents have no place" in capsys.readouterr().err
        and len(list(Path("eee").rglob("*.json"))) == 2
    )


def test_entries_for_the_hub() -> None:
    arguments = ["--dataset", "simple*=me/parity#even@abc1", "--scale", "100", "--source-url", "https://example.org/r"]
    assert run_export("--format", "hf", "--to", "hub", *arguments) == 0
    (entry,) = yaml.safe_load(Path("hub/a/one/.eval_results/helm-evals.yaml").read_text())
    assert entry["dataset"] == {"id": "me/parity", "task_id": "even", "revision": "abc1"} and entry["value"] == 45
    assert entry["date"] == "2023-11-14" and entry["source"] == {"url": "https://example.org/r"}
    assert "95% interval 24.94 to 65.79, 20 values" in entry["notes"]


def test_the_hub_wants_to_know_the_data_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_export("--format", "hf", "--to", "hub") == 1
    assert "Name it with --dataset 'simple_mcqa*=OWNER/NAME#TASK'" in capsys.readouterr().err


def test_names_of_models_do_not_lead_out_of_the_folder() -> None:
    folder = make_run(SUITE, zeros_and_ones(1, 4), "e/five", "simple_mcqa")
    spec = json.loads((folder / "run_spec.json").read_text())
    spec["adapter_spec"]["model"] = "../../../../out"
    (folder / "run_spec.json").write_text(json.dumps(spec))
    assert run_export("--format", "hf", "--to", "a/b/hub", "--dataset", "*=me/parity#even") == 0
    assert run_export("--format", "eee", "--to", "a/b/eee") == 0
    assert Path("a/b/hub/out/.eval_results/helm-evals.yaml").is_file()
    assert not [
        path for path in Path(".").rglob("*") if path.is_file() and not str(path).startswith(("a/b", "benchmark"))
    ]
