"""Scenarios and run specs that are data: one YAML file each. See `entry.py` for what a file may hold."""
