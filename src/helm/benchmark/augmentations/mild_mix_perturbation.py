from functools import cached_property
from random import Random

from helm.benchmark.augmentations.contraction_expansion_perturbation import ContractionPerturbation
from helm.benchmark.augmentations.lowercase_perturbation import LowerCasePerturbation
from helm.benchmark.augmentations.misspelling_perturbation import MisspellingPerturbation
from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.augmentations.space_perturbation import SpacePerturbation


class MildMixPerturbation(TextPerturbation):
    """HELM's canonical robustness test: lower case, contractions, some misspellings, more spaces, in this order."""

    name = "mild_mix"

    def __init__(self) -> None:
        self._steps: list[TextPerturbation] = [
            LowerCasePerturbation(),
            ContractionPerturbation(),
            MisspellingPerturbation(prob=0.1),
            SpacePerturbation(max_spaces=3),
        ]

    @cached_property
    def description(self) -> PerturbationDescription:
        return PerturbationDescription(name=self.name, robustness=True)

    def perturb(self, text: str, rng: Random) -> str:
        for step in self._steps:
            text = step.perturb(text, rng)
        return text
