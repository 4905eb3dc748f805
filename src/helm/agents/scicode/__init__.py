"""SciCode: problems of science that a model solves step by step, each step with the code of the earlier ones."""
