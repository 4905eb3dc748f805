"""What can be run: the catalogue as set up for a command, and its data."""
