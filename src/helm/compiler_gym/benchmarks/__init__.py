"""Programs to compile: data sets, generators, and files."""
