"""Open models at Groq."""

from helm.clients.protocols.openai_hosts import GroqChatClient

__all__ = ["GroqChatClient"]
