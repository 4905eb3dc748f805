"""Exercises that are solved by edits to files in several attempts, with the output of the tests in between."""
