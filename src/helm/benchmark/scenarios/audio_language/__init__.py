"""Scenarios with sounds, which entries of the catalogue declare."""
