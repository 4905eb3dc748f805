"""Compilers as subjects of evaluation: the CompilerGym service, its backends, policies, and their parts of a run."""
