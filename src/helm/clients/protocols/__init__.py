"""The dialects that several providers speak."""
