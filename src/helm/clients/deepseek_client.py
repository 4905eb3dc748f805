"""DeepSeek's own API."""

from helm.clients.openai_hosts import DeepSeekChatClient

__all__ = ["DeepSeekChatClient"]
