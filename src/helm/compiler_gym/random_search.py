"""Random search by several workers, which writes its findings to a folder, as CompilerGym's does."""

import json
import os
import random
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any

from helm.common.files import write_text_atomically
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.envs.compiler_env import CompilerEnv
from helm.compiler_gym.envs.statistics import ProgressLogEntry
from helm.compiler_gym.envs.step_result import read_result

LOGS_VARIABLE = "COMPILER_GYM_LOGS"

_POLL_S = 0.5
_HEADER = "runtime_seconds,total_episode_count,total_step_count,num_passes,reward"
_BEST = "random_search_best_actions"
_PROGRESS = "random_search_progress.csv"
_TABLED = {
    "IR instructions": ("IrInstructionCountO0", "IrInstructionCountOz", "IrInstructionCount"),
    "Object text size, bytes": ("ObjectTextSizeO0", "ObjectTextSizeOz", "ObjectTextSizeBytes"),
}
"""Title -> observations without optimisation, with -Oz, and of the episode."""


@dataclass(frozen=True)
class RandomSearchResult:
    """The best episode of a search."""

    outdir: Path
    """The folder that the search wrote."""

    reward: float
    """Its cumulative reward."""

    actions: list[int]
    """Indices in the action space."""

    commandline: str


def get_logs_path() -> Path:
    """Return the folder to which searches write: `$COMPILER_GYM_LOGS`, else `~/logs/compiler_gym`."""
    return Path(os.environ.get(LOGS_VARIABLE) or "~/logs/compiler_gym").expanduser()


@dataclass
class _Worker:
    """One thread with its own environment. Its lists are replaced, never changed, so that other threads may read them."""

    make_env: Callable[[], CompilerEnv]
    patience: int
    rng: random.Random
    stop: threading.Event
    num_episodes: int = 0
    num_steps: int = 0
    best: tuple[float, list[int]] = field(default=(-float("inf"), []))
    error: BaseException | None = None

    def run(self) -> None:
        try:
            is_first = True
            while is_first or not self.stop.is_set():
                env = self.make_env()
                try:
                    while is_first or not self.stop.is_set():
                        is_done = self._run_episode(env, may_stop=not is_first)
                        is_first = False
                        if is_done:
                            break
                finally:
                    env.close()
        except BaseException as error:  # raised again in the thread that waits for the worker
            self.error = error
            self.stop.set()

    def _run_episode(self, env: CompilerEnv, may_stop: bool) -> bool:
        """Run one episode; returns whether the environment has to be replaced."""
        env.reset()
        self.num_episodes += 1
        num_actions = len(env.action_space.names)
        actions: list[int] = []
        total, patience = 0.0, self.patience or num_actions
        while patience >= 0 and not (may_stop and self.stop.is_set()):
            patience -= 1
            action = self.rng.randrange(num_actions)
            _, reward, terminated, truncated, _ = read_result(env.step(action))
            self.num_steps += 1
            if terminated:
                return True
            actions.append(action)
            total += reward
            if total > self.best[0]:
                patience = self.patience or num_actions
                self.best = (total, list(actions))
            if truncated:
                break
        return False


def random_search(
    make_env: Callable[[], CompilerEnv],
    outdir: str | Path | None = None,
    total_runtime: float | None = 600,
    patience: int = 0,
    nproc: int | None = None,
    skip_done: bool = False,
    seed: int | None = None,
) -> RandomSearchResult:
    """Run random episodes until the time is over; Ctrl-C ends the search early and keeps its findings.

    An episode ends after `patience` actions without an improvement on the worker's best reward. `outdir` then holds
    `random_search.json` (the environment by its id when `gymnasium.make` made it, else by its class),
    `random_search_progress.csv` (a line for each improvement), `random_search_best_actions.txt`,
    `random_search_best_actions_commandline.txt`, `random_search_best_actions_progress.csv` (the best episode, replayed),
    and for LLVM `unoptimized.bc` and `optimized.bc`.

    Args:
        make_env: creates an environment with a benchmark and a reward space, for one worker.
        outdir: folder for the findings. Default: `LOGS/random/SCHEME/PATH/DATE/TIME` by the benchmark, with a link
            `latest`; see `get_logs_path`.
        total_runtime: duration in seconds; None: until Ctrl-C. Every worker finishes at least one episode.
        patience: number of actions, >= 0; 0: the number of different actions.
        nproc: number of workers, >= 1. Default: one for each processor.
        skip_done: if `outdir` has the result of an earlier search, read it instead of searching.
        seed: seed of the actions. Default: a different one each time. The number of episodes in a given time depends on
            the machine in any case.

    Raises: ValueError for an environment without reward space or with actions that have no names, and for arguments out of
    range.
    """
    if patience < 0 or (nproc is not None and nproc < 1):
        raise ValueError(f"random_search needs patience >= 0 and nproc >= 1, got {patience} and {nproc}.")
    env = make_env()
    try:
        if env.reward_space is None:
            raise ValueError("A reward space must be specified for random search.")
        if not hasattr(env.action_space, "names"):
            raise ValueError("random_search needs an action space of named actions.")
        env.reset()
        uri = str(env.benchmark)
        folder = Path(outdir) if outdir is not None else _make_folder(uri)
        if skip_done and (folder / f"{_BEST}_progress.csv").is_file():
            return _read_result(folder, env)
        folder.mkdir(parents=True, exist_ok=True)
        config = {
            "benchmark": uri,
            "env": env.spec.id if env.spec else type(env).__name__,
            "patience": patience or len(env.action_space.names),
            "reward": env.reward_space.name,
        }
        write_text_atomically(str(folder / "random_search.json"), json.dumps(config, sort_keys=True, indent=2) + "\n")
        reward, actions = _search(make_env, folder, total_runtime, patience, nproc or os.cpu_count() or 1, seed)
        names = [env.action_space.names[action] for action in actions]
        write_text_atomically(str(folder / f"{_BEST}.txt"), "".join(f"{name}\n" for name in names))
        _replay(env, folder, actions, names)
        return _read_result(folder, env)
    finally:
        env.close()


