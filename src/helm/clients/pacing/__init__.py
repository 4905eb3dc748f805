"""How many requests an endpoint gets, and how fast."""
