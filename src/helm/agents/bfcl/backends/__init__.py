"""The simulated programs of the multi-turn categories: their calls act on data that is compared in the end."""
