"""Nvidia's catalogue of models."""

from helm.clients.openai_hosts import NvidiaNimClient

__all__ = ["NvidiaNimClient"]
