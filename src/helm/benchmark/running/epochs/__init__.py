"""Epochs: asking each instance several times, and making one value of the values of its epochs."""
