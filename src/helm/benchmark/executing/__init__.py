"""The executor interface and what all executors share: the order of requests, the journal, capability checks."""
