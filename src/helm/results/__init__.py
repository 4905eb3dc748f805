"""Results of runs as objects: of this program and of HELM, finished years ago or just now.

`load("benchmark_output/runs/my-suite")` gives a `RunResults` for each run; docs/howto-old-results.md shows what it holds.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from helm.results.coverage import Coverage
    from helm.results.run_files.run_folder import RunFileError
    from helm.results.run_results import ResultsError, RunResults, ScenarioFacts, load, load_run, load_suite

__all__ = ["Coverage", "ResultsError", "RunFileError", "RunResults", "ScenarioFacts", "load", "load_run", "load_suite"]

_MODULES = {"Coverage": "helm.results.coverage", "RunFileError": "helm.results.run_files.run_folder"}


def __getattr__(name: str) -> Any:
    """Each name is imported when it is used: a summary needs the coverage of runs and none of the rest."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_MODULES.get(name, "helm.results.run_results")), name)
