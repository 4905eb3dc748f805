"""The commands beside `helm-run`, `helm-summarize` and `helm-server`."""
