"""MedHELM's recipe for a benchmark of one's own; the others are entries of the catalogue."""

from typing import Any

from helm.benchmark.adaptation.adapter_spec import ADAPT_GENERATION, AdapterSpec
from helm.benchmark.medhelm_config import get_benchmark_config_from_path
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.specs import ScenarioSpec
from helm.run_spec_modules import find_function


@run_spec_function("medhelm_configurable_benchmark")
def get_medhelm_configurable_benchmark_spec(config_path: str) -> RunSpec:
    """A prompt and a table of your own, named by a YAML file: `config_path=...`."""
    config = get_benchmark_config_from_path(config_path)
    return RunSpec(
        name=config.name,
        scenario_spec=ScenarioSpec(
            "helm.benchmark.scenarios.medhelm_configurable_scenario.MedHELMConfigurableScenario",
            {"name": config.name, "config_path": config_path},
        ),
        adapter_spec=AdapterSpec(
            method=ADAPT_GENERATION,
            input_prefix="",
            output_prefix="",
            max_train_instances=0,
            num_outputs=1,
            max_tokens=config.max_tokens,
            temperature=0.0,
            stop_sequences=[],
        ),
        metric_specs=config.get_metric_specs(),
        groups=[config.name],
        annotators=config.get_annotator_specs(),
    )


def __getattr__(name: str) -> Any:
    """Return HELM's other functions, which are entries of the catalogue."""
    return find_function("medhelm_run_specs", name)
