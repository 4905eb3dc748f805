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
from dataclasses import dataclass
from typing import Any

from helm.common.errors import ConfigError, suggest
from helm.common.files import load_yaml

EXACT_MATCH, JURY = "exact_match", "jury_score"
SUMMARIZATION = ["rouge_1", "rouge_2", "rouge_l", "BERTScore-P", "BERTScore-R", "BERTScore-F"]
METRICS = [EXACT_MATCH, *SUMMARIZATION, JURY]
# MedHELM's own default.
DEFAULT_MAX_TOKENS = 1024

_RUBRIC = re.compile(r"<rubric_criteria>\s*(\{.*\})\s*</rubric_criteria>", re.DOTALL)


@dataclass(frozen=True)
class BenchmarkConfig:
    """The validated content of the file."""

    path: str
    name: str
    description: str
    prompt: str
    """The text of the prompt file."""

    dataset_file: str
    """Path of the table; the file exists."""

    max_tokens: int
    metrics: list[dict[str, Any]]

    @property
    def main_metric(self) -> str:
        return str(self.metrics[0]["name"])

    @property
    def only_jury(self) -> bool:
        return [metric["name"] for metric in self.metrics] == [JURY]


@dataclass(frozen=True)
class Jury:
    prompt: str
    criteria: dict[str, list[str]]
    judges: dict[str, dict[str, str]]
    """Maps short name to `model_name` and `model_deployment`."""


def read_benchmark_config(path: str) -> BenchmarkConfig:
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
    return BenchmarkConfig(
        path=path,
        name=data["name"],
        description=data["description"],
        prompt=_read(_find(path, data["prompt_file"])),
        dataset_file=_find(path, data["dataset_file"]),
        max_tokens=max_tokens,
        metrics=[dict(metric) for metric in metrics],
    )


def read_jury(config: BenchmarkConfig, metric: Mapping[str, Any]) -> Jury:
    """Return the jury of a `jury_score` metric. Raises: ConfigError."""
    judges, prompt_file = metric.get("judges"), metric.get("prompt_file")
    if not judges or not prompt_file:
        raise ConfigError(f"{config.path}: {JURY} needs 'prompt_file' and 'judges'.")
    prompt = _read(_find(config.path, prompt_file))
    match = _RUBRIC.search(prompt)
    try:
        criteria = json.loads(match.group(1)) if match else None
    except ValueError as e:
        raise ConfigError(f"{prompt_file}: the text between the tags rubric_criteria is not valid JSON: {e}") from e
    if not isinstance(criteria, dict) or not criteria:
        raise ConfigError(
            f'{prompt_file} needs <rubric_criteria>{{"name": ["what is asked"]}}</rubric_criteria>, the criteria to judge by.'
        )
    found: dict[str, dict[str, str]] = {}
    for i, judge in enumerate(judges):
        if not isinstance(judge, Mapping) or not all(isinstance(judge.get(key), str) for key in ("name", "model_name")):
            raise ConfigError(f"{config.path}: judge {i + 1} needs the texts 'name' (a deployment) and 'model_name'.")
        # HELM: the deployment has the same name.
        found[judge["name"]] = {"model_name": judge["model_name"], "model_deployment": judge["name"]}
    return Jury(prompt, criteria, found)


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
