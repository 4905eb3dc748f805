"""Lakes: the rows of all runs in Parquet files, which updates keep equal to the runs, and queries over them."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from compare_support import make_ad_run, make_episode_run, make_run, zeros_and_ones
from helm.benchmark.commands import export, query
from helm.results import Lake, load
from helm.results.lake import part_writer, update
from helm.results.lake.manifest import LakeError
from helm.results.lake.update import update_lake
from helm.results.rows import ROW_KINDS, iterate_rows, split_by_files

pytest.importorskip("duckdb")
parquet = pytest.importorskip("pyarrow.parquet")

SUITE = Path("benchmark_output/runs/s")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def make_runs(number: int = 3, suite: Path = SUITE) -> list[Path]:
    return [make_run(suite, zeros_and_ones(2 + i, 10), f"maker/m{i}") for i in range(number)]


def rows_of_runs(table: str) -> list[dict[str, Any]]:
    kind = ROW_KINDS[table]
    return sort_rows(iterate_rows(split_by_files(load("benchmark_output"), kind)[0], kind))


def sort_rows(rows: Any) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True, default=str))


def rows_of_lake(table: str, address: str = "lake") -> list[dict[str, Any]]:
    result = Lake(address).query(f"SELECT * FROM {table}")
    return sort_rows(dict(zip(result.columns, row, strict=True)) for row in result.rows())


def run_command(main: Any, *arguments: str) -> int:
    try:
        main(list(arguments))
    except SystemExit as e:
        return int(e.code or 0)
    return 0


def change(run: Path, value: float) -> None:
    path = run / "stats.json"
    stats = json.loads(path.read_text())
    stats[0].update(sum=value * stats[0]["count"], mean=value)
    path.write_text(json.dumps(stats))


def files(folder: str = "lake") -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in Path(folder).rglob("*") if path.is_file()}


def test_the_tables_have_the_rows_of_the_runs_of_all_kinds() -> None:
    make_run(SUITE, zeros_and_ones(3, 12), answers={"id0": None, "id1": "\ud800"}, perturbed={"id2": 0.0})
    make_ad_run(SUITE, "tool/fast", {"primal n=10": [0.1, 0.2], "primal n=20": []})
    make_episode_run(SUITE, "llvm/greedy", "crc32", 1.5)
    make_run(SUITE.parent / "it's a suite/é", zeros_and_ones(3, 4), "b/two")
    assert update_lake("lake", load("benchmark_output")).added == 4
    for table in ROW_KINDS:
        assert rows_of_lake(table) == rows_of_runs(table), table
    assert rows_of_lake("stats") == rows_of_lake("scores") and rows_of_lake("requests") == rows_of_lake("responses")
    # Other programs find the files by themselves.
    import duckdb

    assert duckdb.sql("SELECT count(*) FROM 'lake/instances/**/*.parquet'").fetchall() == [
        (Lake("lake").num_rows("instances"),)
    ]


def test_only_changed_runs_are_read_and_nothing_is_written_without_changes() -> None:
    first, second, _ = make_runs()
    update_lake("lake", load("benchmark_output"))
    before = files()
    # If this file were read, the row of its run would say that it is damaged.
    path = second / "per_instance_stats.json"
    status, content = path.stat(), path.read_bytes()
    path.write_bytes(b"!" * len(content))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    found = update_lake("lake", load("benchmark_output"))
    assert (found.added, found.changed, found.removed, found.unchanged) == (0, 0, 0, 3)
    assert files() == before
    change(first, 0.75)
    found = update_lake("lake", load("benchmark_output"))
    assert (found.added, found.changed, found.removed, found.unchanged) == (0, 1, 0, 2) and not found.problems
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    for table in ROW_KINDS:
        assert rows_of_lake(table) == rows_of_runs(table)
    assert 0.75 in [row["value"] for row in rows_of_lake("scores")]


def test_runs_that_are_gone_are_removed_only_from_suites_given_as_a_whole() -> None:
    runs = make_runs()
    make_runs(1, SUITE.parent / "other")
    update_lake("lake", load("benchmark_output"))
    shutil.rmtree(runs[0])
    assert update_lake("lake", load(str(SUITE))).removed == 0 and len(rows_of_lake("runs")) == 4
    assert update_lake("lake", load(str(SUITE)), {"s"}).removed == 1 and len(rows_of_lake("runs")) == 3
    shutil.rmtree(SUITE.parent / "other")
    assert update_lake("lake", load("benchmark_output"), None).removed == 1
    assert rows_of_lake("instances") == rows_of_runs("instances")
    assert not list(Path("lake").rglob("*other*"))


def test_the_same_runs_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    make_runs()
    update_lake("lake", load("benchmark_output"))
    update_lake("again", reversed(load("benchmark_output")))
    for path in files():
        assert Path(path).read_bytes() == Path(path.replace("lake/", "again/", 1)).read_bytes(), path


def test_an_interrupted_update_changes_nothing_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = make_runs()
    update_lake("lake", load("benchmark_output"))
    before, rows = files(), rows_of_lake("scores")
    for run in runs:
        change(run, 0.25)
    add_run = part_writer.PartWriter.add_run

    def interrupted(self: Any, run: Any, *rest: Any) -> Any:
        if run.folder_name.endswith("m2"):
            raise KeyboardInterrupt
        return add_run(self, run, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(part_writer.PartWriter, "add_run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            update_lake("lake", load("benchmark_output"))
    assert files() == before and rows_of_lake("scores") == rows
    assert update_lake("lake", load("benchmark_output")).changed == 3
    assert rows_of_lake("scores") == rows_of_runs("scores")


KILLED = """
import os, signal
from helm.results import load
from helm.results.lake import update
write = update.format_manifest
def killed(manifest):
    if manifest.parts:
        open("lake/scores/suite=s/.part.tmp", "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return write(manifest)
update.format_manifest = killed
update.update_lake("lake", load("benchmark_output"))
"""


def test_a_killed_update_leaves_files_that_the_next_one_removes() -> None:
    make_runs()
    assert subprocess.run([sys.executable, "-c", KILLED]).returncode == -9
    assert list(Path("lake").rglob("*.parquet"))
    with pytest.raises(LakeError, match=r"no lake in lake.*helm-export --what all"):
        Lake("lake")
    update_lake("lake", load("benchmark_output"))
    assert len(list(Path("lake").rglob("*.parquet"))) == 4 and not list(Path("lake").rglob("*.tmp"))
    assert rows_of_lake("scores") == rows_of_runs("scores")


def test_row_groups_hold_whole_runs_or_one_that_is_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_writer, "_GROUP_ROWS", 25)
    monkeypatch.setattr(part_writer, "_PIECE_ROWS", 10)
    for i, size in enumerate([10, 10, 10, 60, 10]):
        make_run(SUITE, zeros_and_ones(2, size), f"maker/m{i}")
    update_lake("lake", load("benchmark_output"))
    (path,) = Path("lake/responses").rglob("*.parquet")
    file = parquet.ParquetFile(path)
    groups = [
        sorted({row["model"][-1] for row in file.read_row_group(i).to_pylist()}) for i in range(file.num_row_groups)
    ]
    assert groups == [["0", "1"], ["2"], ["3"], ["3"], ["4"]]
    assert rows_of_lake("responses") == rows_of_runs("responses")
    change(SUITE / "task:model=maker_m1", 0.5)
    update_lake("lake", load("benchmark_output"))
    assert rows_of_lake("responses") == rows_of_runs("responses")


@pytest.mark.parametrize("group_rows", [100_000, 5])
def test_a_damaged_run_is_said_and_the_others_are_there(group_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_writer, "_GROUP_ROWS", group_rows)
    monkeypatch.setattr(part_writer, "_PIECE_ROWS", 4)
    damaged = make_runs()[1]
    path = damaged / "scenario_state.json"
    text = path.read_text()
    place = text.rindex('"instance"')
    path.write_text(text[:place] + "!" + text[place:])
    found = update_lake("lake", load("benchmark_output"))
    assert [folder for folder, _ in found.problems] == [damaged.name] and "scenario_state.json" in found.problems[0][1]
    problems = {row["folder"]: row["problem"] for row in rows_of_lake("runs")}
    assert [name for name, problem in problems.items() if problem] == [damaged.name]
    assert {row["model"] for row in rows_of_lake("responses")} == {"maker/m0", "maker/m2"}
    assert {row["model"] for row in rows_of_lake("instances")} == {"maker/m0", "maker/m2"}
    assert update_lake("lake", load("benchmark_output")).unchanged == 3
    path.write_text(text)
    assert update_lake("lake", load("benchmark_output")).changed == 1
    assert rows_of_lake("runs") == rows_of_runs("runs")


def test_many_small_parts_are_joined_and_large_ones_end(monkeypatch: pytest.MonkeyPatch) -> None:
    for i in range(20):
        make_run(SUITE, zeros_and_ones(2, 5), f"maker/m{i:02}")
        update_lake("lake", load("benchmark_output"))
    assert len(list(Path("lake/runs").rglob("*.parquet"))) < 8
    for table in ROW_KINDS:
        assert rows_of_lake(table) == rows_of_runs(table)
    monkeypatch.setattr(update, "_PART_RUNS", 6)
    monkeypatch.setattr(update, "_SMALL_ROWS", 0)
    update_lake("fresh", load("benchmark_output"))
    assert len(list(Path("fresh/runs").rglob("*.parquet"))) == 4
    assert rows_of_lake("instances", "fresh") == rows_of_runs("instances")


def test_an_object_store_holds_a_lake() -> None:
    pytest.importorskip("fsspec")
    runs = make_runs()
    address = "memory://bucket/lake"
    update_lake(address, load("benchmark_output"))
    change(runs[0], 0.5)
    shutil.rmtree(runs[1])
    found = update_lake(address, load("benchmark_output"), None)
    assert (found.changed, found.removed) == (1, 1)
    for table in ROW_KINDS:
        assert rows_of_lake(table, address) == rows_of_runs(table)
    import fsspec

    # One part has the run that was kept, one the run that had changed.
    assert len(fsspec.filesystem("memory").find("/bucket/lake/runs")) == 2


def test_a_reader_follows_an_update_that_replaces_its_files() -> None:
    runs = make_runs()
    update_lake("lake", load("benchmark_output"))
    lake = Lake("lake")
    assert next(lake.query("SELECT count(*) FROM scores").rows()) == (3,)
    shutil.rmtree(runs[0])
    update_lake("lake", load("benchmark_output"), None)
    assert next(lake.query("SELECT count(*) FROM scores").rows()) == (2,)
    shutil.rmtree("lake/scores")
    with pytest.raises(LakeError, match="cannot be answered"):
        lake.query("SELECT count(*) FROM scores")


def edit_manifest(edit: Any) -> None:
    path = Path("lake/lake.json")
    data = json.loads(path.read_text())
    edit(data)
    path.write_text(json.dumps(data))


@pytest.mark.parametrize(
    "edit, message",
    [
        (lambda data: data["parts"][0].update(id="../../../etc/passwd"), "names a part"),
        (lambda data: data["parts"][0]["runs"][0].__setitem__(2, [1]), "counts the rows"),
        (lambda data: data["parts"][0].pop("suite"), "is damaged"),
        (lambda data: data.update(format="other"), "has the format 'other'"),
        (lambda data: data.update(version=99), "has version 99"),
    ],
)
def test_a_wrong_manifest_is_refused(edit: Any, message: str) -> None:
    make_runs(1)
    update_lake("lake", load("benchmark_output"))
    edit_manifest(edit)
    with pytest.raises(LakeError, match=message):
        Lake("lake")


def test_a_lake_of_another_version_is_written_anew() -> None:
    make_runs()
    update_lake("lake", load("benchmark_output"))
    edit_manifest(lambda data: data.update(version=99))
    assert update_lake("lake", load("benchmark_output")).added == 3
    assert rows_of_lake("scores") == rows_of_runs("scores")


def test_frames() -> None:
    pytest.importorskip("pandas")
    make_runs()
    update_lake("lake", load("benchmark_output"))
    lake = Lake("lake")
    assert sorted(lake.runs().model) == ["maker/m0", "maker/m1", "maker/m2"]
    assert len(lake.instances()) == 30 == len(lake.responses()) and len(lake.scores()) == 3
    assert lake.query("SELECT count(*) AS n FROM runs WHERE model = ?", ["maker/m1"]).frame().n[0] == 1
    with pytest.raises(LakeError, match="no table 'score'. Did you mean 'scores'?"):
        lake.frame("score")


# --- the commands


def test_export_keeps_a_data_set(capsys: pytest.CaptureFixture[str]) -> None:
    runs = make_runs()
    arguments = ["--suite", "s", "--what", "all", "--format", "parquet", "--to", "lake"]
    assert run_command(export.main, *arguments) == 0
    assert "3 runs added" in capsys.readouterr().out
    shutil.rmtree(runs[0])
    assert run_command(export.main, *arguments, "--runs", "*m1") == 0
    assert "0 removed, 1 as before" in capsys.readouterr().out
    (runs[1] / "stats.json").write_text("{")
    assert run_command(export.main, *arguments) == 1
    captured = capsys.readouterr()
    assert "0 runs added, 1 changed, 1 removed, 1 as before" in captured.out
    assert "only its name is in the data set: task:model=maker_m1" in captured.err


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--format", "csv", "--to", "lake"], "--format parquet --to FOLDER"),
        (["--format", "parquet"], "--format parquet --to FOLDER"),
        (["--format", "parquet", "--to", "lake", "--metric", "f1"], "--metric is for single tables"),
    ],
)
def test_wrong_combinations(arguments: Sequence[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    make_runs(1)
    assert run_command(export.main, "--suite", "s", "--what", "all", *arguments) == 1
    assert message in capsys.readouterr().err and not Path("lake").exists()


def test_query_answers_about_the_runs_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    runs = make_runs(2)
    sql = "SELECT model, value, low FROM scores ORDER BY model"
    assert run_command(query.main, sql) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines()[:2] == ["model,value,low", "maker/m0,0.2,0.04258167713710692"]
    assert "2 runs added" in captured.err
    change(runs[0], 0.5)
    assert run_command(query.main, sql, "--format", "jsonl") == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out.splitlines()[0])["value"] == 0.5
    assert "1 changed" in captured.err
    assert run_command(query.main, sql, "--format", "table", "--max-rows", "1") == 0
    captured = capsys.readouterr()
    assert (
        "maker/m0" in captured.out
        and "maker/m1" not in captured.out
        and captured.err == "1 more rows; --max-rows 0 shows all.\n"
    )
    assert run_command(query.main, sql, "--format", "markdown", "--to", "out/t.md") == 0
    assert Path("out/t.md").read_text().startswith("| model ")
    assert run_command(query.main) == 0
    assert "scores (also stats): 2 rows" in capsys.readouterr().out


def test_query_of_values_of_all_types(capsys: pytest.CaptureFixture[str]) -> None:
    make_runs(1)
    sql = (
        "SELECT [1, 2] a, {'x': 1.5} b, 1.5::DECIMAL(4,1) c, DATE '2026-01-02' d, 'nan'::DOUBLE e, NULL a, '\x1b[2Jx' t"
    )
    assert run_command(query.main, sql, "--format", "jsonl") == 0
    assert json.loads(capsys.readouterr().out) == {
        "a": [1, 2], "b": {"x": 1.5}, "c": 1.5, "d": "2026-01-02", "e": None, "a_2": None, "t": "\x1b[2Jx",
    }  # fmt: skip
    assert run_command(query.main, sql, "--format", "table") == 0
    assert "\x1b" not in capsys.readouterr().out


def test_queries_that_fail(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_command(query.main, "SELECT 1") == 1
    assert "There are no results in benchmark_output" in capsys.readouterr().err
    make_runs(1)
    assert run_command(query.main, "SELECT modle FROM runs") == 1
    assert 'Referenced column "modle"' in capsys.readouterr().err
    assert run_command(query.main, "SELECT 1", "--lake", "nowhere") == 1
    assert "There is no lake in nowhere" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert run_command(query.main, "SELECT 1") == 1
    assert "pip install 'helm-evals[query]'" in capsys.readouterr().err
