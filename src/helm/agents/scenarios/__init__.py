"""Sources of tasks for agents."""
