"""Which perturbed copies of the instances are made."""

from dataclasses import dataclass, field
from typing import List, Optional

from helm.benchmark.augmentations.perturbation import Perturbation, PerturbationSpec, create_perturbation
from helm.benchmark.scenarios.scenario import Instance
from helm.common.concurrency import parallel_map


@dataclass(frozen=True)
class DataAugmenter:
    """Makes the copies."""

    perturbations: List[Perturbation]

    def generate(
        self,
        instances: List[Instance],
        include_original: bool = True,
        skip_unchanged: bool = False,
        seeds_per_instance: int = 1,
        parallelism: int = 1,
    ) -> List[Instance]:
        """For each instance: the original, if included, then each perturbation's copies in order of the seeds.

        HELM: without perturbations and without originals nothing is left.
        """

        def copies(instance: Instance) -> List[Instance]:
            result = [instance] if include_original else []
            for perturbation in self.perturbations:
                for seed in range(seeds_per_instance):
                    copy = perturbation.apply(instance, seed=seed or None)
                    if not (skip_unchanged and copy.input == instance.input):
                        result.append(copy)
            return result

        return [copy for group in parallel_map(copies, instances, parallelism, description="perturbing") for copy in group]


@dataclass(frozen=True)
class DataAugmenterSpec:
    """Says which copies to make of training and of evaluation instances."""

    perturbation_specs: List[PerturbationSpec] = field(default_factory=list, hash=False)

    should_augment_train_instances: bool = False

    should_include_original_train: bool = False

    should_skip_unchanged_train: bool = False
    """Leave out copies whose input equals the original's."""

    should_augment_eval_instances: bool = False

    should_include_original_eval: bool = False

    should_skip_unchanged_eval: bool = False

    seeds_per_instance: int = 1
    """Copies per instance and perturbation."""

    should_perturb_references: Optional[bool] = None
    """Perturb the references too, or not, whatever the perturbations say; None (not written): each decides for itself.
    Older HELM documents show it here."""

    @property
    def perturbations(self) -> List[Perturbation]:
        perturbations = [create_perturbation(spec) for spec in self.perturbation_specs]
        if self.should_perturb_references is not None:
            for perturbation in perturbations:
                perturbation.should_perturb_references = self.should_perturb_references
        return perturbations


def create_data_augmenter(data_augmenter_spec: DataAugmenterSpec) -> DataAugmenter:
    return DataAugmenter(perturbations=data_augmenter_spec.perturbations)
