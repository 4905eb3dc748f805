"""What `--compact-files` saves and costs: sizes of a run's large files, and processor time to write and to read them.

    python benchmarks/compact_files.py [--instances 4000] [--repeat 5]

The run is a real one of multiple-choice-like questions. Each time is the median of the repeats, in one process.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tabulate import tabulate

from helm.results.run_files.compressed_files import convert_run
from helm.results.run_files.json_items import JsonItems
from helm.results.run_files.run_folder import stored_path

ENTRY = "synthetic_reasoning:mode=pattern_match,model=simple/model1"
FILES = {"per_instance_stats.json": None, "scenario_state.json": "request_states"}


def cpu_seconds(work: Callable[[], object], repeat: int) -> float:
    found = []
    for _ in range(repeat):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return statistics.median(found)


def read_all(folder: Path) -> None:
    for name, key in FILES.items():
        for _ in JsonItems(stored_path(str(folder), name), key):
            pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=4000)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="helm-compact-") as temporary:
        command = [sys.executable, "-m", "helm.benchmark.run", "-r", ENTRY, "-m", str(args.instances), "--suite", "s"]
        subprocess.run(command, cwd=temporary, check=True, capture_output=True)
        (plain,) = [path.parent for path in Path(temporary, "benchmark_output/runs/s").glob("*/run_spec.json")]
        compact = Path(temporary, "compact")
        shutil.copytree(plain, compact)
        convert_run(str(compact), compressed=True)
        rows = [
            [name, os.path.getsize(plain / name) / 1e6, os.path.getsize(stored_path(str(compact), name)) / 1e6]
            for name in FILES
        ]
        print(
            tabulate([[*row, row[1] / row[2]] for row in rows], ["file", "MB", "compressed", "ratio"], floatfmt=".2f")
        )
        times = {
            "compress": cpu_seconds(lambda: convert_run(str(plain), compressed=True, is_trial=True), args.repeat),
            "unpack": cpu_seconds(lambda: convert_run(str(compact), compressed=False, is_trial=True), args.repeat),
            "read all items, plain": cpu_seconds(lambda: read_all(plain), args.repeat),
            "read all items, compressed": cpu_seconds(lambda: read_all(compact), args.repeat),
        }
        print(tabulate([[what, 1000 * value] for what, value in times.items()], ["", "ms of CPU"], floatfmt=".0f"))


if __name__ == "__main__":
    main()
