"""Environments, their spaces and their states."""
