"""Creates perturbed copies of instances."""

from dataclasses import dataclass
from typing import NamedTuple

from helm.benchmark.augmentations.perturbation import Perturbation
from helm.benchmark.scenarios.scenario import Instance
from helm.benchmark.specs import DataAugmenterSpec
from helm.common.concurrency import parallel_map

__all__ = ["DataAugmenter", "DataAugmenterSpec", "Processor", "create_data_augmenter"]


_THREADS_AFTER_S = 0.02
"""Perturbing rarely waits for anything, so it is faster without threads."""


class Processor(NamedTuple):
    """Makes the copies of one instance after another; the fields are arguments of `DataAugmenter.generate`."""

    include_original: bool
    skip_unchanged: bool
    perturbations: list[Perturbation]
    seeds_per_instance: int

    def process(self, instance: Instance) -> list[Instance]:
        """Return the original, if it is included, then each perturbation's copies in order of the seeds."""
        result = [instance] if self.include_original else []
        for perturbation in self.perturbations:
            for seed in range(self.seeds_per_instance):
                copy = perturbation.apply(instance, seed=seed or None)
                if not (self.skip_unchanged and copy.input == instance.input):
                    result.append(copy)
        return result


@dataclass(frozen=True)
class DataAugmenter:
    """Creates the copies."""

    perturbations: list[Perturbation]

    def generate(
        self,
        instances: list[Instance],
        include_original: bool = True,
        skip_unchanged: bool = False,
        seeds_per_instance: int = 1,
        parallelism: int = 1,
    ) -> list[Instance]:
        """Return, for each instance, the original, if included, then each perturbation's copies in order of the seeds.

        HELM: without perturbations and without originals nothing is left.
        """
        copies = Processor(include_original, skip_unchanged, self.perturbations, seeds_per_instance).process
        return [
            copy
            for group in parallel_map(
                copies, instances, parallelism, description="perturbing", threads_after_s=_THREADS_AFTER_S
            )
            for copy in group
        ]


def create_data_augmenter(data_augmenter_spec: DataAugmenterSpec) -> DataAugmenter:
    return DataAugmenter(perturbations=data_augmenter_spec.perturbations)
