"""Turns run entries into the run specs to execute: filters, limits, and checks across entries.

Heavy imports are inside the functions, because `helm-run --help` imports this module.
"""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helm.benchmark.assembly.left_out_entries import LeftOutEntries
    from helm.benchmark.presentation.run_entry import RunEntry
    from helm.benchmark.run_spec import RunSpec
    from helm.common.object_spec import ObjectSpec

_MODEL_GROUPS_NEEDING_A_FLAG = (
    "all|text_code|text|code|instruction_following|full_functionality_text|limited_functionality_text"
)


def run_entries_to_run_specs(
    run_entries: list[RunEntry],
    max_eval_instances: int | None = None,
    num_train_trials: int | None = None,
    models_to_run: list[str] | None = None,
    groups_to_run: list[str] | None = None,
    priority: int | None = None,
    as_command: bool = False,
    grader: list[str] | None = None,
    user: str | None = None,
    judges: str | None = None,
    left_out: LeftOutEntries | None = None,
) -> list[RunSpec]:
    """Expand entries in order, drop what the filters exclude, and set limits where run specs leave them open.

    Args:
        as_command: see `construct_run_specs`.
        grader, user, judges: models for the roles of runs that have them, and the wording of judges (`helm`), except for
            entries that say it themselves.
        left_out: takes the entries that cannot be made, if they may be left out; without it, the first one is an error.

    Raises: ConfigError whose note names the entry, and for a role that no run has; OfflineError when fetching is forbidden and a
    recipe lacks a text, after all that the entries lack was noted in the session.
    """
    from helm.common.data.data_session import current_session, log_sources
    from helm.common.data.download_errors import OfflineError

    run_specs: list[RunSpec] = []
    roles: set[str] = set()
    descriptions: dict[str, str] = {}
    offline_error: OfflineError | None = None
    for entry in run_entries:
        if priority is not None and entry.priority is not None and entry.priority > priority:
            continue
        try:
            try:
                with log_sources() as sources:
                    expanded = _expand(entry, models_to_run, as_command)
            except Exception as e:
                if left_out is not None and left_out.add(entry, e):
                    continue
                raise
            for run_spec in expanded:
                if _is_wanted(run_spec, models_to_run, groups_to_run):
                    if grader or user or judges:
                        from helm.benchmark.assembly.role_run_expanders import assign_roles

                        run_spec, found = assign_roles(run_spec, grader, user, judges)
                        roles |= found
                    run_specs.append(finish_run_spec(run_spec, entry.groups, max_eval_instances, num_train_trials))
                    _check_folder(run_specs[-1].name, descriptions, entry.description)
                    current_session().of_recipes[run_specs[-1].name] = sources
        except Exception as e:
            e.add_note(f"(In the run entry '{entry.description}'.)")
            if not isinstance(e, OfflineError):
                raise
            offline_error = offline_error or e
    if offline_error is not None:
        _note_missing_data([entry.description for entry in run_entries])
        raise offline_error
    if run_specs:
        _check_roles(roles, grader, user, judges)
    return run_specs


def _check_roles(roles: set[str], grader: list[str] | None, user: str | None, judges: str | None) -> None:
    """Raise ConfigError if a model was given for a role that none of the runs has."""
    from helm.common.errors import ConfigError

    if grader and "grader" not in roles:
        raise ConfigError("--grader: no model judges the answers of any of these runs.")
    if judges and "judges" not in roles:
        raise ConfigError("--judges: no model judges the answers of any of these runs.")
    if user and "user" not in roles:
        raise ConfigError(
            "--user: none of these runs has a simulated user. Run specs of plugins have one if their scenario, executor or "
            "annotator takes the argument user_model; those of this package have none."
        )


def _check_folder(name: str, descriptions: dict[str, str], description: str) -> None:
    """Record which entry a run of this name comes from.

    Raises: ConfigError when another entry differs from it only by a `/` in the place of a `_`: in names of folders, and so of
    runs, both are `_`.
    """
    from helm.common.errors import ConfigError
    from helm.common.object_spec import parse_object_spec

    earlier = descriptions.setdefault(name, description)
    if earlier == description:
        return
    one, other = parse_object_spec(earlier).args, parse_object_spec(description).args
    for key in one.keys() & other.keys():
        a, b = str(one[key]), str(other[key])
        if a != b and a.replace("/", "_") == b.replace("/", "_"):
            raise ConfigError(
                f"The run entries '{earlier}' and '{description}' would share the folder '{name}', where '/' is '_'. Write "
                f"another {key}, or run them in different suites (--suite)."
            )


def _note_missing_data(descriptions: list[str]) -> None:
    """Record in the session all downloads that the entries need."""
    from helm.benchmark.catalogue.names import expand_names
    from helm.benchmark.catalogue.scenario_data import make_offline, survey_scenario
    from helm.benchmark.run_spec_factory import construct_recipe
    from helm.common.commands.output_path import get_benchmark_output_path
    from helm.common.data.data_session import current_session
    from helm.common.object_spec import parse_object_spec

    for spec in (spec for description in descriptions for spec in expand_names(parse_object_spec(description))):
        run_spec, missing = make_offline(lambda spec=spec: construct_recipe(spec))  # type: ignore[misc]
        if run_spec is not None:
            missing = missing + survey_scenario(spec.class_name, run_spec, get_benchmark_output_path()).missing
        for fetch in missing:
            current_session().block(fetch.url, fetch.path)


