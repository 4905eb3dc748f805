"""Run expanders for the roles that models have in a run beside its subject: the judge, its wording, and the simulated user."""

import inspect
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from helm.benchmark.assembly.run_expander_base import RunExpander, with_suffix
from helm.benchmark.run_spec import RunSpec
from helm.common.errors import ConfigError, suggest
from helm.common.object_spec import ObjectSpec, get_class_by_name

if TYPE_CHECKING:
    from helm.benchmark.annotation.judge_models import AnnotatorModelInfo

USER_ARGUMENT = "user_model"
"""The argument of a scenario, an executor or an annotator that has a simulated user."""

_ADDRESS = re.compile(r"(https?://[^#]+)#(.+)")


def read_model(role: str, name: Any) -> "AnnotatorModelInfo":
    """Return the model and the deployment that a name means: of a model, of a deployment, or `URL#NAME` of any server.

    Raises: ConfigError if there is no such model; it names the nearest one.
    """
    from helm.benchmark.annotation.judge_models import parse_judge
    from helm.benchmark.model_deployment_registry import (
        DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT,
        find_model_deployment,
    )
    from helm.benchmark.model_deployments.openai_compatible_deployments import PREFIX
    from helm.benchmark.model_metadata_registry import MODEL_NAME_TO_MODEL_METADATA

    if not isinstance(name, str) or not name.strip():
        raise ConfigError(f"{role} takes the name of a model such as simple/model1, not {name!r}.")
    name = name.strip()
    if name.startswith(("http://", "https://")):
        match = _ADDRESS.fullmatch(name)
        if match is None:
            raise ConfigError(
                f"{role}: the address {name} names no model. Write it behind a '#', as in http://localhost:8000/v1#NAME."
            )
        name = f"{PREFIX}/{match[2]}@{match[1]}"
    model = parse_judge(role, name)
    if find_model_deployment(model.model_deployment) is None:
        known = [*MODEL_NAME_TO_MODEL_METADATA, *DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT]
        raise ConfigError(f"{role}: unknown model '{name}'.{suggest(name, known)}")
    return model


class GraderRunExpander(RunExpander):
    """Replaces the models that judge the answers.

    Args:
        value: the name of a model; several for a jury, as a list, as JSON or with `|` between.
    """

    name = "grader"

    def __init__(self, value: Any):
        self.models = [read_model(self.name, name) for name in _read_names(self.name, value)]

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        """Return the run spec with these judges. Raises: ConfigError if it has none, or names its judge already."""
        from helm.benchmark.running.judge_settings import label_of_models, with_graders

        changed = with_graders(run_spec, self.models)
        if changed is None:
            raise ConfigError(
                f"grader: no model judges the answers of '{run_spec.name}'; helm-run --describe NAME shows the judges of a run."
            )
        return [replace(changed, name=with_suffix(run_spec.name, f"{self.name}={label_of_models(self.models)}"))]


class JudgesRunExpander(RunExpander):
    """Lets the judges ask in the words of HELM, where those of this package are its own."""

    name = "judges"

    def __init__(self, value: Any):
        from helm.common.data.helm_prompts import HELM_WORDING

        if value != HELM_WORDING:
            raise ConfigError(f"judges takes {HELM_WORDING}, for HELM's wording of the judges' prompts, not {value!r}.")
        self.value = value

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        """Return the run spec with HELM's wording. Raises: ConfigError if it has no judges, or the wording is not here."""
        from helm.benchmark.running.judge_settings import with_helm_prompts

        changed = with_helm_prompts(run_spec)
        if changed is None:
            raise ConfigError(f"judges: no model judges the answers of '{run_spec.name}'.")
        if changed == run_spec:  # its prompts are HELM's anyway, or the entry says it already
            return [run_spec]
        return [replace(changed, name=with_suffix(run_spec.name, f"{self.name}={self.value}"))]


