"""The language models that judge: their names in annotator arguments, and the defaults."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from helm.common.errors import ConfigError, suggest

_FIELDS = ("model_name", "model_deployment")


@dataclass(frozen=True)
class AnnotatorModelInfo:
    """A judge."""

    model_name: str

    model_deployment: str


GPT_4O = AnnotatorModelInfo("openai/gpt-4o-2024-05-13", "openai/gpt-4o-2024-05-13")
"""The judge of most benchmarks, under the short name `gpt`."""

GPT_4O_NOVEMBER = AnnotatorModelInfo("openai/gpt-4o-2024-11-20", "openai/gpt-4o-2024-11-20")

GPT_5_4 = AnnotatorModelInfo("openai/gpt-5.4-2026-03-05", "openai/gpt-5.4-2026-03-05")

AnnotatorModels = Mapping[str, AnnotatorModelInfo | Mapping[str, str] | str]
"""Maps the short name of a judge, which appears in keys of annotations and names of stats, to its model."""


def parse_judge(name: str, value: Any) -> AnnotatorModelInfo:
    """Return a judge, given as `AnnotatorModelInfo`, a mapping of its fields, or one name for model and deployment.

    Raises: ConfigError that names the judge.
    """
    if isinstance(value, AnnotatorModelInfo):
        return value
    if isinstance(value, str) and value:
        return _from_name(value)
    example = "{model_name: openai/gpt-4o-2024-05-13, model_deployment: openai/gpt-4o-2024-05-13}"
    if not isinstance(value, Mapping):
        raise ConfigError(f"Judge '{name}' must be the name of a deployment or like {example}, not {value!r}.")
    for key in value:
        if key not in _FIELDS:
            raise ConfigError(f"Judge '{name}': unknown key '{key}'.{suggest(str(key), _FIELDS)} Expected {example}.")
    model, deployment = value.get("model_name"), value.get("model_deployment")
    names = [text for text in (model, deployment) if text]
    if not names or not all(isinstance(text, str) for text in names):
        raise ConfigError(f"Judge '{name}' needs model_name and model_deployment, like {example}; got {dict(value)}.")
    return AnnotatorModelInfo(*names) if len(names) == 2 else _from_name(names[0])


def _from_name(name: str) -> AnnotatorModelInfo:
    """Return the deployment with this name, or the default one of the model with this name."""
    from helm.benchmark.model_deployment_registry import find_model_deployment, get_default_model_deployment_for_model

    deployment = find_model_deployment(name)
    if deployment is not None:
        return AnnotatorModelInfo(deployment.model_name or name, name)
    return AnnotatorModelInfo(name, get_default_model_deployment_for_model(name) or name)


def parse_annotator_models(
    value: AnnotatorModels | None, default: Mapping[str, AnnotatorModelInfo]
) -> dict[str, AnnotatorModelInfo]:
    """Return the judges of an annotator; None selects the defaults. Raises: ConfigError if there are none, or one is invalid."""
    if value is None:
        return dict(default)
    if not isinstance(value, Mapping) or not value:
        raise ConfigError(
            f"annotator_models must map short names to judges, for example gpt to a model; got {value!r}."
        )
    return {str(name): parse_judge(str(name), judge) for name, judge in value.items()}
