"""A command as it runs: what it writes into `progress.json`, and what a terminal shows."""