class UserRunExpander(RunExpander):
    """Selects the model that plays the user whom the subject talks to."""

    name = "user"

    def __init__(self, value: Any):
        names = _read_names(self.name, value)
        if len(names) != 1:
            raise ConfigError(f"user takes one model, not {len(names)}.")
        self.model = read_model(self.name, names[0])

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        """Return the run spec with this user. Raises: ConfigError if no part of it has a simulated user."""
        from helm.benchmark.running.judge_settings import label_of_models

        changes: dict[str, Any] = {}
        if has_simulated_user(run_spec.scenario_spec):
            changes["scenario_spec"] = self._assign(run_spec.scenario_spec)
        if run_spec.executor_spec is not None and has_simulated_user(run_spec.executor_spec):
            changes["executor_spec"] = self._assign(run_spec.executor_spec)
        if any(map(has_simulated_user, run_spec.annotators or [])):
            changes["annotators"] = [
                self._assign(spec) if has_simulated_user(spec) else spec for spec in run_spec.annotators or []
            ]
        if not changes:
            raise ConfigError(
                f"user: '{run_spec.name}' has no simulated user. Run specs of plugins have one if their scenario, executor or "
                f"annotator takes the argument {USER_ARGUMENT}; those of this package have none."
            )
        name = with_suffix(run_spec.name, f"{self.name}={label_of_models([self.model])}")
        return [replace(run_spec, name=name, **changes)]

    def _assign(self, spec: Any) -> Any:
        return replace(spec, args={**spec.args, USER_ARGUMENT: asdict(self.model)})


def has_simulated_user(spec: ObjectSpec) -> bool:
    """Return whether the class of the spec takes the model of a simulated user."""
    try:
        part = get_class_by_name(spec.class_name)
    except (ImportError, AttributeError, ValueError):
        return False  # creating it will report the problem
    return USER_ARGUMENT in inspect.signature(part).parameters


def assign_roles(
    run_spec: RunSpec, grader: Sequence[str] | None, user: str | None, judges: str | None = None
) -> tuple[RunSpec, set[str]]:
    """Assign what a command's flags say to the roles of a run, except for those that the entry has assigned.

    Returns: the run spec, and the roles that it has (`grader`, `judges`, `user`).
    """
    from helm.benchmark.running.judge_settings import has_helm_critiques, has_judges, names_its_graders

    roles: set[str] = set()
    if grader and has_judges(run_spec):
        roles.add(GraderRunExpander.name)
        if not names_its_graders(run_spec):
            (run_spec,) = GraderRunExpander(list(grader)).expand(run_spec)
    if judges and (has_judges(run_spec) or has_helm_critiques(run_spec)):
        roles.add(JudgesRunExpander.name)
        (run_spec,) = JudgesRunExpander(judges).expand(run_spec)
    if user:
        parts = [run_spec.scenario_spec, run_spec.executor_spec, *(run_spec.annotators or [])]
        with_user = [part for part in parts if part is not None and has_simulated_user(part)]
        if with_user:
            roles.add(UserRunExpander.name)
            if not any(part.args.get(USER_ARGUMENT) for part in with_user):
                (run_spec,) = UserRunExpander(user).expand(run_spec)
    return run_spec, roles


def _read_names(role: str, value: Any) -> list[str]:
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except ValueError as e:
            raise ConfigError(f"{role}: {value} is not a list in JSON: {e}") from e
    elif isinstance(value, str):
        value = value.split("|")
    names = list(value) if isinstance(value, (list, tuple)) else [value]
    if not names:
        raise ConfigError(f"{role} takes the name of a model such as simple/model1; the list is empty.")
    if len(set(map(str, names))) != len(names):
        raise ConfigError(f"{role}: a model is named twice in {', '.join(map(str, names))}.")
    return names


ROLE_RUN_EXPANDERS: list[type[RunExpander]] = [GraderRunExpander, JudgesRunExpander, UserRunExpander]
"""HELM has no such keys: a run spec with an argument by one of these names gets the value itself."""
