"""The index of finished runs."""
