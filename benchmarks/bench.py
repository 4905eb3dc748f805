"""Start-up, cost per instance, summarizing and memory, of this package and (with PEER_PYTHON) of crfm-helm beside it.

    python benchmarks/bench.py [--repeat 3] [--instances 4000] [--runs 100]
    PEER_PYTHON=/path/to/venv/bin/python python benchmarks/bench.py

Each figure is of a whole process: median wall time of the repeats, and the largest peak memory. Both sides run in turn
in one session, so that a machine whose speed drifts treats them alike; quote the ratios, not the seconds.

Both sides summarize copies of one run of ours, which has its `intervals.json` from `helm-run`: what that costs is part of the
cost per instance. crfm-helm computes no intervals.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import augmentation
import phases

RUN = ["-m", "helm.benchmark.run"]
SUMMARIZE = ["-m", "helm.benchmark.presentation.summarize"]
ENTRY = "synthetic_reasoning:mode=pattern_match,model=simple/model1"
DELETED_S = 6
"""ext4 passes over inodes that were deleted in the last five seconds one by one, which makes each new file ten times as slow."""
EXPAND_WILDCARD = """
from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.presentation.run_entry import RunEntry
from helm.benchmark.run import run_entries_to_run_specs

register_builtin_configs_from_helm_package()
assert len(run_entries_to_run_specs([RunEntry("simple_mcqa:model=text")], max_eval_instances=1)) > 400
"""
"""The catalogue is loaded and the run specs of every text model are made; nothing is run."""


@dataclass
class Measurement:
    seconds: list[float]
    peak_mib: float

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


def measure(python: str, arguments: list[str], folder: Path) -> tuple[float, float]:
    """(wall seconds, peak MiB over the process and its children) of one process. Raises when it fails.

    Bytecode is kept, as that of installed packages is.
    """
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    log = folder / "bench.log"
    for _ in range(3):
        with open(log, "wb") as out:
            started = time.perf_counter()
            process = subprocess.Popen(
                [python, *arguments], cwd=folder, stdout=out, stderr=subprocess.STDOUT, env=environment
            )
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - started
        if status == 0:
            return seconds, usage.ru_maxrss / 1024
        failure = f"{python} {' '.join(arguments)} failed:\n{log.read_text(errors='replace')[-3000:]}"
        print(failure.splitlines()[0], failure.splitlines()[-1], file=sys.stderr)
    raise RuntimeError(failure)


def make_suite(python: str, folder: Path, num_runs: int, num_instances: int) -> None:
    """One real run of `num_instances`, copied under `num_runs` names."""
    arguments = [*RUN, "-r", ENTRY, "-m", str(num_instances), "--suite", "many", "-n", "1"]
    measure(python, arguments, folder)
    suite = folder / "benchmark_output" / "runs" / "many"
    (original,) = [path for path in suite.iterdir() if (path / "run_spec.json").exists()]
    spec = json.loads((original / "run_spec.json").read_text())
    for number in range(1, num_runs):
        copy = suite / f"{original.name},copy={number}"
        shutil.copytree(original, copy)
        (copy / "run_spec.json").write_text(json.dumps({**spec, "name": copy.name}, indent=2))


def forget_runs(folder: Path) -> None:
    for name in ("benchmark_output", "prod_env"):
        shutil.rmtree(folder / name, ignore_errors=True)


def figures(
    pythons: dict[str, str], repeat: int, num_instances: int, num_runs: int
) -> dict[str, dict[str, Measurement]]:
    """Name of the figure -> name of the side -> measurement."""
    results: dict[str, dict[str, Measurement]] = {}

    def record(figure: str, arguments: list[str], prepare: Callable[[Path], None] = lambda folder: None) -> None:
        for round_number in range(repeat + 1):
            for side, python in pythons.items():
                prepare(folder / side)
                seconds, peak = measure(python, arguments, folder / side)
                if round_number == 0:
                    continue  # warms the file cache
                entry = results.setdefault(figure, {}).setdefault(side, Measurement([], 0))
                entry.seconds.append(seconds)
                entry.peak_mib = max(entry.peak_mib, peak)

    with tempfile.TemporaryDirectory(prefix="helm-bench-") as temporary:
        folder = Path(temporary)
        for side in pythons:  # each in a folder of its own, since both keep what they have found
            (folder / side).mkdir()
        record("helm-run --help", [*RUN, "--help"])
        record("run of no instances", [*RUN, "-r", ENTRY, "-m", "1", "--skip-instances"])
        record("model=text over the catalogue", ["-c", EXPAND_WILDCARD])
        for size in (10, num_instances):
            record(f"run of {size} instances", [*RUN, "-r", ENTRY, "-m", str(size)], forget_runs)
        phase_figures = phase_costs(pythons, repeat, num_instances, folder)
        results.update(augmentation_costs(pythons, repeat, folder / "augmentation"))
        make_suite(pythons["ours"], folder, num_runs, 200)
        suite = folder / "benchmark_output"
        of_runs = {path.relative_to(suite) for path in suite.rglob("*")}
        for side in pythons:
            forget_runs(folder / side)
            shutil.copytree(suite, folder / side / suite.name)

        def forget_summary(folder: Path) -> None:
            for path in list((folder / suite.name).rglob("*")):
                if path.is_file() and path.relative_to(folder / suite.name) not in of_runs:
                    path.unlink()
            os.sync()
            time.sleep(DELETED_S)

        summarize = [*SUMMARIZE, "--suite", "many"]
        record(f"summarize {num_runs} runs of 200", summarize, forget_summary)
        record("the same again", summarize)
    per_instance = results["marginal cost per instance"] = {}
    for side in pythons:
        small, large = results["run of 10 instances"][side], results[f"run of {num_instances} instances"][side]
        each = [(b - a) / (num_instances - 10) for a, b in zip(small.seconds, large.seconds, strict=True)]
        per_instance[side] = Measurement(each, large.peak_mib)
    results["marginal cost of adaptation, metrics, writing"] = phase_figures
    return results


def phase_costs(pythons: dict[str, str], repeat: int, num_instances: int, folder: Path) -> dict[str, Measurement]:
    """Side -> CPU seconds that one more instance costs in adaptation, metrics and writing (see phases.py)."""
    questions = folder / "questions.jsonl"
    phases.write_questions(questions, num_instances)
    costs: dict[str, Measurement] = {}
    for _ in range(repeat):
        for side, python in pythons.items():
            seconds = {}
            for number in (10, num_instances):
                shutil.rmtree(folder / "benchmark_output", ignore_errors=True)
                _, peak = measure(python, [phases.__file__, str(questions), str(number)], folder)
                last_line = (folder / "bench.log").read_text(errors="replace").rstrip().rsplit("\n", 1)[-1]
                seconds[number] = json.loads(last_line)["seconds"]
            cost = costs.setdefault(side, Measurement([], 0))
            cost.seconds.append((seconds[num_instances] - seconds[10]) / (num_instances - 10))
            cost.peak_mib = max(cost.peak_mib, peak)
    return costs


def augmentation_costs(pythons: dict[str, str], repeat: int, folder: Path) -> dict[str, dict[str, Measurement]]:
    """CPU seconds of the copies of `data_augmentation=canonical` (see augmentation.py); both sides make the same."""
    folder.mkdir()
    augmentation.write_tables(folder)
    sizes = (20, 220)
    costs: dict[int, dict[str, Measurement]] = {size: {} for size in sizes}
    for size in sizes:
        digests = set()
        for _ in range(repeat):
            for side, python in pythons.items():
                _, peak = measure(python, [augmentation.__file__, str(size)], folder)
                last_line = (folder / "bench.log").read_text(errors="replace").rstrip().rsplit("\n", 1)[-1]
                printed = json.loads(last_line)
                digests.add(printed["digest"])
                cost = costs[size].setdefault(side, Measurement([], 0))
                cost.seconds.append(printed["seconds"])
                cost.peak_mib = max(cost.peak_mib, peak)
        if len(digests) > 1:
            raise RuntimeError(f"The canonical copies of {size} instances differ between the sides.")
    small, large = (costs[size] for size in sizes)
    marginal = {
        side: Measurement(
            [(b - a) / (sizes[1] - sizes[0]) for a, b in zip(small[side].seconds, large[side].seconds, strict=True)],
            large[side].peak_mib,
        )
        for side in pythons
    }
    figures = {f"canonical copies of {size} instances": costs[size] for size in sizes}
    return {**figures, "marginal cost of canonical copies": marginal}


def print_table(results: dict[str, dict[str, Measurement]]) -> None:
    from tabulate import tabulate

    rows = []
    for figure, sides in results.items():
        scale, unit = (1e3, "ms") if figure.startswith("marginal") else (1.0, "s")
        ours, peer = sides["ours"], sides.get("peer")
        row = [figure, f"{ours.median * scale:.3f} {unit}", f"{ours.peak_mib:.0f} MiB"]
        if peer:
            row += [f"{peer.median * scale:.3f} {unit}", f"{peer.peak_mib:.0f} MiB"]
            row += [f"1/{peer.median / ours.median:.1f}", f"1/{peer.peak_mib / ours.peak_mib:.1f}"]
        rows.append(row)
    headers = ["figure", "time", "peak memory"]
    if any("peer" in sides for sides in results.values()):
        headers += ["crfm-helm", "its memory", "time ratio", "memory ratio"]
    print(tabulate(rows, headers, disable_numparse=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--instances", type=int, default=4000)
    parser.add_argument("--runs", type=int, default=100)
    args = parser.parse_args()
    pythons = {"ours": sys.executable}
    if os.environ.get("PEER_PYTHON"):
        pythons["peer"] = os.environ["PEER_PYTHON"]
    print_table(figures(pythons, args.repeat, args.instances, args.runs))


if __name__ == "__main__":
    main()
