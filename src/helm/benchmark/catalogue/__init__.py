"""What there is to run, set up for a command, with its data."""
