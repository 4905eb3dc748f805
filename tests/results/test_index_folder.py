"""The index of runs: its work for one run does not grow with the number of the others."""

import pytest

from compare_support import make_run, zeros_and_ones
from helm.results.index.index_folder import IndexFolder, scan_runs


@pytest.fixture
def folder(tmp_path):
    suite = tmp_path / "runs" / "s"
    make_run(suite, zeros_and_ones(2, 4), "a/one")
    found = IndexFolder(str(tmp_path))
    yield found
    found.close()


def steps_of(folder, work):
    """Return the steps of SQLite's machine that some work takes, in tens: those of reading every row grow with their number."""
    steps = [0]

    def count():
        steps[0] += 1

    folder._connection.set_progress_handler(count, 10)
    work()
    folder._connection.set_progress_handler(None, 0)
    return steps[0]


def index_one_run(folder, scan):
    ((path, signature),) = scan.signatures.items()
    folder.write_summaries([(path, signature)])
    folder.write_facts(path)
    assert folder.entry(path).facts is not None


@pytest.mark.parametrize("number", [3000, pytest.param(50_000, marks=pytest.mark.slow)])
def test_work_for_a_run_does_not_grow_with_the_number_of_runs(folder, number):
    scan = scan_runs(folder.runs_folder)
    index_one_run(folder, scan)
    alone = steps_of(folder, lambda: index_one_run(folder, scan))
    rows = [(f"other/{n}", "x", n + 10, "{}", "{}") for n in range(number)]
    folder._connection.executemany(
        "INSERT INTO runs (path, signature, change, summary, facts) VALUES (?,?,?,?,?)", rows
    )
    assert len(folder.entries()) == number + 1
    assert steps_of(folder, lambda: index_one_run(folder, scan)) <= 2 * alone + 10
    assert steps_of(folder, folder.entries) <= 10  # only what has changed is read


def test_an_entry_is_that_of_all_entries(folder):
    scan = scan_runs(folder.runs_folder)
    index_one_run(folder, scan)
    ((path, entry),) = folder.entries().items()
    assert folder.entry(path) == entry and folder.entry("s/absent") is None
    (folder_of_run,) = (path for path in scan.signatures)
    scan.signatures.clear()
    folder.update(scan)
    assert folder.entry(folder_of_run) is None and folder.entries() == {}


def test_runs_of_a_task_follow_changes(folder):
    rows = [
        (f"{suite}/{n}", "x", 10 * (suite == "t") + n + 1, '{"task": "quiz"}', "{}") for suite in "st" for n in range(2)
    ]
    folder._connection.executemany(
        "INSERT INTO runs (path, signature, change, summary, facts) VALUES (?,?,?,?,?)", rows
    )
    assert [entry.path for entry in folder.task_entries("quiz")] == ["s/0", "s/1", "t/0", "t/1"]
    assert folder.task_entries("absent") == []
    folder._connection.execute("UPDATE runs SET signature = NULL, change = 99 WHERE path = 's/1'")
    folder._connection.execute("UPDATE runs SET summary = '{\"task\": \"other\"}', change = 100 WHERE path = 't/0'")
    assert [entry.path for entry in folder.task_entries("quiz")] == ["s/0", "t/1"]
    assert [entry.path for entry in folder.task_entries("other")] == ["t/0"]


def test_one_suite_alone_is_read_from_the_index(folder):
    scan = scan_runs(folder.runs_folder)
    index_one_run(folder, scan)
    rows = [(f"other/{n}", "x", n + 10, "{}", "{}") for n in range(2000)]
    folder._connection.executemany(
        "INSERT INTO runs (path, signature, change, summary, facts) VALUES (?,?,?,?,?)", rows
    )
    alone = IndexFolder(folder.output_path, suite="s")
    assert list(alone.entries()) == list(scan.signatures) and alone.suites() == ["s"]
    assert folder.suites() == ["other", "s"] and len(folder.suite_entries("other")) == 2000
    alone.update(scan_runs(folder.runs_folder, "s"))  # runs of other suites are not gone, only not looked at
    folder.instances_path("other/0")
    alone.close()
    assert len(folder.entries()) == 2001


def test_equal_parts_of_runs_are_kept_once(folder):
    summary = '{"name": "n%d", "method": "generation", "units": {"inference_runtime": "s"}, "main": [{"name": "exact_match"}]}'
    rows = [(f"other/{n}", "x", n + 10, summary % n, '{"main": [NaN]}') for n in range(2)]
    folder._connection.executemany(
        "INSERT INTO runs (path, signature, change, summary, facts) VALUES (?,?,?,?,?)", rows
    )
    first, second = folder.suite_entries("other").values()
    assert (first.name, second.name) == ("n0", "n1") and first.unit("inference_runtime@robustness") == "s"
    assert first.summary["units"] is second.summary["units"] and first.facts["main"][0] != first.facts["main"][0]
    assert first == folder.known_entry("other/0") and first != second
