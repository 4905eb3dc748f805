"""The contract of executors, and what every executor needs: the order of requests, the journal, checks."""
