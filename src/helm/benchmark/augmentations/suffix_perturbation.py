from functools import cached_property
from random import Random

from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription, StyleDescription


class SuffixPerturbation(TextPerturbation):
    """Appends a comma and a suffix, such as the requested style of a picture."""

    name = "style"
    Description = StyleDescription

    def __init__(self, suffix: str):
        self.suffix = suffix

    @cached_property
    def description(self) -> PerturbationDescription:
        return StyleDescription(name=self.name, suffix=self.suffix)

    def perturb(self, text: str, rng: Random) -> str:
        return f"{text}, {self.suffix}"
