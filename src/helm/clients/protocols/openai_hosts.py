"""Providers with exactly the protocol of OpenAI's chat models; HELM has a module for each."""

from typing import ClassVar

from helm.clients.openai_client import OpenAIClient
from helm.common.cache import CacheConfig
from helm.common.request_options import CHAT_TEMPLATE_KWARGS, EXTRA_BODY, REASONING_EFFORT, RESPONSE_FORMAT, TOP_P


class _OpenAIHost(OpenAIClient):
    """One provider.

    Args:
        cache_config: where responses are cached.
        api_key: the key; None reads the environment variable `KEY_VARIABLE`.
        base_url: the address; None means the provider's own.
    """

    BATCH_PRICE_SHARE: ClassVar[float | None] = None

    def __init__(self, cache_config: CacheConfig | None, api_key: str | None = None, base_url: str | None = None):
        super().__init__(cache_config, api_key=api_key, base_url=base_url)


class DeepSeekChatClient(_OpenAIHost):
    """DeepSeek's own API."""

    BASE_URL = "https://api.deepseek.com/v1"
    KEY_VARIABLE = "DEEPSEEK_API_KEY"
    CREDENTIAL = "deepseekApiKey"
    NOT_SENT = frozenset(["n"])
    takes_options = frozenset((TOP_P, RESPONSE_FORMAT, EXTRA_BODY))


class GroqChatClient(_OpenAIHost):
    """Open models at Groq, which returns one completion per request."""

    BASE_URL = "https://api.groq.com/openai/v1"
    KEY_VARIABLE = "GROQ_API_KEY"
    CREDENTIAL = "groqApiKey"
    NOT_SENT = frozenset(["n"])
    BATCH_PRICE_SHARE = 0.5


class NvidiaNimClient(_OpenAIHost):
    """Nvidia's catalogue of models, which uses whole names, `ORGANIZATION/MODEL`."""

    BASE_URL = "https://integrate.api.nvidia.com/v1"
    KEY_VARIABLE = "NVIDIA_API_KEY"
    CREDENTIAL = "nvidiaApiKey"
    NAMES_WHOLE_MODEL = True
    takes_options = OpenAIClient.takes_options | {CHAT_TEMPLATE_KWARGS}


class PalmyraChatClient(_OpenAIHost):
    """Writer's chat models, at its chat-only address."""

    BASE_URL = "https://api.writer.com/v1/chat"
    takes_options = frozenset((TOP_P, RESPONSE_FORMAT, EXTRA_BODY))
    KEY_VARIABLE = "WRITER_API_KEY"
    CREDENTIAL = "writerApiKey"


class UpstageChatClient(_OpenAIHost):
    """Upstage's Solar models."""

    BASE_URL = "https://api.upstage.ai/v1/solar"
    takes_options = frozenset((TOP_P, RESPONSE_FORMAT, REASONING_EFFORT, EXTRA_BODY))
    KEY_VARIABLE = "UPSTAGE_API_KEY"
    CREDENTIAL = "upstageApiKey"


class YiChatClient(_OpenAIHost):
    """01.AI's Yi models."""

    BASE_URL = "https://api.01.ai/v1"
    takes_options = frozenset((TOP_P, EXTRA_BODY))
    KEY_VARIABLE = "YI_API_KEY"
    CREDENTIAL = "01-aiApiKey"
