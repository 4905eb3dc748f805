"""Policies: they choose the actions for a program. Write your own by subclassing `Policy`."""

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import accumulate

from helm.compiler_gym.envs.environment import CompilerEnvironment

_TRIALS_AT_ONCE = 64


class Policy(ABC):
    """Chooses actions. Made anew for every episode from its class path and arguments."""

    @abstractmethod
    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        """The actions to apply to the untouched program, in order, `env.max_steps` at the most.

        `env` has been reset and may be used in any way: step, reset, observe, try. Only what is returned counts: it is
        applied to a fresh copy of the program afterwards, and that copy is scored.
        """


class FixedActions(Policy):
    """Always the same actions: passes by flag, or a default pipeline such as `-Oz`."""

    def __init__(self, actions: Sequence[str]):
        self._actions = list(actions)

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        return self._actions


class DefaultPipeline(Policy):
    """What the compiler does on its own at an optimisation level: `-O0`, `-O1`, `-O2`, `-O3`, `-Os` or `-Oz`.

    `-O0` means that nothing is done to the program.
    """

    def __init__(self, level: str):
        self._level = level

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        return [] if self._level == "-O0" else [self._level]


class RandomSearch(Policy):
    """The best of many random sequences, cut after the action at which it was best.

    Sequences are drawn uniformly and with repetition from all actions. The same seed draws the same sequences.
    """

    def __init__(self, episodes: int = 32, episode_length: int = 24, seed: int | None = None):
        """
        Args:
            episodes: sequences to try, >= 1.
            episode_length: actions in each, >= 1; the episode's `max_steps` shortens it.
            seed: None: the seed of the episode.
        """
        if episodes < 1 or episode_length < 1:
            raise ValueError(
                f"RandomSearch needs episodes and episode_length >= 1, got {episodes} and {episode_length}."
            )
        self._episodes, self._episode_length, self._seed = episodes, episode_length, seed

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        rng = random.Random(env.seed if self._seed is None else self._seed)
        length = self._episode_length if env.max_steps is None else min(self._episode_length, env.max_steps)
        best_total, best = 0.0, []
        for start in range(0, self._episodes, _TRIALS_AT_ONCE):
            count = min(_TRIALS_AT_ONCE, self._episodes - start)
            sequences = [rng.choices(env.action_names, k=length) for _ in range(count)]
            for sequence, trial in zip(sequences, env.try_actions(sequences), strict=True):
                total = 0.0
                for position, reward in enumerate(trial.rewards, 1):
                    total += reward
                    if total > best_total:
                        best_total, best = total, sequence[:position]
        return best


class RandomWalk(Policy):
    """Random actions, whatever they earn: nothing is searched for. What differential validation does to a compiler.

    Actions are drawn uniformly and with repetition. The same seed draws the same actions for the
    same program, and others for another one.
    """

    def __init__(self, episode_length: int = 50, seed: int | None = None):
        """
        Args:
            episode_length: actions, >= 1; the episode's `max_steps` shortens it.
            seed: None: the seed of the episode.
        """
        if episode_length < 1:
            raise ValueError(f"RandomWalk needs episode_length >= 1, got {episode_length}.")
        self._episode_length, self._seed = episode_length, seed

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        rng = random.Random(f"{env.seed if self._seed is None else self._seed} {env.benchmark}")
        length = self._episode_length if env.max_steps is None else min(self._episode_length, env.max_steps)
        return rng.choices(env.action_names, k=length)


class Greedy(Policy):
    """The single best action, again and again, until none earns anything. Of equally good ones the first is taken."""

    def __init__(self, pipelines: Sequence[str] = ()):
        """
        Args:
            pipelines: whole pipelines (for LLVM `-Oz` and the others of
                `helm.compiler_gym.backends.llvm_passes.PIPELINES`) that are actions here, too.
        """
        self._pipelines = list(pipelines)

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        names = [*env.action_names, *self._pipelines]
        while not env.is_done and (env.max_steps is None or len(env.actions) < env.max_steps):
            trials = env.try_actions([[name] for name in names])
            best = max(range(len(trials)), key=lambda i: (trials[i].total, -i))
            if trials[best].total <= 0:
                break
            env.step(names[best])
        return env.actions