def _expand(entry: RunEntry, models_to_run: list[str] | None, as_command: bool) -> list[RunSpec]:
    from helm.benchmark.assembly.other_words import model_name
    from helm.benchmark.catalogue.names import expand_names
    from helm.benchmark.run_spec_factory import construct_run_specs, use_one_word_for_subjects
    from helm.common.object_spec import parse_object_spec

    run_specs = []
    for spec in expand_names(parse_object_spec(entry.description)):
        spec = use_one_word_for_subjects(spec)
        if isinstance(model := spec.args.get("model"), str) and model != model_name(model):
            spec = replace(spec, args={**spec.args, "model": model_name(model)})
        specs = _name_models(spec, models_to_run) if models_to_run else [spec]
        run_specs += [run_spec for named in specs for run_spec in construct_run_specs(named, as_command)]
    return run_specs


def _name_models(spec: ObjectSpec, models_to_run: list[str]) -> list[ObjectSpec]:
    """Yield one copy of the entry per model, unless the entry names one itself."""
    from helm.common.errors import ConfigError

    model = spec.args.get("model", "")
    if not isinstance(model, str):
        raise ConfigError(f"model takes a name such as simple/model1, not the number {model}.")
    if "/" in model or spec.args.get("policy", _LANGUAGE_MODEL_POLICY) != _LANGUAGE_MODEL_POLICY:
        return [spec]
    return [replace(spec, args={**spec.args, "model": name}) for name in models_to_run]


def _is_wanted(run_spec: RunSpec, models: list[str] | None, groups: list[str] | None) -> bool:
    subject = (run_spec.adapter_spec.model, run_spec.adapter_spec.model_deployment)
    if models and not any(name in models for name in subject):
        return False
    return not groups or any(group in groups for group in run_spec.groups)


def finish_run_spec(
    run_spec: RunSpec, groups: list[str] | None, max_eval_instances: int | None, num_train_trials: int | None
) -> RunSpec:
    """Set the limits that a run spec leaves open, and add groups, which become part of its name."""
    adapter_spec = run_spec.adapter_spec
    if max_eval_instances is not None and adapter_spec.max_eval_instances is None:
        adapter_spec = replace(adapter_spec, max_eval_instances=max_eval_instances)
    if adapter_spec.max_train_instances == 0:
        adapter_spec = replace(adapter_spec, num_train_trials=1)
    elif num_train_trials is not None:
        adapter_spec = replace(adapter_spec, num_train_trials=num_train_trials)
    run_spec = replace(run_spec, adapter_spec=adapter_spec)
    if groups is not None:
        name = f"{run_spec.name},groups={'-'.join(sorted(groups))}" if groups else run_spec.name
        run_spec = replace(run_spec, name=name, groups=run_spec.groups + groups)
    return run_spec


_LANGUAGE_MODEL_POLICY = "lm"
"""Any other `policy=` of a compiler run names the subject."""


def check_models_to_run(run_entries: list[RunEntry], models_to_run: list[str] | None) -> None:
    """Check the flag. Raises: ConfigError if one of its models is unknown, or it is required and missing."""
    from helm.benchmark.model_deployment_registry import DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT, find_model_deployment
    from helm.benchmark.model_metadata_registry import MODEL_NAME_TO_MODEL_METADATA
    from helm.common.errors import ConfigError, suggest

    if models_to_run:
        for name in models_to_run:
            if name not in MODEL_NAME_TO_MODEL_METADATA and find_model_deployment(name) is None:
                error = ConfigError(f"Unknown model '{name}' passed to --models-to-run")
                known = [*MODEL_NAME_TO_MODEL_METADATA, *DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT]
                error.add_note(suggest(name, known).strip())
                raise error
        return
    descriptions = [entry.description for entry in run_entries]
    for description in descriptions:
        if re.search(rf"\bmodel=(?:{_MODEL_GROUPS_NEEDING_A_FLAG})\b", description):
            message = "--models-to-run must be set (because the `model=` run expander expands to multiple models)"
            error = ConfigError(message)
            error.add_note(f"(In the run entry '{description}'.)")
            raise error
    # HELM: if one entry names a model, the others need not.
    if not any(re.search(r"\b(?:model|tool|compiler|policy)=\b", description) for description in descriptions):
        error = ConfigError("--models-to-run must be set (because the `model=` run expander is omitted)")
        without = f"'{descriptions[0]}' names no model" if descriptions else "There are no run entries"
        error.add_note(f"({without}. Example: --run-entries simple_mcqa:model=simple/model1)")
        raise error


def drop_repeated_run_specs(run_specs: list[RunSpec]) -> list[RunSpec]:
    """Drop run specs that equal an earlier one, with a warning.

    Raises: ConfigError for different ones of one name, because each would overwrite the other's files.
    """
    from helm.common.errors import ConfigError
    from helm.common.hierarchical_logger import hwarn

    by_name: dict[str, RunSpec] = {}
    for run_spec in run_specs:
        earlier = by_name.setdefault(run_spec.name, run_spec)
        if earlier is run_spec:
            continue
        if earlier == run_spec:
            hwarn(f"{run_spec.name} comes from more than one run entry; it is run once.")
            continue
        raise ConfigError(
            f"Two different runs are named '{run_spec.name}'; the second would overwrite the first. They differ in "
            f"{', '.join(_differences(earlier, run_spec))}. Run them in different suites (--suite)."
        )
    return list(by_name.values())


def _differences(one: RunSpec, other: RunSpec) -> list[str]:
    found = []
    for item in fields(one):
        a, b = getattr(one, item.name), getattr(other, item.name)
        if a == b:
            continue
        if item.name == "adapter_spec":
            found += [
                f"{inner.name} ({getattr(a, inner.name)!r}, {getattr(b, inner.name)!r})"
                for inner in fields(a)
                if getattr(a, inner.name) != getattr(b, inner.name)
            ]
        else:
            found.append(item.name)
    return found
