"""A custom benchmark in MedHELM's format: a YAML file that names a prompt and a table.

name: my_benchmark
description: What it asks
prompt_file: prompt.txt          # with {column} for the columns of the table
dataset_file: data.csv           # columns of the prompt, correct_answer, incorrect_answers (a JSON list)
max_tokens: 256
metrics:
- name: exact_match              # or rouge_1, rouge_2, rouge_l, BERTScore-P, BERTScore-R, BERTScore-F
- name: jury_score
  prompt_file: jury.txt          # with <rubric_criteria>{"accuracy": [...]}</rubric_criteria>
  judges: [{name: deployment, model_name: model}]
"""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from helm.benchmark.annotation.judge_models import AnnotatorModelInfo
from helm.benchmark.metrics.common_metric_specs import get_basic_metric_specs, get_exact_match_metric_specs
from helm.benchmark.specs import AnnotatorSpec, MetricSpec
from helm.common.errors import ConfigError, suggest
from helm.common.files import load_yaml

EXACT_MATCH, JURY = "exact_match", "jury_score"
SUMMARIZATION_METRICS = {"rouge_1", "rouge_2", "rouge_l", "BERTScore-P", "BERTScore-R", "BERTScore-F"}
METRICS = [EXACT_MATCH, *sorted(SUMMARIZATION_METRICS), JURY]
# MedHELM's own default.
DEFAULT_MAX_TOKENS = 1024

_RUBRIC = re.compile(r"<rubric_criteria>\s*(\{.*\})\s*</rubric_criteria>", re.DOTALL)


@dataclass(frozen=True)
class MetricConfig:
    """A metric by its name in the file."""

    name: str


@dataclass(frozen=True)
class SimpleMetricConfig(MetricConfig):
    """A metric that has a name only."""


@dataclass(frozen=True)
class JuryMetricConfig(MetricConfig):
    """A metric that judges give."""

    prompt_file: str
    """Path of the judges' prompt; the file exists."""

    judges: list[AnnotatorModelInfo]

    @property
    def models(self) -> dict[str, dict[str, str]]:
        """The judges by short name, as plain values. HELM: the short name is that of the deployment."""
        return {judge.model_deployment: asdict(judge) for judge in self.judges}


@dataclass(frozen=True)
class BenchmarkConfig:
    """The validated content of the file."""

    name: str
    description: str
    prompt_file: str
    """Path of the prompt; the file exists."""

    dataset_file: str
    """Path of the table; the file exists."""

    main_metric: MetricConfig
    """The first metric."""

    metrics: list[MetricConfig]

    max_tokens: int = DEFAULT_MAX_TOKENS

    @property
    def prompt(self) -> str:
        return _read(self.prompt_file)

    @property
    def only_jury(self) -> bool:
        return [metric.name for metric in self.metrics] == [JURY]

    def get_metric_specs(self) -> list[MetricSpec]:
        """Return the specs of the metrics; those of summaries are computed together."""
        specs: list[MetricSpec] = []
        names = [metric.name for metric in self.metrics]
        for i, metric in enumerate(self.metrics):
            if metric.name == EXACT_MATCH:
                specs += get_exact_match_metric_specs()
            elif metric.name in SUMMARIZATION_METRICS and not set(names[:i]) & SUMMARIZATION_METRICS:
                specs += [_summarization_spec(self.name), *get_basic_metric_specs([])]
            elif isinstance(metric, JuryMetricConfig):
                arguments = {"metric_name": JURY, "scenario_name": self.name, "annotator_models": metric.models}
                specs.append(MetricSpec("helm.benchmark.metrics.llm_jury_metrics.LLMJuryMetric", arguments))
        return specs + get_basic_metric_specs([]) if self.only_jury else specs

    def get_annotator_specs(self) -> list[AnnotatorSpec]:
        """Return the specs of the juries. Raises: ConfigError for a prompt without criteria."""
        specs = []
        for metric in self.metrics:
            if isinstance(metric, JuryMetricConfig):
                prompt = _read(metric.prompt_file)
                arguments = {
                    "name": self.name,
                    "prompt_template": prompt,
                    "annotation_criteria": _read_criteria(prompt, metric.prompt_file),
                    "annotator_models": metric.models,
                }
                specs.append(AnnotatorSpec("helm.benchmark.annotation.model_as_judge.LLMAsJuryAnnotator", arguments))
        return specs

    def _get_annotation_criteria(self, prompt_template: str) -> dict[str, list[str]]:
        return _read_criteria(prompt_template, "prompt_template")


