"""The scenarios that are generated in memory, instance by instance as the original generates them."""

import hashlib
import json
import random
import time

import numpy as np
import pytest

from helm.benchmark.scenarios.custom_mcqa_scenario import CustomMCQAScenario
from helm.benchmark.scenarios.dyck_language_scenario import DyckLanguageScenario
from helm.benchmark.scenarios.scenario import ScenarioSpec, create_scenario
from helm.benchmark.scenarios.synthetic_reasoning_natural_scenario import SRNScenario
from helm.benchmark.scenarios.synthetic_reasoning_scenario import SyntheticReasoningScenario
from helm.common.errors import ConfigError, ScenarioError
from helm.common.random_draws import python_below, shuffle_with
from vectors_support import load_vectors, vector_cases

FIXTURE_FILES = ["helm-scenarios/fixtures_finance_long_sql_other.json", "helm-scenarios/fixtures_classic.json"]
OFFLINE = ["simple1", "simple_mcqa", "simple_short_answer_qa", "simple_classification", "custom_mcqa"]


def references_of(instance):
    return [[reference.output.text, reference.tags] for reference in instance.references]


def digest(instances):
    rows = [[instance.split, instance.input.text, references_of(instance)] for instance in instances]
    lines = [json.dumps(row, separators=(",", ":"), ensure_ascii=False) for row in rows]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def case_name(case):
    return f"{case['class_name'].rsplit('.', 1)[1]}-{case['args']}"


@pytest.mark.parametrize("case", vector_cases("helm-scenarios/synthetic.json"), ids=case_name)
def test_vector_generated_instances(case, tmp_path):
    scenario = create_scenario(ScenarioSpec(case["class_name"], case["args"]))
    instances = scenario.get_instances(str(tmp_path))
    assert scenario.name == case["scenario_name"]
    assert len(instances) == case["num_instances"]
    for split, expected in case["splits"].items():
        assert sum(instance.split == split for instance in instances) == expected["count"]
        assert next(i for i, instance in enumerate(instances) if instance.split == split) == expected["first_index"]
        for example in expected["instances"]:
            instance = instances[example["index"]]
            assert instance.input.text == example["input"], f"{case_name(case)}: instance {example['index']}"
            assert references_of(instance) == example["references"]
            assert instance.split == example["split"]
        assert digest([instance for instance in instances if instance.split == split]) == expected["sha256"]
    assert digest(instances) == case["instances_sha256"]


def offline_fixtures():
    return [case for file in FIXTURE_FILES for case in vector_cases(file) if case["run_spec_function"] in OFFLINE]


@pytest.mark.parametrize("case", offline_fixtures(), ids=lambda case: case["id"])
def test_vector_fixture_instances(case, tmp_path):
    for name, content in case["files"].items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    spec = case["run_spec"]["scenario_spec"]
    scenario = create_scenario(ScenarioSpec(spec["class_name"], spec.get("args", {})))
    instances = scenario.get_instances(str(tmp_path))
    assert (scenario.name, scenario.tags) == (case["scenario_name"], case["scenario_tags"])
    assert len(instances) == case["num_instances"]
    assert digest(instances) == case["instances_sha256"]


@pytest.mark.parametrize(
    "name",
    ["simple1", "simple_mcqa", "simple_classification", "simple_short_answer_qa", "custom_mcqa", "dyck_language_3",
     "synthetic_reasoning_natural_easy",
     "synthetic_reasoning_pattern_match", "synthetic_reasoning_variable_substitution"],
)  # fmt: skip
def test_vector_scenario_file(name):
    for run in load_vectors(f"helm-core/runs/{name}.json")["runs"]:
        spec = run["run_spec.json"]["scenario_spec"]
        scenario = create_scenario(ScenarioSpec(spec["class_name"], spec.get("args", {})))
        found = {key: getattr(scenario, key) for key in ("name", "description", "tags", "definition_path")}
        assert found == run["scenario.json"]


