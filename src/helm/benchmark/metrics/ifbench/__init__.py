"""The 58 instructions of IFBench that a program can check."""
