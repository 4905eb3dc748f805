"""Simulated users, who talk to an agent."""
