"""Perturbations of Chinese text, against recordings of the original with made-up tables."""

import json
from pathlib import Path

import pytest

from helm.benchmark.augmentations.perturbation import PerturbationSpec, create_perturbation
from helm.benchmark.augmentations.perturbation_data import PerturbationError
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.common.codec import asdict_without_nones, structure

MODULE = "helm.benchmark.augmentations.cleva_perturbation"
RECORDED = json.loads((Path(__file__).parent / "cleva_cases.json").read_text(encoding="utf-8"))


@pytest.fixture
def tables(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HELM_PERTURBATION_DATA", str(tmp_path))
    for name, content in RECORDED["files"].items():
        text = content if isinstance(content, str) else json.dumps(content)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_recorded_cases(tables):
    made = {}
    for case in RECORDED["cases"]:
        key = json.dumps([case["class"], case["args"]])
        if key not in made:
            made[key] = create_perturbation(PerturbationSpec(f"{MODULE}.{case['class']}", case["args"]))
        reference = Reference(Output(case["reference"]), [CORRECT_TAG])
        result = made[key].apply(Instance(Input(case["input"]), [reference], split="test", id=case["id"]))
        assert result.input.text == case["output"], case
        assert result.references[0].output.text == case["output_reference"], case
        description = asdict_without_nones(result.perturbation)
        assert list(description.items()) == list(case["description"].items()), case
        assert structure(description, PerturbationDescription) == result.perturbation
    assert len({case["class"] for case in RECORDED["cases"]}) == 7


def test_pronouns_need_no_table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HELM_OFFLINE", "1")
    args = {"mode": "pronouns", "prob": 1.0, "source_class": "male", "target_class": "female"}
    spec = PerturbationSpec(f"{MODULE}.ChineseGenderPerturbation", args)
    instance = Instance(Input("他说"), [Reference(Output("他们"), [])], id="id0")
    result = create_perturbation(spec).apply(instance)
    assert (result.input.text, result.references[0].output.text) == ("她说", "他们")


@pytest.mark.parametrize(
    "name, content, part",
    [
        ("gender_term.txt", "父亲 母亲\n儿子\n", "line 2"),
        ("synonyms.json", '{"我": []}', "我"),
        ("conversion.json", '{"我": 1}', "conversion.json"),
        ("chinese_name_gender.json", "[]", "chinese_person_name"),
        ("toneless_pinyin_to_char.json", "[]", "toneless_pinyin_to_char.json"),
    ],
)
def test_a_table_that_is_not_one_is_named(tables, name, content, part):
    (tables / name).write_text(content, encoding="utf-8")
    table_users = {
        "gender_term.txt": next(c for c in RECORDED["cases"] if c["args"].get("mode") == "terms"),
        "synonyms.json": next(c for c in RECORDED["cases"] if c["class"] == "ChineseSynonymPerturbation"),
        "conversion.json": next(c for c in RECORDED["cases"] if c["class"] == "MandarinToCantonesePerturbation"),
        "chinese_name_gender.json": next(c for c in RECORDED["cases"] if "PersonName" in c["class"]),
        "toneless_pinyin_to_char.json": next(c for c in RECORDED["cases"] if c["args"].get("consider_tone") is False),
    }
    case = table_users[name]
    with pytest.raises(PerturbationError, match=part):
        create_perturbation(PerturbationSpec(f"{MODULE}.{case['class']}", case["args"]))
