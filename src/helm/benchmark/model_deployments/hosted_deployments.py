"""Derives deployments of hosted models from their name alone: `model=HOST/MODEL` needs no configuration file.

A misspelt model is not noticed here: only the host knows its models, so it answers the first request with an error.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from helm.benchmark.model_deployment_registry import (
    ClientSpec,
    ModelDeployment,
    WindowServiceSpec,
    model_deployment_generator,
)
from helm.common.errors import ConfigError


def _model_name(name: str) -> str:
    return "/".join(name.split("/")[-2:])


def _rest(name: str) -> str:
    return name.partition("/")[2]


def _deployment(name: str, client_class: str, args: dict[str, Any] | None = None) -> ModelDeployment:
    spec = ClientSpec(f"helm.clients.{client_class}", args or {})
    return ModelDeployment(name=name, client_spec=spec, model_name=_model_name(name))


def _google_args(name: str) -> dict[str, Any]:
    publisher, model = name.split("/")[-2:]
    return {"genai_model": model if publisher == "google" else f"{publisher}/{model}"}


def _gemini_args(name: str) -> dict[str, Any]:
    parts = name.split("/")
    if len(parts) != 3 or parts[1] != "google":
        raise ConfigError("Model name must be in the format gemini/google/model")
    return {"genai_model": parts[2], "genai_use_vertexai": False}


def _vertexai_args(name: str) -> dict[str, Any]:
    if len(name.split("/")) < 3:
        raise ConfigError("Model name must be in the format vertexai/publisher/model")
    return {**_google_args(name), "genai_use_vertexai": True}


# Maps prefix to client class in helm.clients, and its arguments, derived from the deployment's name.
_HOSTS: dict[str, tuple[str, Callable[[str], dict[str, Any]] | None]] = {
    "anthropic": ("anthropic_client.AnthropicMessagesClient", None),
    "cohere": ("cohere_client.CohereChatClient", None),
    "google": ("google_genai_client.GoogleGenAIClient", _google_args),
    "gemini": ("google_genai_client.GoogleGenAIClient", _gemini_args),
    "vertexai": ("google_genai_client.GoogleGenAIClient", _vertexai_args),
    "litellm": ("litellm_client.LiteLLMCompletionClient", lambda name: {"litellm_model": _rest(name)}),
    "mistralai": ("mistral_client.MistralAIClient", None),
    "openai": ("openai_responses_client.OpenAIResponseClient", None),
    "openrouter": ("openrouter_client.OpenRouterClient", lambda name: {"openrouter_model_name": _model_name(name)}),
    "together": ("together_client.TogetherChatClient", None),
    "writer": ("writer_client.WriterClient", None),
    "xai": ("grok_client.GrokChatClient", None),
}


class _Painter(NamedTuple):
    """The models of one host that make pictures."""

    names: str
    """A regular expression for what follows the host in the names of deployments."""

    client_class: str
    """In helm.clients.image_generation."""

    get_args: Callable[[str], dict[str, Any]] | None = None


_GEMINI_IMAGES, _IMAGEN = r"gemini-.*-image(-|$)", r"imagen-"
_PAINTERS: dict[str, list[_Painter]] = {
    "black-forest-labs": [_Painter("", "black_forest_labs_client.BlackForestLabsClient")],
    "fal": [_Painter("", "fal_client.FalClient", lambda name: {"provider_model": _rest(name)})],
    "gemini": [
        _Painter(f"google/{_GEMINI_IMAGES}", "google_images_client.GeminiImagesClient", _gemini_args),
        _Painter(f"google/{_IMAGEN}", "google_images_client.ImagenClient", _gemini_args),
    ],
    "google": [
        _Painter(_GEMINI_IMAGES, "google_images_client.GeminiImagesClient", _google_args),
        _Painter(_IMAGEN, "google_images_client.ImagenClient", _google_args),
    ],
    "openai": [_Painter(r"(gpt|chatgpt)-image", "openai_images_client.OpenAIImagesClient")],
    "replicate": [_Painter("", "replicate_client.ReplicateClient", lambda name: {"provider_model": _rest(name)})],
    "stabilityai": [_Painter(r"stable-image-|sd3", "stability_client.StabilityClient")],
    "together": [
        _Painter(
            r"black-forest-labs/|stabilityai/stable-diffusion",
            "together_image_generation_client.TogetherImagesClient",
            lambda name: {"together_model": _rest(name)},
        )
    ],
    "vertexai": [
        _Painter(f"google/{_GEMINI_IMAGES}", "google_images_client.GeminiImagesClient", _vertexai_args),
        _Painter(f"google/{_IMAGEN}", "google_images_client.ImagenClient", _vertexai_args),
    ],
}
_UNCOUNTED = WindowServiceSpec("helm.benchmark.window_services.no_tokenizer_window_service.NoTokenizerWindowService")


def _painter_deployment(prefix: str, name: str) -> ModelDeployment | None:
    """Return the deployment of a model that makes pictures; None if the name is not that of one."""
    for painter in _PAINTERS.get(prefix, []):
        if re.match(painter.names, _rest(name)):
            spec = ClientSpec(
                f"helm.clients.image_generation.{painter.client_class}",
                painter.get_args(name) if painter.get_args else {},
            )
            return ModelDeployment(
                name=name, client_spec=spec, model_name=_model_name(name), window_service_spec=_UNCOUNTED
            )
    return None


def _register(prefix: str) -> None:
    client_class, get_args = _HOSTS.get(prefix, ("", None))

    @model_deployment_generator(prefix)
    def generate(name: str) -> ModelDeployment | None:
        painter = _painter_deployment(prefix, name)
        if painter is not None or not client_class:
            return painter
        return _deployment(name, client_class, get_args(name) if get_args else None)


for _prefix in sorted({*_HOSTS, *_PAINTERS}):
    _register(_prefix)
