from functools import cached_property
from random import Random

from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_description import ExtraSpaceDescription, PerturbationDescription


class ExtraSpacePerturbation(TextPerturbation):
    """Replaces every space by `num_spaces` spaces."""

    name = "extra_space"
    Description = ExtraSpaceDescription

    def __init__(self, num_spaces: int):
        self.num_spaces = num_spaces

    @cached_property
    def description(self) -> PerturbationDescription:
        return ExtraSpaceDescription(name=self.name, robustness=True, num_spaces=self.num_spaces)

    def perturb(self, text: str, rng: Random) -> str:
        return text.replace(" ", " " * self.num_spaces)
