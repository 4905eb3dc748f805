"""The RunSpecs of the catalogue equal those of the original, case by case."""

from dataclasses import fields
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.run_spec import RunSpec, get_run_spec_function
from helm.common.general import asdict_without_nones
from vectors_support import vector_cases

FILES = ["helm-scenarios/run_specs_full.json", "helm-scenarios/run_specs_other.json"]
READS_SETTINGS = {"raft", "legalbench", "banking77", "big_bench"}
"""Their RunSpecs hold texts of downloaded files; the driver of the fixtures compares them."""


def cases_of_files() -> list[Any]:
    return [
        pytest.param(case, id=f"{case['run_spec_function']}-{number}")
        for file in FILES
        for number, case in enumerate(vector_cases(file))
        if case["run_spec_function"] not in READS_SETTINGS
    ]


def as_vector(run_spec: RunSpec) -> dict[str, Any]:
    """A RunSpec as the vectors have it: only the fields of the adapter that are not the default."""
    default = AdapterSpec()
    result = asdict_without_nones(run_spec)
    result["adapter_spec"] = {
        field.name: getattr(run_spec.adapter_spec, field.name)
        for field in fields(AdapterSpec)
        if getattr(run_spec.adapter_spec, field.name) != getattr(default, field.name)
    }
    return {key: value for key, value in result.items() if key != "data_augmenter_spec" and value is not None}


def without_defaults(expected: dict[str, Any]) -> dict[str, Any]:
    default = AdapterSpec()
    adapter = {
        name: value for name, value in expected["adapter_spec"].items() if value != getattr(default, name, object())
    }
    return {**expected, "adapter_spec": adapter}


@pytest.mark.parametrize("case", cases_of_files())
def test_a_run_spec_equals_that_of_the_vector(case):
    name = case["run_spec_function"]
    function = get_run_spec_function(name)
    assert function is not None, f"there is no run spec function {name}"
    assert as_vector(function(**case["args"])) == without_defaults(case["run_spec"])
