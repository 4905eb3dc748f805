"""Results of runs as objects: of this program and of HELM, finished years ago or just now.

    from helm.results import load

    for run in load("benchmark_output/runs/my-suite"):
        print(run.name, run.run_spec.adapter_spec.model)
        for stat in run.stats():
            print(stat)
        for state in run.iterate_request_states():
            print(state.instance.id, state.result.completions[0].text)
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from helm.benchmark.presentation.run_files import RunFileError
    from helm.results.coverage import Coverage
    from helm.results.run_results import ResultsError, RunResults, ScenarioFacts, load, load_run, load_suite

__all__ = ["Coverage", "ResultsError", "RunFileError", "RunResults", "ScenarioFacts", "load", "load_run", "load_suite"]

_MODULES = {"Coverage": "helm.results.coverage", "RunFileError": "helm.benchmark.presentation.run_files"}


def __getattr__(name: str) -> Any:
    """Each name is imported when it is used: a summary needs the coverage of runs and none of the rest."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_MODULES.get(name, "helm.results.run_results")), name)
