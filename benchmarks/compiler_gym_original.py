"""Steps of CompilerGym's own LLVM service and of ours, side by side in one run, on the same programs and passes.

    PEER_PYTHON=/path/to/venv/bin/python python benchmarks/compiler_gym_original.py [--clang clang-13] [--sizes 8 500 3200 15000]
        [--seconds 10] [--by-pass] [--allocator libmimalloc.so.2]

The environment is of Python 3.9, with CompilerGym 0.2.5 (its service needs libtinfo 5) and with llvmlite 0.36, whose LLVM 10
writes bitcode that the service can read:

    pip install 'pip<24.1' 'setuptools<58' 'wheel<0.38'
    pip install --no-build-isolation compiler_gym==0.2.5 gym==0.21.0 llvmlite==0.36.0 'networkx<3' 'numpy<1.24' 'protobuf<3.21' \
        'pydantic<2'

A clang of LLVM 13 or older, with typed pointers, compiles our programs for it.

What is counted is processor time, so that a busy machine does not matter: of ours, all of it in the agent's process; of
the original's, that of the service alone, and that of the service and of its own client. Episodes are of 50 random
actions, with the instruction count read after each, in turns, each three times, of which the least time of each step
counts. Actions are the same ones on both sides: all passes that both have, or those that llvmlite has, too. `size` is the
mean number of instructions at the end of an episode. `--by-pass` prints where the time goes. Without its `-attributor`, which is
switched off in LLVM 10 unless it is told otherwise, stands a third row. `--allocator` loads another allocator of memory into
our process, as a user does with LD_PRELOAD; the original keeps its own.
"""

import argparse
import collections
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from compiler_gym import EPISODE, NUM_PROGRAMS, SMALLEST, format_figure, make_module  # the benchmark beside this one
from helm.compiler_gym.backends.llvm_c import load_llvm
from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.programs import PROGRAMS
from helm.compiler_gym.programs.compile_programs import make_neutral
from helm.compiler_gym.registration import make

FLAGS = "-target x86_64-linux-gnu -O0 -Xclang -disable-O0-optnone -fno-stack-protector -fno-unwind-tables".split()
FLAGS += "-fno-asynchronous-unwind-tables -g0 -w -emit-llvm -S".split()
TARGET = (
    'target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"\n'
    'target triple = "x86_64-unknown-linux-gnu"\n'
)
NUM_SHOWN = 20
NUM_REPEATS = 3

CLIENT = """
import json, sys, time

import llvmlite.binding as llvm
from compiler_gym.datasets import Benchmark
from compiler_gym.service.client_service_compiler_env import ClientServiceCompilerEnv

clock = (~int(sys.argv[2])) << 3 | 2  # of the service's processor time, as clock_getcpuclockid() of Linux makes it
env, benchmarks = ClientServiceCompilerEnv(sys.argv[1]), {}
space = env.observation.spaces["IrInstructionCount"]
for line in sys.stdin:
    task = json.loads(line)
    answer, uri = {}, f"benchmark://bench-v0/{task['size']}"
    if "texts" in task:
        context = llvm.create_context()
        linked, *others = [llvm.parse_assembly(text, context) for text in task["texts"]]
        for module in others:
            linked.link_in(module)
        benchmarks[uri] = Benchmark.from_file_contents(uri, linked.as_bitcode())
    elif "names" in task:
        env.benchmark = benchmarks[uri]
        env.reset()
        actions = [env.action_space.names.index(name) for name in task["names"]]
        service, client, counts = [time.clock_gettime(clock)], time.process_time(), []
        for action in actions:
            counts.append(int(env.step(action, observation_spaces=[space])[0][0]))
            service.append(time.clock_gettime(clock))
        answer = {"client": time.process_time() - client, "service": [b - a for a, b in zip(service, service[1:])]}
        answer["counts"] = counts
    else:
        env.benchmark = benchmarks[uri]
        env.reset()
        answer = {"names": list(env.action_space.names)}
    print(json.dumps(answer), flush=True)
"""


