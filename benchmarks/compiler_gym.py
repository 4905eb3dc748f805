"""The compiler side in figures: steps, resets, forks and features of LLVM modules of four sizes, and what a service costs.

    python benchmarks/compiler_gym.py [--seconds 4] [--only modules service backends] [--sizes 8 500 3200 15000]

Beside each figure stands the original's: CompilerGym 0.2.5 with its C++ service and LLVM 10, on a machine with two cores.
That machine may have been another one than yours, at another hour. So some calls of LLVM, which were timed on it as
well, are timed here, too: `machine` says how many times as long they take, and the original's figures are converted by
that factor before they are compared. Ratios above 1 are in our favour.

Steps are random actions (a fixed seed) in episodes of 50, rewarded with IrInstructionCountOz, on a connection in this
process; resets are not part of them. (In longer episodes most actions change nothing, and those go faster.) Nobody reads
`action_had_no_effect` in them; "the effects read" is where the agent does after every step. The profile says where the
time of a step goes: the passes and the verifier are LLVM's, and so is most of "effect or not", writing bitcode.

"Cold" is the first reset on a program of which the process knows nothing; no baseline is needed for it. The first reward
needs that of -Oz, once for a program on a machine: `first reward`, without and with the cache on disk.
"""

import argparse
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import resources
from typing import Any, NamedTuple

from helm.compiler_gym.backends import llvm as llvm_backend
from helm.compiler_gym.backends import llvm_passes, llvm_program
from helm.compiler_gym.backends.llvm_c import load_llvm
from helm.compiler_gym.backends.llvm_module import parse_bitcode, parse_text
from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.programs import PROGRAMS
from helm.compiler_gym.registration import make
from helm.compiler_gym.runtime.service_client import InProcessConnection, LocalServiceConnection

EPISODE, WALK = 50, 1000
NUM_TRIED = 50
SMALLEST = b"""
define i32 @add(i32 %0, i32 %1) {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  %5 = load i32, ptr %3, align 4
  %6 = load i32, ptr %4, align 4
  %7 = add nsw i32 %5, %6
  ret i32 %7
}
"""
NUM_PROGRAMS = {500: (5, 6), 3200: (5, 12), 15000: (0, 34)}
"""Size -> which of our programs are linked into one module."""

# Figures of the original, and what is asked of us: name -> (values by size, factor by size).
PEER: dict[str, tuple[dict[int, float], dict[int, float]]] = {
    "steps/s": ({8: 3800, 500: 2400, 3200: 1040, 15000: 170}, {8: 5, 500: 1, 3200: 0.5, 15000: 0.5}),
    "warm reset, ms": ({8: 0.9, 500: 1.2, 3200: 3.6, 15000: 13.4}, {8: 5, 500: 5, 3200: 2.5, 15000: 2.5}),
    "cold reset, ms": ({8: 400, 15000: 2300}, {8: 20, 15000: 20}),
    "fork, ms": ({8: 6.6, 15000: 23}, {8: 5, 15000: 5}),
    "text size, ms": ({8: 50, 15000: 175}, {8: 20, 500: 20, 15000: 3}),
    "Autophase, ms": ({8: 0.2, 15000: 0.4}, {}),
}
"""Of those given as a range only the ends are known; they stand for the smallest and for the largest module."""

ORIGINAL = {8: 3847, 500: 2403, 3200: 1036, 15000: 170}
"""Steps/s of the original's service by size."""

CALLS_US: dict[str, dict[int, float]] = {
    "parse text": {8: 21, 500: 356, 3200: 2197, 15000: 10215},
    "parse bitcode": {8: 55, 500: 235, 3200: 1118, 15000: 5315},
    "print": {8: 15, 500: 219, 3200: 1305, 15000: 6595},
    "write bitcode": {8: 20, 500: 86, 3200: 580, 15000: 3039},
    "verify": {8: 6, 500: 70, 3200: 394, 15000: 2013},
}
"""LLVM 22 through llvmlite 0.50 where the original was measured, in microseconds."""


