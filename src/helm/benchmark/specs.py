"""The classes that a RunSpec consists of, separate from what they name, so that reading a spec imports little.

Each is imported from the module of what it names as well: `MetricSpec` from `helm.benchmark.metrics.metric`, and so on.
"""

from dataclasses import dataclass, field
from typing import Any

from helm.common.object_spec import ObjectSpec


@dataclass(frozen=True)
class ScenarioSpec(ObjectSpec):
    """Says how to create a scenario."""

    __hash__ = ObjectSpec.__hash__


@dataclass(frozen=True)
class MetricSpec(ObjectSpec):
    """Says how to create a metric."""

    __hash__ = ObjectSpec.__hash__


@dataclass(frozen=True)
class AnnotatorSpec(ObjectSpec):
    """Says how to create an annotator."""

    __hash__ = ObjectSpec.__hash__


@dataclass(frozen=True)
class ExtractorSpec(ObjectSpec):
    """Says how to find the answer in the text of a completion, before the metrics are computed."""

    __hash__ = ObjectSpec.__hash__


@dataclass(frozen=True)
class PerturbationSpec(ObjectSpec):
    """Says how to create a perturbation."""

    __hash__ = ObjectSpec.__hash__


@dataclass(frozen=True)
class EpochSpec:
    """Says how often each instance is asked, and how the values of its epochs become one."""

    number: int
    """The number of epochs, from 1 on."""

    reducers: list[str] = field(default_factory=lambda: ["mean"], hash=False)
    """Names of reducers, as `reducer=` takes them. The first one gives the value of an instance."""


@dataclass(frozen=True)
class DataAugmenterSpec:
    """Says which perturbed copies of training and evaluation instances to make."""

    perturbation_specs: list[PerturbationSpec] = field(default_factory=list, hash=False)

    should_augment_train_instances: bool = False

    should_include_original_train: bool = False

    should_skip_unchanged_train: bool = False
    """Whether to drop copies whose input equals the original's."""

    should_augment_eval_instances: bool = False

    should_include_original_eval: bool = False

    should_skip_unchanged_eval: bool = False

    seeds_per_instance: int = 1
    """Number of copies per instance and perturbation."""

    should_perturb_references: bool | None = None
    """Whether to perturb the references too, overriding the perturbations' own setting. None, which is not written,
    leaves it to each of them. Older HELM documents have this field here."""

    @property
    def perturbations(self) -> list[Any]:
        """Create the `Perturbation` objects that the specs name."""
        from helm.benchmark.augmentations.perturbation import create_perturbation

        perturbations = [create_perturbation(spec) for spec in self.perturbation_specs]
        if self.should_perturb_references is not None:
            for perturbation in perturbations:
                perturbation.should_perturb_references = self.should_perturb_references
        return perturbations
