"""Catalogue files, registries and what names that nobody registered stand for."""

import sys
from datetime import date
from types import SimpleNamespace

import pytest

from helm.benchmark import config_registry, huggingface_registration
from helm.benchmark.model_deployment_registry import (
    ModelDeploymentNotFoundError,
    get_default_model_deployment_for_model,
    get_model_deployment,
    model_deployment_generator,
    read_model_deployment,
)
from helm.benchmark.model_deployments import huggingface_deployments
from helm.benchmark.model_metadata_registry import (
    get_all_models,
    get_model_metadata,
    get_model_names_with_tag,
)
from helm.benchmark.runner_config_registry import RUNNER_CONFIG, RunnerConfigSpec
from helm.benchmark.tokenizer_config_registry import get_tokenizer_config
from helm.common.errors import ConfigError
from registries_support import empty_registries

CLIENT = {"class_name": "helm.clients.simple_client.SimpleClient"}

MODEL = """
models:
  - name: {name}
    display_name: D
    description: d
    creator_organization_name: C
    access: open
    {more}
"""


@pytest.fixture
def registries():
    with empty_registries():
        yield


def write(folder, file_name, text):
    (folder / file_name).write_text(text, encoding="utf-8")
    return str(folder)


def test_a_local_folder_adds_to_the_builtin_catalogue_and_replaces_names(registries, tmp_path):
    config_registry.register_builtin_configs_from_helm_package()
    write(tmp_path, "model_metadata.yaml", MODEL.format(name="simple/model1", more="release_date: 2024-05-06"))
    local = "{name: here/simple/model1, model_name: simple/model1, client_spec: {class_name: a.B}}"
    write(tmp_path, "model_deployments.yaml", f"model_deployments: [{local}]")
    config_registry.register_configs_from_directory(str(tmp_path))
    assert get_model_metadata("simple/model1").release_date == date(2024, 5, 6)
    assert get_default_model_deployment_for_model("simple/model1") == "here/simple/model1"
    assert get_model_metadata("simple/model1").deployment_names == ["here/simple/model1"]


def test_tag_groups_keep_repeated_registrations(registries, tmp_path):
    folder = write(tmp_path, "model_metadata.yaml", MODEL.format(name="a/b", more="tags: [X]"))
    config_registry.register_configs_from_directory(folder)
    config_registry.register_configs_from_directory(folder)
    assert get_model_names_with_tag("X") == ["a/b", "a/b"] and get_all_models() == ["a/b"]


@pytest.mark.parametrize("more", ["num_parameters: 1.5e9", "release_date: '2024-01-01'", "tags: text"])
def test_metadata_types_are_strict_and_the_error_says_where(registries, tmp_path, more):
    folder = write(tmp_path, "model_metadata.yaml", MODEL.format(name="a/b", more=more))
    with pytest.raises(ConfigError, match=rf"model_metadata.yaml: models\[0\] \(model 'a/b'\).*{more.split(':')[0]}"):
        config_registry.register_configs_from_directory(folder)


@pytest.mark.parametrize("text", ["", "- a\n", "models: 3\n"])
def test_metadata_files_that_are_no_list_of_models(registries, tmp_path, text):
    with pytest.raises(ConfigError, match="model_metadata.yaml"):
        config_registry.register_configs_from_directory(write(tmp_path, "model_metadata.yaml", text))


def test_a_file_that_is_not_yaml_is_named(registries, tmp_path):
    with pytest.raises(ConfigError, match=r"model_deployments.yaml is not valid YAML[\s\S]*line 2"):
        config_registry.register_configs_from_directory(write(tmp_path, "model_deployments.yaml", "a: 1\n  b: 2\n"))


def test_deployment_values_are_coerced():
    raw = {"name": 7, "max_sequence_length": "12", "deprecated": 1, "client_spec": CLIENT, "unknown": None}
    deployment = read_model_deployment(raw, "x")
    assert (deployment.name, deployment.max_sequence_length, deployment.deprecated) == ("7", 12, True)
    assert deployment.model_name == "7"


@pytest.mark.parametrize(
    "raw, expected",
    [
        ({"name": "a/b"}, "client_spec missing"),
        ({"name": "a/b", "client_spec": CLIENT | {"args": None}}, "args: expected a mapping"),
        ({"name": "a/b", "client_spec": CLIENT, "max_request_length": "many"}, "max_request_length: .*'many'"),
        ({"name": "a/b", "client_spec": "Client"}, "client_spec: .*class_name"),
    ],
)
def test_deployment_errors_name_the_deployment_and_the_key(raw, expected):
    with pytest.raises(ConfigError, match=f"a/b.*{expected}"):
        read_model_deployment(raw, "model_deployments.yaml: model_deployments[3]")