def make_module(size: int) -> bytes:
    """Textual IR of about that many instructions, always the same: our own programs, linked."""
    if size not in NUM_PROGRAMS:
        return SMALLEST
    llvm = llvm_passes.import_llvmlite()
    context = llvm.create_context()
    linked = None
    for name in list(PROGRAMS)[slice(*NUM_PROGRAMS[size])]:
        text = resources.files("helm.compiler_gym.programs").joinpath(f"{name}.ll").read_text(encoding="utf-8")
        defined = set(re.findall(r"^(?:define [^@\n]*|)@([-\w.$]+)(?: =|\()", text, re.MULTILINE))
        text = re.sub(r"@([-\w.$]+)", lambda m: f"@{name}.{m[1]}" if m[1] in defined else m[0], text)  # noqa: B023
        module = llvm.parse_assembly(text, context)
        linked = module if linked is None else linked
        if linked is not module:
            linked.link_in(module)
    return str(linked).encode()


Clock = Callable[[], float]


def measure_ms(
    run: Callable[[], Any], repeat: int, prepare: Callable[[], Any] | None = None, clock: Clock = time.perf_counter
) -> float:
    """Median milliseconds of a call; `prepare` is called before each and not timed."""
    seconds = []
    for _ in range(repeat):
        if prepare:
            prepare()
        started = clock()
        run()
        seconds.append(clock() - started)
    return statistics.median(seconds) * 1e3


