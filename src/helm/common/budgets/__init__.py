"""What requests cost, and the ledger that holds a command to its budget."""