def test_an_unknown_deployment_offers_the_nearest_name(registries):
    config_registry.register_builtin_configs_from_helm_package()
    with pytest.raises(ModelDeploymentNotFoundError) as raised:
        get_model_deployment("simple/modle1")
    assert raised.value.__notes__ == ["Did you mean 'simple/model1'?"]


def test_a_generator_prefix_is_taken_once():
    with pytest.raises(ValueError, match="A ModelDeploymentGenerator with prefix openai-compat/ already exists"):
        model_deployment_generator("/openai-compat/")(lambda name: None)


def test_openai_compatible_names(monkeypatch):
    deployment = get_model_deployment("openai-compat/llama@http://localhost:1/v1/x")
    assert deployment.model_name == "openai-compat/llama"
    assert deployment.client_spec.args == {"base_url": "http://localhost:1/v1/x", "openai_model_name": "llama"}
    with pytest.raises(ConfigError, match="OPENAI_BASE_URL"):
        get_model_deployment("openai-compat/llama")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:2/v1")
    deployment = get_model_deployment("openai-compat/org/llama")
    assert deployment.model_name == "org/llama"
    assert deployment.client_spec.args == {"base_url": "http://localhost:2/v1", "openai_model_name": "org/llama"}


def test_hub_names_load_nothing_until_the_window_is_asked_for(monkeypatch):
    loaded = []

    def load(name):
        loaded.append(name)
        return SimpleNamespace(model_max_length=77, eos_token="</s>", bos_token=None)

    monkeypatch.setattr(huggingface_registration, "load_huggingface_tokenizer", load)
    deployment = get_model_deployment("huggingface/org/m")
    provider = get_model_deployment("huggingface-inference-providers/org/m:fast")
    assert (deployment.model_name, deployment.tokenizer_name) == ("org/m", "huggingface/org/m")
    assert (provider.model_name, provider.tokenizer_name) == ("org/m:fast", "huggingface/org/m")
    assert isinstance(deployment, huggingface_deployments.LazyHuggingFaceDeployment) and loaded == []
    assert deployment.max_sequence_length == provider.max_sequence_length == 77
    assert deployment.max_sequence_length == 77 and loaded == ["org/m", "org/m"]
    config = get_tokenizer_config("huggingface/org/m")
    assert (config.end_of_text_token, config.prefix_token) == ("</s>", "")
    assert config.tokenizer_spec.args == {"pretrained_model_name_or_path": "org/m"}


def test_hub_models_from_flags(registries, monkeypatch):
    tokenizer = SimpleNamespace(model_max_length=50, eos_token="e", bos_token="b")
    monkeypatch.setattr(huggingface_registration, "load_huggingface_tokenizer", lambda *args, **kwargs: tokenizer)
    huggingface_registration.register_huggingface_hub_model_from_flag_value("org/m@main")
    huggingface_registration.register_huggingface_local_model_from_flag_value("/models/mine")
    args = {"pretrained_model_name_or_path": "org/m", "revision": "main"}
    assert get_model_deployment("org/m@main").client_spec.args == args
    assert get_model_deployment("huggingface/mine").max_sequence_length == 50
    tokenizer_args = get_tokenizer_config("huggingface/mine").tokenizer_spec.args
    assert tokenizer_args == {"pretrained_model_name_or_path": "/models/mine"}
    tokenizer.model_max_length = 10**30
    with pytest.raises(ValueError, match="prod_env/model_deployments.yaml"):
        huggingface_registration.register_huggingface_hub_model_from_flag_value("org/n")
    with pytest.raises(ValueError, match="more than one '@'"):
        huggingface_registration.register_huggingface_hub_model_from_flag_value("org/n@a@b")


def test_a_missing_package_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(Exception, match=r"transformers.*helm-evals\[huggingface\]"):
        huggingface_registration.load_huggingface_tokenizer("org/m")


def test_runner_config_is_changed_in_place(tmp_path, monkeypatch):
    monkeypatch.setattr(RUNNER_CONFIG, "slurm_monitor_interval", 60)
    folder = write(tmp_path, "runner_config.yaml", "slurm_monitor_interval: 5\n")
    config_registry.register_configs_from_directory(folder)
    assert RUNNER_CONFIG == RunnerConfigSpec(slurm_monitor_interval=5)
    with pytest.raises(ConfigError, match="runner_config.yaml.*slurm_monitor_interval"):
        config_registry.register_configs_from_directory(
            write(tmp_path, "runner_config.yaml", "slurm_monitor_interval: soon\n")
        )
