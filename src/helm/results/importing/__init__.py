"""Imports results of other evaluation programs as runs."""
