"""Transcripts in formats of other programs."""
