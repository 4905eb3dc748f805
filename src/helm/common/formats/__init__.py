"""Formats of text: HOCON, JSON, YAML of long lists, numbers and durations, LaTeX answers."""
