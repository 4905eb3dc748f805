"""Builds run specs from run entries and the command line."""
