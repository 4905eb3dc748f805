"""The class of every deployment in the catalogue: it is there, with arguments that fit."""

import inspect
from collections import Counter
from dataclasses import replace

import pytest

from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.model_deployment_registry import (
    ALL_MODEL_DEPLOYMENTS,
    ClientSpec,
    register_model_deployment,
)
from helm.clients.auto_client import AutoClient
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig
from helm.common.errors import ConfigError
from helm.common.object_spec import get_class_by_name

ADDRESSES = {"VLLM_BASE_URL": "http://localhost:1/v1", "LITELLM_BASE_URL": "http://localhost:1"}


@pytest.fixture
def catalogue(isolated_registries, monkeypatch):
    register_builtin_configs_from_helm_package()
    for name, value in {**ADDRESSES, "GOOGLE_CLOUD_PROJECT": "p"}.items():
        monkeypatch.setenv(name, value)


def test_every_client_of_the_catalogue_is_there_and_takes_its_arguments(catalogue):
    classes = Counter()
    for deployment in ALL_MODEL_DEPLOYMENTS:
        spec = deployment.client_spec
        parameters = inspect.signature(get_class_by_name(spec.class_name)).parameters
        takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
        unknown = set(spec.args or {}) - set(parameters)
        assert takes_all or not unknown, f"{deployment.name}: {spec.class_name} takes no {unknown}"
        classes[spec.class_name] += 1
    assert sum(classes.values()) > 700 and len(classes) > 70


def test_a_client_is_made_for_every_such_deployment_without_a_key(catalogue, tmp_path, monkeypatch):
    """Nothing is loaded, and no key is needed, before the first request."""
    import helm.clients.auto_client as module

    monkeypatch.setattr(module.AutoClient, "_end_of_text_token", staticmethod(lambda name: ""))
    auto_client = AutoClient({}, str(tmp_path), BlackHoleCacheBackendConfig())
    monkeypatch.setattr(auto_client._auto_tokenizer, "get_tokenizer", lambda name: None)
    for deployment in ALL_MODEL_DEPLOYMENTS:
        if hasattr(
            get_class_by_name(deployment.client_spec.class_name), "make_request"
        ):  # not of tools, compilers, agents
            assert auto_client.get_client(deployment.name) is not None


@pytest.mark.parametrize(
    "name, class_name",
    [
        ("openai/brand-new", "OpenAIResponseClient"),
        ("anthropic/brand-new", "AnthropicMessagesClient"),
        ("google/brand-new", "GoogleGenAIClient"),
        ("gemini/google/brand-new", "GoogleGenAIClient"),
        ("vertexai/google/brand-new", "GoogleGenAIClient"),
        ("cohere/brand-new", "CohereChatClient"),
        ("litellm/some/brand-new", "LiteLLMCompletionClient"),
        ("mistralai/brand-new", "MistralAIClient"),
        ("openrouter/some/brand-new", "OpenRouterClient"),
        ("together/some/brand-new", "TogetherChatClient"),
        ("writer/brand-new", "WriterClient"),
        ("xai/brand-new", "GrokChatClient"),
        ("openai/gpt-image-9", "OpenAIImagesClient"),
        ("google/gemini-9-pro-image", "GeminiImagesClient"),
        ("google/imagen-9", "ImagenClient"),
        ("gemini/google/gemini-9-flash-image-preview", "GeminiImagesClient"),
        ("vertexai/google/imagen-9", "ImagenClient"),
        ("black-forest-labs/flux-9", "BlackForestLabsClient"),
        ("stabilityai/stable-image-ultra", "StabilityClient"),
        ("together/black-forest-labs/FLUX.9", "TogetherImagesClient"),
        ("fal/fal-ai/flux/dev", "FalClient"),
        ("replicate/some/brand-new", "ReplicateClient"),
        ("openai-compat/brand-new@http://localhost:1/v1", "OpenAICompatibleClient"),
    ],
)
def test_a_model_that_nobody_has_listed_gets_the_client_of_its_host(catalogue, tmp_path, name, class_name):
    auto_client = AutoClient({}, str(tmp_path), BlackHoleCacheBackendConfig())
    client = auto_client.get_client(name)
    assert type(client).__name__ == class_name and hasattr(client, "limiter")


def test_a_client_that_is_not_there_is_named(catalogue, tmp_path):
    deployment = replace(ALL_MODEL_DEPLOYMENTS[0], name="mine/gone", client_spec=ClientSpec("helm.clients.gone.Gone"))
    register_model_deployment(deployment)
    with pytest.raises(ConfigError, match="helm.clients.gone"):
        AutoClient({}, str(tmp_path), BlackHoleCacheBackendConfig()).get_client("mine/gone")


def test_the_clients_of_image_deployments_share_the_folder_and_the_address_of_their_host(catalogue, tmp_path):
    credentials = {"openaiApiKey": "key", "openaiBaseUrl": "http://localhost:1/v1"}
    auto_client = AutoClient(credentials, str(tmp_path), BlackHoleCacheBackendConfig())
    names = [
        d.name for d in ALL_MODEL_DEPLOYMENTS if d.client_spec.class_name.startswith("helm.clients.image_generation.")
    ]
    assert len(names) >= 33
    for name in names:
        client = auto_client.get_client(name)
        assert client.file_cache._location == str(tmp_path / "output" / name.partition("/")[0])
    dall_e = auto_client.get_client("openai/dall-e-3")
    assert dall_e.endpoint.base_url == dall_e.moderation_api_client._endpoint.base_url == "http://localhost:1/v1"
