"""Whether what was found holds: replays, and runs of the programs."""
