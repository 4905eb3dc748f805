"""The judges of MedHELM: the three of its leaderboard, or those in a file."""

from collections.abc import Mapping
from typing import Any

from helm.benchmark.annotation.judge_models import AnnotatorModelInfo
from helm.common.errors import ConfigError
from helm.common.files import load_yaml

_DEFAULT = {
    "gpt": "openai/gpt-4o-2024-05-13",
    "llama": "meta/llama-3.3-70b-instruct",
    "claude": "anthropic/claude-3-7-sonnet-20250219",
}
_KEYS = ("name", "model", "model_deployment")
_EXAMPLE = "judges: [{name: gpt, model: openai/gpt-4o, model_deployment: openai/gpt-4o}]"

Judge = dict[str, str]


def read_jury(path: str | None = None) -> dict[str, Judge]:
    """Map the short name of each judge to `model_name` and `model_deployment`. None selects the leaderboard's judges.

    The file is YAML: a list `judges` of mappings with `name`, `model` and `model_deployment`. Raises: ConfigError that
    names the file and what is wrong in it.
    """
    if path is None:
        deployments = {name: f"stanfordhealthcare/{model.partition('/')[2]}" for name, model in _DEFAULT.items()}
        return {name: _judge(model, deployments[name]) for name, model in _DEFAULT.items()}
    try:
        data = load_yaml(path)
    except OSError as e:
        raise ConfigError(f"The judges of jury_config_path={path} cannot be read: {e.strerror or e}.") from e
    judges = data.get("judges") if isinstance(data, Mapping) else None
    if not isinstance(judges, list) or not judges:
        raise ConfigError(f"{path} must hold a list of judges: {_EXAMPLE}.")
    result: dict[str, Judge] = {}
    for i, judge in enumerate(judges):
        values = _texts(judge)
        if values is None:
            raise ConfigError(
                f"{path}: judge {i + 1} needs the texts {', '.join(_KEYS)}, as in {_EXAMPLE}; got {judge!r}."
            )
        name, model, deployment = values
        if name in result:
            raise ConfigError(f"{path}: two judges are named '{name}'.")
        result[name] = _judge(model, deployment)
    return result


def get_judges_config(jury_config_path: str | None = None) -> dict[str, Any]:
    """Return the judges in the form of the file; see `read_jury`."""
    return {
        "judges": [
            {"name": name, "model": judge["model_name"], "model_deployment": judge["model_deployment"]}
            for name, judge in read_jury(jury_config_path).items()
        ]
    }


def get_annotator_models_from_config(jury_config_path: str | None = None) -> dict[str, AnnotatorModelInfo]:
    """Map the short name of each judge to its model; see `read_jury`."""
    return {name: AnnotatorModelInfo(**judge) for name, judge in read_jury(jury_config_path).items()}


def _texts(judge: Any) -> list[str] | None:
    if not isinstance(judge, Mapping) or not all(isinstance(judge.get(key), str) and judge[key] for key in _KEYS):
        return None
    return [judge[key] for key in _KEYS]


def _judge(model: str, deployment: str) -> Judge:
    return {"model_name": model, "model_deployment": deployment}
