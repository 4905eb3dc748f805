"""Extraction: finding the answer in what a chat model wrote, before the metrics are computed."""
