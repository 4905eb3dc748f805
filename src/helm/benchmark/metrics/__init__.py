"""Metrics. Those that are rows of `classes.yaml` have no file here; see `helm.benchmark.declarative.class_finder`."""

from helm.benchmark.declarative.class_finder import install

install()
