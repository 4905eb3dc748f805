"""Spec-driven evaluation of language models, automatic-differentiation tools, compilers and agents.

`helm.evaluate("gsm", model="openai/gpt-4o-mini-2024-07-18", limit=50)` evaluates a model and returns `helm.Results`;
`helm.scenario`, `helm.metric` and `helm.model` make parts of evaluations from functions.
"""

TYPE_CHECKING = False  # as in `typing`, which takes a quarter of the time to import
if TYPE_CHECKING:
    from helm.api.comparison import Comparison
    from helm.api.evaluation import evaluate, evaluate_async
    from helm.api.parts import metric, model, scenario
    from helm.api.results import EvaluationError, Results, RunFailure
    from helm.api.viewer import ViewerHandle
    from helm.benchmark.run_spec import RunSpec
    from helm.common.errors import ConfigError, HelmError

# Plugins may add modules to `helm`, `helm.benchmark` and `helm.benchmark.run_specs` from other folders on the module path.
__path__ = __import__("pkgutil").extend_path(__path__, __name__)

__all__ = [
    "Comparison", "ConfigError", "EvaluationError", "HelmError", "Results", "RunFailure", "RunSpec", "ViewerHandle", "evaluate",
    "evaluate_async", "metric", "model", "scenario",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Import each public name when it is used, so that `import helm` loads nothing."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(import_module("helm.api").PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _OldNames:
    """Finds modules that moved by their old names (`helm.moved`). It comes last, so a file wins."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if not name.startswith("helm."):
            return None
        from helm.moved import find_moved

        found = find_moved(name)
        if found is None and name.startswith("helm.benchmark.run_specs."):
            from helm.run_spec_modules import find_module

            return find_module(name)
        return found


__import__("sys").meta_path.append(_OldNames)
