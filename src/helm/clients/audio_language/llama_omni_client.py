"""LLaMA-Omni, whose code is on no package registry."""

from helm.clients.client import CachingClient
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.request import Request, RequestResult
from helm.tokenizers.tokenizer import Tokenizer


class LlamaOmniAudioLMClient(CachingClient):
    """Says that LLaMA-Omni cannot be run.

    Args:
        cache_config: where responses would be cached.
        tokenizer: not needed; HELM passes it.
        pretrained_model_name_or_path: the model.
    """

    def __init__(
        self,
        cache_config: CacheConfig | None,
        tokenizer: Tokenizer | None = None,
        pretrained_model_name_or_path: str | None = None,
    ):
        super().__init__(cache_config)

    def make_request(self, request: Request) -> RequestResult:
        raise ConfigError(
            f"{request.model_deployment}: LLaMA-Omni needs the package omni_speech, which was never on a package registry: it is "
            "part of the model's own repository (2024), and needs versions 4 of transformers. Serve the model with that "
            "repository behind an OpenAI-compatible address, and name the deployment with --openai-base-url."
        )
