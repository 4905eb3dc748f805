"""Models with sounds in their prompts, run in this process."""
