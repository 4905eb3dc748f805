"""The user's judges: `judges.yaml` in the folder of `--local-path`, and `grader=`, select the models that act as judges.

    judges:
      gpt: openai-compat/qwen@http://localhost:8000/v1
      "*": {model_name: anthropic/claude-sonnet-4, model_deployment: anthropic/claude-sonnet-4}

The keys are the short names of judges in annotators (`gpt` in most of HELM), `*` means all others. `critique` is the model
that answers the questions of critiques in place of the service that a credential selects; `*` is not, since people may answer
them. The models are written into the run specs, so a run records who judged it.
"""

import inspect
import os
import re
from collections.abc import Mapping, Sequence
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
CRITIQUE = "critique"

_MOST_LABEL_CHARACTERS = 60  # the label is a part of the name of a folder

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
    """Return the deployments that a run's annotators and critiques query, as far as their arguments show."""
    found = {str(spec.args["critic"]) for spec in run_spec.metric_specs if spec.args.get("critic")}
    for spec in run_spec.annotators or []:
        try:
            annotator_class = get_class_by_name(spec.class_name)
        except (ImportError, AttributeError, ValueError):
            continue  # creating it will report the problem
        default = getattr(annotator_class, "default_judges", {})
        judges = parse_annotator_models(spec.args.get("annotator_models"), default)
        found.update(judge.model_deployment for judge in judges.values())
    return found


def has_judges(run_spec: RunSpec) -> bool:
    """Return whether models judge the answers of a run, as far as its annotators show."""
    return any(map(_takes_judges, run_spec.annotators or []))


def has_helm_critiques(run_spec: RunSpec) -> bool:
    """Return whether a metric of a run asks a model for a critique, for which HELM has a wording that can be fetched."""
    return any(getattr(get_class_by_name(spec.class_name), "helm_constant", "") for spec in run_spec.metric_specs)


def with_graders(run_spec: RunSpec, graders: Sequence[AnnotatorModelInfo]) -> RunSpec | None:
    """Return the run spec with these models as its judges, under its own name. None if no models judge its answers.

    The first graders take over the short names of the judges, which are in the names of statistics; further ones get
    `grader3`, `grader4` and so on. A jury may become smaller.

    Raises: ConfigError if an annotator asks one judge and there are more graders, or if the run entry names its judge.
    """
    if not has_judges(run_spec):
        return None
    annotators: list[AnnotatorSpec] = []
    for spec in run_spec.annotators or []:
        if _takes_judges(spec):
            annotator_class = get_class_by_name(spec.class_name)
            if spec.args.get("model"):
                raise ConfigError(f"'{run_spec.name}' names its judge twice: {spec.args['model']}, and in grader=.")
            if len(graders) > 1 and getattr(annotator_class, "asks_one_judge", False):
                raise ConfigError(f"grader: {annotator_class.__name__} asks one judge, not {len(graders)}.")
            spec = replace(spec, args={**spec.args, "annotator_models": _graders(_present_judges(spec), graders)})
        annotators.append(spec)
    metrics = []
    for metric in run_spec.metric_specs:
        present = metric.args.get("annotator_models")
        if present:
            graded = _graders(parse_annotator_models(present, {}), graders)
            metric = replace(metric, args={**metric.args, "annotator_models": graded})
        metrics.append(metric)
    return replace(run_spec, annotators=annotators, metric_specs=metrics)


def with_helm_prompts(run_spec: RunSpec) -> RunSpec | None:
    """Return the run spec with judges that ask in HELM's words, under its own name. None if no models judge its answers.

    Annotators whose prompts are HELM's anyway stay as they are.

    Raises: ConfigError if HELM's prompt of an annotator is not published as a constant, or has not been fetched.
    """
    from helm.benchmark.annotation.helm_wording import get_helm_prompt
    from helm.common.data.helm_prompts import HELM_WORDING, require_helm_prompts

    if not has_judges(run_spec) and not has_helm_critiques(run_spec):
        return None
    annotators: list[AnnotatorSpec] = []
    paths: list[str] = []
    for spec in run_spec.annotators or []:
        if _takes_judges(spec):
            annotator_class = get_class_by_name(spec.class_name)
            if getattr(annotator_class, "has_own_wording", False):
                raise ConfigError(
                    f"judges: HELM's wording of the judge of '{run_spec.name}' ({annotator_class.__name__}) is no constant that "
                    "could be fetched; it can only be judged in the words of this package."
                )
            if "prompts" in inspect.signature(annotator_class.__init__).parameters:
                name = getattr(annotator_class, "task_name", None) or annotator_class.name
                paths.append(get_helm_prompt(name).path)
                spec = replace(spec, args={**spec.args, "prompts": HELM_WORDING})
        annotators.append(spec)
    metrics = []
    for metric in run_spec.metric_specs:
        metric_class = get_class_by_name(metric.class_name)
        if getattr(metric_class, "helm_constant", ""):
            paths.append(metric_class.helm_path())
            metric = replace(metric, args={**metric.args, "prompts": HELM_WORDING})
        metrics.append(metric)
    require_helm_prompts(paths, f"judges={HELM_WORDING} in '{run_spec.name}'")
    found = annotators if run_spec.annotators is not None else None
    return replace(run_spec, annotators=found, metric_specs=metrics)