def measure_machine(text: bytes, size: int, clock: Clock = time.perf_counter) -> float:
    """How many times as long as on the original's machine LLVM takes for a few calls: the median of them."""
    decoded = text.decode()
    module = parse_text(decoded)
    bitcode = module.as_bitcode()
    repeat = max(5, min(300, 60_000 // size))
    calls = {
        "parse text": lambda: parse_text(decoded),
        "parse bitcode": lambda: parse_bitcode(bitcode),
        "print": lambda: str(module),
        "write bitcode": module.as_bitcode,
        "verify": module.verify,
    }
    ratios = [1e3 * measure_ms(run, repeat, clock=clock) / CALLS_US[name][size] for name, run in calls.items()]
    return statistics.median(ratios)


class Asked:
    """What is asked of us, and what we have, in one table."""

    def __init__(self) -> None:
        self._rows: list[str] = []

    def add(self, title: str, size: int | None, ours: float, asked: float) -> None:
        """`asked`: the least of a rate (`.../s`), the most of a time."""
        is_rate = "/s" in title
        margin = ours / asked if is_rate else asked / ours
        bound = f"{'>=' if is_rate else '<='} {format_figure(asked)}"
        instructions = "" if size is None else f"{size:,}"
        verdict = "" if margin >= 1 else "  missed"
        self._rows.append(f"{title:36}{instructions:>14}{format_figure(ours):>12}{bound:>14}{margin:>9.2f}x{verdict}")

    def print(self) -> None:
        print("What is asked, with the original's figures converted to this machine\n")
        print(f"{'':36}{'instructions':>14}{'ours':>12}{'asked':>14}{'margin':>10}")
        print("\n".join(self._rows))


def format_figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


class Profile:
    """Seconds spent in some functions of the backend."""

    FUNCTIONS = (
        (llvm_backend, "run_pass", "passes"),
        (llvm_backend.LlvmSession, "_get_fingerprint", "effect or not"),
        (llvm_backend.LlvmSession, "end_of_step", "verifier"),
        (llvm_program, "count_instructions", "count"),
        (llvm_backend, "parse_bitcode", "reading the module"),
    )

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def watch(self) -> Iterator[None]:
        originals = [(owner, name, getattr(owner, name), title) for owner, name, title in self.FUNCTIONS]
        for owner, name, function, title in originals:
            setattr(owner, name, self._time(function, title))
        try:
            yield
        finally:
            for owner, name, function, _ in originals:
                setattr(owner, name, function)

    def _time(self, function: Callable[..., Any], title: str) -> Callable[..., Any]:
        def timed(*args: Any) -> Any:
            started = time.perf_counter()
            inner = sum(self.seconds.values())
            try:
                return function(*args)
            finally:
                inside = sum(self.seconds.values()) - inner
                elapsed = time.perf_counter() - started - inside
                self.seconds[title] = self.seconds.get(title, 0.0) + elapsed

        return timed

    def describe(self, total: float) -> str:
        shares = {**self.seconds, "the rest": total - sum(self.seconds.values())}
        return ", ".join(f"{title} {seconds / total:.0%}" for title, seconds in shares.items())


def run_episodes(
    env: Any, seconds: float, rng: random.Random, length: int = EPISODE, reads_effects: bool = False
) -> tuple[int, float]:
    """(steps, seconds in them) of random episodes."""
    steps, total = 0, 0.0
    while total < seconds:
        env.reset()
        actions = [rng.randrange(env.action_space.n) for _ in range(length)]
        started = time.perf_counter()
        for action in actions:
            info = env.step(action)[4]
            if reads_effects:
                info["action_had_no_effect"]
        total += time.perf_counter() - started
        steps += length
    return steps, total


def measure_module(size: int, seconds: float) -> tuple[dict[str, float], list[str]]:
    """Figures of one module, and lines about it."""
    text = make_module(size)
    benchmark = Benchmark.from_file_contents(f"benchmark://bench-v0/{size}", text)
    figures: dict[str, float] = {}
    machines = [measure_machine(text, size)]
    cold = [measure_cold(Benchmark.from_file_contents(f"benchmark://bench-v0/{size}", text)) for _ in range(3)]
    figures["cold reset, ms"] = statistics.median(cold)
    firsts = [measure_first_reward(benchmark) for _ in range(2)]  # the second time its baseline is on disk
    with make(
        "llvm-v0", service="llvm", connection="in_process", benchmark=benchmark, reward_space="IrInstructionCountOz"
    ) as env:
        env.reset()
        count = env.observation["IrInstructionCount"]
        rng = random.Random(0)
        run_episodes(env, 0.0, rng)
        steps, total = run_episodes(env, seconds, rng)
        figures["steps/s"] = steps / total
        if size < max(NUM_PROGRAMS):
            steps, total = run_episodes(env, seconds / 2, rng, WALK)
            figures["steps/s, episodes of 1,000"] = steps / total
        machines.append(measure_machine(text, size))
        profile = Profile()
        with profile.watch():
            _, profiled = run_episodes(env, seconds / 2, rng)
        with env.fork() as reading:  # for from then on an environment tells effects at once
            steps, total = run_episodes(reading, seconds / 2, rng, reads_effects=True)
            figures["steps/s, the effects read"] = steps / total
        repeat = max(5, min(100, 50_000 // size))
        figures["warm reset, ms"] = measure_ms(env.reset, repeat, lambda: env.step(0))

        def change() -> None:
            env.reset()
            env.step("-sroa")
            env.observation["IrInstructionCount"]

        forks: list[Any] = []
        change()
        figures["fork, ms"] = measure_ms(lambda: forks.append(env.fork()), repeat)
        for fork in forks:
            fork.close()

        def begin() -> None:
            forks.append(env.fork())

        figures["first step of a fork, ms"] = measure_ms(lambda: forks[-1].step(0), 5, begin)
        figures["first step after a reset, ms"] = measure_ms(lambda: env.step(0), 5, env.reset)
        for name, title in (
            ("ObjectTextSizeBytes", "text size, ms"),
            ("Autophase", "Autophase, ms"),
            ("InstCount", "InstCount, ms"),
        ):
            figures[title] = measure_ms(lambda name=name: env.observation[name], 7, change)  # type: ignore[misc]
        for fork in forks:
            fork.close()
    machines.append(measure_machine(text, size))
    figures["machine"] = statistics.median(machines)
    figures["first reward, ms"], figures["first reward, baseline on disk, ms"] = firsts
    return figures, [f"{count:,} instructions: a step is {profile.describe(profiled)}"]


def forget_programs() -> None:
    llvm_program._programs.clear()


def measure_cold(benchmark: Benchmark) -> float:
    forget_programs()
    with make("llvm-v0", service="llvm", connection="in_process", benchmark=benchmark) as env:
        return measure_ms(env.reset, 1)


def measure_first_reward(benchmark: Benchmark) -> float:
    forget_programs()
    with make(
        "llvm-v0", service="llvm", connection="in_process", benchmark=benchmark, reward_space="IrInstructionCountOz"
    ) as env:
        env.reset()
        return measure_ms(lambda: env.step("-dce"), 1)


def print_modules(sizes: list[int], seconds: float, asked: Asked) -> None:
    all_figures, notes = {}, []
    for size in sizes:
        all_figures[size], lines = measure_module(size, seconds)
        notes += lines
    print("In this process; the original's figures are converted to this machine\n")
    print(f"{'':36}{'instructions':>14}{'ours':>12}{'original':>12}{'ratio':>9}{'asked':>9}")
    titles = list(dict.fromkeys([*PEER, *(title for figures in all_figures.values() for title in figures)]))
    for title in titles:
        for size, figures in all_figures.items():
            if title in figures:
                print(format_row(title, size, figures, asked))
    print()
    for note in notes:
        print(note)


def format_row(title: str, size: int, figures: dict[str, float], asked: Asked) -> str:
    ours = figures[title]
    row = f"{title:36}{size:>14,}{format_figure(ours):>12}"
    values, factors = PEER.get(title, ({}, {}))
    known = values.get(size)
    if known is None:
        return row
    is_rate = title.endswith("/s")
    peer = known / figures["machine"] if is_rate else known * figures["machine"]
    ratio = ours / peer if is_rate else peer / ours
    factor = factors.get(size)
    if factor:
        asked.add(title, size, ours, peer * factor if is_rate else peer / factor)
    return row + f"{format_figure(peer):>12}{ratio:>8.2f}x" + (f"{factor:>8g}x" if factor else "")


# The LLVMs -----------------------------------------------------------------------------------------------------------


class Backend(NamedTuple):
    """One row of the table of backends."""

    service: str
    verification: str
    only_embedded: bool
    """Whether only the passes that llvmlite has are drawn."""

    runner: bool = False
    """Whether the pass runner is used."""


BACKENDS = {
    "llvmlite, verified each step": Backend("llvm", "step", False),
    "llvmlite, verified at the end": Backend("llvm", "end", False),
    **{
        f"libLLVM{', runner' * runner}, {which} passes, verified {title}": Backend(
            "llvm-library", verification, which == "the same", runner
        )
        for runner in (False, True)
        for which in ("the same", "all")
        for verification, title in (("step", "each step"), ("end", "at the end"), ("never", "never"))
    },
}


def print_backends(sizes: list[int], seconds: float) -> None:
    """Steps in a second of processor time on llvmlite and on libLLVM, in turns, so that all meet the same machine.

    The figures of the original, of another machine and hour, are converted as for the other tables, by processor time.
    """
    print(
        "Steps of random episodes in a second of processor time, on llvmlite and on this machine's libLLVM, in turns\n"
    )
    library = load_llvm()
    runner = library.runner
    kinds = {title: kind for title, kind in BACKENDS.items() if runner is not None or not kind.runner}
    if runner is None:
        print("The pass runner is not there: python -m helm.compiler_gym.bin.build_runner\n")
    print(f"{'instructions':>14}  {'':52}{'steps/s':>10}{'/ llvmlite':>12}{'/ original':>12}")
    for size in sizes:
        text = make_module(size)
        benchmark = Benchmark.from_file_contents(f"benchmark://bench-v0/{size}", text)
        common = {"connection": "in_process", "benchmark": benchmark, "reward_space": "IrInstructionCountOz"}
        envs = {
            title: make("llvm-v0", service=kind.service, verification=kind.verification, **common)
            for title, kind in kinds.items()
        }
        embedded = envs[next(iter(envs))].action_space.names
        counts = {title: [0.0, 0.0] for title in kinds}
        machines = []
        for turn in range(6):
            machines.append(measure_machine(text, size, time.process_time))
            for title, env in envs.items():
                library.runner = runner if kinds[title].runner else None
                names = env.action_space.names
                allowed = [i for i, name in enumerate(names) if not kinds[title].only_embedded or name in embedded]
                rng, spent = random.Random(turn), 0.0
                while spent < seconds / 6:
                    env.reset()
                    actions = rng.choices(allowed, k=EPISODE)
                    started = time.process_time()
                    for action in actions:
                        env.step(action)
                    elapsed = time.process_time() - started
                    spent += elapsed
                    if turn:  # the first turn warms up
                        counts[title][0] += EPISODE
                        counts[title][1] += elapsed
        library.runner = runner
        rates = {title: steps / elapsed for title, (steps, elapsed) in counts.items()}
        original = ORIGINAL[size] / statistics.median(machines)
        print(f"{size:>14,}  {'the original, LLVM 10, converted':52}{format_figure(original):>10}")
        for title, rate in rates.items():
            ratio = rate / rates[next(iter(rates))]
            print(
                f"{size:>14,}  {title:52}{format_figure(rate):>10}{ratio:>11.2f}x{rate / original:>11.2f}x", flush=True
            )
        for env in envs.values():
            env.close()


# The service ---------------------------------------------------------------------------------------------------------


def print_service(seconds: float, asked: Asked) -> None:
    from helm.compiler_gym.envs.compiler_env import CompilerEnv

    print("A compiler that does nothing: what stands between it and an agent\n")
    print(f"{'':52}{'ours':>12}")
    backend = "trivial_backend.TrivialSession"
    program = Benchmark.from_file_contents("benchmark://bench-v0/trivial", b"x")
    for title, connect in (
        ("steps/s over gRPC, one session", LocalServiceConnection),
        ("steps/s in this process", InProcessConnection),
    ):
        connection = connect(backend)
        with CompilerEnv(backend, benchmark=program, reward_space="number", service_connection=connection) as env:
            env.reset()
            started = time.perf_counter()
            steps = 0
            while time.perf_counter() - started < seconds:
                env.step(0)
                steps += 1
            steps_per_s = steps / (time.perf_counter() - started)
            print(f"{title:52}{format_figure(steps_per_s):>12}")
            one, fifty = (
                measure_ms(lambda: env.try_actions([[0]] * n, ["number"]), 200) * 1e3  # noqa: B023
                for n in (1, NUM_TRIED)
            )
            further = (fifty - one) / (NUM_TRIED - 1)
            print(f"{f'  {NUM_TRIED} actions tried in one call, us each':52}{fifty / NUM_TRIED:>12.1f}")
            print(f"{'    of which more than the call of one':52}{further:>12.1f}")
            if connect is LocalServiceConnection:
                asked.add(title, None, steps_per_s, 1260)
                asked.add(f"{NUM_TRIED} actions in one call, us each", None, further, 10)


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=4.0, help="of random steps for each module (4)")
    parser.add_argument("--only", nargs="+", choices=["modules", "service", "backends"], default=["modules", "service"])
    parser.add_argument(
        "--sizes", nargs="+", type=int, choices=list(CALLS_US["print"]), default=list(CALLS_US["print"])
    )
    args = parser.parse_args(argv)
    if "backends" in args.only:
        load_llvm()  # with the runner that is in the user's cache
    with tempfile.TemporaryDirectory(prefix="helm-bench-") as folder:
        os.environ["HELM_COMPILER_CACHE"] = folder  # so that the first reward is a first one
        asked = Asked()
        if "service" in args.only:
            print_service(args.seconds, asked)
            print()
        if "modules" in args.only:
            print_modules(args.sizes, args.seconds, asked)
            print()
        if "backends" in args.only:
            print_backends(args.sizes, args.seconds)
        else:
            asked.print()


if __name__ == "__main__":
    sys.exit(main())
