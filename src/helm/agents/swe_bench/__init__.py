"""SWE-bench: issues of real repositories, scored by their tests."""
