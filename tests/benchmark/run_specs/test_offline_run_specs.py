"""The recipes of the offline scenarios, field by field as the original's."""

from dataclasses import asdict

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.run_spec import get_run_spec_function
from vectors_support import vector_cases

OFFLINE = [
    "simple1", "simple_mcqa", "simple_short_answer_qa", "simple_classification", "custom_mcqa",
    "synthetic_reasoning", "synthetic_reasoning_natural", "dyck_language",
]  # fmt: skip
FILES = [
    "helm-scenarios/run_specs_full.json",
    "helm-scenarios/fixtures_finance_long_sql_other.json",
    "helm-scenarios/fixtures_classic.json",
]


def cases():
    return [case for file in FILES for case in vector_cases(file) if case["run_spec_function"] in OFFLINE]


def compact(run_spec):
    defaults = asdict(AdapterSpec())
    return {
        "name": run_spec.name,
        "scenario_spec": {"class_name": run_spec.scenario_spec.class_name, "args": run_spec.scenario_spec.args},
        "adapter_spec": {k: v for k, v in asdict(run_spec.adapter_spec).items() if v != defaults[k]},
        "metric_specs": [{"class_name": spec.class_name, "args": spec.args} for spec in run_spec.metric_specs],
        "groups": run_spec.groups,
    }


def with_all_args(run_spec):
    specs = [run_spec["scenario_spec"], *run_spec["metric_specs"]]
    for spec in specs:
        spec.setdefault("args", {})
    return run_spec


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case['run_spec_function']}-{case['args']}")
def test_vector_run_spec(case):
    run_spec = get_run_spec_function(case["run_spec_function"])(**case["args"])
    assert compact(run_spec) == with_all_args(case["run_spec"])


@pytest.mark.parametrize("mode", ["pattern_match", "variable_substitution", "induction"])
def test_synthetic_reasoning_has_a_group_for_its_mode(mode):
    run_spec = get_run_spec_function("synthetic_reasoning")(mode=mode)
    assert run_spec.name == f"synthetic_reasoning:mode={mode}"
    assert run_spec.groups == ["synthetic_reasoning", f"synthetic_reasoning_{mode}"]
    assert run_spec.adapter_spec.instructions == "Please solve the following problem.\n"
    assert (run_spec.adapter_spec.input_prefix, run_spec.adapter_spec.output_prefix) == ("", "Target: ")


@pytest.mark.parametrize("value", [3, "3"])
def test_dyck_language_takes_its_number_as_text_too(value):
    run_spec = get_run_spec_function("dyck_language")(num_parenthesis_pairs=value)
    assert run_spec.name == "dyck_language_np=3"
    assert run_spec.scenario_spec.args == {"num_parenthesis_pairs": 3}
    assert run_spec.adapter_spec.instructions.endswith("closed properly.\n")
    assert (run_spec.adapter_spec.input_prefix, run_spec.adapter_spec.input_suffix) == ("Input: ", "")
    assert (run_spec.adapter_spec.output_prefix, run_spec.adapter_spec.output_suffix) == ("", "")
