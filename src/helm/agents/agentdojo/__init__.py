"""AgentDojo: tasks with tools, and instructions of somebody else in what the tools return."""
