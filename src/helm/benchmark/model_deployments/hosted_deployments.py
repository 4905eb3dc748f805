"""Derives deployments of hosted models from their name alone: `model=HOST/MODEL` needs no configuration file.

A misspelt model is not noticed here: only the host knows its models, so it answers the first request with an error.
"""

from collections.abc import Callable
from typing import Any

from helm.benchmark.model_deployment_registry import ClientSpec, ModelDeployment, model_deployment_generator
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


def _register(prefix: str, client_class: str, get_args: Callable[[str], dict[str, Any]] | None) -> None:
    @model_deployment_generator(prefix)
    def generate(name: str) -> ModelDeployment | None:
        return _deployment(name, client_class, get_args(name) if get_args else None)


for _prefix, (_client_class, _get_args) in _HOSTS.items():
    _register(_prefix, _client_class, _get_args)
