"""Annotators. Those declared in `classes.yaml` have no file here; see `helm.benchmark.declarative.class_finder`."""

from helm.benchmark.declarative.class_finder import install

install()
