"""MedHELM's recipe for a benchmark of one's own; the others are entries of the catalogue."""

from typing import Any

from helm.benchmark.adaptation.adapter_spec import ADAPT_GENERATION, AdapterSpec
from helm.benchmark.medhelm_config import EXACT_MATCH, JURY, SUMMARIZATION, read_benchmark_config, read_jury
from helm.benchmark.metrics.common_metric_specs import get_basic_metric_specs, get_exact_match_metric_specs
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.specs import AnnotatorSpec, MetricSpec, ScenarioSpec
from helm.run_spec_modules import find_function


@run_spec_function("medhelm_configurable_benchmark")
def get_medhelm_configurable_benchmark_spec(config_path: str) -> RunSpec:
    """A prompt and a table of your own, named by a YAML file: `config_path=...`."""
    config = read_benchmark_config(config_path)
    names = [metric["name"] for metric in config.metrics]
    metric_specs: list[MetricSpec] = []
    annotators: list[AnnotatorSpec] = []
    for i, metric in enumerate(config.metrics):
        name = metric["name"]
        if name == EXACT_MATCH:
            metric_specs += get_exact_match_metric_specs()
        elif name in SUMMARIZATION and not set(names[:i]) & set(SUMMARIZATION):
            metric_specs += [_summarization_spec(config.name), *get_basic_metric_specs([])]
        elif name == JURY:
            jury = read_jury(config, metric)
            arguments = {"metric_name": JURY, "scenario_name": config.name, "annotator_models": jury.judges}
            metric_specs.append(MetricSpec("helm.benchmark.metrics.llm_jury_metrics.LLMJuryMetric", arguments))
            annotators.append(
                AnnotatorSpec(
                    "helm.benchmark.annotation.model_as_judge.LLMAsJuryAnnotator",
                    {
                        "name": config.name,
                        "prompt_template": jury.prompt,
                        "annotation_criteria": jury.criteria,
                        "annotator_models": jury.judges,
                    },
                )
            )
    if config.only_jury:
        metric_specs += get_basic_metric_specs([])
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
        metric_specs=metric_specs,
        groups=[config.name],
        annotators=annotators,
    )


def _summarization_spec(task: str) -> MetricSpec:
    return MetricSpec(
        "helm.benchmark.metrics.summarization_metrics.SummarizationMetric",
        {"task": task, "device": "cpu", "bertscore_model": "distilbert-base-uncased", "rescale_with_baseline": False},
    )


def __getattr__(name: str) -> Any:
    """Return HELM's other functions, which are entries of the catalogue."""
    return find_function("medhelm_run_specs", name)
