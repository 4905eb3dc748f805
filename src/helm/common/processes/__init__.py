"""Coordination and cleanup of processes: locks, logs that survive a kill, work at the end."""
