"""HELM's modules whose names have another place here: importing one gives a module that finds each name when it is used.

A module that is a file wins; `helm.moved` has modules that moved as a whole.
"""

from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_DEPLOYMENTS = "helm.benchmark.model_deployments"
_GENERATOR = "helm.benchmark.model_deployment_registry:get_model_deployment_generator"
_CRITIQUES = "helm.clients.critique_clients"
_PARTS = "helm.benchmark.assembly.run_spec_parts"
_ARABIC_CHOICES = {
    "_ARABIC_REFERENCE_PREFIX_CHARACTERS": f"{_PARTS}:get_field_of_arabic_choices:reference_prefix_characters",
    "_ARABIC_OUTPUT_MAPPING_PATTERN": f"{_PARTS}:get_field_of_arabic_choices:output_mapping_pattern",
}

_PLACES: dict[str, dict[str, str]] = {
    **{
        f"{_DEPLOYMENTS}.{module}_model_deployments": {
            function: f"{_GENERATOR}:{prefix}" for function, prefix in names.items()
        }
        for module, names in {
            "anthropic": {"get_anthropic_model_deployment": "anthropic"},
            "cohere": {"get_cohere_model_deployment": "cohere"},
            "google": {
                "get_google_model_deployment": "google",
                "get_gemini_model_deployment": "gemini",
                "get_vertexai_model_deployment": "vertexai",
            },
            "huggingface": {"get_huggingface_model_deployment": "huggingface"},
            "huggingface_inference_providers": {
                "get_huggingface_inference_providers_model_deployment": "huggingface-inference-providers"
            },
            "litellm": {"get_litellm_model_deployment": "litellm"},
            "mistralai": {"get_together_model_deployment": "mistralai"},  # HELM: this name and that of xAI
            "openai": {"get_openai_model_deployment": "openai"},
            "openrouter": {"get_openrouter_model_deployment": "openrouter"},
            "together": {"get_together_model_deployment": "together"},
            "writer": {"get_writer_model_deployment": "writer"},
            "xai": {"get_writer_model_deployment": "xai"},
        }.items()
    },
    "helm.benchmark.run_specs.arabic_enterprise_run_specs": _ARABIC_CHOICES,
    "helm.benchmark.run_specs.arabic_run_specs": _ARABIC_CHOICES,
    "helm.benchmark.run_specs.decodingtrust_run_specs": {
        name: f"{_PARTS}:{name}"
        for name in (
            "get_fairness_metric_specs",
            "get_ood_knowledge_metric_specs",
            "get_privacy_metric_specs",
            "get_stereotype_bias_metric_specs",
        )
    },
    "helm.benchmark.run_specs.enterprise_run_specs": {
        "_get_weighted_classification_metric_specs": f"{_PARTS}:get_weighted_classification_metric_specs"
    },
    "helm.benchmark.run_specs.heim_run_specs": {
        "get_image_generation_adapter_spec": (
            "helm.benchmark.adaptation.common_adapter_specs:get_image_generation_adapter_spec"
        ),
        **{
            name: f"helm.benchmark.metrics.heim_metric_specs:{name}"
            for name in (
                "get_core_heim_metric_specs",
                "get_fid_metric_specs",
                "get_heim_bias_metric_specs",
                "get_heim_critique_metric_specs",
                "get_heim_detection_metric_specs",
                "get_heim_photorealism_critique_metric_specs",
                "get_heim_reference_required_metric_specs",
            )
        },
    },
    "helm.benchmark.run_specs.instruction_following_run_specs": {
        name: f"{_PARTS}:{name}" for name in ("get_instruction_following_critique_metric_specs",)
    },
    "helm.benchmark.run_specs.long_context_run_specs": {
        f"_{name}": f"{_PARTS}:{name}"
        for name in (
            "get_long_context_generation_adapter_spec",
            "get_long_context_multiple_choice_adapter_spec",
        )
    },
    "helm.benchmark.run_specs.medhelm": {},
    "helm.benchmark.run_specs.medhelm.benchmark_config": {
        name: f"helm.benchmark.medhelm_config:{name}"
        for name in (
            "BenchmarkConfig",
            "JuryMetricConfig",
            "MetricConfig",
            "SUMMARIZATION_METRICS",
            "SimpleMetricConfig",
            "get_benchmark_config_from_path",
        )
    },
    "helm.benchmark.run_specs.medhelm_run_specs": {
        name: f"helm.benchmark.annotation.medhelm_judges:{name}"
        for name in ("get_annotator_models_from_config", "get_judges_config")
    },
    "helm.benchmark.tokenizer_configs": {},
    "helm.benchmark.tokenizer_configs.huggingface_tokenizer_configs": {
        "get_huggingface_tokenizer_config": f"{_DEPLOYMENTS}.huggingface_deployments:generate_huggingface_tokenizer_config"
    },
    "helm.clients.cohere_utils": {
        name: f"helm.clients.cohere_client:{name}" for name in ("DEFAULT_COHERE_API_VERSION", "get_cohere_url")
    },
    "helm.proxy.critique": {},
    "helm.proxy.critique.critique_client": {
        name: f"{_CRITIQUES}:{name}" for name in ("CritiqueClient", "RandomCritiqueClient")
    },
    "helm.proxy.critique.model_critique_client": {"ModelCritiqueClient": f"{_CRITIQUES}:ModelCritiqueClient"},
}
"""For each module, its names and where each is: MODULE:NAME, or MODULE:FUNCTION:ARGUMENT for what a function returns."""


def find_name(module: str, name: str) -> Any:
    """Return what a module of HELM's calls by a name.

    Raises: AttributeError if the table has no such name.
    """
    place = _PLACES.get(module, {}).get(name)
    if place is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    source, attribute, *arguments = place.split(":")
    found = getattr(import_module(source), attribute)
    return found(*arguments) if arguments else found


def find_module(name: str) -> ModuleSpec | None:
    """Return how to import a module of the table; None if it has no such module."""
    if name not in _PLACES:
        return None
    is_package = any(other.startswith(f"{name}.") for other in _PLACES)
    return ModuleSpec(name, _Loader(), is_package=is_package)  # type: ignore[arg-type]


class _Loader:
    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        module.__doc__ = "Names of HELM that have another place here."
        module.__dict__["__all__"] = sorted(_PLACES[name])
        module.__dict__["__getattr__"] = lambda attribute: find_name(name, attribute)
