"""RULER ends, whatever the data and the limit are; and does not change what it has read."""

import json

import pytest

from helm.benchmark.scenarios.ruler_qa_scenarios import RULERHotpotQAScenario, RULERSQuADScenario
from helm.common.errors import ConfigError, ScenarioError


def write_hotpot(tmp_path, num_questions, num_words=10, num_own=1, documents_per_question=1):
    rows = [
        {
            "question": f"Who is {i}?",
            "answer": f"a{i}",
            "context": [
                [f"T{i % documents_per_question}-{i}-{k}", ["word " * num_words, "end."]] for k in range(num_own)
            ],
        }
        for i in range(num_questions)
    ]
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data" / "hotpotqa.json").write_text(json.dumps(rows), encoding="utf-8")
    return str(tmp_path)


def test_a_limit_that_ten_documents_do_not_meet_is_an_error(tmp_path):
    folder = write_hotpot(tmp_path, 600, num_words=100)
    with pytest.raises(ScenarioError, match="max_num_words=500 is too small: question 0"):
        RULERHotpotQAScenario(500).get_instances(folder)


def test_a_question_whose_own_documents_are_too_long_is_an_error(tmp_path):
    folder = write_hotpot(tmp_path, 600, num_words=20)
    path = tmp_path / "data" / "hotpotqa.json"
    rows = json.loads(path.read_text())
    rows[3]["context"] = [[f"own {k}", ["word " * 300]] for k in range(10)]
    path.write_text(json.dumps(rows))
    with pytest.raises(ScenarioError, match="question 3 does not fit"):
        RULERHotpotQAScenario(600).get_instances(folder)


def test_a_question_with_more_documents_than_fit_is_an_error(tmp_path):
    folder = write_hotpot(tmp_path, 600, num_words=5)
    path = tmp_path / "data" / "hotpotqa.json"
    rows = json.loads(path.read_text())
    rows[2]["context"] = [[f"own {k}", ["w"]] for k in range(15)]
    path.write_text(json.dumps(rows))
    with pytest.raises(ScenarioError, match="question 2 does not fit"):
        RULERHotpotQAScenario(250).get_instances(folder)


def test_a_source_with_few_questions_gives_as_many_instances(tmp_path, caplog):
    instances = RULERHotpotQAScenario(400).get_instances(write_hotpot(tmp_path, 20))
    assert len(instances) == 20
    assert "20 instances" in caplog.text


def test_every_prompt_has_its_own_documents_and_fits(tmp_path):
    instances = RULERHotpotQAScenario(400).get_instances(write_hotpot(tmp_path, 505))
    assert [instance.id for instance in instances] == list(range(500))
    for i, instance in enumerate(instances):
        assert f"-{i}-0\n" in instance.input.text
        assert len(instance.input.text.split()) <= 400 - 32


def test_all_documents_when_they_fit_and_the_same_instances_every_time(tmp_path):
    scenario = RULERHotpotQAScenario(100_000)
    folder = write_hotpot(tmp_path, 30)
    first = [instance.input.text for instance in scenario.get_instances(folder)]
    assert all(text.count("Document ") == 30 for text in first)
    assert [instance.input.text for instance in scenario.get_instances(folder)] == first


def test_impossible_questions_of_squad_are_left_out(tmp_path):
    paragraphs = [
        {
            "context": f"Paragraph {i}.",
            "qas": [
                {"question": f"Q{i}?", "is_impossible": False, "answers": [{"text": "x"}, {"text": "x"}]},
                {"question": f"N{i}?", "is_impossible": True, "answers": []},
            ],
        }
        for i in range(20)
    ]
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "squad.json").write_text(json.dumps({"data": [{"paragraphs": paragraphs}]}))
    instances = RULERSQuADScenario(300).get_instances(str(tmp_path))
    assert len(instances) == 20
    assert [reference.output.text for reference in instances[0].references] == ["x", "x"]


@pytest.mark.parametrize("content", ["[]", '[{"question": "x"}]', "{", '{"data": []}'])
def test_damaged_sources_are_named(content, tmp_path):
    (tmp_path / "data").mkdir()
    for name in ("hotpotqa", "squad"):
        (tmp_path / "data" / f"{name}.json").write_text(content)
    for scenario in (RULERHotpotQAScenario(500), RULERSQuADScenario(500)):
        with pytest.raises(ScenarioError, match="hotpotqa|squad"):
            scenario.get_instances(str(tmp_path))


def test_a_limit_without_room_for_the_answer_is_refused():
    with pytest.raises(ConfigError, match="max_num_words must be more than 32"):
        RULERSQuADScenario(32)
