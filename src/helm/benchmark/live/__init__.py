"""Progress of a running command: what it writes to `progress.json`, and what a terminal shows."""
