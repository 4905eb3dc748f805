"""Golden vectors of prompts with pictures: what the two adapters make of them, and what perturbations change."""

import base64
from dataclasses import asdict
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.adapters.adapter_factory import AdapterFactory
from helm.benchmark.augmentations.data_augmenter import DataAugmenter
from helm.benchmark.augmentations.perturbation import create_perturbation
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.scenarios.scenario import Input, Instance, Output, Reference
from helm.benchmark.window_services.tokenizer_service import TokenizerService
from helm.common.codec import asdict_without_nones, structure
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.object_spec import ObjectSpec
from vectors_support import load_vectors

VECTORS = load_vectors("helm-vision-audio/adapters.json")
DIR = "$DIR"


@pytest.fixture
def folder(tmp_path):
    for name, content in VECTORS["media"].items():
        (tmp_path / name).write_bytes(base64.b64decode(content["base64"]))
    return str(tmp_path)


def content_of(parts: list[dict[str, str]], folder: str) -> MultimediaObject:
    shown = [{name: value.replace(DIR, folder) for name, value in part.items()} for part in parts]
    return MultimediaObject([MediaObject(**part) for part in shown])


def parts_of(content: MultimediaObject | None, folder: str) -> list[dict[str, str]]:
    objects = content.media_objects if content is not None else []
    return [{name: value.replace(folder, DIR) for name, value in media.to_dict().items()} for media in objects]


def reference_of(value: Any, tags: list[str], folder: str) -> Reference:
    if isinstance(value, str):
        return Reference(Output(text=value), tags=tags)
    return Reference(Output(text=value["text"], multimedia_content=content_of(value["multimedia"], folder)), tags=tags)


def instance_of(case: dict[str, Any], folder: str) -> Instance:
    references = [reference_of(value, tags, folder) for value, tags in case["references"]]
    content = Input(multimedia_content=content_of(case["input"], folder))
    return Instance(content, references=references, split=case["split"], id=case["id"])


@pytest.mark.parametrize("case", VECTORS["adapters"]["cases"], ids=lambda case: case["id"])
def test_adapter_vectors_with_pictures(case, folder, vector_environment, local_context):
    spec = structure({**asdict_without_nones(AdapterSpec()), **case["adapter_spec"]}, AdapterSpec)
    instances = [instance_of(one, folder) for one in VECTORS["adapters"]["instances"]]
    states = AdapterFactory.get_adapter(spec, TokenizerService(local_context)).adapt(instances, parallelism=1)
    found = [
        {
            "instance_id": state.instance.id,
            "train_trial_index": state.train_trial_index,
            "num_train_instances": state.num_train_instances,
            "output_mapping": state.output_mapping,
            "stop_sequences": state.request.stop_sequences,
            "num_completions": state.request.num_completions,
            "random": state.request.random,
            "multimodal_prompt": parts_of(state.request.multimodal_prompt, folder),
        }
        for state in states
    ]
    assert found == case["requests"]
    assert {state.request.prompt for state in states} == {""}


@pytest.mark.parametrize("case", VECTORS["perturbation"]["cases"], ids=lambda case: case["perturbation"]["name"])
def test_perturbation_vectors_with_pictures(case, folder):
    wanted = case["perturbation"]
    own = set(wanted) - {field.name for field in PerturbationDescription.__dataclass_fields__.values()}
    names = {
        "lowercase": "lowercase_perturbation.LowerCasePerturbation",
        "extra_space": "extra_space_perturbation.ExtraSpacePerturbation",
    }
    spec = ObjectSpec(f"helm.benchmark.augmentations.{names[wanted['name']]}", {name: wanted[name] for name in own})
    content = content_of(VECTORS["perturbation"]["instance_input"], folder)
    # The vectors say what becomes of the one reference.
    instance = Instance(
        Input(multimedia_content=content), references=[Reference(Output(text="Yes SIR"), tags=[])], id="p"
    )
    (changed,) = [
        one
        for one in DataAugmenter([create_perturbation(spec)]).generate([instance], include_original=False)
        if one.perturbation is not None
    ]
    description = {name: value for name, value in asdict(changed.perturbation).items() if name in wanted}
    assert description == wanted
    assert (
        changed.input.text == case["input_text"] and parts_of(changed.input.multimedia_content, folder) == case["input"]
    )
    assert [reference.output.text for reference in changed.references] == case["references"]
    contrast = [parts_of(one.multimedia_content, folder) for one in changed.contrast_inputs or []]
    assert contrast == case["contrast_inputs"]
