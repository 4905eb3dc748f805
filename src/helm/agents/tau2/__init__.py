"""tau2-bench: conversations with a simulated customer, and tools that act on a company's data base."""
