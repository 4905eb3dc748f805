"""Models with pictures in their prompts, run in this process."""
