"""Central finite differences of the plain functions: one module per eval, each with a dictionary ``FUNCTIONS``.

The floor that every AD tool should beat: a gradient of p numbers costs 2 p runs of the function.
"""
