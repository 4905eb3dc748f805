"""One module knows what files of runs are called, and finds them."""

import ast
import shutil
from pathlib import Path

import pytest

from helm.results import load, load_suite
from helm.results.run_files import run_folder
from helm.results.run_files.run_folder import RUN_FILE_NAMES, find_all_runs, find_runs, list_folders
from helm.results.run_state import read_run_states

SOURCE = Path(__file__).parent.parent.parent / "src" / "helm"


def make(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_text("{}")
    return folder


def test_no_other_module_spells_the_name_of_a_file():
    names = {value for name, value in vars(run_folder).items() if name.endswith("_FILE_NAME")}
    assert len(names) == 15
    wrong = []
    for path in SOURCE.rglob("*.py"):
        if path.name == "run_folder.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in names:
                wrong.append(f"{path.relative_to(SOURCE)}:{node.lineno}: {node.value}")
    assert not wrong, "\n".join(wrong)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "out" / "runs"
    make(folder / "s" / "done", *RUN_FILE_NAMES)
    make(folder / "s" / "failed", "error.json")
    make(folder / "s" / "begun", "requests.journal")
    make(folder / "s" / "held", ".run.lock")
    make(folder / "s" / "empty")
    make(folder / "s" / "inner" / "deep", "stats.json")
    make(folder / "s" / "done" / "copy", "stats.json")
    make(folder / "t" / "covered", "coverage.json")
    for name in ("eval_cache", "groups", "plots", ".hidden"):
        make(folder / "s" / name / "x", "stats.json")
    (folder / "s" / "stats.json").unlink(missing_ok=True)
    return folder


def test_runs_are_found_by_name_in_suites_within_suites(runs: Path) -> None:
    found = {run.relative: run.has_results for run in find_runs(str(runs / "s"))}
    assert list(found) == ["begun", "done", "empty", "failed", "held", "inner/deep"]
    assert [name for name, has_results in found.items() if has_results] == ["done", "failed", "inner/deep"]
    assert [run.relative for run in find_all_runs(str(runs)) if run.has_results] == [
        "s/done", "s/failed", "s/inner/deep",
    ]  # fmt: skip
    assert [run.folder_name for run in load_suite(str(runs / "s"))] == ["done", "failed", "deep"]
    assert [run.folder_name for run in load(str(runs.parent))] == ["done", "failed", "deep"]
    assert [run.name for run in read_run_states(str(runs / "s"))] == [
        "begun", "done", "empty", "failed", "held", "deep",
    ]  # fmt: skip


def test_a_run_that_is_removed_after_it_was_found_has_no_files(tmp_path: Path) -> None:
    make(tmp_path / "a", "run_spec.json")
    make(tmp_path / "b", "run_spec.json")
    removed, kept = find_runs(str(tmp_path))
    shutil.rmtree(removed.path)
    assert removed.files == {} and list(kept.files) == ["run_spec.json"]


def test_the_search_ends_four_folders_below(tmp_path: Path) -> None:
    make(tmp_path / "a" / "b" / "c" / "d", "stats.json")
    make(tmp_path / "a" / "b" / "c" / "e" / "f", "stats.json")
    assert [run.relative for run in find_runs(str(tmp_path))] == ["a/b/c/d"]
    assert [run.relative for run in find_all_runs(str(tmp_path))] == ["a/b/c/d", "a/b/c/e/f"]
    assert list(find_runs(str(tmp_path), depth=0)) == [] and list(find_runs(str(tmp_path / "nowhere"))) == []


def test_links_out_of_the_folder_are_collected_and_not_followed(runs: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "other", "stats.json")
    (runs / "s" / "link").symlink_to(other)
    (runs / "s" / "loop").symlink_to("loop")
    make(runs / "s" / "borrowed")
    (runs / "s" / "borrowed" / "stats.json").symlink_to(other / "stats.json")
    outside: list[str] = []
    found = [run.relative for run in find_all_runs(str(runs), outside) if run.has_results]
    assert found == ["s/done", "s/failed", "s/inner/deep"]
    assert sorted(outside) == ["s/borrowed/stats.json", "s/link"]
    followed = [run.relative for run in find_all_runs(str(runs)) if run.has_results]
    assert followed == ["s/borrowed", "s/done", "s/failed", "s/inner/deep", "s/link"]


def test_folders_of_a_suite_that_may_hold_runs(runs: Path) -> None:
    assert list_folders(str(runs / "s")) == ["begun", "done", "empty", "failed", "held", "inner"]
    assert list_folders(str(runs)) == ["s", "t"] and list_folders(str(runs / "nowhere")) == []
