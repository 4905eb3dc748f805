"""The format of run files: their names, their schema, and what reads them."""
