"""Memory and time of a suite, and of one run, that grow: run, killed and resumed, indexed, summarized.

    python benchmarks/large_suite.py [--runs 2 20 200] [--instances 1000]     the suite grows, its runs do not
    python benchmarks/large_suite.py --runs 1 --instances 1000 10000 100000   one run grows
    python benchmarks/large_suite.py --runs 1000 --instances 10000 --compact-files --folder F    ten million instances

Each step is a process of its own, with the embedded baseline `baseline/random` as model and made-up questions; the writer writes
every file. Printed are the peak of a process's memory (MiB) and its processor time (s), and what one more instance costs. With
`--folder` the files stay, the memory of each step is printed through the step, and the next start of the same command goes on
where the last one ended, with completed runs left alone.
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


def measure(
    folder: Path, body: str, *arguments: str, name: str | None = None, most_s: float = 1e9
) -> tuple[float, float]:
    """Return the peak memory in MiB and the processor time in seconds of a program.

    With a name, print its memory while it works. After `most_s` seconds it is ended as by Ctrl-C.
    """
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", program(body), *arguments], cwd=folder, stdout=output, stderr=subprocess.STDOUT
        )
        is_ended = bool(name) and sample(process, name, most_s)
        process.wait()
        output.seek(max(output.seek(0, os.SEEK_END) - 100_000, 0))
        text = output.read()
    marked = [line for line in text.splitlines() if line.startswith(_RESULT.strip())]
    if (process.returncode and not is_ended) or not marked:
        raise RuntimeError(text[-4000:])
    memory, seconds = marked[-1].split()[1:]
    return float(memory), float(seconds)


def sample(process: subprocess.Popen, name: str, most_s: float) -> bool:
    """Print the memory of a process while it works, at ages that grow by a quarter each; return whether it was ended."""
    begin, due, largest = time.monotonic(), 10.0, 0.0
    while process.poll() is None:
        try:
            text = Path(f"/proc/{process.pid}/status").read_text()
            largest = max(largest, float(text.split("VmRSS:")[1].split()[0]) / 1024)
        except (OSError, IndexError):
            break
        age = time.monotonic() - begin
        if age >= due:
            print(f"    {name}: {age:,.0f} s, at most {largest:,.0f} MiB since the line before", flush=True)
            due, largest = max(age * 1.25, age + 10), 0.0
        if age >= most_s:
            process.send_signal(signal.SIGINT)
            return True
        time.sleep(0.25)
    return False


def run_killed(folder: Path, arguments: list[str], num_complete: int) -> int:
    """Start the runs, kill the command when so many are complete, and return how many requests of others are kept."""
    process = subprocess.Popen(
        [sys.executable, "-c", program(_RUN), *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    runs = folder / "benchmark_output/runs/large"
    while process.poll() is None:
        journals = [path for path in runs.glob("*/requests.journal") if path.stat().st_size > 20_000]
        if journals and len(complete_runs(folder)) >= num_complete:
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.005 if num_complete < 20 else 0.5)
    process.wait()
    lines = [path.read_bytes().count(b"\n") for path in runs.glob("*/requests.journal")]
    return sum(lines) // 2


def measure_suite(
    num_runs: int, num_instances: int, is_compact: bool = False, kept: Path | None = None, most_s: float = 1e9
) -> dict[str, float]:
    """Return memory and processor time of each step. In a kept folder, the work begins where it ended the last time."""
    folder = kept or Path(tempfile.mkdtemp(prefix="large"))
    try:
        arguments = prepare(folder, num_runs, num_instances)
        arguments += ["--compact-files"] if is_compact else []
        name = {step: step if kept else None for step in ("run", "index", "summarize")}
        found: dict[str, float] = {"complete before": len(complete_runs(folder))}
        if not found["complete before"]:
            found["kept by the kill"] = run_killed(folder, arguments, min(num_runs // 2, 50))
            found["complete at the kill"] = len(complete_runs(folder))
        run = [*arguments, "--skip-completed-runs"]
        found["run MiB"], found["run s"] = measure(folder, _RUN, *run, name=name["run"], most_s=most_s)
        found["complete"] = len(complete_runs(folder))
        found["instances"] = found["complete"] * num_instances
        if kept:
            print(found, flush=True)
        found["index MiB"], found["index s"] = measure(folder, _INDEX, "benchmark_output", name=name["index"])
        summarize = ["--suite", "large", "--format", "none"]
        found["summarize MiB"], found["summarize s"] = measure(folder, _SUMMARIZE, *summarize, name=name["summarize"])
        found["again MiB"], found["again s"] = measure(folder, _SUMMARIZE, *summarize)
        files = (path for path in (folder / "benchmark_output/runs").rglob("*") if path.is_file())
        found["files MB"] = sum(path.stat().st_size for path in files) / 1e6
        return found
    finally:
        if kept is None:
            shutil.rmtree(folder)


def prepare(folder: Path, num_runs: int, num_instances: int) -> list[str]:
    """Write questions and entries, and return the arguments of helm-run."""
    folder.mkdir(exist_ok=True)
    write_questions(folder / "questions.jsonl", num_instances)
    entries = []
    for number in range(num_runs):
        path = folder / f"q{number}.jsonl"
        path.unlink(missing_ok=True)
        path.symlink_to("questions.jsonl")
        entries.append(f'  {{description: "custom_mcqa:path={path},model=baseline/random", priority: 1}}\n')
    (folder / "runs.conf").write_text(f"entries: [\n{''.join(entries)}]\n")
    suite = ["-c", "runs.conf", "-m", str(num_instances), "--suite", "large"]
    return [*suite, "--disable-cache", "--progress", "none"]


def complete_runs(folder: Path) -> list[Path]:
    return list((folder / "benchmark_output/runs/large").glob("*/stats.json"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, nargs="+", default=[2, 20, 200])
    parser.add_argument("--instances", type=int, nargs="+", default=[1000], help="of each run")
    parser.add_argument("--compact-files", action="store_true")
    parser.add_argument("--folder", type=Path, help="where the files are made, and kept; those there are used again")
    parser.add_argument(
        "--seconds", type=float, default=1e9, help="with --folder: end the runs then, and go on with those complete"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    args = parser.parse_args()
    previous: dict[str, float] = {}
    for num_runs in args.runs:
        for num_instances in args.instances:
            kept = args.folder and args.folder.resolve()
            found = measure_suite(num_runs, num_instances, args.compact_files, kept, args.seconds)
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
