"""The interface of perturbations, which create a changed copy of an instance."""

import copy
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from random import Random

from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.scenarios.scenario import Input, Instance, Reference
from helm.benchmark.specs import PerturbationSpec
from helm.common.errors import ConfigError
from helm.common.media_object import TEXT_TYPE, MultimediaObject
from helm.common.object_spec import get_class_by_name


def reference_with_text(reference: Reference, text: str) -> Reference:
    """Return a copy of the same class, including that class's other data (such as the tests of a program)."""
    changed = copy.copy(reference)
    object.__setattr__(changed, "output", replace(reference.output, text=text))
    return changed


def change_texts(input: Input, change: Callable[[str], str]) -> Input:
    """The input with its text changed, or with the texts among its media changed."""
    if input.multimedia_content is None:
        return Input(text=change(input.text))  # HELM: messages are lost.
    objects = [
        replace(media, text=change(media.text)) if media.is_type(TEXT_TYPE) and media.text is not None else media
        for media in input.multimedia_content.media_objects
    ]
    return Input(multimedia_content=MultimediaObject(objects))


class Perturbation(ABC):
    """A deterministic change of instances: the same instance id and seed yield the same copy."""

    name: str

    should_perturb_references: bool = False

    @property
    def description(self) -> PerturbationDescription:
        return PerturbationDescription(name=self.name)

    def get_description(self, seed: int | None = None) -> PerturbationDescription:
        """Return the description of one copy."""
        description = self.description
        return description if description.seed == seed else replace(description, seed=seed)

    def get_rng(self, instance: Instance, seed: int | None = None) -> Random:
        """Return the random generator for one copy, seeded by the instance's id and the seed."""
        assert instance.id is not None, "Perturbations need instances with ids"
        return Random(instance.id if seed is None else str(seed) + instance.id)

    @abstractmethod
    def apply(self, instance: Instance, seed: int | None = None) -> Instance:
        """Return the perturbed copy, which keeps the id. `seed` is None for the first copy of an instance."""


class TextPerturbation(Perturbation, ABC):
    """A perturbation that rewrites texts one by one."""

    def apply(self, instance: Instance, seed: int | None = None) -> Instance:
        rng = self.get_rng(instance, seed)
        references = instance.references
        if self.should_perturb_references:
            references = [self._perturb_reference(reference, rng) for reference in references]
        return replace(
            instance,
            input=self._perturb_input(instance.input, rng),
            references=references,
            perturbation=self.get_description(seed),
            contrast_inputs=[instance.input],
        )

    def _perturb_input(self, input: Input, rng: Random) -> Input:
        return change_texts(input, lambda text: self.perturb(text, rng))

    def _perturb_reference(self, reference: Reference, rng: Random) -> Reference:
        return reference_with_text(reference, self.perturb(reference.output.text, rng))

    @abstractmethod
    def perturb(self, text: str, rng: Random) -> str:
        """Return the changed text; all randomness comes from `rng`."""


def create_perturbation(perturbation_spec: PerturbationSpec) -> Perturbation:
    """Create a perturbation. Raises: ConfigError if the class cannot be imported, or does not accept the arguments."""
    try:
        cls = get_class_by_name(perturbation_spec.class_name)
    except (ImportError, AttributeError) as e:
        raise ConfigError(f"Cannot import the perturbation {perturbation_spec.class_name}: {e}") from e
    signature = inspect.signature(cls)
    try:
        signature.bind(**perturbation_spec.args)
    except TypeError as e:
        raise ConfigError(f"Perturbation {perturbation_spec.class_name}{signature}: {e}.") from e
    return cls(**perturbation_spec.args)
