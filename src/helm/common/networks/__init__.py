"""Networks that more than one layer runs, and where their weights come from."""
