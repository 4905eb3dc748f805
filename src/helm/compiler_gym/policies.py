"""Policies: they choose the actions for a program. Write your own by subclassing `Policy`."""

import random
from abc import ABC, abstractmethod
from typing import Optional, Sequence

from helm.compiler_gym.environment import CompilerEnvironment

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

    def __init__(self, episodes: int = 32, episode_length: int = 24, seed: Optional[int] = None):
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


class Greedy(Policy):
    """The single best action, again and again, until none earns anything. Of equally good ones the first is taken."""

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        while not env.is_done and (env.max_steps is None or len(env.actions) < env.max_steps):
            trials = env.try_actions([[name] for name in env.action_names])
            best = max(range(len(trials)), key=lambda i: (trials[i].total, -i))
            if trials[best].total <= 0:
                break
            env.step(env.action_names[best])
        return env.actions
