"""The rows of a table: the settings that distinguish them, their order and their labels."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.specs import ScenarioSpec
from helm.common.errors import ConfigError, suggest
from helm.results.schema import RunGroup


def dict_to_str(d: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}: {value}" for key, value in d.items())


_SHOWN_ARGS = {
    "helm.benchmark.declarative.lm_eval_scenario.LMEvalScenario": ("task", "num_fewshot"),
    "helm.benchmark.lm_eval.scenario.LMEvalTaskScenario": ("task", "num_fewshot"),
}
"""Scenarios whose arguments contain whole texts, and the arguments that distinguish them."""


def get_scenario_title(scenario_spec: ScenarioSpec) -> str:
    """Return the scenario's arguments for display."""
    shown = _SHOWN_ARGS.get(scenario_spec.class_name, scenario_spec.args)
    return dict_to_str({key: value for key, value in scenario_spec.args.items() if key in shown})


def get_scenario_name(group: RunGroup, scenario_spec: ScenarioSpec) -> str:
    """Return the name of a scenario's table, used in file names."""
    return group.name + "_" + get_scenario_title(scenario_spec).replace(" ", "").replace("/", "_")


def get_coarse_adapter_spec(
    adapter_spec: AdapterSpec, scenario_spec: ScenarioSpec | None = None, adapter_keys_shown: Sequence[str] = ()
) -> AdapterSpec:
    """Keep only the fields that distinguish the rows of a table; the others get their defaults.

    Raises: ConfigError for a key that is not a field of AdapterSpec.
    """
    if scenario_spec is not None and "instructions" in adapter_keys_shown:
        adapter_spec = _without_scenario_specific_instructions(adapter_spec, scenario_spec)
    known = [f.name for f in fields(AdapterSpec)]
    for key in adapter_keys_shown:
        if key not in known:
            raise ConfigError(f"adapter_keys_shown: AdapterSpec has no field '{key}'.{suggest(key, known)}")
    return AdapterSpec(**{key: getattr(adapter_spec, key) for key in adapter_keys_shown})


def _without_scenario_specific_instructions(adapter_spec: AdapterSpec, scenario_spec: ScenarioSpec) -> AdapterSpec:
    class_name = scenario_spec.class_name.rpartition(".")[2]
    if class_name == "MMLUScenario" and "subject" in scenario_spec.args:
        subject = str(scenario_spec.args["subject"]).replace("_", " ")
        return replace(adapter_spec, instructions=adapter_spec.instructions.replace(subject, "___"))
    if class_name == "RAFTScenario":
        return replace(adapter_spec, instructions="<scenario specific>")
    return adapter_spec


class ModelNames:
    """Names and order of the registered models, for rows."""

    def __init__(self) -> None:
        from helm.benchmark.model_metadata_registry import ALL_MODELS_METADATA

        self._order: dict[str, int] = {}
        for metadata in ALL_MODELS_METADATA:
            self._order.setdefault(metadata.name, len(self._order))

    def sort_key(self, adapter_spec: AdapterSpec) -> tuple[int, str]:
        """Return the sort key. HELM: deployments that are not model names come first, alphabetically."""
        return (self._order.get(adapter_spec.model_deployment, -1), adapter_spec.model_deployment)

    @staticmethod
    def display_name(adapter_spec: AdapterSpec) -> str:
        """Return the display name of the model, looked up by its name or its deployment's; else the raw name."""
        from helm.benchmark.model_deployment_registry import DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT
        from helm.benchmark.model_metadata_registry import MODEL_NAME_TO_MODEL_METADATA

        candidates = [adapter_spec.model] if adapter_spec.model else []
        for name in (adapter_spec.model_deployment, adapter_spec.model):
            deployment = DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT.get(name) if name else None
            if deployment is not None:
                candidates.append(deployment.model_name or deployment.name)
        for name in candidates:
            if name in MODEL_NAME_TO_MODEL_METADATA:
                return MODEL_NAME_TO_MODEL_METADATA[name].display_name
        return adapter_spec.model or adapter_spec.model_deployment


def get_row_label(adapter_spec: AdapterSpec, info: Mapping[str, Any]) -> str:
    """Return the subject's display name with the settings that distinguish the row from others of the same subject."""
    details = {key: value for key, value in info.items() if key not in ("model_deployment", "model")}
    label = ModelNames.display_name(adapter_spec)
    return f"{label} [{dict_to_str(details)}]" if details else label
