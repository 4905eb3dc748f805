"""A second pass of helm-summarize reads only what has changed, and leaves the same files as a first one."""

import json
import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.presentation import summarize

SCHEMA = """
metrics:
  - {name: exact_match, display_name: Exact match, short_display_name: EM, lower_is_better: false}
  - {name: speed, display_name: Speed}
metric_groups:
  - {name: accuracy, display_name: Accuracy, metrics: [{name: exact_match, split: test}, {name: speed, split: test}]}
run_groups:
  - {name: qa, display_name: QA, metric_groups: [accuracy]}
"""
COMPLETION = {"text": "y", "logprob": 0, "tokens": []}
SUITE = Path("benchmark_output/runs/s")


def stat(name: str, mean: float | None, **fields: Any) -> dict[str, Any]:
    if mean is None:
        return {"name": {"name": name, **fields}, "count": 0, "sum": 0, "sum_squared": 0}
    numbers = dict(count=1, sum=mean, sum_squared=mean * mean, min=mean, max=mean, mean=mean, variance=0, stddev=0)
    return {"name": {"name": name, "split": "test", **fields}, **numbers}


def add_run(name: str, score: float = 0.5, stats: list[dict[str, Any]] | None = None) -> Path:
    folder = SUITE / name
    folder.mkdir(parents=True, exist_ok=True)
    adapter_spec = {"method": "generation", "model": "lab/a", "model_deployment": "lab/a"}
    found = stats or [stat("exact_match", score)]
    states = [
        {
            "instance": {"input": {"text": f"q{n}"}, "references": [], "split": "test", "id": f"id{n}"},
            "train_trial_index": 0,
            "request": {"model": "lab/a", "prompt": f"q{n}"},
            "result": {"success": True, "cached": False, "embedding": [], "completions": [COMPLETION]},
        }
        for n in range(3)
    ]  # fmt: skip
    files = {
        "run_spec.json": {
            "name": name, "scenario_spec": {"class_name": "nowhere.S", "args": {"k": 1}}, "adapter_spec": adapter_spec,
            "metric_specs": [], "groups": ["qa"],
        },
        "stats.json": found,
        "scenario_state.json": {"adapter_spec": adapter_spec, "request_states": states},
        "per_instance_stats.json": [{"instance_id": f"id{n}", "train_trial_index": 0, "stats": found} for n in range(3)],
    }  # fmt: skip
    for file_name, content in files.items():
        (folder / file_name).write_text(json.dumps(content, indent=2))
    return folder


Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Summarize; returns the tables."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    Path("schema.yaml").write_text(SCHEMA)
    for name, score in (("a", 0.1), ("b", 0.2), ("c", 0.3)):
        add_run(name, score)

    def summarized(*arguments: str, status: int = 0) -> str:
        got = 0
        try:
            summarize.main(["--suite", "s", "--schema-path", "schema.yaml", *arguments])
        except SystemExit as e:
            got = int(e.code or 0)
        assert got == status
        return capsys.readouterr().out

    return summarized


def contents() -> dict[str, bytes]:
    """Return the files of the results, without those that hold times of other files."""
    paths = (path for path in SUITE.rglob("*") if path.is_file() and path.name != "intervals.json")
    return {str(path): path.read_bytes() for path in paths}


def fresh_contents(run: Run) -> tuple[dict[str, bytes], str]:
    """Return the files and the output of a first pass over the runs as they are now."""
    kept = contents()
    shutil.rmtree("benchmark_output/.helm-index")
    written = [path for path in kept if json_of_summary(path)]
    for path in written:
        os.remove(path)
    printed = tables(run())
    return contents(), printed


def json_of_summary(path: str) -> bool:
    run_files = ("run_spec.json", "stats.json", "scenario_state.json", "per_instance_stats.json", "error.json")
    return os.path.basename(path) not in run_files


def tables(printed: str) -> str:
    """Return what was printed without the log, whose lines begin with the time."""
    return "".join(line for line in printed.splitlines(keepends=True) if not re.match(r"\d{4}-\d\d-\d\dT", line))


def hide_change(path: Path, old: bytes, new: bytes) -> None:
    """Change a file, and leave its size and time as they are, so that only reading it tells."""
    status = path.stat()
    assert old in path.read_bytes() and len(old) == len(new)
    path.write_bytes(path.read_bytes().replace(old, new))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_nothing_is_read_when_nothing_has_changed(run: Run) -> None:
    first = tables(run())
    before = contents()
    for name in ("run_spec.json", "stats.json", "scenario_state.json", "per_instance_stats.json"):
        path = SUITE / "a" / name
        hide_change(path, b"{", b"!")  # no longer JSON
    os.utime(SUITE / "summary.json", (1, 1))
    assert tables(run()) == first
    after = contents()
    changed = {path for path in before if before[path] != after.get(path)}
    assert all(path.startswith(f"{SUITE}/a/") for path in changed) and before.keys() == after.keys()
    assert (SUITE / "summary.json").stat().st_mtime > 1  # by which helm-server finds the newest suite


