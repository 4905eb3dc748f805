"""Golden vectors of augmentation: which copies are made of which instances."""

from helm.benchmark.augmentations.data_augmenter import DataAugmenterSpec
from helm.benchmark.data_preprocessor import DataPreprocessor
from helm.benchmark.scenarios.scenario import Instance
from helm.common.codec import asdict_without_nones, structure
from vectors_support import vector_cases


def test_augment_vectors(plugin):
    for case in vector_cases("helm-core/augment.json"):
        spec = structure(case["data_augmenter_spec"], DataAugmenterSpec)
        instances = DataPreprocessor(spec).preprocess(structure(case["instances"], list[Instance]))
        assert [asdict_without_nones(instance) for instance in instances] == case["result"], case
