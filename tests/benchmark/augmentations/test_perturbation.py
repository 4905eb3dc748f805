"""What holds for every perturbation, and what single ones do. New perturbations are tested here."""

import json
import random
from dataclasses import replace
from random import Random

import pytest

from helm.benchmark.augmentations.common_perturbation_specs import PERTURBATION_SPECS_DICT
from helm.benchmark.augmentations.contrast_sets_perturbation import ContrastSetsPerturbation
from helm.benchmark.augmentations.data_augmenter import DataAugmenter
from helm.benchmark.augmentations.dialect_perturbation import DialectPerturbation
from helm.benchmark.augmentations.filler_words_perturbation import FillerWordsPerturbation
from helm.benchmark.augmentations.gender_perturbation import GenderPerturbation
from helm.benchmark.augmentations.person_name_perturbation import PersonNamePerturbation
from helm.benchmark.augmentations.perturbation import create_perturbation
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.augmentations.typos_perturbation import TyposPerturbation
from helm.benchmark.data_preprocessor import DataPreprocessor
from helm.benchmark.scenarios.code_scenario import CodeInstance, CodeReference
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.benchmark.specs import DataAugmenterSpec
from helm.common.codec import asdict_without_nones, structure
from helm.common.errors import ScenarioError
from helm.common.media_object import MediaObject, MultimediaObject
from perturbation_support import write_tables

NEED_MORE = ("cleva", "chinese", "traditional", "cantonese", "synonym", "translate")
"""Perturbations with tests of their own, because they need packages."""

SPECS = {
    f"{spec.class_name.rsplit('.', 1)[1]} {json.dumps(spec.args, sort_keys=True)}": spec
    for sets in PERTURBATION_SPECS_DICT.values()
    for specs in sets.values()
    for spec in specs
    if not any(word in spec.class_name.lower() for word in NEED_MORE)
}


