"""HumanEval and APPS: what a program is tested with, and how solutions are indented."""

import json
from dataclasses import replace

import pytest

from helm.benchmark.metrics.code_metrics import get_test_cases
from helm.benchmark.scenarios.code_scenario import CodeScenario, indent_with_tabs
from helm.benchmark.scenarios.scenario import with_instance_ids
from helm.common.codec import from_json, to_json
from helm.common.errors import ConfigError, ScenarioError

ROW = {
    "task_id": "T/0",
    "prompt": "def f(x):\n",
    "canonical_solution": "    return x\n",
    "test": "t",
    "entry_point": "f",
}


def write_apps(tmp_path, problems, order=None):
    folder = tmp_path / "APPS"
    for split in ("train", "test"):
        (folder / split).mkdir(parents=True)
    for name, files in problems.items():
        (folder / name).mkdir(parents=True)
        for file, content in files.items():
            (folder / name / file).write_text(content, encoding="utf-8")
    (folder / "code_scenario_apps_pinned_file_order.json").write_text(json.dumps(order or {}), encoding="utf-8")
    return str(tmp_path)


@pytest.mark.parametrize(
    "program, expected",
    [
        ("if a:\n   b\n      c\n     d\n\n   e  \n", "if a:\n\tb\n\t\tc\n\t  d\n\n\te  \n"),
        ("x", "x\n"),
        ("", ""),
        ("\n", "\n"),
        ("def f():\r\n    x\r\n", "def f():\n\tx\n"),
        ("a\n  b\n   \n    c", "a\n\tb\n\t \n\t\tc\n"),
        ("a\n   \n  b", "a\n   \n\tb\n"),
        ("if x:\n \ty\n    z", "if x:\n \ty\n\t\tz\n"),
        ("x\n\t y\n\t\t\tz", "x\n\t y\n\t\tz\n"),
    ],
)
def test_each_level_of_indentation_becomes_a_tab(program, expected):
    assert indent_with_tabs(program) == expected


def test_references_of_human_eval_carry_the_row_and_keep_it_when_ids_are_given(tmp_path):
    (tmp_path / "HumanEval.jsonl").write_text(f"\n{json.dumps(ROW)}\n\n", encoding="utf-8")
    (instance,) = with_instance_ids(CodeScenario("humaneval").get_instances(str(tmp_path)))
    assert instance.id == "id0"
    assert get_test_cases(instance, instance.references[0]) == ROW
    assert instance.metadata == ROW
    assert replace(instance, split="valid").metadata == ROW


def test_the_tests_of_a_program_are_not_written_to_files(tmp_path):
    (tmp_path / "HumanEval.jsonl").write_text(json.dumps(ROW), encoding="utf-8")
    (instance,) = CodeScenario("humaneval").get_instances(str(tmp_path))
    assert json.loads(to_json(instance.references[0])) == {
        "output": {"text": ROW["canonical_solution"]},
        "tags": ["correct"],
    }
    assert from_json(to_json(instance), type(instance).__mro__[1]).input == instance.input


def test_apps_problems_without_what_they_need_are_left_out_and_the_pinned_order_is_kept(tmp_path):
    whole = {"question.txt": "Q", "solutions.json": '["x"]', "input_output.json": '{"inputs": ["1"], "outputs": ["2"]}'}
    problems = {f"train/{i}": {**whole, "question.txt": f"Q{i}"} for i in range(3)}
    problems["train/1"] = {"question.txt": "no solutions"}
    problems["test/0"] = {"question.txt": "no tests", "solutions.json": '["x"]'}
    problems["test/1"] = {"question.txt": "call it", "input_output.json": "{}", "starter_code.py": "class S: ..."}
    folder = write_apps(tmp_path, problems, {"train": ["2", "1", "0"]})
    instances = CodeScenario("apps").get_instances(folder)
    assert [instance.input.text.split("\n")[2] for instance in instances] == ["Q2", "Q0", "call it"]
    assert "Use Call-Based format" in instances[2].input.text
    assert [reference.output.text for reference in instances[2].references] == [""]
    test_cases = get_test_cases(instances[0], instances[0].references[0])
    assert (test_cases["inputs"], test_cases["root"]) == (["1"], str(tmp_path / "APPS" / "train" / "2"))


def test_long_solutions_are_cut(tmp_path):
    files = {"question.txt": "Q", "solutions.json": json.dumps(["x" * 200_000])}
    (instance,) = CodeScenario("apps").get_instances(write_apps(tmp_path, {"train/0": files}))
    assert len(instance.references[0].output.text) == 150_000


def test_a_damaged_problem_is_named(tmp_path):
    folder = write_apps(tmp_path, {"train/7": {"question.txt": "Q", "solutions.json": '["x"'}})
    with pytest.raises(ScenarioError, match="train/7/solutions.json"):
        CodeScenario("apps").get_instances(folder)


def test_another_data_set_is_refused():
    with pytest.raises(ConfigError, match="Did you mean 'humaneval'"):
        CodeScenario("human_eval")
