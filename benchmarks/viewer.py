"""The viewer with a run of 200,000 instances and a suite of 500 runs: time to pages, memory of the server.

    python benchmarks/viewer.py [--instances 200000] [--runs 500] [--folder FOLDER]

Cold: the server has just started and there is no index; the first page shows what has been read by then. Warm: the index is
complete. Memory is the peak of the server's process, and that of the process beside it that makes indexes.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import make_suite

LIMITS = {
    "memory of the indexing process (MiB)": 300.0,
    "instances, first page, cold (s)": 2.0,
    "instances, first page, warm (s)": 0.3,
    "leaderboard of all runs, warm (s)": 1.0,
    "memory of the server (MiB)": 300.0,
}
RUN = "large:model=simple_model1"
WORDS = (
    "amber basin cedar delta ember fjord grove harbor island jungle kettle lagoon meadow north orchard prairie".split()
)


def _write_items(path: Path, head: str, items: Iterable[str], tail: str) -> None:
    """A list in the layout of run files, one item at a time."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(head)
        for number, item in enumerate(items):
            file.write("," if number else "")
            file.write(item)
        file.write(tail)


def _as_template(item: Any, indentation: str) -> str:
    """The text of an item on lines of its own; what stands between @ is replaced for each instance."""
    return "\n" + indentation + json.dumps(item, indent=2).replace("\n", "\n" + indentation)


def make_large_run(folder: Path, num_instances: int) -> None:
    """A run with many instances, each with a dozen scores and thirty other statistics, as HELM's basic metrics give."""
    recorded = json.loads(make_suite.TEMPLATE.read_text(encoding="utf-8"))["runs"][0]
    folder.mkdir(parents=True)
    spec = recorded["run_spec.json"]
    spec["name"] = RUN
    spec["adapter_spec"].update(model="simple/model1", model_deployment="simple/model1")
    for name in ("scenario.json", "stats.json"):
        (folder / name).write_text(json.dumps(recorded[name], indent=2))
    (folder / "run_spec.json").write_text(json.dumps(spec, indent=2))
    state = recorded["scenario_state.json"]["request_states"][0]
    source = state["instance"]["id"]
    state["instance"]["id"] = "@id@"
    state["instance"]["input"]["text"] = "Question @number@: @words@?"
    state["result"].update(request_time=0.001, request_datetime=1_700_000_000)
    state["result"]["completions"][0]["text"] = " answer @number@ @words@"
    state_text = _as_template(state, "    ")

    def states() -> Iterable[str]:
        for number in range(num_instances):
            words = " ".join(WORDS[(number * 7 + i * i) % len(WORDS)] for i in range(30))
            text = state_text.replace("@id@", f"id{number}").replace("@number@", str(number))
            yield text.replace("@words@", words)

    def stats() -> Iterable[str]:
        for entry in recorded["per_instance_stats.json"]:
            if entry["instance_id"] != source:
                continue
            texts = []
            for is_right in (True, False, False):
                for stat in entry["stats"]:
                    if stat["name"]["name"].startswith(("exact_match", "quasi_exact_match")):
                        stat.update(sum=int(is_right), mean=float(is_right))
                texts.append(_as_template({**entry, "instance_id": "@id@"}, "  "))
            for number in range(num_instances):
                yield texts[number % 3].replace("@id@", f"id{number}")

    adapter = json.dumps(spec["adapter_spec"], indent=2).replace("\n", "\n  ")
    head = f'{{\n  "adapter_spec": {adapter},\n  "request_states": ['
    _write_items(folder / "scenario_state.json", head, states(), "\n  ]\n}")
    _write_items(folder / "per_instance_stats.json", "[", stats(), "\n]")


def make_output(folder: Path, num_instances: int, num_runs: int) -> None:
    """Both suites."""
    make_large_run(folder / "runs" / "large" / RUN, num_instances)
    make_suite.make_suite(folder, "many", num_runs, 20, 25)


