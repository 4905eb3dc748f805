"""Hooks that pass events on to other systems; each needs the extra of its name."""
