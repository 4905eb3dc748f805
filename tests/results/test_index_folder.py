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


def test_work_for_a_run_does_not_grow_with_the_number_of_runs(folder):
    scan = scan_runs(folder.runs_folder)
    index_one_run(folder, scan)
    alone = steps_of(folder, lambda: index_one_run(folder, scan))
    rows = [(f"other/{n}", "x", n + 10, "{}", "{}") for n in range(3000)]
    folder._connection.executemany(
        "INSERT INTO runs (path, signature, change, summary, facts) VALUES (?,?,?,?,?)", rows
    )
    assert len(folder.entries()) == 3001
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
