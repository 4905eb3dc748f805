"""The size of a static site of many runs, and the time and memory of its export.

    python benchmarks/static_site.py [--runs 100 1000 10000] [--instances 5] [--models 100] [--size 100]

The runs are made up: one recorded run under many names, models by tasks of one scenario. The export is a process of its own.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from make_suite import make_suite

_PROGRAM = """
import resource, sys
from helm.benchmark.server.command import main
main(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def measure(folder: Path, num_runs: int, num_instances: int, num_models: int, most_mb: float) -> str:
    make_suite(folder / "results", "many", num_runs, num_instances, num_models, link=True)
    site = folder / "site"
    command = [sys.executable, "-c", _PROGRAM, "--output-path", str(folder / "results"), "--export", str(site)]
    done = subprocess.run([*command, "--export-size", str(most_mb)], stdout=subprocess.PIPE, text=True, check=True)
    seconds, memory = map(float, done.stdout.splitlines()[-1].split())
    sizes = {name: size_of(site / name) for name in sorted(os.listdir(site))}
    parts = ", ".join(f"{name} {size / 1e6:.1f}" for name, size in sizes.items() if size > 0.01 * sum(sizes.values()))
    return (
        f"{num_runs:,} runs of {num_instances}, {num_models} models: {sum(sizes.values()) / 1e6:.1f} MB ({parts}), "
        f"{seconds:.0f} s of a processor, {memory:.0f} MiB"
    )


def size_of(path: Path) -> int:
    files = [path] if path.is_file() else [found for found in path.rglob("*") if found.is_file()]
    return sum(found.stat().st_size for found in files)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, nargs="+", default=[100, 1000, 10_000])
    parser.add_argument("--instances", type=int, default=5, help="of each run")
    parser.add_argument("--models", type=int, default=100)
    parser.add_argument("--size", type=float, default=100.0, help="the size up to which instances are added, in MB")
    args = parser.parse_args()
    for num_runs in args.runs:
        with tempfile.TemporaryDirectory() as folder:
            print(measure(Path(folder), num_runs, args.instances, args.models, args.size), flush=True)


if __name__ == "__main__":
    main()
