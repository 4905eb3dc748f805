import re
from random import Random

from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription, SpaceDescription


class SpacePerturbation(TextPerturbation):
    """Every run of spaces becomes 1 to `max_spaces` spaces, drawn uniformly."""

    name = "space"

    def __init__(self, max_spaces: int):
        self.max_spaces = max_spaces

    @property
    def description(self) -> PerturbationDescription:
        return SpaceDescription(name=self.name, robustness=True, max_spaces=self.max_spaces)

    def perturb(self, text: str, rng: Random) -> str:
        return re.sub(" +", lambda match: " " * rng.randint(1, self.max_spaces), text)
