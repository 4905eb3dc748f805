"""AD libraries for arrays: the functions of the evals are written once, each library differentiates them its own way."""
