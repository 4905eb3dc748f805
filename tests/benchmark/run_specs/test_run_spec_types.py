"""Types in run specs: `1`, `1.0`, `"1"` and `true` give different bytes of `run_spec.json` and different cache keys.

`recorded/run_spec_types.jsonl` holds, for run entries, the numbers and arguments that crfm-helm 0.5.16 puts into RunSpecs.
"""

import json
from pathlib import Path

import pytest

from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.run_spec import get_run_spec_function
from helm.benchmark.run_spec_factory import construct_run_specs
from helm.benchmark.scenarios.scenario import create_scenario
from helm.common.codec import to_json
from helm.common.object_spec import parse_object_spec

LINES = (Path(__file__).parents[2] / "recorded" / "run_spec_types.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]


@pytest.fixture(scope="module", autouse=True)
def catalogue():
    register_builtin_configs_from_helm_package()


def run_spec(entry: str):
    return construct_run_specs(parse_object_spec(entry))[0]


def has_number(value) -> bool:
    if isinstance(value, (dict, list)):
        return any(map(has_number, value.values() if isinstance(value, dict) else value))
    return isinstance(value, (int, float))


@pytest.mark.parametrize("case", CASES, ids=[case["entry"] for case in CASES])
def test_vector_types_and_order_of_values_are_those_of_the_original(case):
    spec = json.loads(to_json(run_spec(case["entry"])))
    got = {
        "entry": case["entry"],
        "name": spec["name"],
        "adapter": {name: value for name, value in spec["adapter_spec"].items() if isinstance(value, (int, float))},
        "scenario_args": spec["scenario_spec"].get("args", {}),
        "metric_args": [metric["args"] for metric in spec["metric_specs"] if has_number(metric.get("args", {}))],
    }
    assert json.dumps(got) == json.dumps(case)  # equality of texts: 1 == 1.0 == True in Python


def test_a_text_for_false_is_false_though_the_original_takes_any_text_for_true():
    for name in ("boolq", "imdb"):
        spec = run_spec(f"{name}:only_contrast=False,model=simple/model1")
        assert spec.name == f"{name}:model=simple_model1" and spec.scenario_spec.args == {"only_contrast": False}
        assert create_scenario(spec.scenario_spec).only_contrast is False
        spec = run_spec(f"{name}:only_contrast=True,model=simple/model1")
        assert spec.name == f"{name}:only_contrast=True,model=simple_model1"
        assert spec.scenario_spec.args == {"only_contrast": "True"}
        assert create_scenario(spec.scenario_spec).only_contrast


def test_the_number_of_idk_adds_the_choice():
    function = get_run_spec_function("decodingtrust_ood_robustness")
    for idk, shown, letters in (
        (1, "1", "'E'."),
        (0, "0", "or 'D'."),
        (True, "True", "'E'."),
        (False, "False", "or 'D'."),
    ):
        spec = function(ood_type="knowledge", task="qa_2020", demo_name="2021_qa", idk=idk)
        assert spec.name.endswith(f",idk={shown}") and letters in spec.adapter_spec.instructions
        assert create_scenario(spec.scenario_spec).idk is bool(idk)


def test_sets_of_examples_that_do_not_exist_are_no_examples():
    function = get_run_spec_function("decodingtrust_ood_robustness")
    shots = [
        function(ood_type="style", task="base", demo_name="shake_w", run_id=i).adapter_spec.max_train_instances
        for i in (-1, 0, 2, 3)
    ]
    assert shots == [0, 8, 8, 0]
