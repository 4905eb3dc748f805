from dataclasses import dataclass
from functools import cached_property
from random import Random

from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription


@dataclass(frozen=True)
class SuffixDescription(PerturbationDescription):
    """Description of the perturbation `style`. HELM: files lose `suffix` when they are read."""

    suffix: str = ""


class SuffixPerturbation(TextPerturbation):
    """A comma and a suffix at the end, such as the style of a picture that is asked for."""

    name = "style"

    def __init__(self, suffix: str):
        self.suffix = suffix

    @cached_property
    def description(self) -> PerturbationDescription:
        return SuffixDescription(name=self.name, suffix=self.suffix)

    def perturb(self, text: str, rng: Random) -> str:
        return f"{text}, {self.suffix}"
