"""How many tokens a provider bills for a request, at most."""
