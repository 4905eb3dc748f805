"""Golden vectors: how prompts of models that make pictures are cut, and which requests instances become."""

from dataclasses import asdict

import pytest

from clip_tokenizer import save_tiny_clip_tokenizer
from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.adapters.adapter_factory import AdapterFactory
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance
from helm.benchmark.tokenizer_config_registry import TokenizerConfig, TokenizerSpec, register_tokenizer_config
from helm.benchmark.window_services.image_generation.clip_window_service import CLIPWindowService
from helm.benchmark.window_services.tokenizer_service import TokenizerService
from helm.benchmark.window_services.window_service_factory import WindowServiceFactory
from helm.common.codec import structure
from helm.common.request import Request
from helm.tokenizers.huggingface_tokenizer import HuggingFaceTokenizer
from vectors_support import vector_cases

pytest.importorskip("transformers")

NAME = "openai/clip-vit-large-patch14"
CASES = vector_cases("helm-heim/requests.json")


def of_kind(kind):
    return [case for case in CASES if case["kind"] == kind]


@pytest.fixture(scope="module")
def tokenizer_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clip")
    save_tiny_clip_tokenizer(folder)
    return folder


@pytest.fixture
def service(tokenizer_folder, built_in_catalogue, local_context, monkeypatch):
    monkeypatch.setattr(HuggingFaceTokenizer, "_tokenizers", {})
    spec = TokenizerSpec(
        "helm.tokenizers.huggingface_tokenizer.HuggingFaceTokenizer",
        {"pretrained_model_name_or_path": str(tokenizer_folder)},
    )
    register_tokenizer_config(TokenizerConfig(NAME, spec, end_of_text_token="", prefix_token=""))
    return TokenizerService(local_context)


def test_image_window_vectors(service):
    for case in of_kind("window"):
        window = WindowServiceFactory.get_window_service(case["model_deployment"], service)
        found = {
            "class": type(window).__name__,
            "max_sequence_length": window.max_sequence_length,
            "max_request_length": window.max_request_length,
            "num_tokens": window.get_num_tokens(case["text"]),
            "fits": window.fits_within_context_window(case["text"]),
            "truncated": window.truncate_from_right(case["text"]),
        }
        assert found == {name: case[name] for name in found}, case
        assert isinstance(window, CLIPWindowService)


def adapt(service, spec, texts):
    instances = [
        Instance(Input(text=text), references=[], split=TEST_SPLIT, id=f"id{number}")
        for number, text in enumerate(texts)
    ]
    return AdapterFactory.get_adapter(spec, service).adapt(instances, parallelism=1)


def test_image_adaptation_vectors(service):
    for case in of_kind("adaptation"):
        wanted = structure(case["request"], Request)
        spec = AdapterSpec(
            method="generation", input_prefix="", input_suffix="", output_prefix="", output_suffix="",
            max_train_instances=0, num_outputs=wanted.num_completions, max_tokens=0, temperature=1,
            model=wanted.model, model_deployment=wanted.model_deployment,
            image_generation_parameters=wanted.image_generation_parameters,
        )  # fmt: skip
        (state,) = adapt(service, spec, [case["input"]])
        assert state.request == wanted, case
        assert bool(state.prompt_truncated) is case["prompt_truncated"], case


def test_image_trial_vectors(service):
    for case in of_kind("trials"):
        spec = structure(case["adapter"], AdapterSpec)
        asked = case["requests"]
        num_instances = len({row["instance_id"] for row in asked})
        states = adapt(service, spec, [row["prompt"] for row in asked[:num_instances]])
        found = [
            {
                "instance_id": state.instance.id,
                "random": state.request.random,
                "prompt": state.request.prompt,
                "image_generation_parameters": asdict(state.request.image_generation_parameters),
            }
            for state in states
        ]
        assert found == [{name: row[name] for name in found[0]} for row in asked]
