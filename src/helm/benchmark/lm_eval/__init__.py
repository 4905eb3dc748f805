"""Tasks of lm-evaluation-harness as that program runs them, with their own Python code in a sandbox."""
