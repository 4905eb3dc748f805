"""How long `import helm` takes, and how long a tiny run takes with `helm.evaluate` and with `helm-run`.

    python benchmarks/python_api.py [--repeat 15]

Each figure is of whole processes, in turn, so that a machine whose speed drifts treats them alike: the processor time (median and
least), which depends less on what else the machine does than wall time. A command may tell the garbage collector to leave its
objects alone when the process ends; a library must not. So the two are compared up to the results, too, and with the entries of
the suite `smoke` up to the first request.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SMOKE = ["simple_mcqa", "simple_classification", "synthetic_reasoning:mode=pattern_match",
         "synthetic_reasoning_natural:difficulty=easy", "dyck_language:num_parenthesis_pairs=2"]  # fmt: skip
"""The entries of the suite `smoke`, whose model is `baseline/ppm`."""
ENTRY = "simple_mcqa"
MODEL = "simple/model1"
_ARGUMENTS = ["-r", f"{ENTRY}:model={MODEL}", "-m", "2", "--suite", "command"]
_RUN = f"""
import sys
from helm.benchmark.run import main
sys.argv = ["helm-run", *{_ARGUMENTS!r}]
main()
"""
_EVALUATE = f"""
import helm
print(helm.evaluate({ENTRY!r}, {MODEL!r}, limit=2, suite="python", progress="none"))
"""
_SMOKE = [
    "simple_mcqa", "simple_classification", "synthetic_reasoning:mode=pattern_match",
    "synthetic_reasoning_natural:difficulty=easy", "dyck_language:num_parenthesis_pairs=2",
]  # fmt: skip
_WHOLE_SMOKE = f"""
import helm
print(helm.evaluate({SMOKE!r}, "baseline/ppm", limit=10, suite="python-smoke", progress="none"))
"""
_END = """
import os, sys
sys.stdout.flush()
os._exit(0)
"""
_UNTIL_FIRST = """
import os
from helm.clients.baseline_clients import PPMClient
PPMClient.make_request = lambda client, request: os._exit(0)
"""
_RUN_SMOKE = """
import sys
from helm.benchmark.run import main
sys.argv = ["helm-run", "-c", "smoke", "--suite", "command"]
main()
"""
_EVALUATE_SMOKE = f"""
import helm
helm.evaluate({_SMOKE!r}, "baseline/ppm", limit=10, suite="python", progress="none")
"""
COMMANDS = {
    "python": ["-c", "pass"],
    "import helm": ["-c", "import helm"],
    "helm-run": ["-m", "helm.benchmark.run", *_ARGUMENTS],
    "helm.evaluate": ["-c", _EVALUATE],
    "helm-run, smoke": ["-m", "helm.benchmark.run", "-c", "smoke"],
    "helm.evaluate, smoke": ["-c", _WHOLE_SMOKE],
    "helm-run, up to the results": ["-c", _RUN + _END],
    "helm.evaluate, up to the results": ["-c", _EVALUATE + _END],
    "helm-run, start of smoke": ["-c", _UNTIL_FIRST + _RUN_SMOKE],
    "helm.evaluate, start of smoke": ["-c", _UNTIL_FIRST + _EVALUATE_SMOKE],
}


def measure(arguments: list[str], folder: Path) -> float:
    """Processor seconds of one process. Bytecode is kept, as that of installed packages is."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=environment,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


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
        print(f"{name:34} median {statistics.median(values) * 1000:6.1f} ms, least {min(values) * 1000:6.1f} ms")
    imported = min(seconds["import helm"]) - min(seconds["python"])
    print(f"import helm itself: {imported * 1000:.1f} ms (bound: 30 ms)")
    for rest in ("", ", smoke", ", up to the results", ", start of smoke"):
        pairs = zip(seconds[f"helm.evaluate{rest}"], seconds[f"helm-run{rest}"], strict=True)
        ratio = statistics.median(one / other for one, other in pairs)
        print(f"helm.evaluate / helm-run{rest}: {ratio:.2f}")


if __name__ == "__main__":
    main()
