"""Environments: where the tools of an agent act."""
