"""An environment that limits a policy's search in actions and in seconds."""

import time
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from helm.compiler_gym.envs.environment import CompilerEnvironment, Trial


class BudgetUsedUp(Exception):
    """The search has to end. The environment's `best_actions` are the answer."""


class BudgetedEnvironment(CompilerEnvironment):
    """A `CompilerEnvironment` that remembers the best sequence it has seen, and raises `BudgetUsedUp` at its limits.

    The limits apply until `end_search` is called, so that the answer itself is not limited. A call that is still running
    when the time is over is not interrupted.
    """

    def __init__(
        self,
        *args: Any,
        max_compilations: int | None = None,
        max_seconds: float | None = None,
        **kwargs: Any,
    ):
        """Start the clock and the count.

        Args:
            max_compilations: number of actions that the search may apply, in steps and trials together. Default: no limit.
            max_seconds: duration of the search from now on, in seconds. Default: no limit.
        """
        super().__init__(*args, **kwargs)
        self._max_compilations = max_compilations
        self._search_deadline = None if max_seconds is None else time.monotonic() + max_seconds
        self._is_searching = True
        self.best_actions: list[str] = []
        """The best sequence seen so far, from the untouched program on and at most `max_steps` long."""
        self.best_reward = 0.0
        """What it earns; 0 for the empty one."""

    def get_program(self) -> bytes | None:
        """The program that is sent to the compiler; None when the compiler knows it by its URI."""
        return self._benchmark.program.contents if self._benchmark.HasField("program") else None

    def get_message(self) -> Any:
        """The `proto.Benchmark` as it was given."""
        return self._benchmark

    def is_over_time(self) -> bool:
        """Whether the time for the whole episode is over."""
        return time.monotonic() >= self._deadline

    @property
    def has_budget(self) -> bool:
        return self._max_compilations is not None or self._search_deadline is not None

    def end_search(self) -> None:
        """Lift the limits."""
        self._is_searching = False

    def step(self, action: str | int) -> float:
        self._check_budget()
        reward = super().step(action)
        self._note(self.actions, self.rewards)
        return reward

    def try_actions(self, sequences: Sequence[Sequence[str | int]]) -> list[Trial]:
        """Try sequences as the base class does, but only the first ones that the budget allows."""
        if not self.has_budget or not self._is_searching:
            return self._try_and_note(sequences)
        trials: list[Trial] = []
        while len(trials) < len(sequences):
            self._check_budget()
            count = self._count_affordable(sequences[len(trials) :])
            if count == 0:
                raise BudgetUsedUp(
                    f"The next sequence is longer than what is left of {self._max_compilations} actions."
                )
            trials += self._try_and_note(sequences[len(trials) : len(trials) + count])
        return trials

    def _try_and_note(self, sequences: Sequence[Sequence[str | int]]) -> list[Trial]:
        trials = super().try_actions(sequences)
        for sequence, trial in zip(sequences, trials, strict=True):
            names = [self.get_action_name(action) for action in sequence[: len(trial.rewards)]]
            self._note([*self.actions, *names], [*self.rewards, *trial.rewards])
        return trials

    def _count_affordable(self, sequences: Sequence[Sequence[str | int]]) -> int:
        """Return how many of the sequences, from the first on, to try before checking the clock again."""
        count = min(len(sequences), self._batch)
        if self._max_compilations is None:
            return count
        left = self._max_compilations - self.num_actions_tried
        lengths = accumulate(len(sequence) for sequence in sequences[:count])
        return sum(1 for total in lengths if total <= left)

    def _check_budget(self) -> None:
        if not self._is_searching:
            return
        if self._max_compilations is not None and self.num_actions_tried >= self._max_compilations:
            raise BudgetUsedUp(f"{self._max_compilations} actions were applied.")
        if self._search_deadline is not None and time.monotonic() >= self._search_deadline:
            raise BudgetUsedUp("The time for the search is over.")

    def _note(self, actions: Sequence[str], rewards: Sequence[float]) -> None:
        """Remember the best prefix of a sequence, if it is the best so far."""
        if not self._is_searching:
            return
        total = 0.0
        for length, reward in enumerate(rewards, 1):
            total += reward
            if self.max_steps is not None and length > self.max_steps:
                return
            if total > self.best_reward:
                self.best_reward, self.best_actions = total, list(actions[:length])
