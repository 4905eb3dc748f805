"""Scenarios and run specs as data: one YAML file each. See `entry.py` for what a file may contain."""
