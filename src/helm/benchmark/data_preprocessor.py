"""Applies the augmentations of a run."""

from helm.benchmark.augmentations.data_augmenter import DataAugmenterSpec, create_data_augmenter
from helm.benchmark.scenarios.scenario import EVAL_SPLITS, TRAIN_SPLIT, Instance


class DataPreprocessor:
    """Returns the training instances, then the evaluation instances, each with perturbed copies; drops other splits."""

    def __init__(self, data_augmenter_spec: DataAugmenterSpec):
        self.data_augmenter_spec = data_augmenter_spec

    def preprocess(self, instances: list[Instance], parallelism: int = 1) -> list[Instance]:
        spec = self.data_augmenter_spec
        train = [instance for instance in instances if instance.split == TRAIN_SPLIT]
        evaluation = [instance for instance in instances if instance.split in EVAL_SPLITS]
        if spec.should_augment_train_instances or spec.should_augment_eval_instances:
            augmenter = create_data_augmenter(spec)
            if spec.should_augment_train_instances:
                train = augmenter.generate(
                    train,
                    spec.should_include_original_train,
                    spec.should_skip_unchanged_train,
                    spec.seeds_per_instance,
                    parallelism,
                )
            if spec.should_augment_eval_instances:
                evaluation = augmenter.generate(
                    evaluation,
                    spec.should_include_original_eval,
                    spec.should_skip_unchanged_eval,
                    spec.seeds_per_instance,
                    parallelism,
                )
        return train + evaluation
