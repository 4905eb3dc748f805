"""Clients of models that make images."""
