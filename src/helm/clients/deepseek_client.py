"""DeepSeek's own API."""

from helm.clients.protocols.openai_hosts import DeepSeekChatClient

__all__ = ["DeepSeekChatClient"]