def make_old_texts(size: int, clang: str) -> list[str]:
    """Textual IR of LLVM 10 of what `make_module` links for today's LLVM."""
    if size not in NUM_PROGRAMS:
        return [TARGET + SMALLEST.decode().replace("ptr", "i32*")]
    texts = []
    for name in list(PROGRAMS)[slice(*NUM_PROGRAMS[size])]:
        source = resources.files("helm.compiler_gym.programs").joinpath(f"{name}.c").read_bytes()
        command = [clang, *FLAGS, "-x", "c", "-", "-o", "-"]
        text = make_neutral(subprocess.run(command, input=source, capture_output=True, check=True).stdout.decode())
        text = re.sub(r"\bpoison\b", "undef", re.sub(r" noundef\b", "", text))  # both are newer than LLVM 10
        defined = set(re.findall(r"^(?:define [^@\n]*|)@([-\w.$]+)(?: =|\()", text, re.MULTILINE))
        texts.append(TARGET + re.sub(r"@([-\w.$]+)", lambda m: f"@{name}.{m[1]}" if m[1] in defined else m[0], text))  # noqa: B023
    return texts


@contextmanager
def run_service(package: Path, clang: str) -> Iterator[tuple[str, int]]:
    """Start the service in the original's package; yields its address and its process."""
    path = package / "envs" / "llvm" / "service" / "compiler_gym-llvm-service"
    with tempfile.TemporaryDirectory(prefix="helm-bench-") as name:
        folder = Path(name)
        tools = folder / "site" / "llvm-v0" / "bin"  # it measures the size of an object file with its own clang
        tools.mkdir(parents=True)
        for tool, program in (("clang", clang), ("llvm-size", "size")):
            found = subprocess.run(["which", program], capture_output=True, text=True, check=True).stdout.strip()
            (tools / tool).symlink_to(found)
        (folder / "work").mkdir()
        environment = {**os.environ, "COMPILER_GYM_SITE_DATA": str(folder / "site"), "GRPC_VERBOSITY": "NONE"}
        environment["COMPILER_GYM_RUNFILES"] = str(package.parent)
        with (
            open(folder / "log", "wb") as log,
            subprocess.Popen(
                [path, f"--working_dir={folder / 'work'}"], cwd=path.parent, env=environment, stdout=log, stderr=log
            ) as process,
        ):
            try:
                port = folder / "work" / "port.txt"
                while not port.exists():
                    if process.poll() is not None:
                        sys.exit((folder / "log").read_text())
                    time.sleep(0.1)
                yield f"localhost:{port.read_text().strip()}", process.pid
            finally:
                process.kill()


class Side:
    """One of those that are compared, with what it has spent."""

    def __init__(self) -> None:
        self.seconds = self.client_seconds = 0.0
        self.by_pass: collections.Counter[str] = collections.Counter()
        self.steps = 0
        self.sizes: list[int] = []
        self.size = 0

    def run(self, names: list[str]) -> list[float]:
        """Run an episode; returns the seconds of each step."""
        raise NotImplementedError

    def count(self, names: list[str], seconds: list[float]) -> None:
        self.steps += len(names)
        self.sizes.append(self.size)
        self.seconds += sum(seconds)
        for name, spent in zip(names, seconds, strict=True):
            self.by_pass[name] += spent


class Ours(Side):
    """Our backend on libLLVM with the runner, in this process."""

    def __init__(self, benchmark: Benchmark, verification: str):
        super().__init__()
        self.env = make(
            "llvm-v0",
            service="llvm-library",
            connection="in_process",
            benchmark=benchmark,
            verification=verification,
            observation_space="IrInstructionCount",
        )

    def run(self, names: list[str]) -> list[float]:
        self.env.reset()
        actions = [self.env.action_space[name] for name in names]
        clock = [time.process_time()]
        for action in actions:
            self.size = int(self.env.step(action)[0])
            clock.append(time.process_time())
        return [end - start for start, end in itertools.pairwise(clock)]


class Original(Side):
    """The original's service, driven by its own client."""

    def __init__(self, peer: "Peer", size: int):
        super().__init__()
        self.peer = peer
        self.program = size

    def run(self, names: list[str]) -> list[float]:
        answer = self.peer.ask({"size": self.program, "names": names})
        self.latest_client = answer["client"]
        self.size = answer["counts"][-1]
        return answer["service"]

    def count(self, names: list[str], seconds: list[float]) -> None:
        super().count(names, seconds)
        self.client_seconds += self.latest_client