@pytest.mark.parametrize("seed", range(10))
def test_python_below_repeats_random(seed):
    generator, below = random.Random(seed), python_below(random.Random(seed))
    for n in list(range(1, 40)) * 3:
        assert generator.randrange(n) == below(n)
        assert generator.choice(range(n)) == below(n)
        assert generator.randint(3, 2 + n) == 3 + below(n)
        expected, items = list(range(n)), list(range(n))
        generator.shuffle(expected)
        shuffle_with(below, items)
        assert items == expected


@pytest.mark.parametrize(
    "scenario",
    [
        DyckLanguageScenario(2),
        *(
            pytest.param(scenario, marks=pytest.mark.slow, id=scenario.name)
            for scenario in [SyntheticReasoningScenario("pattern_match"), SRNScenario("hard")]
        ),
    ],
    ids=lambda scenario: scenario.name,
)
def test_instances_are_the_same_every_time_and_leave_the_global_generators_alone(scenario, tmp_path):
    random.seed(5), np.random.seed(5)
    expected = random.Random(5).random(), np.random.RandomState(5).rand()
    first = digest(scenario.get_instances(str(tmp_path)))
    assert (random.random(), np.random.rand()) == expected
    assert digest(scenario.get_instances(str(tmp_path))) == first


def test_generating_is_cheap(tmp_path):
    scenario = SyntheticReasoningScenario("pattern_match")
    started = time.process_time()
    count = len(scenario.get_instances(str(tmp_path)))
    assert (time.process_time() - started) / count < 200e-6  # measured: about 15 us


def test_unknown_mode_names_the_nearest():
    with pytest.raises(ConfigError, match="not 'inducton'. Did you mean 'induction'?"):
        SyntheticReasoningScenario("inducton")


def test_unknown_difficulty_is_medium_with_a_warning(tmp_path, caplog):
    scenario = SRNScenario("eazy")
    assert "Did you mean 'easy'" in caplog.text
    assert digest(scenario.get_instances(str(tmp_path))) == digest(SRNScenario("medium").get_instances(str(tmp_path)))


@pytest.mark.parametrize(
    "kwargs", [{"num_parenthesis_pairs": 5}, {"num_parenthesis_pairs": 0}, {"num_parenthesis_pairs": 2, "prob_p": 0.8}]
)
def test_dyck_language_refuses_numbers_out_of_range(kwargs):
    with pytest.raises(ConfigError, match="dyck_language: "):
        DyckLanguageScenario(**kwargs)


@pytest.mark.parametrize(
    "line, message",
    [
        ('{"input": {"text": "x"}', "line 2 is not a question"),
        ('{"input": {"text": 3}, "references": [], "split": "test"}', "line 2"),
        ('{"input": {"text": "x"}, "references": [{"output": {"text": "y"}, "tags": []}], "split": "a"}', "not 'a'"),
        ('{"input": {"text": "x"}, "references": [], "split": "test"}', "no references"),
        ('["x"]', "line 2 is not a question"),
        ('{"input": {"text": "x"}, "refs": [], "split": "test"}', "line 2"),
    ],
)
def test_custom_mcqa_names_file_and_line(line, message, tmp_path):
    good = '{"input": {"text": "x"}, "references": [{"output": {"text": "y"}, "tags": ["correct"]}], "split": "test"}'
    (tmp_path / "q.jsonl").write_text(f"{good}\n{line}\n", encoding="utf-8")
    with pytest.raises(ScenarioError, match=message) as caught:
        CustomMCQAScenario("q.jsonl").get_instances(str(tmp_path))
    assert "q.jsonl" in str(caught.value)


def test_custom_mcqa_without_its_file_says_where_it_looked(tmp_path):
    with pytest.raises(ScenarioError, match=str(tmp_path / "q.jsonl")):
        CustomMCQAScenario("q.jsonl").get_instances(str(tmp_path))
