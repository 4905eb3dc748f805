"""Names of HELM's modules that `scenarios/names.yaml` declares: constants, and methods that make instances of given rows."""

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.declarative import declared_names
from helm.benchmark.declarative.row_methods import make_method
from helm.benchmark.scenarios.scenario import Instance, Reference


def shown(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [shown(item) for item in value]
    if isinstance(value, Instance):
        return (value.split, value.input.text, shown(value.references))
    if isinstance(value, Reference):
        return value.output.text + (" *" if value.is_correct else "")
    return getattr(value, "text", value)


def scenario(path: str, *arguments: Any) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(f"helm.benchmark.scenarios.{module}"), name)(*arguments)


FILES = [
    (
        "mmlu_scenario.MMLUScenario anatomy",
        "process_csv",
        'What is 1+1?,1,2,3,4,B\n"a, b",5,6,5,8,D\n',
        [("test", "What is 1+1?", ["1", "2 *", "3", "4"]), ("test", "a, b", ["5", "6", "5", "8 *"])],
    ),
    (
        "medbullets_scenario.MedBulletsScenario",
        "process_csv",
        "question,opa,opb,opc,opd,ope,answer_idx\nQ,a,b,c,d,e,C\n",
        [("test", "Q", ["a", "b", "c *", "d", "e"])],
    ),
    (
        "aci_bench_scenario.ACIBenchScenario",
        "process_json",
        json.dumps({"data": [{"src": "hello", "tgt": "note"}]}),
        [("test", "Doctor-patient dialogue:\n\nhello", ["note *"])],
    ),
    (
        "thai_exam_scenario.ThaiExamScenario onet",
        "process_jsonl",
        json.dumps({"question": "Q", "a": "1", "b": "2", "c": "3", "d": "4", "e": "5", "answer": "c"}),
        [("test", "Q", ["1", "2", "3 *", "4", "5"])],
    ),
]


@pytest.mark.parametrize("path, method, text, expected", FILES, ids=[case[0].split(".")[0] for case in FILES])
def test_a_file_of_ones_own_gives_instances(tmp_path: Path, path: str, method: str, text: str, expected: Any) -> None:
    class_path, *arguments = path.split()
    file = tmp_path / f"data.{method.rpartition('_')[2]}"
    file.write_text(text, encoding="utf-8")
    assert shown(getattr(scenario(class_path, *arguments), method)(str(file), "test")) == expected


CHOICES = {"stem": "S", "choices": [{"text": "1", "label": "A"}, {"text": "2", "label": "B"}]}
ROWS = [
    (
        "mmlu_pro_scenario.MMLUProScenario all",
        "process_dataset",
        ([{"question": "Q", "options": ["x", "y"], "answer": "B", "category": "math", "question_id": 7}], "test"),
        [("test", "Q", ["x", "y *"])],
    ),
    (
        "legal_opinion_sentiment_classification_scenario.LegalOpinionSentimentClassificationScenario",
        "create_instances",
        ([{"Phrase": "p", "Label": 1}], "train"),
        [("train", "p", ["negative *"])],
    ),
    (
        "commonsense_scenario.HellaSwagScenario",
        "json_to_instance",
        ({"activity_label": "A", "ctx_a": "x", "ctx_b": "the", "endings": ["1", "2"], "label": 1}, "val"),
        ("valid", "A: x The", ["1", "2 *"]),
    ),
    (
        "commonsense_scenario.OpenBookQA",
        "json_to_instance",
        ({"question": CHOICES, "answerKey": "B"}, "test"),
        ("test", "S", ["1", "2 *"]),
    ),
    (
        "commonsense_scenario.PiqaScenario",
        "json_to_instance",
        ({"goal": "g", "sol1": "a", "sol2": "b"}, 1, "val"),
        ("valid", "g", ["a", "b *"]),
    ),
    (
        "arabic_finance_scenario.ArabicFinanceMCQScenario en",
        "get_references",
        ({"task": "mcq", "id": 1, "question": "q", "choice": "A. x\nB. y", "ground_truth": "B"},),
        ["x", "y *"],
    ),
    (
        "melt_knowledge_scenario.MELTKnowledgeViMMRCScenario",
        "process_example",
        ({"question": "q", "article": "a", "options": "['A. x','B. y','C. z','D. w']", "answer": "B"},),
        ["Ngữ cảnh: a\n\nCâu hỏi: q", ["A. x", "B. y *", "C. z", "D. w"]],
    ),
    (
        "melt_scenarios.MELTTextClassificationVSMECScenario",
        "process_example",
        ({"Sentence": "s", "Emotion": "Other"},),
        ["s", ["other"]],
    ),
]


@pytest.mark.parametrize("path, method, arguments, expected", ROWS, ids=[case[0].split()[0] for case in ROWS])
def test_rows_of_ones_own_give_instances(path: str, method: str, arguments: Any, expected: Any) -> None:
    class_path, *constructor = path.split()
    assert shown(getattr(scenario(class_path, *constructor), method)(*arguments)) == expected


def test_a_static_method_is_called_through_the_class_and_rows_may_be_a_data_frame() -> None:
    pandas = pytest.importorskip("pandas")
    row = {"question": CHOICES, "answerKey": "A"}
    path = "commonsense_scenario.CommonSenseQAScenario"
    assert shown(type(scenario(path)).json_to_instance(row, split="test")) == ("test", "S", ["1 *", "2"])
    frame = pandas.DataFrame([{"sentence": "p", "label": 0}])
    legal = scenario("legal_opinion_sentiment_classification_scenario.LegalOpinionSentimentClassificationScenario")
    assert shown(legal.create_instances(frame, "test")) == [("test", "p", ["positive *"])]


def test_constants_are_parts_of_the_entry() -> None:
    from helm.benchmark.scenarios import fin_qa_scenario, gpqa_scenario, wikifact_scenario
    from helm.benchmark.scenarios.medec_scenario import MedecScenario

    assert fin_qa_scenario.DATASET_URL_PREFIX.endswith("/dataset/")
    assert gpqa_scenario.SUBSETS == list(gpqa_scenario.TRAIN_EXAMPLE_INDICES)
    assert wikifact_scenario.PID_TO_NAME[wikifact_scenario.NAME_TO_PID["author"]] == "author"
    assert len(MedecScenario.GIT_HASH) == 40 and MedecScenario.GIT_HASH in MedecScenario.TEST_URL
    assert "PID_TO_NAME" in dir(wikifact_scenario)


def test_a_text_of_settings_in_a_file_is_returned_by_a_function(tmp_path: Path) -> None:
    from helm.benchmark.scenarios.legalbench_scenario import get_legalbench_instructions, get_legalbench_output_nouns

    lines = [
        {"abercrombie": [[], ""]},
        {"abercrombie": "Classify."},
        {"abercrombie": "answer"},
        {"abercrombie": "Class"},
    ]
    (tmp_path / "prompt_construction_settings.json").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert get_legalbench_instructions("abercrombie", str(tmp_path)) == "Classify."
    assert get_legalbench_output_nouns(subset="abercrombie", cache_dir=str(tmp_path)) == "Class"


def test_every_declared_name_exists_and_has_its_parameters() -> None:
    for module, section in declared_names._sections().items():
        found = importlib.import_module(f"helm.benchmark.scenarios.{module}")
        for part in ("constants", "from_entry", "functions", "methods"):
            for name in section.get(part, {}):
                value: Any = found
                for word in name.split("."):
                    value = getattr(value, word)
                assert value is not None, f"{module}.{name}"
    with pytest.raises(KeyError, match="rows_of"):
        make_method("process", "rows_of data")(None, [])
