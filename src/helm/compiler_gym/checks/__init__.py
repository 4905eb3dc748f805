"""Checks of recorded results: replays, and runs of the programs."""
