"""Schemas: selecting, completing and validating them."""
