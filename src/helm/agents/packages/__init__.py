"""Packages of other projects, which run in an interpreter of their own."""
