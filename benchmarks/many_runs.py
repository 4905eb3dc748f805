"""The viewer with very many runs: time to open the index, to list, filter and sort, and until a new run is visible; memory.

    python benchmarks/many_runs.py [--runs 1000 10000 100000] [--folder FOLDER] [--index]

The runs are made up: one recorded run under many names, whose equal files are links. Without `--index`, the rows of the index
are copies of that of one run, because indexing (about 2 ms of a processor for each run) is the same work for each.
Everything is measured in one process, with the worker process that indexes new runs beside it.
"""

import argparse
import json
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from make_suite import make_suite

from helm.benchmark.server.viewer import Viewer
from helm.results.index.index_folder import IndexFolder
from helm.results.index.index_scan import scan_runs
from helm.results.index.index_worker import Indexer

_SUITES = 4


def make_runs(output_path: Path, num_runs: int, is_indexed: bool) -> None:
    """Make the runs, in several suites, and the rows of their index."""
    for number in range(_SUITES):
        share = num_runs // 2 if number == 0 else num_runs // 2 // (_SUITES - 1)
        make_suite(output_path, f"suite{number}", share, 2, 200, link=True)
    folder = IndexFolder(str(output_path))
    signatures = scan_runs(folder.runs_folder).signatures
    items = list(signatures.items())
    indexed = items if is_indexed else items[:1]
    for start in range(0, len(indexed), 100):
        folder.write_summaries(indexed[start : start + 100])
        for path, _ in indexed[start : start + 100]:
            folder.write_facts(path)
    if not is_indexed:
        _copy_rows(folder, items)
    folder.close()


def _copy_rows(folder: IndexFolder, items: list[tuple[str, str]]) -> None:
    connection = folder._connection
    summary, facts = connection.execute("SELECT summary, facts FROM runs").fetchone()
    stats, intervals = connection.execute("SELECT stats, intervals FROM details").fetchone()
    connection.execute("BEGIN")
    for number, (path, signature) in enumerate(items):
        found: dict[str, Any] = json.loads(summary)
        model = path.rpartition("model=")[2].replace("_", "/", 1)
        found.update(name=path.rpartition("/")[2], subject=model, deployment=model, task=f"task {number % 97}")
        found["main"] = [{**score, "value": number % 1000 / 1000} for score in found["main"]]
        row = (path, signature, number + 1, json.dumps(found), facts)
        connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?)", row)
        connection.execute("INSERT OR REPLACE INTO details VALUES (?, ?, ?)", (path, stats, intervals))
    connection.execute("COMMIT")


def timed(work: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def best(work: Callable[[], Any], times: int = 5) -> float:
    return min(timed(work) for _ in range(times))


def respond(viewer: Viewer, path: str, query: str = "") -> None:
    rendered = viewer.respond(path, query)
    assert rendered.status == 200, rendered.html[:2000]


def measure(output_path: Path, num_runs: int, suite: str | None) -> dict[str, Any]:
    begin = time.perf_counter()
    indexer = Indexer(IndexFolder(str(output_path), suite=suite))
    viewer = Viewer(indexer)
    try:
        shown = suite or "suite0"
        found: dict[str, Any] = {"runs": num_runs, "suites": suite or "all"}
        viewer.entries()
        found["open"] = time.perf_counter() - begin
        found["shown"] = len(viewer.entries())
        viewer.prepare()
        respond(viewer, "/runs", f"suite={shown}")
        found["list"] = best(lambda: respond(viewer, "/runs", f"suite={shown}"))
        found["filter"] = best(lambda: respond(viewer, "/runs", f"suite={shown}&q=copy+model7&status=done"))
        found["sort"] = best(lambda: respond(viewer, "/runs", f"suite={shown}&sort=score"))
        found["board"] = timed(lambda: respond(viewer, "/", f"suite={shown}"))
        found["board again"] = best(lambda: respond(viewer, "/", f"suite={shown}"), 3)
        wait_for(lambda: not indexer.num_pending() and indexer._complete_scan is None, 600.0)
        time.sleep(0.2)  # longer than a tick of the file system's clock
        viewer.entries()
        name = f"{shown}/{add_run(output_path, shown)}"
        found["new run"] = timed(lambda: wait_for(lambda: name in viewer.entries(), 60.0))
        found["scan"] = timed(lambda: indexer._scanner.scan())
        found["MiB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    finally:
        indexer.close()
    return found


def add_run(output_path: Path, suite: str) -> str:
    """Add one run, as a program does that renames it into place; returns its name."""
    number = time.time_ns()
    make_suite(output_path, "../new", 1, 2, 1, first=number)
    (made,) = (output_path / "new").iterdir()
    made.rename(output_path / "runs" / suite / made.name)
    return made.name


def wait_for(is_done: Callable[[], bool], most_s: float) -> None:
    end = time.monotonic() + most_s
    while not is_done():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.01)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--folder", type=Path, help="where the runs are made, and kept; those there are used again")
    parser.add_argument("--index", action="store_true", help="index every run instead of copying the row of one")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)  # a measurement in a process of its own
    args = parser.parse_args()
    if args.one:
        print(json.dumps(measure(args.folder, int(args.one[0]), args.one[1] or None)))
        return
    import subprocess

    folder = args.folder or Path(tempfile.mkdtemp())
    print("seconds: ", end="")
    try:
        for num_runs in args.runs:
            output_path = folder / str(num_runs)
            if not output_path.is_dir():
                make_runs(output_path, num_runs, args.index)
            for suite in ("", "suite3"):
                command = [sys.executable, __file__, "--folder", str(output_path), "--one", str(num_runs), suite]
                text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[-1]
                texts = {
                    key: f"{value:.3f}" if isinstance(value, float) else value
                    for key, value in json.loads(text).items()
                }
                print(", ".join(f"{key} {value}" for key, value in texts.items()), flush=True)
    finally:
        if args.folder is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
