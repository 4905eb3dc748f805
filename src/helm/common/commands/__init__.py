"""What every command shares: its frame, its arguments, its plugins, its output folder."""
