"""Perturbations against the golden vectors."""

import importlib

from helm.benchmark.augmentations.perturbation import PerturbationSpec, create_perturbation
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.common.codec import asdict_without_nones
from helm.common.general import match_case
from vectors_support import vector_cases

# Perturbation modules that do not exist yet; take a line out when its module is written.
NOT_YET = {
    "contraction_expansion_perturbation",
    "dialect_perturbation",
    "filler_words_perturbation",
    "gender_perturbation",
    "mild_mix_perturbation",
    "misspelling_perturbation",
    "person_name_perturbation",
    "suffix_perturbation",
    "typos_perturbation",
}


def test_vector_perturbations():
    checked = 0
    for case in vector_cases("helm-metrics/perturbations.json"):
        module = case["spec"]["class_name"].split(".")[-2]
        if module in NOT_YET:
            assert importlib.util.find_spec(f"helm.benchmark.augmentations.{module}") is None, module
            continue
        references = [Reference(Output(case["reference"]), [CORRECT_TAG])]
        instance = Instance(Input(case["input"]), references, split="test", id=case["id"])
        result = create_perturbation(PerturbationSpec(**case["spec"])).apply(instance, case["seed"])
        assert result.input.text == case["output"], case
        assert result.references[0].output.text == case["output_reference"], case
        assert asdict_without_nones(result.perturbation) == case["description"], case
        assert [i.text for i in result.contrast_inputs] == case["contrast_inputs"], case
        assert result.id == case["id"]
        checked += 1
    assert checked


def test_vector_match_case():
    for case in vector_cases("helm-metrics/match_case.json"):
        values = list(case.values())
        assert match_case(*values[:2]) == values[2], case
