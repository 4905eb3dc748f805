"""The commands other than `helm-run`, `helm-summarize` and `helm-server`."""
