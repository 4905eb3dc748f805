"""Spec-driven evaluation of language models, automatic-differentiation tools and compilers."""

# Plugins may add modules to `helm`, `helm.benchmark` and `helm.benchmark.run_specs` from other folders on the module path.
__path__ = __import__("pkgutil").extend_path(__path__, __name__)


class _OldNames:
    """Finds modules that moved by their old names (`helm.moved`). It comes last, so a file wins."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if not name.startswith("helm."):
            return None
        from helm.moved import find_moved

        return find_moved(name)


__import__("sys").meta_path.append(_OldNames)