class _Callable(ModuleType):
    """The module of a function of the same name, which may be called as the function."""

    def __call__(self, *args: Any, **kwargs: Any) -> RandomSearchResult:
        return random_search(*args, **kwargs)


sys.modules[__name__].__class__ = _Callable


def _make_folder(uri: str) -> Path:
    parsed = BenchmarkUri.from_string(uri)
    parts = [part for part in f"{parsed.dataset}{parsed.path}".split("/") if part not in ("", ".", "..")]
    base = get_logs_path().joinpath("random", parsed.scheme, *parts)
    now = datetime.now()
    folder = base / now.strftime("%Y-%m-%d") / now.strftime("%H-%M-%S")
    folder.mkdir(parents=True, exist_ok=True)
    link = base / f".latest-{os.getpid()}"
    link.symlink_to(folder.relative_to(base), target_is_directory=True)
    link.replace(base / "latest")
    return folder


def _search(
    make_env: Callable[[], CompilerEnv],
    folder: Path,
    total_runtime: float | None,
    patience: int,
    nproc: int,
    seed: int | None,
) -> tuple[float, list[int]]:
    stop = threading.Event()
    rngs = [random.Random(None if seed is None else f"{seed} {number}") for number in range(nproc)]
    workers = [_Worker(make_env, patience, rng, stop) for rng in rngs]
    threads = [threading.Thread(target=worker.run, daemon=True) for worker in workers]
    started = time.monotonic()
    best: tuple[float, list[int]] = (-float("inf"), [])
    with open(folder / _PROGRESS, "w", encoding="utf-8") as progress:
        progress.write(f"{_HEADER}\n")

        def look() -> None:
            nonlocal best
            found = max((worker.best for worker in workers), key=lambda pair: pair[0])
            if found[0] > best[0]:
                best = found
                episodes = sum(worker.num_episodes for worker in workers)
                steps = sum(worker.num_steps for worker in workers)
                entry = ProgressLogEntry(time.monotonic() - started, episodes, steps, len(best[1]), best[0])
                progress.write(f"{entry.to_csv()}\n")
                progress.flush()

        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads):
                elapsed = time.monotonic() - started
                if total_runtime is not None and elapsed >= total_runtime:
                    break
                left = _POLL_S if total_runtime is None else min(_POLL_S, total_runtime - elapsed)
                stop.wait(left)
                look()
                if stop.is_set():
                    break
        except KeyboardInterrupt:
            pass  # the findings are kept; a second Ctrl-C is not caught
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        for worker in workers:
            if worker.error is not None:
                raise worker.error
        look()
    return best


def replay_actions_from_logs(env: CompilerEnv, logdir: Path, benchmark: Any = None) -> None:
    """Repeat the best episode of a finished search, and write its replay into the folder of the search.

    Args:
        env: an environment with the reward space of the search.
        logdir: the folder.
        benchmark: the program. Default: that of the search.
    Raises: FileNotFoundError when the folder has no search.
    """
    config = json.loads((logdir / "random_search.json").read_text(encoding="utf-8"))
    names = (logdir / f"{_BEST}.txt").read_text(encoding="utf-8").splitlines()
    env.benchmark = benchmark or config["benchmark"]
    if env.reward_space is None:
        env.reward_space = config["reward"]
    _replay(env, logdir, [env.action_space[name] for name in names], names)


def _replay(env: CompilerEnv, folder: Path, actions: list[int], names: list[str]) -> None:
    write_bitcode = getattr(env, "write_bitcode", None)  # LLVM has it
    env.reset()
    if write_bitcode is not None:
        write_bitcode(folder / "unoptimized.bc")
    started, total, lines = time.monotonic(), 0.0, []
    for number, (action, name) in enumerate(zip(actions, names, strict=True), 1):
        _, reward, terminated, _, _ = read_result(env.step(action))
        total += reward
        entry = ProgressLogEntry(time.monotonic() - started, 1, number, number, total)
        lines.append(f"{entry.to_csv()},{name}\n")
        if terminated:
            break
    write_text_atomically(str(folder / f"{_BEST}_commandline.txt"), f"{env.commandline()}\n")
    if write_bitcode is not None:
        write_bitcode(folder / "optimized.bc")
        print(_describe(env))
    # Written last, because this file marks the search as complete.
    write_text_atomically(str(folder / f"{_BEST}_progress.csv"), "".join(lines))


def _describe(env: CompilerEnv) -> str:
    """Make a table of the episode's results."""
    from tabulate import tabulate

    rows = [[title, *(int(env.observation[space]) for space in spaces)] for title, spaces in _TABLED.items()]
    return tabulate(rows, headers=["", "-O0", "-Oz", "final"])


def _read_result(folder: Path, env: CompilerEnv) -> RandomSearchResult:
    names: Any = (folder / f"{_BEST}.txt").read_text(encoding="utf-8").splitlines()
    lines = (folder / f"{_BEST}_progress.csv").read_text(encoding="utf-8").splitlines()
    reward = ProgressLogEntry.from_csv(lines[-1].rsplit(",", 1)[0]).reward if lines else 0.0
    commandline = (folder / f"{_BEST}_commandline.txt").read_text(encoding="utf-8").rstrip("\n")
    return RandomSearchResult(folder, reward, [env.action_space[name] for name in names], commandline)
