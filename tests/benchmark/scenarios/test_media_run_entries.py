"""Run entries of vision and audio: what the expanders make of them for real models, against run specs of HELM."""

from dataclasses import asdict

import pytest

from helm.benchmark.run_spec_factory import construct_run_specs
from helm.benchmark.specs import DataAugmenterSpec
from helm.common.object_spec import parse_object_spec
from scenario_support import compact_run_spec
from vectors_support import load_vectors

CASES = load_vectors("helm-vision-audio/run_specs.json")["run_entries"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["description"])
def test_run_entries_of_the_vectors(case, built_in_catalogue):
    made = []
    for run_spec in construct_run_specs(parse_object_spec(case["description"])):
        compact = compact_run_spec(run_spec)
        if run_spec.data_augmenter_spec != DataAugmenterSpec():
            augmenter = asdict(run_spec.data_augmenter_spec)
            compact["data_augmenter"] = {name: value for name, value in augmenter.items() if value is not None}
        made.append(compact)
    assert made == case["run_specs"]
