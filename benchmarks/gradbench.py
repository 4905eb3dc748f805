"""The AD side in figures: what standing between an eval and a tool costs, how fast our tools are, what our evals cost.

    python benchmarks/gradbench.py [--repeat 3] [--only forwarding tools evals] [--tools numpy pytorch jax]

Figures are wall times, the smallest of the repeats; the two sides of a ratio are measured in turn. Timed work runs with
one thread. A tool whose library is missing is left out.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from helm.common.errors import HelmError
from helm.gradbench.tools.programs import PROGRAM_TOOLS
from helm.gradbench.tools.registry import check_tool, supported_evals

OURS = [sys.executable, "-m", "helm.gradbench.main"]
BARE = [sys.executable, "-I", "-S"]

LONG_EVAL = """
import os, sys
number = b"0.123456789012345, "
body = b"[" + number * (int(sys.argv[1]) // len(number)) + b"1]"
line = memoryview(b'{"id": 0, "kind": "evaluate", "module": "m", "function": "f", "description": "d", "input": ' + body + b"}\\n")
while line:
    line = line[os.write(1, line[:1 << 20]):]
sys.stdin.buffer.readline()
"""
LONG_TOOL = """
import os
while chunk := os.read(0, 1 << 20):
    if chunk.endswith(b"\\n"):
        os.write(1, b'{"id": 0, "success": true, "output": 1}\\n')
"""
SHORT_EVAL = """
import os, sys, time
count = int(sys.argv[1])
message = b'{"id": %d, "kind": "evaluate", "module": "m", "function": "f", "input": 1.0, "description": "d"}\\n'
def ask(first, last):
    for i in range(first, last):
        os.write(1, message % i)
        if not os.read(0, 4096):
            sys.exit("no answer")
ask(0, 100)
start = time.perf_counter()
ask(100, 100 + count)
with open(sys.argv[2], "w") as file:
    file.write(repr(time.perf_counter() - start))
"""
SHORT_TOOL = """
import os
i = 0
while os.read(0, 4096):
    os.write(1, b'{"id": %d, "success": true, "output": 1.0, "timings": [{"name": "evaluate", "nanoseconds": 5}]}\\n' % i)
    i += 1
"""

MEDIUM = {
    "gmm": "-d 20 -k 25",
    "kmeans": "-k 100 -n 10000 -d 16",
    "llsq": "-n 4096",
    "lse": "-n 160000",
    "ba": "--min 3 --max 3",
    "lstm": "-l 4 -c 1024",
}
"""The middle of each eval's own workloads."""

SMALL = {
    "hello": "",
    "gmm": "-d 10 -k 10",
    "ba": "--min 1 --max 1",
    "ht": "--min 1 --max 2 --model small",
    "lstm": "-l 2 -c 1024",
    "kmeans": "-k 10 -n 10000 -d 8",
    "lse": "-n 80000",
    "llsq": "-n 1024",
    "det": "-l 8",
    "ode": "-n 10000 -s 10",
    "particle": "",
    "saddle": "",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sections: dict[str, Callable[[argparse.Namespace, Path], None]] = {
        "forwarding": forwarding,
        "tools": tools,
        "evals": evals,
    }
    parser.add_argument("--only", nargs="+", choices=sections, default=list(sections), help="some of the sections")
    parser.add_argument("--repeat", type=int, default=3, help="measurements of each figure")
    parser.add_argument("--megabytes", type=int, default=200, help="length of the long line")
    parser.add_argument("--round-trips", type=int, default=20_000, help="number of short messages")
    parser.add_argument("--tools", nargs="+", default=["numpy", "pytorch", "jax"], help="tools to compare; numpy first")
    parser.add_argument("--evals", nargs="+", choices=SMALL, default=list(SMALL), help="evals to measure")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gradbench-bench-") as folder:
        for section in arguments.only:
            sections[section](arguments, Path(folder))


# --- the intermediary -----------------------------------------------------------------------------------------------


def forwarding(arguments: argparse.Namespace, folder: Path) -> None:
    for name, text in {"le": LONG_EVAL, "lt": LONG_TOOL, "se": SHORT_EVAL, "st": SHORT_TOOL}.items():
        (folder / f"{name}.py").write_text(text)
    size = arguments.megabytes * 1_000_000
    long_eval, long_tool = [*BARE, str(folder / "le.py"), str(size)], [*BARE, str(folder / "lt.py")]
    cats, shallow, full, ours = [], [], [], []
    for _ in range(arguments.repeat):
        cats.append(seconds_of(lambda: loop(long_eval, ["cat"], long_tool)))
        parses = subprocess.run(
            [sys.executable, "-c", PARSE, str(size)], check=True, capture_output=True, text=True
        ).stdout.split()
        shallow.append(float(parses[0]))
        full.append(float(parses[1]))
        ours.append(seconds_of(lambda: exchange(long_eval, long_tool, folder / "log.jsonl")))
    start = min(seconds_of(lambda: exchange([*BARE, "-c", ""], ["cat"], None)) for _ in range(arguments.repeat))
    parse = min(shallow)
    print(f"A line of {arguments.megabytes} MB")
    print(f"  cat                     {min(cats):8.2f} s")
    print(f"  one JSON parse, values left raw {min(shallow):.2f} s, in full {min(full):.2f} s")
    print(f"  gradbench run           {min(ours):8.2f} s, of which {start:.2f} s to start and end, with a log")
    print(f"  over cat and a parse    {min(ours) / (min(cats) + parse):8.2f} (values left raw)")
    print(f"                          {min(ours) / (min(cats) + min(full)):8.2f} (in full)")

    count = arguments.round_trips
    result = folder / "seconds"
    short_eval, short_tool = [*BARE, str(folder / "se.py"), str(count), str(result)], [*BARE, str(folder / "st.py")]
    everywhere = os.sched_getaffinity(0)
    print(
        f"{count} short round trips, us each: medians of {2 * arguments.repeat + 1} pairs in turn, and all of the differences"
    )
    for title, processors in (("on one processor", {min(everywhere)}), ("wherever the system likes", everywhere)):
        # Where a wake-up has to reach another processor, it costs more than all the work, and how many do is up to the
        # scheduler. On one processor the figure is the work itself: ours, and that of changing between processes.
        os.sched_setaffinity(0, processors)
        bare, through = [], []
        for _ in range(2 * arguments.repeat + 1):
            loop(short_eval, short_tool)
            bare.append(float(result.read_text()) / count * 1e6)
            exchange(short_eval, short_tool, None)
            through.append(float(result.read_text()) / count * 1e6)
        above = [b - a for a, b in zip(bare, through, strict=True)]
        print(f"  {title}")
        print(f"    bare pipes            {statistics.median(bare):8.1f}")
        print(f"    gradbench run         {statistics.median(through):8.1f}")
        print(
            f"    above the pipes       {statistics.median(above):8.1f}   "
            + " ".join(f"{x:.0f}" for x in sorted(above))
        )
        sys.stdout.flush()
    os.sched_setaffinity(0, everywhere)


PARSE = """
import sys, time
import msgspec
number = b"0.123456789012345, "
body = b"[" + number * (int(sys.argv[1]) // len(number)) + b"1]"
line = b'{"id": 0, "kind": "evaluate", "input": ' + body + b"}"
for kind in (dict[str, msgspec.Raw], dict):
    start = time.perf_counter()
    value = msgspec.json.decode(line, type=kind)
    print(time.perf_counter() - start)
    del value
"""


def seconds_of(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def loop(*commands: list[str]) -> None:
    """Run commands in a circle: each reads what the one before it writes, the first what the last writes."""
    ends = [os.pipe() for _ in commands]
    processes = [
        subprocess.Popen(command, stdin=ends[i - 1][0], stdout=ends[i][1]) for i, command in enumerate(commands)
    ]
    for pair in ends:
        for end in pair:
            os.close(end)
    if any([process.wait() for process in processes]):
        raise RuntimeError(f"one of {commands} failed")


def exchange(eval_command: list[str], tool_command: list[str], log: Path | None) -> None:
    words = [*OURS, "run", "--eval", join(eval_command), "--tool", join(tool_command)]
    subprocess.run(words + (["-o", str(log)] if log else []), check=True, stdout=subprocess.DEVNULL)


def join(words: list[str]) -> str:
    import shlex

    return shlex.join(words)


# --- tools and evals ------------------------------------------------------------------------------------------------


def run_log(eval_text: str, tool: str, folder: Path) -> list[dict]:
    log = folder / "run.jsonl"
    exchange([*OURS, "eval", *eval_text.split()], [*OURS, "tool", tool], log)
    return [json.loads(line) for line in log.read_text().splitlines()]


def pairs(log: list[dict]) -> list[tuple[dict, dict]]:
    return list(zip(log[0::2], log[1::2], strict=False))


def median_times(log: list[dict]) -> dict[str, float]:
    """Median seconds of each function's timed runs. Raises when an evaluation failed or was found wrong."""
    result: dict[str, float] = {}
    for message, response in pairs(log):
        text, answer = message["message"], response["response"]
        if text["kind"] == "evaluate":
            if not answer["success"]:
                raise RuntimeError(answer["error"])
            times = [t["nanoseconds"] for t in answer["timings"] if t["name"] == "evaluate"]
            result[text["function"]] = statistics.median(times) / 1e9
        if text["kind"] == "analysis" and not text["valid"]:
            raise RuntimeError(text["error"])
    return result


def is_installed(tool: str) -> bool:
    try:
        check_tool(tool)
        if tool in PROGRAM_TOOLS:
            PROGRAM_TOOLS[tool].words()
    except HelmError as error:
        print(str(error).splitlines()[0])
        return False
    return True


def tools(arguments: argparse.Namespace, folder: Path) -> None:
    names = [name for name in arguments.tools if is_installed(name)]
    print("Milliseconds of one run, medium workloads" + "".join(f"{name:>12}" for name in names) + "   numpy / fastest")
    for eval_name, flags in MEDIUM.items():
        if eval_name not in arguments.evals:
            continue
        times: dict[str, dict[str, float]] = {}
        for _ in range(arguments.repeat):
            for name in names:
                if eval_name not in supported_evals(name):
                    continue
                text = f"{eval_name} {flags} --min-runs 5 --min-seconds 0.5"
                for function, value in median_times(run_log(text, name, folder)).items():
                    known = times.setdefault(function, {})
                    known[name] = min(known.get(name, value), value)
        for function, by_tool in times.items():
            fastest = min((value for name, value in by_tool.items() if name != "numpy"), default=float("nan"))
            row = "".join(f"{by_tool[name] * 1e3:12.3f}" if name in by_tool else f"{'-':>12}" for name in names)
            title = f"  {eval_name} {function} {flags}"
            print(f"{title:41}{row}   {by_tool.get('numpy', float('nan')) / fastest:.2f}", flush=True)


def first_line_seconds(command: list[str], line: bytes) -> float:
    """Seconds from the start of a process to its first line, given one line of input."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    with process.stdin, process.stdout:
        process.stdin.write(line)
        process.stdin.flush()
        if not process.stdout.readline():
            raise RuntimeError(f"{command} wrote nothing")
        seconds = time.perf_counter() - start
    process.kill()
    process.wait()
    return seconds


def evals(arguments: argparse.Namespace, folder: Path) -> None:
    """Start-up against start-up: from nothing to the first line. Work against work: from each line that came in to the
    line that goes out, which has the loading of the eval's and of the tool's libraries in it."""
    print("Seconds, default number of runs               start-up: eval  tool     work: eval   tool   eval / tool")
    start = b'{"id": 0, "kind": "start"}\n'
    for eval_name in arguments.evals:
        text = f"{eval_name} {SMALL[eval_name]}"
        best: tuple[float, float] | None = None
        eval_start = tool_start = float("inf")
        for _ in range(arguments.repeat):
            eval_start = min(eval_start, first_line_seconds([*OURS, "eval", *text.split()], b""))
            tool_start = min(tool_start, first_line_seconds([*OURS, "tool", "numpy"], start))
            log = run_log(text, "numpy", folder)
            times = [line["elapsed"]["nanoseconds"] / 1e9 for line in log]
            # The first answer is left out: the tool may still be starting then, beside the eval.
            tool_s = sum(b - a for a, b in zip(times[2::2], times[3::2], strict=False))
            eval_s = sum(b - a for a, b in zip(times[1::2], times[2::2], strict=False))
            best = min(best or (eval_s, tool_s), (eval_s, tool_s))
        assert best is not None
        row = f"{eval_start:9.3f} {tool_start:6.3f}     {best[0]:9.3f} {best[1]:6.3f}   {best[0] / best[1]:6.2f}"
        print(f"  {text:45}{row}", flush=True)


if __name__ == "__main__":
    main()
