"""Tasks of lm-evaluation-harness as that program runs them: its requests, filters and metrics, with the tasks' own Python code
in a sandbox."""
