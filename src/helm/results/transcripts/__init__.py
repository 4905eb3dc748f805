"""Episodes of agents as people read them: turns with their tool calls, stretches without news, and where two part."""
