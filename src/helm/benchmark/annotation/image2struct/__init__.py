"""Annotators that turn the code which models write into pictures."""
