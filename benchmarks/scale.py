"""The constants of docs/scale.md, measured here, and what follows from them for a billion requests.

    python benchmarks/scale.py [--instances 500 2500] [--requests 1e9] [--processor-hour 0.04] [--gb-month 0.023]

The prices in US dollars are assumptions, about those of large clouds; the models themselves are not in them. What one more
instance costs is the difference of two runs, so the start of a program is not in it. Waiting for models takes no processor.
"""

import argparse
import os
import shutil
import tempfile
import time
from pathlib import Path

from large_suite import measure_suite

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.executing.request_journal import RequestJournal
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.request import GeneratedOutput, Request, RequestResult, Token

_ANSWER_TOKENS = 100
_JOURNALED = 2000


def measure_journal() -> tuple[float, float]:
    """Return the bytes and the processor seconds of recording that a request is sent, and an answer of 100 words."""
    folder = Path(tempfile.mkdtemp())
    try:
        prompt = "What follows from this? " * 20
        states = [
            RequestState(Instance(Input(prompt), []), None, None, None, 0, 0, Request(prompt=f"{n} {prompt}"), None, 0, False)
            for n in range(_JOURNALED)
        ]  # fmt: skip
        text = "answer " * _ANSWER_TOKENS
        completion = GeneratedOutput(text, 0.0, [Token("answer ", 0.0)])
        result = RequestResult(True, [], [completion], False, request_time=1.5, request_datetime=1_700_000_000)
        journal = RequestJournal(str(folder), "{}")
        begin = time.process_time()
        journal.open(states)
        for number in range(_JOURNALED):
            journal.record_sent(number)
            journal.record_result(number, result)
        journal.close()
        seconds = time.process_time() - begin
        return os.path.getsize(journal.path) / _JOURNALED, seconds / _JOURNALED
    finally:
        shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, nargs=2, default=[500, 2500], metavar="N")
    parser.add_argument("--requests", type=float, default=1e9)
    parser.add_argument("--processor-hour", type=float, default=0.04)
    parser.add_argument("--gb-month", type=float, default=0.023)
    parser.add_argument("--million-puts", type=float, default=5.0)
    parser.add_argument("--per-run", type=int, default=10_000, help="instances of each run")
    args = parser.parse_args()
    few, many = (measure_suite(1, number) for number in args.instances)
    more = many["instances"] - few["instances"]
    each = {name: (many[name] - few[name]) / more for name in few}
    journal_bytes, journal_s = measure_journal()
    constants = {
        "processor time of a request: run, score, write [ms]": 1000 * each["run s"],
        "thereof its journal [ms]": 1000 * journal_s,
        "processor time of indexing it [ms]": 1000 * each["index s"],
        "processor time of summarizing it [ms]": 1000 * each["summarize s"],
        "bytes in the journal, until the run is complete": journal_bytes,
        "bytes in the files, with those for pages": 1e6 * each["files MB"],
        "memory of the run's process, each instance [kB]": 1024 * each["run MiB"],
        "memory of summarizing, each instance of the largest run [kB]": 1024 * each["summarize MiB"],
        "memory of indexing, each instance of the largest run [kB]": 1024 * each["index MiB"],
    }
    print("| measured | |\n|---|--:|")
    for name, value in constants.items():
        print(f"| {name} | {value:,.2f} |")
    n, million = args.requests, 1e6
    hours = n * (each["run s"] + each["index s"] + each["summarize s"]) / 3600
    gigabytes = n * each["files MB"] / 1000
    runs = n / args.per_run
    puts = runs * 10
    cost = hours * args.processor_hour + gigabytes * args.gb_month + puts / million * args.million_puts
    print(f"\n| {n:,.0f} requests in runs of {args.per_run:,} | |\n|---|--:|")
    for name, text in {
        "runs": f"{runs:,.0f}",
        "hours of a processor": f"{hours:,.0f}",
        "terabytes of files": f"{gigabytes / 1000:,.1f}",
        "memory of the process of a run [MiB]": f"{many['run MiB'] + each['run MiB'] * (args.per_run - args.instances[1]):,.0f}",
        "objects in a store": f"{puts:,.0f}",
        "processors, US dollars": f"{hours * args.processor_hour:,.0f}",
        "a month in a store, US dollars": f"{gigabytes * args.gb_month:,.0f}",
        "per million requests, US dollars, without the models": f"{cost / (n / million):,.3f}",
    }.items():
        print(f"| {name} | {text} |")


if __name__ == "__main__":
    main()
