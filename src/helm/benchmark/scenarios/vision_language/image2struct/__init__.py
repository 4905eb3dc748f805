"""Scenarios with pictures, which entries of the catalogue declare."""
