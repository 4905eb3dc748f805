"""Tables: their rows, cells and files."""
