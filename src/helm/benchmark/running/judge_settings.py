"""The user's judges: `judges.yaml` in the folder of `--local-path` selects the models that act as judges.

    judges:
      gpt: openai-compat/qwen@http://localhost:8000/v1
      "*": {model_name: anthropic/claude-sonnet-4, model_deployment: anthropic/claude-sonnet-4}

The keys are the short names of judges in annotators (`gpt` in most of HELM), `*` means all others. The models are
written into the run specs, so a run records who judged it.
"""

import inspect
import os
from collections.abc import Mapping
from dataclasses import asdict, replace

from helm.benchmark.annotation.judge_models import AnnotatorModelInfo, parse_annotator_models, parse_judge
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.specs import AnnotatorSpec, MetricSpec
from helm.common.errors import ConfigError, suggest
from helm.common.files import load_yaml
from helm.common.hierarchical_logger import hlog, hwarn
from helm.common.object_spec import get_class_by_name

JUDGES_FILE = "judges.yaml"
ALL_OTHERS = "*"

Judges = Mapping[str, AnnotatorModelInfo]


def read_judges(local_path: str) -> dict[str, AnnotatorModelInfo] | None:
    """Read the judges in the folder's `judges.yaml`; None without that file. Raises: ConfigError that names the file."""
    path = os.path.join(local_path, JUDGES_FILE)
    if not os.path.exists(path):
        return None
    data = load_yaml(path)
    if not isinstance(data, Mapping) or list(data) != ["judges"] or not isinstance(data["judges"], Mapping):
        raise ConfigError(f"{path} must hold one key, judges, with short names of judges and models below it.")
    try:
        return {str(name): parse_judge(str(name), value) for name, value in data["judges"].items()}
    except ConfigError as e:
        raise ConfigError(f"{path}: {e}") from e


def apply_judges(run_specs: list[RunSpec], judges: Judges) -> list[RunSpec]:
    """Replace the judges in the run specs by these. Warns about a name that none of the run specs has."""
    used: set[str] = set()
    result = [_apply_to_run_spec(run_spec, judges, used) for run_spec in run_specs]
    for name in judges:
        if used and name not in used and name != ALL_OTHERS:
            hwarn(
                f"{JUDGES_FILE}: no run has a judge '{name}'.{suggest(name, used)} There are: {', '.join(sorted(used))}"
            )
    return result


def judge_deployments(run_spec: RunSpec) -> set[str]:
    """Return the deployments that a run's annotators query, as far as their arguments show."""
    found: set[str] = set()
    for spec in run_spec.annotators or []:
        try:
            annotator_class = get_class_by_name(spec.class_name)
        except (ImportError, AttributeError, ValueError):
            continue  # creating it will report the problem
        default = getattr(annotator_class, "default_judges", {})
        judges = parse_annotator_models(spec.args.get("annotator_models"), default)
        found.update(judge.model_deployment for judge in judges.values())
    return found


def _apply_to_run_spec(run_spec: RunSpec, judges: Judges, used: set[str]) -> RunSpec:
    if not run_spec.annotators:
        return run_spec
    annotators = [_apply_to_annotator(spec, judges, used) for spec in run_spec.annotators]
    metrics = [_apply_to_metric(spec, judges) for spec in run_spec.metric_specs]
    if annotators == run_spec.annotators and metrics == run_spec.metric_specs:
        return run_spec
    names = {
        judge["model_deployment"] for spec in annotators for judge in (spec.args.get("annotator_models") or {}).values()
    }
    hlog(f"{run_spec.name}: judged by {', '.join(sorted(names))}, as {JUDGES_FILE} says")
    return replace(run_spec, annotators=annotators, metric_specs=metrics)


def _apply_to_annotator(spec: AnnotatorSpec, judges: Judges, used: set[str]) -> AnnotatorSpec:
    try:
        annotator_class = get_class_by_name(spec.class_name)
    except (ImportError, AttributeError, ValueError):
        return spec  # creating it will report the problem
    takes_judges = "annotator_models" in inspect.signature(annotator_class.__init__).parameters
    if not takes_judges or spec.args.get("model"):  # the run entry names the judge
        return spec
    present = parse_annotator_models(spec.args.get("annotator_models"), getattr(annotator_class, "default_judges", {}))
    used.update(present)
    replaced = _replace(present, judges)
    return replace(spec, args={**spec.args, "annotator_models": replaced}) if replaced else spec


def _apply_to_metric(spec: MetricSpec, judges: Judges) -> MetricSpec:
    present = spec.args.get("annotator_models")
    replaced = _replace(parse_annotator_models(present, {}), judges) if present else None
    return replace(spec, args={**spec.args, "annotator_models": replaced}) if replaced else spec


def _replace(present: Judges, judges: Judges) -> dict[str, dict[str, str]] | None:
    """Return the judges after replacement, as plain data; None if there is nothing to replace."""
    if not any(name in judges or ALL_OTHERS in judges for name in present):
        return None
    return {name: asdict(judges.get(name) or judges.get(ALL_OTHERS) or judge) for name, judge in present.items()}
