"""Wrappers that choose the program of each episode."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.wrappers.core import CompilerEnvWrapper

BenchmarkLike = str | Benchmark | BenchmarkUri


class _ChoosesBenchmarks(CompilerEnvWrapper):
    """Gives every episode another program."""

    def _choose(self) -> BenchmarkLike:
        raise NotImplementedError

    def reset(self, benchmark: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Begin an episode on the next program.

        Raises: TypeError when the caller gives a program.
        """
        if benchmark is not None:
            raise TypeError(f"{type(self).__name__} chooses the benchmark of each episode; give none to reset().")
        return self.env.reset(self._choose(), *args, **kwargs)


class IterateOverBenchmarks(_ChoosesBenchmarks):
    """Uses one program after the other; raises StopIteration when there are no more."""

    def __init__(self, env: Any, benchmarks: Iterable[BenchmarkLike], fork_shares_iterator: bool = False):
        """Wrap an environment.

        Args:
            env: the environment.
            benchmarks: the programs.
            fork_shares_iterator: whether forks take the next programs from the same sequence; otherwise they start again
                with the first one.
        """
        super().__init__(env)
        self._benchmarks = benchmarks if fork_shares_iterator else list(benchmarks)
        self._iterator: Iterator[BenchmarkLike] = iter(self._benchmarks)
        self._fork_shares_iterator = fork_shares_iterator

    def _choose(self) -> BenchmarkLike:
        return next(self._iterator)

    def fork(self) -> Any:
        forked = super().fork()
        if not self._fork_shares_iterator:
            forked._iterator = iter(self._benchmarks)
        return forked


class CycleOverBenchmarks(IterateOverBenchmarks):
    """Uses the programs in turn, repeatedly. `reset(seed=...)` starts again with the first, for reproducible episodes."""

    def reset(self, *args: Any, seed: int | None = None, **kwargs: Any) -> Any:
        if seed is not None and not self._fork_shares_iterator:
            self._iterator = iter(self._benchmarks)
        return super().reset(*args, seed=seed, **kwargs)

    def _choose(self) -> BenchmarkLike:
        try:
            return next(self._iterator)
        except StopIteration:
            if not self._benchmarks:
                raise ValueError("There are no benchmarks to choose from.") from None
            self._iterator = iter(self._benchmarks)
            return next(self._iterator)

    def __init__(self, env: Any, benchmarks: Iterable[BenchmarkLike], fork_shares_iterator: bool = False):
        super().__init__(env, list(benchmarks), fork_shares_iterator)


class CycleOverBenchmarksIterator(_ChoosesBenchmarks):
    """A `CycleOverBenchmarks` for sets of programs that are too large to be listed."""

    def __init__(self, env: Any, make_benchmark_iterator: Callable[[], Iterator[BenchmarkLike]]):
        super().__init__(env)
        self._make_iterator = make_benchmark_iterator
        self._iterator = make_benchmark_iterator()

    def reset(self, *args: Any, seed: int | None = None, **kwargs: Any) -> Any:
        if seed is not None:
            self._iterator = self._make_iterator()
        return super().reset(*args, seed=seed, **kwargs)

    def _choose(self) -> BenchmarkLike:
        chosen = next(self._iterator, None)
        if chosen is None:
            self._iterator = self._make_iterator()
            chosen = next(self._iterator, None)
        if chosen is None:
            raise ValueError("There are no benchmarks to choose from.")
        return chosen

    def fork(self) -> Any:
        forked = super().fork()
        forked._iterator = self._make_iterator()
        return forked


class RandomOrderBenchmarks(_ChoosesBenchmarks):
    """Uses a random program for every episode."""

    def __init__(self, env: Any, benchmarks: Iterable[BenchmarkLike], rng: Any | None = None):
        """Wrap an environment.

        Args:
            env: the environment.
            benchmarks: the programs.
            rng: a `numpy.random.Generator`. Default: that of the environment, which `reset(seed=...)` seeds.
        """
        super().__init__(env)
        self._benchmarks = list(benchmarks)
        if not self._benchmarks:
            raise ValueError("There are no benchmarks to choose from.")
        self._rng = rng

    def reset(self, *args: Any, seed: int | None = None, **kwargs: Any) -> Any:
        # Seeded here, because the program is chosen before the reset that would seed the generator.
        if seed is not None and self._rng is None:
            from gymnasium.utils.seeding import np_random

            self.unwrapped.np_random = np_random(seed)[0]
            return super().reset(*args, **kwargs)
        return super().reset(*args, seed=seed, **kwargs)

    def _choose(self) -> BenchmarkLike:
        rng = self._rng if self._rng is not None else self.env.np_random
        return self._benchmarks[int(rng.integers(len(self._benchmarks)))]
