"""Spec-driven evaluation of language models, automatic-differentiation tools and compilers."""

# Plugins may add modules to `helm`, `helm.benchmark` and `helm.benchmark.run_specs` from other folders on the module path.
__path__ = __import__("pkgutil").extend_path(__path__, __name__)