class Peer:
    """The original's client, in its own Python."""

    def __init__(self, python: str, address: str, pid: int):
        command = [python, "-c", CLIENT, address, str(pid)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, task: dict[str, Any]) -> Any:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit("The original's client ended.")
        return json.loads(line)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def compare(size: int, peer: Peer, seconds: float, is_by_pass: bool) -> None:
    today = Benchmark.from_file_contents(f"benchmark://bench-v0/{size}", make_module(size))
    with make("llvm-v0", service="llvm", connection="in_process", benchmark=today) as embedded:
        few = set(embedded.action_space.names)
    theirs = set(peer.ask({"size": size})["names"])
    with make("llvm-v0", service="llvm-library", connection="in_process", benchmark=today) as library:
        shared = [name for name in library.action_space.names if name in theirs]
    for title, names in (
        ("all passes of both", shared),
        ("all but -attributor", [name for name in shared if name != "-attributor"]),
        ("the passes of llvmlite", [name for name in shared if name in few]),
    ):
        sides = {
            "the original": Original(peer, size),
            "ours, verified each step": Ours(today, "step"),
            "ours, never verified": Ours(today, "never"),
        }
        turn, spent = 0, 0.0
        while spent < seconds or turn < 2:
            episode = random.Random(turn).choices(names, k=EPISODE)
            runs: dict[str, list[list[float]]] = {name: [] for name in sides}
            for _ in range(NUM_REPEATS if turn else 1):
                for name, side in sides.items():
                    runs[name].append(side.run(episode))
            if turn:  # the first turn warms up
                for name, side in sides.items():
                    side.count(episode, [min(times) for times in zip(*runs[name], strict=True)])
                    spent += sum(map(sum, runs[name]))
            turn += 1
        print_sides(size, title, sides)
        if is_by_pass:
            print_passes(sides["the original"], sides["ours, verified each step"])
        for side in sides.values():
            if isinstance(side, Ours):
                side.env.close()


def print_sides(size: int, title: str, sides: dict[str, Side]) -> None:
    first = sides["the original"]
    service = first.steps / first.seconds
    both = first.steps / (first.seconds + first.client_seconds)
    print(f"{size:>14,}  {title:24}{'the original, its service alone':34}{format_figure(service):>10}")
    end = sum(first.sizes) / len(first.sizes)
    print(f"{size:>14,}  {title:24}{'the original, with a client':34}{format_figure(both):>10}{'':24}{end:>10,.0f}")
    for name, side in sides.items():
        if side is not first:
            rate = side.steps / side.seconds
            ratios = f"{rate / service:>11.2f}x{rate / both:>11.2f}x"
            end = sum(side.sizes) / len(side.sizes)
            print(f"{size:>14,}  {title:24}{name:34}{format_figure(rate):>10}{ratios}{end:>10,.0f}", flush=True)


def print_passes(original: Side, ours: Side) -> None:
    print(f"\n{'microseconds of an average step, by pass':48}{'original':>10}{'ours':>10}")
    gaps = {name: ours.by_pass[name] - original.by_pass[name] for name in ours.by_pass}
    for name in sorted(gaps, key=lambda name: -abs(gaps[name]))[:NUM_SHOWN]:
        values = (1e6 * side.by_pass[name] / side.steps for side in (original, ours))
        print(f"  {name:46}" + "".join(f"{value:>10.1f}" for value in values))
    print()


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang", default="clang-13", help="a clang that writes typed pointers (clang-13)")
    parser.add_argument("--sizes", nargs="+", type=int, default=[8, *NUM_PROGRAMS], choices=[8, *NUM_PROGRAMS])
    parser.add_argument("--seconds", type=float, default=10.0, help="of processor time for each row of three (10)")
    parser.add_argument("--by-pass", action="store_true", help="print the passes that differ most")
    parser.add_argument("--allocator", help="library to load before all others into our process alone")
    args = parser.parse_args(argv)
    loaded = os.environ.pop("LD_PRELOAD", None)  # what this process starts does not get it
    if args.allocator and loaded != args.allocator:
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "LD_PRELOAD": args.allocator})
    if args.allocator and Path(args.allocator).name not in Path("/proc/self/maps").read_text():
        sys.exit(f"{args.allocator} was not loaded.")
    if load_llvm().runner is None:
        sys.exit("The pass runner is not there: python -m helm.compiler_gym.bin.build_runner")
    python = os.environ.get("PEER_PYTHON")
    if not python:
        parser.error("PEER_PYTHON has to name the Python of an environment with compiler_gym")
    asked = [python, "-c", "import compiler_gym; print(compiler_gym.__path__[0])"]
    package = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip().splitlines()[-1])
    print(f"{'instructions':>14}  {'':24}{'':34}{'steps/s':>10}{'/ service':>12}{'/ original':>12}{'size':>10}")
    with run_service(package, args.clang) as (address, pid):
        peer = Peer(python, address, pid)
        for size in args.sizes:
            peer.ask({"size": size, "texts": make_old_texts(size, args.clang)})
            compare(size, peer, args.seconds, args.by_pass)
        peer.close()


if __name__ == "__main__":
    main()
