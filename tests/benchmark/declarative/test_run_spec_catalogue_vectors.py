"""The RunSpecs of the catalogue equal those of the original, case by case."""

from dataclasses import fields
from functools import cache
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.run_spec import RunSpec, get_run_spec_function
from helm.common.commands.output_path import benchmark_output_path
from helm.common.general import asdict_without_nones
from vectors_support import vector_cases

FILES = ["helm-scenarios/run_specs_full.json", "helm-scenarios/run_specs_other.json"]
FIXTURES = ["classic", "classic2", "finance_long_sql_other", "lite_capabilities"]
"""Hold the files that some run spec functions read."""


def cases_of_files() -> list[Any]:
    return [
        pytest.param(case, id=f"{case['run_spec_function']}-{number}")
        for file in FILES
        for number, case in enumerate(vector_cases(file))
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


@cache
def files_read() -> dict[str, str]:
    """The files that run spec functions read: path in the folder of scenarios -> text."""
    path = "helm-scenarios/fixtures_{}.json"
    cases = [case for name in FIXTURES for case in vector_cases(path.format(name))]
    files = {name: text for case in cases for name, text in case["files"].items() if name.startswith("rsf:")}
    return {name.removeprefix("rsf:"): text for name, text in files.items()}


@pytest.mark.parametrize("case", cases_of_files())
def test_a_run_spec_equals_that_of_the_vector(case, tmp_path):
    name = case["run_spec_function"]
    for file_name, text in files_read().items():
        if file_name.startswith(f"{name}/"):
            path = tmp_path / "scenarios" / file_name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    function = get_run_spec_function(name)
    assert function is not None, f"there is no run spec function {name}"
    with benchmark_output_path(str(tmp_path)):
        run_spec = function(**case["args"])
    assert as_vector(run_spec) == without_defaults(case["run_spec"])
