"""01.AI's models."""

from helm.clients.protocols.openai_hosts import YiChatClient

__all__ = ["YiChatClient"]
