"""Schemas: which one serves, what it lacks, and whether it is sound."""
