"""AgentHarm: harmful tasks with tools that only look real, and benign ones like them."""