def _peak_mib(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def _children(pid: int) -> list[int]:
    """All processes that a process and its threads began, and those that these did."""
    names = [name for path in Path(f"/proc/{pid}/task").glob("*/children") for name in path.read_text().split()]
    found = [int(name) for name in names]
    return found + [child for name in found for child in _children(name)]


class Server:
    """`helm-server` on a free port."""

    def __init__(self, output_path: Path):
        arguments = [
            sys.executable,
            "-m",
            "helm.benchmark.server",
            "-o",
            str(output_path),
            "-p",
            "0",
            "--suite",
            "many",
        ]
        self.started = time.perf_counter()
        self._process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self._process.stdout is not None
        self.url = ""
        for line in self._process.stdout:
            found = re.search(r"(http://[^ ]+)/ shows", line)
            if found:
                self.url = found[1]
                break
        assert self.url, "the server did not start"

    def get(self, path: str) -> "tuple[float, str]":
        """Seconds and the page."""
        before = time.perf_counter()
        with urllib.request.urlopen(self.url + path, timeout=300) as answer:
            text = answer.read().decode()
        return time.perf_counter() - before, text

    def memory(self) -> "tuple[float, float]":
        """Peak MiB of the server and of the largest process beside it."""
        beside = [_peak_mib(pid) for pid in _children(self._process.pid)]
        return _peak_mib(self._process.pid), max(beside, default=0.0)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(30)


class Figures(dict[str, float]):
    """By name; each is printed when it is known."""

    def __setitem__(self, name: str, value: float) -> None:
        super().__setitem__(name, value)
        limit = LIMITS.get(name)
        note = "" if limit is None else f"   limit {limit:g}{'   MISSED' if value > limit else ''}"
        print(f"{name:44} {value:10.3f}{note}", flush=True)


def measure(output_path: Path) -> dict[str, float]:
    """The figures, by name."""
    shutil.rmtree(output_path / ".helm-index", ignore_errors=True)
    found = Figures()
    server = Server(output_path)
    try:
        found["server answers after (s)"] = time.perf_counter() - server.started
        page = f"/instances/large/{RUN}"
        found["instances, first page, cold (s)"], text = server.get(page)
        assert text.count("data-row") >= 50, "the first page shows no instances"
        before = time.perf_counter()
        while "<progress" in server.get(page)[1]:
            time.sleep(2)
        found["index of the large run (s)"] = time.perf_counter() - before

        def warm(path: str, holds: str) -> float:
            times = []
            for _ in range(5):
                seconds, text = server.get(path)
                assert holds in text, f"{path} does not show {holds}"
                times.append(seconds)
            return statistics.median(times)

        found["instances, first page, warm (s)"] = warm(page, "data-row")
        found["instances, a page in the middle (s)"] = warm(page + "?start=100000", "data-row")
        found["instances, a search (s)"] = warm(page + "?q=lagoon+harbor+1234", "data-row")
        found["instances, sorted by score (s)"] = warm(page + "?metric=exact_match&sort=-score", "data-row")
        found["instances, scores from 0.5 (s)"] = warm(page + "?metric=exact_match&low=0.5", "data-row")
        found["one instance (s)"] = warm(f"/instance/large/{RUN}?id=id150000", "Scores")
        while "Computing intervals" in server.get("/")[1]:
            time.sleep(2)
        found["leaderboard of all runs, warm (s)"] = warm("/", "simple/model")
        found["list of runs, warm (s)"] = warm("/runs", "data-row")
        found["memory of the server (MiB)"], found["memory of the indexing process (MiB)"] = server.memory()
    finally:
        server.stop()
    return found


def main(argv: list[str] | None = None) -> int:
    """Prints the figures; 1 when one is beyond its limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=200_000)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--folder", type=Path, help="keep the results here, and use them when they are there")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.folder or Path(temporary)
        if not (folder / "runs" / "large").is_dir():
            make_output(folder, args.instances, args.runs)
        state = folder / "runs" / "large" / RUN / "scenario_state.json"
        stats = state.with_name("per_instance_stats.json")
        print(
            f"{args.instances:,} instances ({(os.path.getsize(state) + os.path.getsize(stats)) / 1e6:,.0f} MB), {args.runs} runs"
        )
        found = measure(folder)
    return int(any(found[name] > limit for name, limit in LIMITS.items()))


if __name__ == "__main__":
    sys.exit(main())
