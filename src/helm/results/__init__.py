"""Results of runs, of this program and of HELM, as objects, however old they are.

`load("benchmark_output/runs/my-suite")` gives a `RunResults` per run; docs/howto-old-results.md shows its contents.
`Lake("lake")` reads a data set of many runs; see docs/howto-lake.md.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from helm.results.coverage import Coverage
    from helm.results.lake.lake import Lake
    from helm.results.run_files.run_folder import RunFileError
    from helm.results.run_results import ResultsError, RunResults, ScenarioFacts, load, load_run, load_suite

__all__ = [
    "Coverage", "Lake", "ResultsError", "RunFileError", "RunResults", "ScenarioFacts", "load", "load_run", "load_suite"
]  # fmt: skip

_MODULES = {
    "Coverage": "helm.results.coverage",
    "Lake": "helm.results.lake.lake",
    "RunFileError": "helm.results.run_files.run_folder",
}


def __getattr__(name: str) -> Any:
    """Import each name when it is used, since a summary needs only the coverage of runs."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_MODULES.get(name, "helm.results.run_results")), name)
