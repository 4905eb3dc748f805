"""Protocols that several providers share."""
