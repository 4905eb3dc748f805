"""The costs of requests, and the ledger that keeps a command within its budget."""
