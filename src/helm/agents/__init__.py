"""Language models as agents: episodes with tools, environments, simulated users and checks."""
