"""Upstage's models."""

from helm.clients.openai_hosts import UpstageChatClient

__all__ = ["UpstageChatClient"]
