"""The progress of a command."""
