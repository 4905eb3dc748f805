"""Derivatives worked out by hand and written with NumPy: one module per eval, each with a dictionary ``FUNCTIONS``."""
