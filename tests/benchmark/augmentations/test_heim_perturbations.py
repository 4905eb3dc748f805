"""The perturbations of prompts for images against HELM's: styles, translation, dialect and gender."""

import dataclasses
import html
import json

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.augmentations import translate_perturbation
from helm.benchmark.augmentations.perturbation import PerturbationSpec, create_perturbation
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.data_preprocessor import DataPreprocessor
from helm.benchmark.run_expander import DataAugmentationRunExpander
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.benchmark.specs import ScenarioSpec
from helm.clients.google_translate_client import GoogleTranslateClient
from helm.common.cache import Cache, SqliteCacheConfig
from helm.common.codec import asdict_without_nones, structure
from helm.common.data.data_session import data_session
from helm.common.media_object import MediaObject, MultimediaObject
from vectors_support import load_vectors

VECTORS = load_vectors("helm-heim/perturbations.json")
PACKAGE = "helm.benchmark.augmentations"


def spec_of(case):
    """The perturbation that a description is of."""
    own = {field.name for field in dataclasses.fields(PerturbationDescription)}
    args = {key: value for key, value in case["description"].items() if key not in own}
    module, name = {
        "suffix": ("suffix_perturbation", "SuffixPerturbation"),
        "translate": ("translate_perturbation", "TranslatePerturbation"),
        "dialect": ("dialect_perturbation", "DialectPerturbation"),
        "gender_terms": ("gender_perturbation", "GenderPerturbation"),
    }[case["kind"]]
    return PerturbationSpec(f"{PACKAGE}.{module}.{name}", args)


@pytest.fixture
def gold(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.png").touch()
    (tmp_path / "map.json").write_text(json.dumps(VECTORS["dialect_mapping"]), encoding="utf-8")
    return MultimediaObject([MediaObject("image/png", location="gold.png")])


def apply(case, gold):
    reference = Reference(Output("", gold), [CORRECT_TAG])
    instance = Instance(Input(case["text"]), [reference], split="test", id=case["id"])
    copy = create_perturbation(spec_of(case)).apply(instance)
    assert copy.id == case["id_after"]
    assert [contrast.text for contrast in copy.contrast_inputs] == case["contrast_inputs"]
    kept = [(r.tags, [m.location for m in r.output.multimedia_content.media_objects]) for r in copy.references]
    assert kept == [(reference["tags"], reference["media"]) for reference in case["references"]]
    described = {key: value for key, value in case["description"].items() if value is not None}
    assert asdict_without_nones(copy.perturbation) == described
    assert structure(described, PerturbationDescription) == copy.perturbation
    return copy


@pytest.mark.parametrize("kind", ["suffix", "dialect", "gender_terms"])
def test_changed_prompts_are_those_of_helm(kind, gold):
    for case in VECTORS["cases"]:
        if case["kind"] == kind:
            copy = apply(case, gold)
            assert copy.input.text == case["result"]
            assert [reference.output.text for reference in copy.references] == [r["text"] for r in case["references"]]


class Translator:
    """Stands for Google's service, which answers as that of the vectors."""

    def __init__(self, escapes=False):
        self.asked, self.escapes = [], escapes

    def translate(self, text, target_language, format_):
        self.asked.append({"text": text, "target_language": target_language})
        translated = f"<{target_language}> {text[::-1]}"
        return {"input": text, "translatedText": html.escape(translated) if self.escapes else translated}


@pytest.fixture
def translator(monkeypatch):
    service = Translator()

    class Client(GoogleTranslateClient):
        def __init__(self, cache_config):
            self._client, self._cache = service, Cache(cache_config)

    monkeypatch.setattr(translate_perturbation, "GoogleTranslateClient", Client)
    return service


def test_translations_are_those_of_helm_without_escapes_and_are_paid_once(gold, tmp_path, translator):
    """HELM also asks for the empty texts of references, and keeps the escapes of HTML in prompts."""
    with data_session(local_path=str(tmp_path / "env")):
        for case in VECTORS["cases"]:
            if case["kind"] == "translate":
                translator.asked.clear()
                copy = apply(case, gold)
                expected = html.unescape(case["result"]) if case["text"] else ""
                assert copy.input.text == expected
                assert copy.references[0].output.text == ""
                assert translator.asked == [asked for asked in case["asked"] if asked["text"]]
                apply(case, gold)  # a new perturbation, as in another run
                assert len(translator.asked) <= 1
    assert (tmp_path / "env/cache/google_translate.sqlite").exists()


def test_what_helm_cached_is_read_without_escapes(tmp_path):
    key, config = {"text": "it's", "target_language": "es"}, SqliteCacheConfig(str(tmp_path / "t.sqlite"))
    Cache(config).get(key, lambda: {"translatedText": "est&aacute; d&#39;accord", "detectedSourceLanguage": "en"})

    class Client(GoogleTranslateClient):
        def __init__(self):
            self._client, self._cache = None, Cache(config)

    assert Client().translate("it's", "es") == "está d'accord"


def test_plain_answers_keep_what_looks_like_an_escape(tmp_path, translator):
    with data_session(local_path=str(tmp_path)):
        perturbation = create_perturbation(
            PerturbationSpec(f"{PACKAGE}.translate_perturbation.TranslatePerturbation", {"language_code": "es"})
        )
        assert perturbation.perturb(";pma&", None) == perturbation.perturb(";pma&", None) == "<es> &amp;"


@pytest.mark.parametrize("case", [case for case in VECTORS["cases"] if case["kind"] == "augmented_art"])
def test_an_instance_becomes_seven_with_styles(case):
    run_spec = RunSpec("mscoco", ScenarioSpec("x.Y"), adapter_spec=AdapterSpec(), metric_specs=[])
    (changed,) = DataAugmentationRunExpander("art").expand(run_spec)
    instances = [Instance(Input(text), [], split="test", id=f"id{i}") for i, text in enumerate(case["texts"])]
    made = DataPreprocessor(changed.data_augmenter_spec).preprocess(instances)
    assert [[i.id, i.input.text, i.perturbation and i.perturbation.suffix] for i in made] == case["result"]


@pytest.mark.parametrize("name", VECTORS["expander"])
def test_names_of_augmentations_stand_for_helms_perturbations(name):
    run_spec = RunSpec("mscoco", ScenarioSpec("x.Y"), adapter_spec=AdapterSpec(), metric_specs=[])
    runs = DataAugmentationRunExpander(name).expand(run_spec)
    found = {
        run.name.removeprefix("mscoco,data_augmentation="): [
            {"class_name": spec.class_name, "args": spec.args} for spec in run.data_augmenter_spec.perturbation_specs
        ]
        for run in runs
    }
    assert found == VECTORS["expander"][name]