@pytest.mark.parametrize("change", ["changed", "added", "removed", "first removed", "failed", "renamed"])
def test_after_a_change_the_files_are_those_of_a_first_pass(run: Run, change: str) -> None:
    run()
    if change == "changed":
        add_run("b", 0.75)
    elif change == "added":
        add_run("a2", 0.9)
    elif change == "removed":
        shutil.rmtree(SUITE / "b")
    elif change == "first removed":
        shutil.rmtree(SUITE / "a")
    elif change == "failed":
        (SUITE / "b/stats.json").unlink()
        for name in ("display_requests", "display_predictions", "instances"):
            (SUITE / f"b/{name}.json").unlink()  # a first pass would not write them for a failed run
        (SUITE / "b/error.json").write_text(json.dumps({"run": "b", "stage": "execution", "message": "boom"}))
    else:
        (SUITE / "c").rename(SUITE / "0c")
    unchanged = [name for name in ("a", "c") if (SUITE / name).is_dir()]
    for name in unchanged:  # they are not read again
        hide_change(SUITE / name / "stats.json", b"exact_match", b"EXACT_MATCH")
    second = tables(run())
    found = contents()
    for name in unchanged:
        hide_change(SUITE / name / "stats.json", b"EXACT_MATCH", b"exact_match")
    found.update({path: data for path, data in contents().items() if path.endswith("/stats.json")})
    fresh, printed = fresh_contents(run)
    assert found == fresh and second == printed
    assert len(json.loads((SUITE / "runs.json").read_text())) == {"added": 4, "changed": 3, "renamed": 3}.get(change, 2)


def test_another_schema_or_option_is_noticed(run: Run) -> None:
    run()
    Path("schema.yaml").write_text(SCHEMA.replace("Exact match", "Match"))
    run()
    assert b"Match" in (SUITE / "groups/qa.json").read_bytes()
    assert "EM" in run("--format", "markdown")


def test_files_of_the_summary_that_were_removed_are_written_again(run: Run) -> None:
    run()
    before = contents()
    for name in ("runs.json", "groups/qa.json", "a/display_requests.json"):
        (SUITE / name).unlink()
    run()
    assert contents() == before


def test_runs_json_of_another_program_is_not_taken_for_ours(run: Run) -> None:
    run()
    before = contents()
    text = (SUITE / "runs.json").read_text()
    (SUITE / "runs.json").write_text(text.replace("lab/a", "LAB/A"))
    add_run("d")
    run()
    assert "LAB/A" not in (SUITE / "runs.json").read_text()
    assert (SUITE / "runs.json").read_bytes().startswith(before[str(SUITE / "runs.json")][:-2])


def test_statistics_that_are_missing_or_not_numbers_are_remembered(run: Run) -> None:
    # The second is not compact: NaN stands for a missing number in what is remembered.
    add_run(
        "a",
        stats=[
            stat("exact_match", 0.25, perturbation={"name": "dialect", "computed_on": "worst"}),
            stat("speed", None),
        ],
    )
    add_run("b", stats=[stat("exact_match", float("nan"))])
    run()
    add_run("d")
    run()
    found = contents()
    assert found == fresh_contents(run)[0]
    runs = json.loads((SUITE / "runs.json").read_text())
    assert "mean" not in runs[0]["stats"][1] and runs[1]["stats"][0]["mean"] != runs[1]["stats"][0]["mean"]


def test_a_damaged_store_is_replaced(run: Run) -> None:
    first = tables(run())
    (store,) = Path("benchmark_output/.helm-index/summaries").glob("*.sqlite")
    store.write_bytes(b"no database" * 1000)
    assert tables(run()) == first
    assert store.read_bytes().startswith(b"SQLite format 3")


def test_a_store_that_is_damaged_inside_is_replaced(run: Run) -> None:
    first = tables(run())
    (store,) = Path("benchmark_output/.helm-index/summaries").glob("*.sqlite")
    page = 4096
    data = store.read_bytes()
    store.write_bytes(data[:page] + b"\x7f" * (len(data) - page))
    assert tables(run()) == first and tables(run()) == first
    (store,) = Path("benchmark_output/.helm-index/summaries").glob("*.sqlite")
    assert b"\x7f" * page not in store.read_bytes()


def test_a_second_process_works_without_the_store(run: Run) -> None:
    first = tables(run())
    (store,) = Path("benchmark_output/.helm-index/summaries").glob("*.sqlite")
    with closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        add_run("d")
        assert tables(run()) != first
    assert len(json.loads((SUITE / "runs.json").read_text())) == 4
    before = contents()
    run()
    assert contents() == before


def test_problems_are_told_each_time(run: Run) -> None:
    (SUITE / "b/stats.json").write_text("[")
    assert "its files are damaged" in run(status=1)
    hide_change(SUITE / "a/stats.json", b"exact_match", b"EXACT_MATCH")  # it is not read again
    assert "its files are damaged" in run(status=1)
    assert b"EXACT_MATCH" not in (SUITE / "runs.json").read_bytes()


def test_a_link_is_no_place_for_the_store(run: Run, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    Path("benchmark_output/.helm-index").symlink_to(tmp_path / "elsewhere")
    first = tables(run())
    assert tables(run()) == first and not list((tmp_path / "elsewhere").iterdir())
