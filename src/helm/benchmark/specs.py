"""The classes that a RunSpec consists of, apart from what they name, so that reading one does not import everything.

Each is imported from the module of what it names as well: `MetricSpec` from `helm.benchmark.metrics.metric`, and so on.
"""

from dataclasses import dataclass, field
from typing import Any

from helm.common.object_spec import ObjectSpec


@dataclass(frozen=True)
class ScenarioSpec(ObjectSpec):
    """Says how to make a scenario."""

    __hash__ = ObjectSpec.__hash__


@dataclass(frozen=True)
class MetricSpec(ObjectSpec):
    """Says how to make a metric."""

    __hash__ = ObjectSpec.__hash__


@dataclass(frozen=True)
class AnnotatorSpec(ObjectSpec):
    """Says how to make an annotator."""

    __hash__ = ObjectSpec.__hash__


@dataclass(frozen=True)
class PerturbationSpec(ObjectSpec):
    """Says how to make a perturbation."""

    __hash__ = ObjectSpec.__hash__


@dataclass(frozen=True)
class DataAugmenterSpec:
    """Says which copies to make of training and of evaluation instances."""

    perturbation_specs: list[PerturbationSpec] = field(default_factory=list, hash=False)

    should_augment_train_instances: bool = False

    should_include_original_train: bool = False

    should_skip_unchanged_train: bool = False
    """Leave out copies whose input equals the original's."""

    should_augment_eval_instances: bool = False

    should_include_original_eval: bool = False

    should_skip_unchanged_eval: bool = False

    seeds_per_instance: int = 1
    """Copies per instance and perturbation."""

    should_perturb_references: bool | None = None
    """Perturb the references too, or not, whatever the perturbations say; None (not written): each decides for itself.
    Older HELM documents show it here."""

    @property
    def perturbations(self) -> list[Any]:
        """The `Perturbation` objects that the specs name."""
        from helm.benchmark.augmentations.perturbation import create_perturbation

        perturbations = [create_perturbation(spec) for spec in self.perturbation_specs]
        if self.should_perturb_references is not None:
            for perturbation in perturbations:
                perturbation.should_perturb_references = self.should_perturb_references
        return perturbations