@pytest.fixture(scope="module", autouse=True)
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    write_tables(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HELM_PERTURBATION_DATA", str(folder))
        yield folder


@pytest.fixture(scope="module")
def perturbations(tables):
    return {name: create_perturbation(spec) for name, spec in SPECS.items()}


WORDS = "The the jack Jack SMITH lauren he his her father I am is not cannot can't going to this with government \u00e9".split()
SIGNS = [" ", " ", " ", "  ", ", ", ". ", "-", "'", "\n", ""]


def text(draw):
    return "".join(draw.choice(WORDS) + draw.choice(SIGNS) for _ in range(draw.randint(0, 30)))


def instances(num=40):
    draw = random.Random(0)
    for number in range(num):
        references = [Reference(Output(text(draw)), tags) for tags in ([CORRECT_TAG], [], ["rank=1"])]
        yield Instance(
            Input(text(draw)), references, split="test", sub_split="a", id=f"id{number}", extra_data={"k": number}
        )


@pytest.mark.parametrize("name", SPECS)
def test_same_id_and_seed_same_copy(name, perturbations):
    again = create_perturbation(SPECS[name])
    for instance in instances():
        for seed in (None, 1, 2):
            first = perturbations[name].apply(instance, seed)
            # Another object, after other calls, and an instance that is equal but for its place in memory.
            second = again.apply(replace(instance), seed)
            assert asdict_without_nones(first) == asdict_without_nones(second)


@pytest.mark.parametrize("name", SPECS)
def test_nothing_but_text_changes(name, perturbations):
    perturbation = perturbations[name]
    for instance in instances():
        copy = perturbation.apply(instance, 3)
        for attribute in ("id", "split", "sub_split", "extra_data", "contrast_references"):
            assert getattr(copy, attribute) == getattr(instance, attribute)
        assert [reference.tags for reference in copy.references] == [r.tags for r in instance.references]
        if not perturbation.should_perturb_references:
            assert copy.references == instance.references
        assert copy.perturbation.name == perturbation.name
        is_person_name = isinstance(perturbation, PersonNamePerturbation)
        assert copy.perturbation.seed == (None if is_person_name else 3)
        assert instance.perturbation is None


@pytest.mark.parametrize("name", SPECS)
def test_media_stay(name, perturbations, tmp_path):
    picture = tmp_path / "picture.png"
    picture.touch()
    media = [
        MediaObject(content_type="text/plain", text="the father, Jack is not the government of his "),
        MediaObject(content_type="image/png", location=str(picture)),
        MediaObject(content_type="text/plain", text=""),
    ]
    reference = Reference(Output("Jack", multimedia_content=MultimediaObject(media[1:])), [CORRECT_TAG])
    instance = Instance(Input(multimedia_content=MultimediaObject(media)), [reference], split="test", id="id0")
    copy = perturbations[name].apply(instance)
    kinds = [object.content_type for object in copy.input.multimedia_content.media_objects]
    assert kinds == [object.content_type for object in media]
    assert copy.input.multimedia_content.media_objects[1] == media[1]
    assert copy.references[0].output.multimedia_content == reference.output.multimedia_content


@pytest.mark.parametrize("name", SPECS)
def test_descriptions_are_read_back(name, perturbations):
    description = perturbations[name].description
    written = asdict_without_nones(description)
    read = structure(written, PerturbationDescription)
    assert read == description and asdict_without_nones(read) == written


@pytest.mark.parametrize("name", SPECS)
def test_unchanged_copies_are_skipped(name, perturbations):
    augmenter = DataAugmenter([perturbations[name]])
    originals = [*instances(), Instance(Input(""), [], split="test", id="empty")]
    kept = augmenter.generate(originals, include_original=False, skip_unchanged=True, seeds_per_instance=2)
    every = augmenter.generate(originals, include_original=False, skip_unchanged=False, seeds_per_instance=2)
    inputs = {original.id: original.input for original in originals}
    expected = [copy for copy in every if copy.input != inputs[copy.id]]
    assert list(map(asdict_without_nones, kept)) == list(map(asdict_without_nones, expected))


def test_threads_give_the_same_copies_in_the_same_order(perturbations):
    augmenter = DataAugmenter(list(perturbations.values()))
    originals = list(instances(10))
    alone = augmenter.generate(originals, parallelism=1, seeds_per_instance=2)
    together = augmenter.generate(originals, parallelism=8, seeds_per_instance=2)
    assert list(map(asdict_without_nones, alone)) == list(map(asdict_without_nones, together))


def test_canonical_makes_one_copy_for_each_perturbation():
    specs = PERTURBATION_SPECS_DICT["canonical"]["canonical"]
    spec = DataAugmenterSpec(specs, should_augment_eval_instances=True, should_include_original_eval=True)
    copies = DataPreprocessor(spec).preprocess(list(instances(2)))
    names = [copy.perturbation and copy.perturbation.name for copy in copies]
    assert names == [None, "mild_mix", "dialect", "gender", "person_name"] * 2


def test_instances_need_ids():
    with pytest.raises(AssertionError, match="ids"):
        TyposPerturbation(0.5).apply(Instance(Input("a"), []))


def test_typos_keep_the_case():
    assert TyposPerturbation(1.0).perturb("P", Random(0)) in ("O", "L")
    assert TyposPerturbation(1.0).perturb("\u00df 1!", Random(0)) == "\u00df 1!"


def test_fillers_are_limited():
    limited = FillerWordsPerturbation(insert_prob=1.0, max_num_insert=2, speaker_ph=False, uncertain_ph=False)
    assert len(limited.perturb("a b c", Random(0)).split(" ")) <= 7
    assert limited.perturb("a b c", Random(0)).endswith("c")
    none = FillerWordsPerturbation(insert_prob=1.0, speaker_ph=False, uncertain_ph=False, fill_ph=False)
    assert none.perturb("a b", Random(0)) == "a b"


def test_the_dialect_table_of_helm_is_shown_by_helms_path_only(tables):
    """Names of statistics must not depend on where the table is on this machine."""
    description = DialectPerturbation(1.0, "sae", "aave").description
    assert description.mapping_file_path == "benchmark_output/perturbations/dialect/SAE_to_AAVE_mapping.json"
    assert (description.source_class, description.target_class) == ("SAE", "AAVE")


def test_a_dialect_table_may_have_capitals(tmp_path):
    path = tmp_path / "table.json"
    path.write_text('{"The": ["da"], "A B": ["ab"]}')
    perturbation = DialectPerturbation(1.0, "x", "y", str(path))
    assert perturbation.perturb(" the The, a b .", Random(0)) == " da The, ab ."
    assert perturbation.description.mapping_file_path == str(path)


def test_genders_both_ways(tmp_path):
    path = tmp_path / "rows.json"
    path.write_text('[["hen", "cock"], ["cow", "bull"]]')
    arguments = ("terms", 1.0, "female", "male", str(path), ["female", "male"])
    assert GenderPerturbation(*arguments).perturb(" hen bull, Cow.", Random(0)) == " cock bull, Bull."
    both = GenderPerturbation(*arguments, bidirectional=True)
    assert both.perturb(" hen bull, Cow.", Random(0)) == " hen cow, Cow."  # pair after pair
    # A file alone is not used: its columns are unknown.
    assert GenderPerturbation(*arguments[:5]).perturb(" hen mother ", Random(0)) == " hen father "


def test_names_are_replaced_alike_in_references_and_input(tables):
    names = PersonNamePerturbation(1.0, {"race": "white_american"}, {"race": "black_american"})
    instance = Instance(
        Input("Jack, JACK's and Lauren"), [Reference(Output("lauren and jack"), [])], id="id0", contrast_inputs=None
    )
    copy = names.apply(instance, seed=5)
    assert copy.input.text == "Lamar, LAMAR's and Sharise"
    assert copy.references[0].output.text == "sharise and lamar"
    assert copy.contrast_inputs is None
    assert names.description.name_file_path == "benchmark_output/perturbations/person_name/data/person_names.txt"
    assert names.description.source_class == "race=white_american"
    # HELM: the seed counts for nothing.
    assert asdict_without_nones(names.apply(instance, seed=None)) == asdict_without_nones(copy)


def test_the_tests_of_a_program_stay_with_its_reference():
    tests = {"inputs": ["1"], "outputs": ["2"]}
    reference = CodeReference(output=Output("so she adds two"), tags=[CORRECT_TAG], test_cases=tests)
    instance = CodeInstance(Input("She adds one."), [reference], split="test", id="id1")
    perturbation = GenderPerturbation(mode="pronouns", prob=1.0, source_class="female", target_class="male")
    changed = perturbation.apply(instance)
    assert changed.references[0].output.text == "so he adds two"
    assert changed.metadata == tests


def test_a_name_without_a_counterpart_stays(tmp_path):
    path = tmp_path / "names.txt"
    path.write_text("ann,first_name,race,a,gender,female\nbob,first_name,race,b,gender,male\n")
    kept = PersonNamePerturbation(1.0, {"race": "a"}, {"race": "b"}, str(path))
    assert kept.apply(Instance(Input("Ann, ann"), [], id="id0")).input.text == "Ann, ann"
    changed = PersonNamePerturbation(1.0, {"race": "a"}, {"race": "b"}, str(path), preserve_gender=False)
    assert changed.apply(Instance(Input("Ann, ann"), [], id="id0")).input.text == "Bob, bob"


def test_contrast_sets():
    perturbation = ContrastSetsPerturbation()
    variants = [Input("one"), Input("two")]
    answers = [[Reference(Output("1"), [CORRECT_TAG])], [Reference(Output("2"), [CORRECT_TAG])]]
    instance = Instance(Input("zero"), [], id="id0", contrast_inputs=variants, contrast_references=answers)
    copy = perturbation.apply(instance)
    assert (copy.input, copy.references) in list(zip(variants, answers, strict=True))
    assert (copy.contrast_inputs, copy.contrast_references) == (variants, answers)
    for without in (
        replace(instance, contrast_inputs=None),
        replace(instance, contrast_references=None),
        replace(instance, contrast_inputs=[], contrast_references=[]),
    ):
        assert perturbation.apply(without).input == instance.input
    with pytest.raises(ScenarioError, match="id0"):
        perturbation.apply(replace(instance, contrast_references=[]))
