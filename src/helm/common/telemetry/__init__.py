"""How far a command is."""
