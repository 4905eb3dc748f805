"""`python -m mutation` in `tests/`: a seeded sample of mutants, the tests of each, and those that nobody noticed."""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

import yaml

from mutation.operators import Mutant, mutants_of

ROOT = Path(__file__).resolve().parents[2]
TARGETS = Path(__file__).with_name("targets.yaml")
EQUIVALENT = Path(__file__).with_name("equivalent.yaml")

_FAILED_TEST = re.compile(r"^(FAILED|ERROR) (?P<test>tests/.*?)(?= - |$).*$", re.MULTILINE)
_MOST_ATTEMPTS = 2


@dataclass(frozen=True)
class Verdict:
    mutant: Mutant
    is_caught: bool
    how: str
    """What caught it: a failed test, or the time that ran out."""
    seconds: float


def read_targets() -> dict[str, list[str]]:
    """The tests of each module, the quickest first; paths from the project's root."""
    return yaml.safe_load(TARGETS.read_text())


def read_equivalent() -> dict[str, str]:
    """Changes that change nothing one could see: `PATH: LINE'S TEXT | operator` and why."""
    return yaml.safe_load(EQUIVALENT.read_text()) or {}


def equivalence_key(mutant: Mutant, source: str) -> str:
    """How a mutant is named in equivalent.yaml: by the text of its line, so that lines may move."""
    return f"{mutant.path}: {source.splitlines()[mutant.line - 1].strip()} | {mutant.operator}"


def sample(targets: dict[str, list[str]], number: int, seed: int) -> list[Mutant]:
    """`number` mutants of the targets: a module is drawn first, so that long ones do not crowd out short ones."""
    equivalent = read_equivalent()
    mutants = {}
    for path in sorted(targets):
        source = (ROOT / path).read_text()
        mutants[path] = [
            mutant for mutant in mutants_of(path, source) if equivalence_key(mutant, source) not in equivalent
        ]
    draw = random.Random(seed)
    chosen: dict[str, Mutant] = {}
    left = sorted(path for path in mutants if mutants[path])
    while left and len(chosen) < number:
        path = draw.choice(left)
        mutant = mutants[path].pop(draw.randrange(len(mutants[path])))
        chosen[mutant.name] = mutant
        left = [path for path in left if mutants[path]]
    return list(chosen.values())


class Copies:
    """Copies of `src`, one for each test process, where one module at a time is changed."""

    def __init__(self, folder: Path, number: int) -> None:
        self._free: SimpleQueue[Path] = SimpleQueue()
        for index in range(number):
            copy = folder / str(index)
            shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
            self._free.put(copy)

    def run(self, mutant: Mutant | None, tests: list[str], limit: float) -> tuple[int | None, str, float]:
        """Exit status of the tests (None: out of time), the last lines of their output, and the seconds they took."""
        copy = self._free.get()
        try:
            if mutant is None:
                return _run_tests(copy, tests, limit)
            original = (ROOT / mutant.path).read_text()
            changed = copy / mutant.path
            changed.write_text(mutant.apply(original))
            try:
                return _run_tests(copy, tests, limit)
            finally:
                changed.write_text(original)
        finally:
            self._free.put(copy)


def _run_tests(copy: Path, tests: list[str], limit: float) -> tuple[int | None, str, float]:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", "--no-header", *tests]
    # No files of compiled code: a change within one second and of equal size would not be seen.
    environment = dict(os.environ, PYTHONPATH=str(copy / "src"), PYTHONDONTWRITEBYTECODE="1", HELM_MUTANTS="1")
    begin = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, f"more than {limit:.0f} s", time.monotonic() - begin
    return process.returncode, output, time.monotonic() - begin


