"""A lake of many rows: how long updates and queries take, and how much memory.

    python benchmarks/lake.py [--rows 100000000] [--runs 500] [--folder FOLDER]

The rows of the queries are made up, in runs of 10,000 instances, and written by the lake's writer. The updates read a suite of
`make_suite.py`. Queries are whole processes of `helm-query`; memory is the largest of the process.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import pyarrow
from make_suite import make_suite

from helm.results.lake.manifest import TABLES, LakePart, LakeRun, Manifest, format_manifest
from helm.results.lake.part_writer import PartWriter
from helm.results.lake.place import lake_place
from helm.results.row_files import arrow_schema
from helm.results.rows import INSTANCES, RUNS

INSTANCES_PER_RUN = 10_000
RUNS_PER_PART = 400
TASKS, MODELS = 57, 200

QUERIES = {
    "count all rows": "SELECT count(*) FROM instances",
    "mean of each model": "SELECT model, avg(value) AS accuracy FROM instances WHERE metric = 'exact_match' GROUP BY model "
    "ORDER BY accuracy DESC",
    "model × task": "SELECT model, scenario, avg(value), count(*) FROM instances GROUP BY ALL",
    "one run": "SELECT avg(value) FROM instances WHERE run = 'task3:model=maker_model3'",
    "hardest instances": "SELECT scenario, instance_id, avg(value) AS share FROM instances GROUP BY ALL ORDER BY share LIMIT 20",
    "two models, paired": "SELECT count(*), avg(a.value - b.value) FROM instances a JOIN instances b USING (scenario, "
    "instance_id) WHERE a.model = 'maker/model3' AND b.model = 'maker/model4'",
}


def make_lake(address: Path, num_rows: int) -> None:
    place = lake_place(str(address))
    schema, runs_schema = arrow_schema(INSTANCES.columns), arrow_schema(RUNS.columns)
    generator = numpy.random.default_rng(1)
    ids = pyarrow.array([f"id{number}" for number in range(INSTANCES_PER_RUN)])
    num_runs = num_rows // INSTANCES_PER_RUN
    parts = []
    for first in range(0, num_runs, RUNS_PER_PART):
        numbers = range(first, min(first + RUNS_PER_PART, num_runs))
        part = LakePart(f"{first:032x}", "made-up", [])
        with PartWriter(place, part) as writer:
            for number in numbers:
                model, task = f"maker/model{number % MODELS}", f"task{number // MODELS % TASKS}"
                common = {
                    "run": f"{task}:model={model.replace('/', '_')}", "suite": "made-up", "model": model,
                    "model_deployment": model, "scenario": task, "scenario_args": "{}", "method": "generation",
                    "groups": "made_up", "metric": "exact_match", "split": "test", "status": "done",
                }  # fmt: skip
                values = generator.random(INSTANCES_PER_RUN) < 0.3 + 0.5 * (number % MODELS) / MODELS
                given = {
                    "instance_id": ids,
                    "cluster": ids,
                    "trial": pyarrow.array(numpy.zeros(INSTANCES_PER_RUN, dtype="int64")),
                    "value": pyarrow.array(values.astype("float64")),
                }
                arrays = [
                    given[field.name]
                    if field.name in given
                    else pyarrow.repeat(pyarrow.scalar(common.get(field.name), type=field.type), INSTANCES_PER_RUN)
                    for field in schema
                ]
                for table in writer.tables.values():
                    table.begin_run()
                writer.tables[RUNS.name].add(
                    pyarrow.Table.from_pylist([{name: common.get(name) for name in RUNS.columns}], schema=runs_schema)
                )
                writer.tables[INSTANCES.name].add(pyarrow.Table.from_arrays(arrays, schema=schema))
                rows = tuple({RUNS.name: 1, INSTANCES.name: INSTANCES_PER_RUN}.get(name, 0) for name in TABLES)
                part.runs.append(LakeRun(common["run"], f"{number:016x}", rows))
        parts.append(part)
    with place.create("lake.json") as file:
        file.write(format_manifest(Manifest(parts)))


def measure(*arguments: str) -> tuple[float, float, float]:
    """Run `helm-query`; return seconds, seconds of processors and MiB."""
    code = (
        "import resource, sys, time; start = time.perf_counter()\n"
        "from helm.benchmark.commands.query import main\n"
        "main(sys.argv[1:])\n"
        "usage = resource.getrusage(resource.RUSAGE_SELF)\n"
        # ru_maxrss contains what the parent had when it started the process; VmHWM does not.
        "peak = [line for line in open('/proc/self/status') if line.startswith('VmHWM')][0].split()[1]\n"
        "print(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, int(peak) / 1024, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    wall, cpu, memory = map(float, done.stderr.strip().splitlines()[-1].split())
    return wall, cpu, memory


def show(what: str, figures: tuple[float, float, float]) -> None:
    print(f"{what:<42}{figures[0]:>8.2f} s {figures[1]:>8.2f} s CPU {figures[2]:>8.0f} MiB", flush=True)


def measure_updates(folder: Path, num_runs: int) -> None:
    make_suite(folder, "many", num_runs, 200, 10)
    size = sum(path.stat().st_size for path in folder.rglob("*.json")) / 2**20
    print(f"\n{num_runs:,} runs of 200 instances, {size:,.0f} MiB of JSON")
    count = "SELECT count(*) FROM instances"
    show("first update", measure("-o", str(folder), count))
    show("nothing changed", measure("-o", str(folder), count))
    stats = next((folder / "runs" / "many").iterdir()) / "stats.json"
    stats.write_text(json.dumps(json.loads(stats.read_text())))
    show("one run changed", measure("-o", str(folder), count))
    lake = sum(path.stat().st_size for path in folder.rglob("*.parquet")) / 2**20
    print(f"{lake:.1f} MiB of Parquet")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as scratch:
        lake = Path(scratch) / "lake"
        start = time.perf_counter()
        make_lake(lake, args.rows)
        size = sum(path.stat().st_size for path in lake.rglob("*.parquet")) / 2**20
        print(
            f"{args.rows:,} rows, {size:,.0f} MiB, written in {time.perf_counter() - start:.0f} s; {os.cpu_count()} processors"
        )
        for what, sql in QUERIES.items():
            show(what, measure("--lake", str(lake), "--format", "csv", sql))
        measure_updates(Path(scratch) / "output", args.runs)


if __name__ == "__main__":
    main()
