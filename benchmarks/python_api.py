"""How long `import helm` takes, and how long `helm.evaluate` of a tiny run takes beside `helm-run`.

    python benchmarks/python_api.py [--repeat 15]

Each figure is the wall time of whole processes, in turn, so that a machine whose speed drifts treats them alike: the median and
the least. `python` alone is the interpreter without anything.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ENTRY = "simple_mcqa"
MODEL = "simple/model1"
COMMANDS = {
    "python": ["-c", "pass"],
    "import helm": ["-c", "import helm"],
    "helm-run": ["-m", "helm.benchmark.run", "-r", f"{ENTRY}:model={MODEL}", "-m", "2", "--suite", "command"],
    "helm.evaluate": [
        "-c",
        f"import helm; print(helm.evaluate({ENTRY!r}, {MODEL!r}, limit=2, suite='python', progress='none'))",
    ],
}


def measure(arguments: list[str], folder: Path) -> float:
    """Seconds of one process. Bytecode is kept, as that of installed packages is."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=environment,
    )  # fmt: skip
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=15)
    args = parser.parse_args()
    seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.repeat + 1):
            for name, arguments in COMMANDS.items():
                taken = measure(arguments, Path(folder))
                if number:  # the first ones write bytecode
                    seconds[name].append(taken)
    for name, values in seconds.items():
        print(f"{name:14} median {statistics.median(values) * 1000:6.1f} ms, least {min(values) * 1000:6.1f} ms")
    imported = min(seconds["import helm"]) - min(seconds["python"])
    print(f"import helm itself: {imported * 1000:.1f} ms (bound: 30 ms)")
    ratio = statistics.median(seconds["helm.evaluate"]) / statistics.median(seconds["helm-run"])
    print(f"helm.evaluate / helm-run: {ratio:.2f} (bound: 1)")


if __name__ == "__main__":
    main()
