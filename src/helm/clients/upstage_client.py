"""Upstage's models."""

from helm.clients.protocols.openai_hosts import UpstageChatClient

__all__ = ["UpstageChatClient"]
