"""References of classification rows: their labels, and some wrong ones."""

from collections.abc import Sequence
from random import Random

from helm.benchmark.scenarios.data_rows import correct_reference, wrong_reference
from helm.benchmark.scenarios.scenario import Reference

MAX_WRONG_LABELS = 30


class LabelReferences:
    """Creates references for one row after another, all from one stream of random numbers (seed 42)."""

    def __init__(self) -> None:
        self.generator = Random(42)

    def make(self, correct: Sequence[str], wrong: Sequence[str]) -> list[Reference]:
        """Return at most 30 of the wrong labels, shuffled, then the correct ones."""
        shuffled = list(wrong)
        self.generator.shuffle(shuffled)
        return [wrong_reference(label) for label in shuffled[:MAX_WRONG_LABELS]] + [
            correct_reference(label) for label in correct
        ]