def _summarization_spec(task: str) -> MetricSpec:
    return MetricSpec(
        "helm.benchmark.metrics.summarization_metrics.SummarizationMetric",
        {"task": task, "device": "cpu", "bertscore_model": "distilbert-base-uncased", "rescale_with_baseline": False},
    )


def get_benchmark_config_from_path(path: str) -> BenchmarkConfig:
    """Read and validate the file. Raises: ConfigError that names the file, and what is missing or wrong in it."""
    try:
        data = load_yaml(path)
    except OSError as e:
        raise ConfigError(f"config_path={path} cannot be read: {e.strerror or e}.") from e
    if not isinstance(data, Mapping):
        raise ConfigError(f"{path} must hold a mapping with name, description, prompt_file, dataset_file and metrics.")
    for key in ("name", "description", "prompt_file", "dataset_file"):
        if not isinstance(data.get(key), str) or not data[key]:
            raise ConfigError(f"{path}: the text '{key}' is missing.{suggest(key, [str(k) for k in data])}")
    metrics = data.get("metrics")
    if not isinstance(metrics, list) or not metrics:
        raise ConfigError(
            f"{path}: metrics must be a list of mappings with a name, for example [{{name: exact_match}}]."
        )
    for i, metric in enumerate(metrics):
        name = metric.get("name") if isinstance(metric, Mapping) else None
        if name not in METRICS:
            hint = suggest(str(name), METRICS)
            raise ConfigError(f"{path}: metric {i + 1} is one of {', '.join(METRICS)}, not {name!r}.{hint}")
    max_tokens = data.get("max_tokens", DEFAULT_MAX_TOKENS)
    if not isinstance(max_tokens, int) or max_tokens < 1:
        raise ConfigError(f"{path}: max_tokens must be a positive whole number, not {max_tokens!r}.")
    configs = [_metric_config(path, metric) for metric in metrics]
    return BenchmarkConfig(
        name=data["name"],
        description=data["description"],
        prompt_file=_find(path, data["prompt_file"]),
        dataset_file=_find(path, data["dataset_file"]),
        main_metric=configs[0],
        metrics=configs,
        max_tokens=max_tokens,
    )


def _metric_config(path: str, metric: Mapping[str, Any]) -> MetricConfig:
    if metric["name"] != JURY:
        return SimpleMetricConfig(metric["name"])
    judges, prompt_file = metric.get("judges"), metric.get("prompt_file")
    if not judges or not prompt_file:
        raise ConfigError(f"{path}: {JURY} needs 'prompt_file' and 'judges'.")
    for i, judge in enumerate(judges):
        if not isinstance(judge, Mapping) or not all(isinstance(judge.get(key), str) for key in ("name", "model_name")):
            raise ConfigError(f"{path}: judge {i + 1} needs the texts 'name' (a deployment) and 'model_name'.")
    models = [AnnotatorModelInfo(judge["model_name"], judge["name"]) for judge in judges]
    return JuryMetricConfig(JURY, _find(path, prompt_file), models)


def _read_criteria(prompt: str, file: str) -> dict[str, list[str]]:
    """Return the criteria in a judges' prompt; errors name its file."""
    match = _RUBRIC.search(prompt)
    try:
        criteria = json.loads(match.group(1)) if match else None
    except ValueError as e:
        raise ConfigError(f"{file}: the text between the tags rubric_criteria is not valid JSON: {e}") from e
    if not isinstance(criteria, dict) or not criteria:
        raise ConfigError(
            f'{file} needs <rubric_criteria>{{"name": ["what is asked"]}}</rubric_criteria>, the criteria to judge by.'
        )
    return criteria


def _find(config_path: str, name: str) -> str:
    """Find a file relative to the working directory, else to the folder of the config. Raises: ConfigError."""
    beside = os.path.join(os.path.dirname(config_path), name)
    for path in (name, beside):
        if os.path.isfile(path):
            return path
    raise ConfigError(f"{config_path}: there is no file {name}, neither in {os.getcwd()} nor next to the config.")


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
