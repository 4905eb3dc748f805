"""The format of run files: names, schema and readers."""
