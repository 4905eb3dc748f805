"""01.AI's models."""

from helm.clients.openai_hosts import YiChatClient

__all__ = ["YiChatClient"]
