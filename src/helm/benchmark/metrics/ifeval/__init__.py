"""The checks of IFEval: whether a response follows an instruction that a program can verify."""
