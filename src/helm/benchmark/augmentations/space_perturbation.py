import re
from functools import cached_property
from random import Random

from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_data import PerturbationError
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription, SpaceDescription

_SPACES = re.compile(" +")


class SpacePerturbation(TextPerturbation):
    """Replaces every run of spaces by 1 to `max_spaces` spaces, drawn uniformly."""

    name = "space"
    Description = SpaceDescription

    def __init__(self, max_spaces: int):
        if max_spaces < 1:
            raise PerturbationError(f"Perturbation 'space': max_spaces must be at least 1, not {max_spaces}.")
        self.max_spaces = max_spaces
        self._runs = [" " * number for number in range(1, max_spaces + 1)]

    @cached_property
    def description(self) -> PerturbationDescription:
        return SpaceDescription(name=self.name, robustness=True, max_spaces=self.max_spaces)

    def perturb(self, text: str, rng: Random) -> str:
        runs, choice = self._runs, rng.choice  # draws the same numbers as `randint`, but faster
        return _SPACES.sub(lambda match: choice(runs), text)
