"""What processes share and leave behind: locks, logs that survive a kill, work at the end."""
