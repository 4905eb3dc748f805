"""Text formats: HOCON, JSON, YAML of long lists, numbers and durations, LaTeX answers."""