class BeamSearch(Policy):
    """The best few sequences, each prolonged by every action, again and again; the best sequence ever seen is returned.

    Of sequences that earn the same only the first is kept, so that the beam is not filled with one program. The search
    ends after `patience` rounds in a row that found nothing better.
    """

    def __init__(self, width: int = 4, patience: int = 3, pipelines: Sequence[str] = ()):
        """
        Args:
            width: sequences kept in each round, >= 1.
            patience: rounds without a gain that are endured, >= 1: some passes only prepare the ground for others.
            pipelines: actions besides those of the compiler, as for `Greedy`.
        """
        if width < 1 or patience < 1:
            raise ValueError(f"BeamSearch needs width and patience >= 1, got {width} and {patience}.")
        self._width, self._patience = width, patience
        self._pipelines = list(pipelines)

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        names = [*env.action_names, *self._pipelines]
        beam: list[list[str]] = [[]]
        best: list[str] = []
        best_total, num_idle = 0.0, 0
        while beam and num_idle < self._patience and (env.max_steps is None or len(beam[0]) < env.max_steps):
            sequences = [[*prefix, name] for prefix in beam for name in names]
            totals: dict[float, list[str]] = {}
            for sequence, trial in zip(sequences, env.try_actions(sequences), strict=True):
                if trial.error is None and len(trial.rewards) == len(sequence):
                    totals.setdefault(round(trial.total, 9), sequence)
            ranked = sorted(totals, reverse=True)[: self._width]
            beam = [totals[total] for total in ranked]
            num_idle += 1
            if ranked and ranked[0] > best_total:
                best_total, best, num_idle = ranked[0], beam[0], 0
        return best


class EpsilonGreedy(Policy):
    """As `Greedy`, but with a small chance each step takes any action; then the sequence is cut where it was best."""

    def __init__(self, epsilon: float = 0.1, episode_length: int = 24, seed: int | None = None):
        """
        Args:
            epsilon: chance of a random action, 0 to 1.
            episode_length: most actions, >= 1; the episode's `max_steps` shortens it.
            seed: None: the seed of the episode.
        """
        if not 0 <= epsilon <= 1 or episode_length < 1:
            raise ValueError(
                f"EpsilonGreedy needs 0 <= epsilon <= 1 and episode_length >= 1, got {epsilon} and {episode_length}."
            )
        self._epsilon, self._episode_length, self._seed = epsilon, episode_length, seed

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        rng = random.Random(env.seed if self._seed is None else self._seed)
        length = self._episode_length if env.max_steps is None else min(self._episode_length, env.max_steps)
        best_total, best_length = 0.0, 0
        while not env.is_done and len(env.actions) < length:
            if rng.random() < self._epsilon:
                env.step(rng.choice(env.action_names))
            else:
                trials = env.try_actions([[name] for name in env.action_names])
                if self._epsilon == 0 and max(trial.total for trial in trials) <= 0:
                    break
                env.step(env.action_names[max(range(len(trials)), key=lambda i: (trials[i].total, -i))])
            if env.episode_reward > best_total:
                best_total, best_length = env.episode_reward, len(env.actions)
        return env.actions[:best_length]


class Evolution(Policy):
    """A population of sequences that improves by crossing over and by mutation; the best sequence seen is returned.

    Each round the better half lives on, and pairs of it make the other half: the beginning of one, the end of the
    other, then one action replaced, inserted or removed. A sequence is worth its best beginning, to which it is cut.
    """

    def __init__(self, population: int = 16, rounds: int = 8, episode_length: int = 24, seed: int | None = None):
        """
        Args:
            population: sequences in a round, >= 4.
            rounds: how often to make a new half, >= 0.
            episode_length: most actions, >= 1; the episode's `max_steps` shortens it.
            seed: None: the seed of the episode.
        """
        if population < 4 or rounds < 0 or episode_length < 1:
            raise ValueError(
                "Evolution needs population >= 4, rounds >= 0 and episode_length >= 1, "
                f"got {population}, {rounds} and {episode_length}."
            )
        self._population, self._rounds, self._episode_length, self._seed = population, rounds, episode_length, seed

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        rng = random.Random(env.seed if self._seed is None else self._seed)
        length = self._episode_length if env.max_steps is None else min(self._episode_length, env.max_steps)
        names = env.action_names
        if length < 1:
            return []
        sequences = [rng.choices(names, k=rng.randint(1, length)) for _ in range(self._population)]
        living = self._rate(env, sequences)
        for _ in range(self._rounds):
            living = living[: self._population // 2]
            children = [self._make_child(rng, names, living, length) for _ in range(self._population - len(living))]
            living = sorted([*living, *self._rate(env, children)], key=lambda rated: -rated[0])
        return living[0][1]

    @staticmethod
    def _rate(env: CompilerEnvironment, sequences: list[list[str]]) -> list[tuple[float, list[str]]]:
        """(worth, sequence cut to its best beginning), best first."""
        rated = []
        for sequence, trial in zip(sequences, env.try_actions(sequences), strict=True):
            totals = [0.0, *accumulate(trial.rewards)]
            worth = max(totals)
            rated.append((worth, sequence[: totals.index(worth)]))
        return sorted(rated, key=lambda pair: -pair[0])

    @staticmethod
    def _make_child(
        rng: random.Random, names: Sequence[str], parents: list[tuple[float, list[str]]], length: int
    ) -> list[str]:
        (_, first), (_, second) = rng.sample(parents, 2)
        child = first[: rng.randint(0, len(first))] + second[rng.randint(0, len(second)) :]
        place = rng.randint(0, len(child))
        removed = rng.choice((0, 1))
        inserted = rng.choices(names, k=rng.choice((0, 1, 2)) if removed else 1)
        child[place : place + removed] = inserted
        return child[:length] or [rng.choice(names)]
