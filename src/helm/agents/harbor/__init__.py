"""Tasks in Harbor's folders (Terminal-Bench): their description, files, environments, verifiers and rewards."""
