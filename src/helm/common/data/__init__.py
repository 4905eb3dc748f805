"""Data of scenarios: addresses, downloads, archives, tables, locks, and the Hub's layout."""
