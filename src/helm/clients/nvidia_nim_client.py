"""Nvidia's catalogue of models."""

from helm.clients.protocols.openai_hosts import NvidiaNimClient

__all__ = ["NvidiaNimClient"]
