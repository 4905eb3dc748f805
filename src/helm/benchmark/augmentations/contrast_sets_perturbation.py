from dataclasses import replace
from functools import cached_property

from helm.benchmark.augmentations.perturbation import Perturbation
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.scenarios.scenario import Instance
from helm.common.errors import ScenarioError


class ContrastSetsPerturbation(Perturbation):
    """Replaces an instance by a random variant that the data set's authors wrote, with its own references.

    An instance without variants stays as it is.
    """

    name = "contrast_sets"

    should_perturb_references = True

    @cached_property
    def description(self) -> PerturbationDescription:
        return PerturbationDescription(name=self.name, robustness=True)

    def apply(self, instance: Instance, seed: int | None = None) -> Instance:
        perturbed = replace(instance, perturbation=self.get_description(seed))
        inputs, references = instance.contrast_inputs, instance.contrast_references
        if not inputs or references is None:
            return perturbed
        index = self.get_rng(instance, seed).choice(range(len(inputs)))
        if index >= len(references):
            raise ScenarioError(
                f"instance {instance.id} has {len(inputs)} contrast inputs, but {len(references)} contrast references."
            )
        return replace(perturbed, input=inputs[index], references=references[index])
