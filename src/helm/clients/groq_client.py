"""Open models at Groq."""

from helm.clients.openai_hosts import GroqChatClient

__all__ = ["GroqChatClient"]
