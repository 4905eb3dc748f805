"""Memory and time of a suite, and of one run, that grow: run, killed and resumed, indexed, summarized.

    python benchmarks/large_suite.py [--runs 2 20 200] [--instances 1000]     the suite grows, its runs do not
    python benchmarks/large_suite.py --runs 1 --instances 1000 10000 100000   one run grows

Each step is a process of its own, with the embedded baseline `baseline/random` as model and made-up questions; the writer writes
every file. Printed are the peak of a process's memory (MiB) and its processor time (s), and what one more instance costs.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from phases import write_questions

_RESULT = "\n__measured__ "
_RUN = "from helm.benchmark.run import main; main()"
_SUMMARIZE = "from helm.benchmark.presentation.summarize import main; main()"
_INDEX = """
from helm.results.index.index_folder import IndexFolder
from helm.results.index.index_scan import scan_runs
folder = IndexFolder(sys.argv[1])
items = list(scan_runs(folder.runs_folder).signatures.items())
for item in items:
    folder.write_summaries([item])
    folder.write_facts(item[0])
assert len(folder.entries()) == len(items)
folder.write_instances(items[0][0])
"""
_PROGRAM = """
import resource, sys
try:
{body}
finally:
    sys.stdout.flush()
    used = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime + children.ru_utime + children.ru_stime
    print("{mark}", max(used.ru_maxrss, children.ru_maxrss) / 1024, seconds)
"""


def program(body: str) -> str:
    indented = "\n".join("    " + line for line in body.strip().splitlines())
    return _PROGRAM.format(body=indented, mark=_RESULT.strip())


def measure(folder: Path, body: str, *arguments: str) -> tuple[float, float]:
    """Return the peak memory in MiB and the processor time in seconds of a program."""
    done = subprocess.run(
        [sys.executable, "-c", program(body), *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    marked = [line for line in done.stdout.splitlines() if line.startswith(_RESULT.strip())]
    if done.returncode or not marked:
        raise RuntimeError(done.stdout[-4000:])
    memory, seconds = marked[-1].split()[1:]
    return float(memory), float(seconds)


def run_killed(folder: Path, arguments: list[str], num_runs: int) -> int:
    """Start the runs, kill the command in the middle, and return how many requests of the unfinished run are kept."""
    process = subprocess.Popen(
        [sys.executable, "-c", program(_RUN), *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    runs = folder / "benchmark_output/runs/large"
    while process.poll() is None:
        journals = [path for path in runs.glob("*/requests.journal") if path.stat().st_size > 20_000]
        if len(list(runs.glob("*/stats.json"))) >= num_runs // 2 and journals:
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.005)
    process.wait()
    lines = [path.read_bytes().count(b"\n") for path in runs.glob("*/requests.journal")]
    return sum(lines) // 2


def measure_suite(num_runs: int, num_instances: int) -> dict[str, float]:
    folder = Path(tempfile.mkdtemp(prefix="large"))
    try:
        write_questions(folder / "q0.jsonl", num_instances)
        for number in range(1, num_runs):
            os.link(folder / "q0.jsonl", folder / f"q{number}.jsonl")
        entries = [f"custom_mcqa:path={folder}/q{number}.jsonl,model=baseline/random" for number in range(num_runs)]
        conf = "".join(f'  {{description: "{entry}", priority: 1}}\n' for entry in entries)
        (folder / "runs.conf").write_text(f"entries: [\n{conf}]\n")
        arguments = [
            "-c",
            "runs.conf",
            "-m",
            str(num_instances),
            "--suite",
            "large",
            "--disable-cache",
            "--progress",
            "none",
        ]
        found: dict[str, float] = {"runs": num_runs, "instances": num_runs * num_instances}
        found["kept by the kill"] = run_killed(folder, arguments, num_runs)
        found["run MiB"], found["run s"] = measure(folder, _RUN, *arguments, "--skip-completed-runs")
        found["index MiB"], found["index s"] = measure(folder, _INDEX, "benchmark_output")
        summarize = ["--suite", "large", "--format", "none"]
        found["summarize MiB"], found["summarize s"] = measure(folder, _SUMMARIZE, *summarize)
        found["again MiB"], found["again s"] = measure(folder, _SUMMARIZE, *summarize)
        files = (path for path in (folder / "benchmark_output/runs").rglob("*") if path.is_file())
        found["files MB"] = sum(path.stat().st_size for path in files) / 1e6
        return found
    finally:
        shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, nargs="+", default=[2, 20, 200])
    parser.add_argument("--instances", type=int, nargs="+", default=[1000], help="of each run")
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    args = parser.parse_args()
    previous: dict[str, float] = {}
    for num_runs in args.runs:
        for num_instances in args.instances:
            found = measure_suite(num_runs, num_instances)
            if args.json:
                print(json.dumps(found), flush=True)
                continue
            print(", ".join(f"{name} {value:,.1f}".removesuffix(".0") for name, value in found.items()), flush=True)
            if previous:
                more = found["instances"] - previous["instances"]
                growth = {name: (found[name] - previous[name]) * 2**20 / more for name in found if name.endswith("MiB")}
                shown = ", ".join(f"{name.removesuffix(' MiB')} {value:,.0f}" for name, value in growth.items())
                print(f"    bytes of memory for each further instance: {shown}", flush=True)
            previous = found


if __name__ == "__main__":
    main()
