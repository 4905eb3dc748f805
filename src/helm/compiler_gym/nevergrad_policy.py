"""Evolutionary search of action sequences by the library nevergrad (extra `nevergrad`)."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from helm.common.optional_dependencies import handle_module_not_found_error
from helm.compiler_gym.envs.environment import CompilerEnvironment, Trial
from helm.compiler_gym.policies import Policy


class Nevergrad(Policy):
    """The best of many sequences that an optimizer of nevergrad proposes, cut to its best beginning.

    Each place of a sequence is a choice among all actions and "none". The same seed proposes the same sequences.
    """

    def __init__(
        self,
        optimizer: str = "PortfolioDiscreteOnePlusOne",
        budget: int = 256,
        episode_length: int = 24,
        batch: int = 16,
        seed: int | None = None,
    ):
        """
        Args:
            optimizer: a name of `nevergrad.optimizers.registry`.
            budget: sequences to try, >= 1.
            episode_length: most actions, >= 1; the episode's `max_steps` shortens it.
            batch: sequences that are proposed before any of them is rated.
            seed: None: the seed of the episode.
        """
        if min(budget, episode_length, batch) < 1:
            raise ValueError(
                f"Nevergrad needs budget, episode_length and batch >= 1, got {budget}, {episode_length} and {batch}."
            )
        self._optimizer, self._budget, self._episode_length = optimizer, budget, episode_length
        self._batch, self._seed = batch, seed

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        length = self._episode_length if env.max_steps is None else min(self._episode_length, env.max_steps)
        if length < 1:
            return []
        optimizer = self._make_optimizer(len(env.action_names), length, env.seed if self._seed is None else self._seed)
        best_worth, best = 0.0, []
        for start in range(0, self._budget, self._batch):
            candidates = [optimizer.ask() for _ in range(min(self._batch, self._budget - start))]
            sequences = [[env.action_names[i - 1] for i in candidate.value if i > 0] for candidate in candidates]
            for candidate, sequence, trial in zip(candidates, sequences, env.try_actions(sequences), strict=True):
                worth, length_used = _rate(trial)
                optimizer.tell(candidate, -worth)
                if worth > best_worth:
                    best_worth, best = worth, sequence[:length_used]
        return best

    def _make_optimizer(self, num_actions: int, length: int, seed: int) -> Any:
        try:
            import nevergrad
        except ModuleNotFoundError as error:
            handle_module_not_found_error(error, suggestions=["nevergrad"])
        space = nevergrad.p.TransitionChoice(range(num_actions + 1), repetitions=length)
        space.random_state.seed(seed)
        known = nevergrad.optimizers.registry
        if self._optimizer not in known:
            from helm.common.errors import ConfigError, suggest

            raise ConfigError(f"nevergrad has no optimizer '{self._optimizer}'.{suggest(self._optimizer, list(known))}")
        return known[self._optimizer](parametrization=space, budget=self._budget, num_workers=self._batch)


def _rate(trial: Trial) -> tuple[float, int]:
    """What the best beginning of a sequence earns, and how many actions it has."""
    totals = [0.0, *accumulate(trial.rewards)]
    worth = max(totals)
    return worth, totals.index(worth)
