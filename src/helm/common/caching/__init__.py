"""Answers kept on disk: cache files, shared stores, and the claims of processes that ask for the same."""
