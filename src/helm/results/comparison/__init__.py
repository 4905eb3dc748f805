"""Comparisons of runs: pairs, tests, gates."""
