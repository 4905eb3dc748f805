"""The Python interface, whose names `helm` offers: `helm.evaluate`, `helm.Results`, `helm.scenario` and so on."""

PLACES = {
    "Comparison": "helm.api.comparison",
    "ConfigError": "helm.common.errors",
    "EvaluationError": "helm.api.results",
    "HelmError": "helm.common.errors",
    "Results": "helm.api.results",
    "RunFailure": "helm.api.results",
    "RunSpec": "helm.benchmark.run_spec",
    "ViewerHandle": "helm.api.viewer",
    "evaluate": "helm.api.evaluation",
    "evaluate_async": "helm.api.evaluation",
    "metric": "helm.api.parts",
    "model": "helm.api.parts",
    "scenario": "helm.api.parts",
}
"""The module of each public name."""
