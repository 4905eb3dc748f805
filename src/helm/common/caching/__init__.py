"""Persistent response caches: files, shared stores, and claims of processes that request the same response."""
