"""Perturbations against the golden vectors."""

import json

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.augmentations.contraction_expansion_perturbation import CONTRACTION_MAP
from helm.benchmark.augmentations.filler_words_perturbation import FILL_PHRASE, SPEAKER_PHRASES, UNCERTAIN_PHRASES
from helm.benchmark.augmentations.gender_perturbation import GENDER_PRONOUN_MAPPINGS, GENDER_TERM_MAPPINGS
from helm.benchmark.augmentations.perturbation import PerturbationSpec, create_perturbation
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.augmentations.typos_perturbation import _NEIGHBOURS
from helm.benchmark.data_preprocessor import DataPreprocessor
from helm.benchmark.run_expander import DataAugmentationRunExpander
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.benchmark.specs import DataAugmenterSpec, ScenarioSpec
from helm.common.codec import asdict_without_nones, structure
from helm.common.general import match_case
from perturbation_support import TABLES, write_misspellings
from vectors_support import load_vectors, vector_cases


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """The files that the cases name, in the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HELM_PERTURBATION_DATA", str(tmp_path))
    write_misspellings(tmp_path)
    (tmp_path / "x.png").touch()  # media that the cases of augmentation.json name
    files = load_vectors("helm-metrics/perturbations.json")["files"]
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (tmp_path / name).write_text(text, encoding="utf-8")


def test_vector_perturbations(tables):
    made = {}
    for case in vector_cases("helm-metrics/perturbations.json"):
        key = json.dumps(case["spec"])
        if key not in made:
            made[key] = create_perturbation(PerturbationSpec(**case["spec"]))
        references = [Reference(Output(case["reference"]), [CORRECT_TAG])]
        instance = Instance(Input(case["input"]), references, split="test", id=case["id"])
        result = made[key].apply(instance, case["seed"])
        assert result.input.text == case["output"], case
        assert result.references[0].output.text == case["output_reference"], case
        assert list(asdict_without_nones(result.perturbation).items()) == list(case["description"].items()), case
        inputs = result.contrast_inputs and [i.text for i in result.contrast_inputs]
        assert inputs == case["contrast_inputs"], case
        assert result.id == case["id"]


def test_vector_descriptions_read_back():
    for case in vector_cases("helm-metrics/perturbations.json"):
        read = structure(case["description"], PerturbationDescription)
        # HELM reads `style` and `translate` without their settings, and so confuses the six styles of an instance.
        assert asdict_without_nones(read) == case["description"], case


def test_vector_augmentation(tables):
    for case in vector_cases("helm-metrics/augmentation.json"):
        spec = structure(case["spec"], DataAugmenterSpec)
        instances = DataPreprocessor(spec).preprocess(structure(case["input_instances"], list[Instance]))
        assert [asdict_without_nones(instance) for instance in instances] == case["output_instances"], case


def test_vector_data_augmentation_expander():
    for case in vector_cases("helm-metrics/data_augmentation_expander.json"):
        if "raises" in case:
            with pytest.raises(ValueError) as caught:
                DataAugmentationRunExpander(case["data_augmentation"])
            assert str(caught.value).startswith(case["message_prefix"])
            continue
        name = case["runs"][0]["name"].split(",data_augmentation=")[0]
        run_spec = RunSpec(name, ScenarioSpec("x.Y"), adapter_spec=AdapterSpec(), metric_specs=[])
        runs = DataAugmentationRunExpander(case["data_augmentation"]).expand(run_spec)
        made = [
            {"name": run.name, "data_augmenter_spec": asdict_without_nones(run.data_augmenter_spec)} for run in runs
        ]
        assert json.dumps(made) == json.dumps(case["runs"]), case


def test_vector_match_case():
    for case in vector_cases("helm-metrics/match_case.json"):
        values = list(case.values())
        assert match_case(*values[:2]) == values[2], case


def test_the_tables_in_the_code_are_those_of_the_vectors():
    tables = json.loads((TABLES / "perturbation_tables.json").read_text(encoding="utf-8"))
    assert list(map(list, CONTRACTION_MAP.items())) == tables["contractions"]
    assert SPEAKER_PHRASES == tables["filler_speaker_phrases"]
    assert UNCERTAIN_PHRASES == tables["filler_uncertain_phrases"]
    assert FILL_PHRASE == tables["filler_fill_phrases"]
    assert _NEIGHBOURS == tables["keyboard_neighbours"]
    assert [list(row) for row in GENDER_TERM_MAPPINGS] == tables["gender_terms_neutral_female_male"]
    assert [list(row) for row in GENDER_PRONOUN_MAPPINGS] == tables["gender_pronouns_neutral_female_male"]
