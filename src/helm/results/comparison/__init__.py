"""Runs held against each other: pairs, tests, gates."""