def judge(copies: Copies, mutant: Mutant, tests: list[str], limit: float) -> Verdict:
    """What the tests say of a mutant.

    A busy machine catches nothing: time that runs out counts only if the tests of the unchanged module take no longer now
    than they did when the limit was set, and a test that fails must fail once more, alone, and pass without the change. Else
    all is run again, and in the end nothing was caught.
    """
    for _ in range(_MOST_ATTEMPTS):
        status, output, seconds = copies.run(mutant, tests, limit)
        if status is None:
            caught_by = output
            limit_now = _time_limit(copies, mutant.path, tests)
            if limit_now <= limit:
                break
            limit = limit_now
        elif status == 0:
            return Verdict(mutant, False, "", seconds)
        elif status in (1, 2, 3):
            failed = _FAILED_TEST.search(output)
            caught_by = failed.group(0)[:150] if failed else ""
            if failed is None or _fails_for_the_change(copies, mutant, failed["test"], limit):
                break
        else:
            raise SystemExit(f"pytest {' '.join(tests)} ended with status {status}:\n{output[-2000:]}")
    else:
        return Verdict(mutant, False, f"by chance: {caught_by}", seconds)
    return Verdict(mutant, True, caught_by, seconds)


def _fails_for_the_change(copies: Copies, mutant: Mutant, test: str, limit: float) -> bool:
    """4: a name that pytest's summary does not show whole."""
    return copies.run(mutant, [test], limit)[0] != 0 and copies.run(None, [test], limit)[0] in (0, 4)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m mutation", description=__doc__)
    parser.add_argument("--sample", type=int, default=40, help="how many mutants (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default %(default)s)")
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, help="how many at a time (default %(default)s)"
    )
    parser.add_argument("--goal", type=float, default=95, help="percent that must be caught (default %(default)s)")
    parser.add_argument("--module", action="append", help="only modules whose path contains this text; repeatable")
    parser.add_argument("--list", action="store_true", help="print the sample and end")
    arguments = parser.parse_args()
    targets = read_targets()
    if arguments.module:
        targets = {path: tests for path, tests in targets.items() if any(text in path for text in arguments.module)}
        if not targets:
            parser.error(f"No module of {TARGETS.name} has {' or '.join(map(repr, arguments.module))} in its path.")
    chosen = sample(targets, arguments.sample, arguments.seed)
    if arguments.list:
        for mutant in chosen:
            print(f"{mutant.name}: {mutant.text}")
        return 0
    with tempfile.TemporaryDirectory(prefix="helm-mutants-") as folder:
        copies = Copies(Path(folder), arguments.processes)
        with ThreadPoolExecutor(arguments.processes) as threads:
            paths = sorted({mutant.path for mutant in chosen})
            limits = dict(
                zip(paths, threads.map(lambda path: _time_limit(copies, path, targets[path]), paths), strict=True)
            )
            verdicts = []
            for verdict in threads.map(
                lambda mutant: judge(copies, mutant, targets[mutant.path], limits[mutant.path]), chosen
            ):
                verdicts.append(verdict)
                word = "caught  " if verdict.is_caught else "SURVIVED"
                print(
                    f"{len(verdicts):3}/{len(chosen)} {word} {verdict.mutant.name} ({verdict.seconds:.0f} s) {verdict.how}",
                    flush=True,
                )
    return _report(verdicts, arguments.goal)


def _time_limit(copies: Copies, path: str, tests: list[str]) -> float:
    """Seconds that the tests of a module may take when it is changed: four times what they take unchanged, and a minute."""
    status, output, seconds = copies.run(None, tests, 1800)
    if status != 0:
        raise SystemExit(
            f"The tests of {path} fail without a change, or did not end in half an hour:\n{output[-2000:]}"
        )
    return 60 + 4 * seconds


def _report(verdicts: list[Verdict], goal: float) -> int:
    survivors = [verdict for verdict in verdicts if not verdict.is_caught]
    if survivors:
        print("\nNothing noticed:")
    for verdict in survivors:
        mutant = verdict.mutant
        line = (ROOT / mutant.path).read_text().splitlines()[mutant.line - 1].strip()
        print(f"  {mutant.path}:{mutant.line} {mutant.operator}\n      {line}\n      -> {mutant.text}")
    share = 100 * (len(verdicts) - len(survivors)) / len(verdicts) if verdicts else 0.0
    print(f"\n{len(verdicts) - len(survivors)} of {len(verdicts)} mutants were caught ({share:.1f}%; goal {goal:g}%).")
    return 0 if share >= goal else 1


if __name__ == "__main__":
    sys.exit(main())