def label_of_models(models: Sequence[AnnotatorModelInfo]) -> str:
    """Return the models as a part of the name of a run: `openai_gpt-4o`, or several of them with `+` between."""
    from helm.benchmark.assembly.chat_run_expanders import label_of
    from helm.benchmark.assembly.run_expander_base import sanitized

    label = "+".join(sanitized(model.model_name) for model in models)
    return label if len(label) <= _MOST_LABEL_CHARACTERS else label_of(label)


def names_its_graders(run_spec: RunSpec) -> bool:
    """Return whether the run entry chose the judges with `grader=`: then the name of the run has them."""
    if "grader=" not in run_spec.name:
        return False
    for spec in run_spec.annotators or []:
        if _takes_judges(spec):
            label = label_of_models(list(_present_judges(spec).values()))
            if re.search(rf"[:,]grader={re.escape(label)}(,|$)", run_spec.name):
                return True
    return False


def _graders(present: Judges, graders: Sequence[AnnotatorModelInfo]) -> dict[str, dict[str, str]]:
    names = [*present][: len(graders)] or ["gpt"]
    names += [f"grader{number}" for number in range(len(names) + 1, len(graders) + 1)]
    return {name: asdict(model) for name, model in zip(names, graders, strict=True)}


def _takes_judges(spec: AnnotatorSpec) -> bool:
    try:
        annotator_class = get_class_by_name(spec.class_name)
    except (ImportError, AttributeError, ValueError):
        return False  # creating it will report the problem
    return "annotator_models" in inspect.signature(annotator_class.__init__).parameters


def _present_judges(spec: AnnotatorSpec) -> dict[str, AnnotatorModelInfo]:
    default = getattr(get_class_by_name(spec.class_name), "default_judges", {})
    return parse_annotator_models(spec.args.get("annotator_models"), default)


def _apply_to_run_spec(run_spec: RunSpec, judges: Judges, used: set[str]) -> RunSpec:
    metrics = [_apply_to_critique(spec, judges, used) for spec in run_spec.metric_specs]
    annotators = run_spec.annotators or []
    if annotators and not names_its_graders(run_spec):
        annotators = [_apply_to_annotator(spec, judges, used) for spec in annotators]
        metrics = [_apply_to_metric(spec, judges) for spec in metrics]
    if annotators == (run_spec.annotators or []) and metrics == run_spec.metric_specs:
        return run_spec
    names = {
        judge["model_deployment"] for spec in annotators for judge in (spec.args.get("annotator_models") or {}).values()
    }
    names |= {spec.args["critic"] for spec in metrics if spec.args.get("critic")}
    hlog(f"{run_spec.name}: judged by {', '.join(sorted(names))}, as {JUDGES_FILE} says")
    found = annotators if run_spec.annotators is not None else None
    return replace(run_spec, annotators=found, metric_specs=metrics)


def _apply_to_annotator(spec: AnnotatorSpec, judges: Judges, used: set[str]) -> AnnotatorSpec:
    if not _takes_judges(spec) or spec.args.get("model"):  # the run entry names the judge
        return spec
    present = _present_judges(spec)
    used.update(present)
    replaced = _replace(present, judges)
    return replace(spec, args={**spec.args, "annotator_models": replaced}) if replaced else spec


def _apply_to_critique(spec: MetricSpec, judges: Judges, used: set[str]) -> MetricSpec:
    try:
        asks = getattr(get_class_by_name(spec.class_name), "asks_critics", False)
    except (ImportError, AttributeError, ValueError):
        return spec  # creating it will report the problem
    if not asks:
        return spec
    used.add(CRITIQUE)
    if CRITIQUE not in judges or spec.args.get("critic"):
        return spec
    return replace(spec, args={**spec.args, "critic": judges[CRITIQUE].model_deployment})


def _apply_to_metric(spec: MetricSpec, judges: Judges) -> MetricSpec:
    present = spec.args.get("annotator_models")
    replaced = _replace(parse_annotator_models(present, {}), judges) if present else None
    return replace(spec, args={**spec.args, "annotator_models": replaced}) if replaced else spec


def _replace(present: Judges, judges: Judges) -> dict[str, dict[str, str]] | None:
    """Return the judges after replacement, as plain data; None if there is nothing to replace."""
    if not any(name in judges or ALL_OTHERS in judges for name in present):
        return None
    return {name: asdict(judges.get(name) or judges.get(ALL_OTHERS) or judge) for name, judge in present.items()}
