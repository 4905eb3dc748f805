"""Turns a parsed run entry into finished run specs: the recipe, then the expanders, then the rules for the subject's tags."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Union, get_args, get_origin, get_type_hints

from helm.benchmark.adaptation.adapter_spec import ADAPT_GENERATION, ADAPT_MULTIPLE_CHOICE_JOINT, CHAT_ON
from helm.benchmark.assembly.other_words import suggest_key
from helm.benchmark.catalogue.names import aliases, expand_names, suggest_run_spec, why_missing
from helm.benchmark.model_deployment_registry import (
    DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT,
    get_default_model_deployment_for_model,
    get_model_deployment,
)
from helm.benchmark.model_deployments.openai_compatible_deployments import PREFIX as OPENAI_COMPATIBLE_PREFIX
from helm.benchmark.model_groups import check_subject_kind, get_subject_kind
from helm.benchmark.model_metadata_registry import (
    ANTHROPIC_CLAUDE_1_MODEL_TAG,
    ANTHROPIC_CLAUDE_2_MODEL_TAG,
    ANTHROPIC_CLAUDE_3_MODEL_TAG,
    BUGGY_TEMP_0_TAG,
    CHATML_MODEL_TAG,
    GOOGLE_GEMINI_PRO_VISION_V1_TAG,
    IDEFICS_INSTRUCT_MODEL_TAG,
    IDEFICS_MODEL_TAG,
    LLAVA_MODEL_TAG,
    MODEL_NAME_TO_MODEL_METADATA,
    NLG_PREFIX_TAG,
    NO_NEWLINES_TAG,
    OPEN_FLAMINGO_MODEL_TAG,
    VISION_LANGUAGE_MODEL_TAG,
    ModelMetadata,
    get_all_models,
    get_unknown_model_metadata,
)
from helm.benchmark.run_expander import (
    RUN_EXPANDERS,
    YIELDING_KEYS,
    AnthropicClaude2RunExpander,
    AnthropicClaude3RunExpander,
    ChatMLRunExpander,
    GlobalPrefixRunExpander,
    IDEFICSInstructRunExpander,
    IncreaseMaxTokensRunExpander,
    IncreaseTemperatureRunExpander,
    LlavaRunExpander,
    ModelDeploymentRunExpander,
    ModelRunExpander,
    OpenFlamingoRunExpander,
    PromptRunExpander,
    RunExpander,
    StopRunExpander,
    expander_keys,
)
from helm.benchmark.run_spec import RunSpec, get_run_spec_function
from helm.benchmark.subjects import LANGUAGE_MODEL, subject_kinds
from helm.common.errors import ConfigError, suggest
from helm.common.hierarchical_logger import hwarn
from helm.common.object_spec import ObjectSpec


def subject_synonyms() -> list[str]:
    """Return the other words for `model` in run entries, except those that are arguments of the recipe."""
    return [kind.name for kind in subject_kinds() if kind is not LANGUAGE_MODEL]


def construct_run_specs(spec: ObjectSpec, as_command: bool = False) -> list[RunSpec]:
    """Return all run specs of a run entry, whose name may be an alias (`gsm8k`) or spelled differently (`MMLU-Pro`).

    `as_command` is how `helm-run` reads entries, and is a little more than the original's function does: values are
    checked against the annotations of the recipe, a deployment may be named where a model is expected, and
    `model_deployment` alone implies its model.

    Raises: ConfigError for an unknown recipe, argument, value, model or deployment.
    """
    return [run_spec for named in expand_names(spec) for run_spec in _construct_run_specs(named, as_command)]


def _construct_run_specs(spec: ObjectSpec, as_command: bool) -> list[RunSpec]:
    function = _find_recipe(spec.class_name)
    args = use_one_word_for_subjects(spec, function).args
    keys = expander_keys(inspect.signature(function).parameters)
    expanders, function_args = _split_args(args, keys, as_command)
    _check_arguments(spec.class_name, function, function_args, check_types=as_command)
    run_specs = [function(**function_args)]
    expanders = _with_subject_of_recipe(spec.class_name, args, expanders, run_specs[0])
    for key, expander in expanders:
        run_specs = [expanded for run_spec in run_specs for expanded in expander.expand(run_spec)]
        if not run_specs:
            hwarn(f"Run entry '{spec.class_name}': {key}={args.get(key, 'all')} matches nothing, so nothing is run.")
            break
    run_specs = [apply_subject_rules(run_spec) for run_spec in run_specs]
    if PromptRunExpander.name in args:
        from helm.benchmark.assembly.chat_presets import finish_preset

        run_specs = [finish_preset(run_spec, args) for run_spec in run_specs]
    if not YIELDING_KEYS.isdisjoint(args):
        from helm.benchmark.adaptation.chat_methods import check_adapter_spec

        for run_spec in run_specs:
            check_adapter_spec(run_spec.adapter_spec)  # two keys may contradict each other
    if any(run_spec.epochs is not None for run_spec in run_specs):
        from helm.benchmark.running.epochs.repeating import check_epochs

        for run_spec in run_specs:
            check_epochs(run_spec)
    return run_specs


def _with_subject_of_recipe(
    name: str, args: dict[str, Any], expanders: list[tuple[str, RunExpander]], run_spec: RunSpec
) -> list[tuple[str, RunExpander]]:
    """Return the expanders, restricted to the subject that a recipe names itself (as `policy=greedy` does).

    Recipes of language models leave that to the entry.

    Raises: ConfigError when the entry names one besides.
    """
    model = run_spec.adapter_spec.model
    if not model or get_subject_kind(run_spec.adapter_spec) == LANGUAGE_MODEL.name:
        return expanders
    for key in (ModelRunExpander.name, ModelDeploymentRunExpander.name):
        if key in args:
            raise ConfigError(f"Run entry '{name}' names its subject twice: {key}={args[key]} and what is {model}.")
    named = (ModelRunExpander.name, ModelRunExpander(model, accept_deployments=True))
    return [named if key == ModelRunExpander.name else (key, expander) for key, expander in expanders]


def construct_recipe(spec: ObjectSpec) -> RunSpec:
    """Return the run spec of the recipe, without a subject; arguments of run expanders are ignored.

    The name is that of a run spec; see `expand_names` for others.

    Raises: ConfigError for an unknown recipe, argument or value.
    """
    function = _find_recipe(spec.class_name)
    own = inspect.signature(function).parameters
    args = {
        key: value
        for key, value in spec.args.items()
        if key not in expander_keys(own) and (key not in subject_synonyms() or key in own)
    }
    _check_arguments(spec.class_name, function, args, check_types=True)
    return function(**args)


def _find_recipe(name: str) -> Callable[..., RunSpec]:
    function = get_run_spec_function(name)
    if function is None:
        error = ConfigError(f"Unknown run spec name: {name}")
        missing = why_missing(name)
        _add_note(error, f"There is no scenario for it. {missing}" if missing else suggest_run_spec(name))
        raise error
    return function


def use_one_word_for_subjects(spec: ObjectSpec, function: Callable[..., Any] | None = None) -> ObjectSpec:
    """Rewrite `tool=`, `compiler=` and the like to `model=`, unless they are arguments of the recipe.

    Raises: ConfigError when the subject is named twice.
    """
    synonyms = subject_synonyms()
    if not any(key in spec.args for key in synonyms):
        return spec
    function = function or get_run_spec_function(spec.class_name)
    own = inspect.signature(function).parameters if function else {}
    args: dict[str, Any] = {}
    for key, value in spec.args.items():
        new_key = ModelRunExpander.name if key in synonyms and key not in own else key
        if new_key in args:
            both = f"{new_key}={args[new_key]}, {key}={value}"
            raise ConfigError(f"Run entry '{spec.class_name}' names its subject twice: {both}.")
        args[new_key] = value
    return replace(spec, args=args)


def _split_args(
    args: dict[str, Any], keys: set[str], as_command: bool
) -> tuple[list[tuple[str, RunExpander]], dict[str, Any]]:
    """Split the arguments into expanders, in order, and the rest. A preset of `prompt=` comes first."""
    expanders: list[tuple[str, RunExpander]] = []
    for key, value in args.items():
        if key == ModelRunExpander.name:
            expanders.append((key, ModelRunExpander(value, accept_deployments=as_command)))
        elif key in keys:
            expanders.append((key, RUN_EXPANDERS[key](value)))
    is_model_implied = as_command and ModelDeploymentRunExpander.name in args
    if ModelRunExpander.name not in args and not is_model_implied:
        expanders.append((ModelRunExpander.name, ModelRunExpander("all")))
    expanders.sort(key=lambda item: not item[1].comes_first)
    return expanders, {key: value for key, value in args.items() if key not in keys}


def _add_note(error: Exception, note: str) -> None:
    if note.strip():
        error.add_note(note.strip())


# ---- Arguments of recipes


def _check_arguments(name: str, function: Callable[..., Any], args: dict[str, Any], check_types: bool) -> None:
    parameters = inspect.signature(function).parameters
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    known = [p.name for p in parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    takes = f"It takes: {', '.join(known)}." if known else "It takes none of its own."
    for key in args:
        if key not in known and not takes_any:
            hint = suggest_key(key, [*known, *RUN_EXPANDERS])
            raise ConfigError(f"Run spec '{name}' has no argument '{key}'. {takes}{hint}")
    missing = [key for key in known if parameters[key].default is inspect.Parameter.empty and key not in args]
    if missing:
        what = "arguments" if len(missing) > 1 else "argument"
        error = ConfigError(f"Run spec '{name}' needs the {what} {', '.join(missing)}. {takes}")
        _add_note(error, _whole_benchmark(name))
        raise error
    if check_types:
        _check_types(name, function, args)


def _whole_benchmark(name: str) -> str:
    """Return how to run all of a run spec that has required arguments, if an alias or a suite does."""
    from helm.benchmark.catalogue.suites import suite_names

    whole = next((alias.name for alias in aliases() if alias.target.class_name == name and alias.all_of), None)
    if whole is not None:
        return f"All of them: {whole}."
    return f"All of them: -c {name}." if name in suite_names() else ""


def _check_types(name: str, function: Callable[..., Any], args: dict[str, Any]) -> None:
    """Reject text where a number is annotated, and a fraction where a whole number is.

    Numbers are accepted for text: entries have no quotes, so a text like `7` arrives as a number.
    """
    try:
        hints = get_type_hints(function)
    except NameError:  # annotations for type checkers only
        return
    for key, value in args.items():
        expected = _scalar_types(hints.get(key, Any))
        if expected is None or not isinstance(value, (int, float, str)):
            continue
        fits = isinstance(value, tuple(expected)) or (float in expected and isinstance(value, int))
        if not fits and str not in expected:
            wanted = "a number (float)" if float in expected else "a whole number (int)"
            raise ConfigError(f"Run spec '{name}': argument '{key}' takes {wanted}, got '{value}'.")


def _scalar_types(hint: Any) -> set[type] | None:
    """Return the types that a hint allows if all are int, float or str, ignoring None; else None."""
    import types

    members: Iterable[Any] = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    found = {member for member in members if member is not type(None)}
    return found if found and found <= {int, float, str} else None


# ---- The subject's deployment and tags


def apply_subject_rules(run_spec: RunSpec) -> RunSpec:
    """Fill in model and deployment, then rewrite the run spec as the model's tags require."""
    run_spec = _complete_subject(run_spec)
    adapter_spec = run_spec.adapter_spec
    check_subject_kind(run_spec.name, get_subject_kind(adapter_spec), adapter_spec.model, adapter_spec.method)
    return _apply_tags(run_spec, _get_metadata(run_spec.adapter_spec.model))


def _complete_subject(run_spec: RunSpec) -> RunSpec:
    model, name = run_spec.adapter_spec.model, run_spec.adapter_spec.model_deployment
    if not model and not name:
        raise ConfigError("At least one of model_deployment and model must be specified")
    if not name:
        name = get_default_model_deployment_for_model(model, warn_arg_deprecated=True, ignore_deprecated=False) or ""
        if not name:
            error = ConfigError(f"Unknown model or no default model deployment found for model {model}")
            _add_note(error, suggest(model, [*get_all_models(), *DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT]))
            raise error
    deployment = get_model_deployment(name, warn_deprecated=True)
    model = model or str(deployment.model_name)
    if deployment.model_name != model:
        raise ConfigError(  # HELM: no space before "for".
            f"Invalid RunSpec: selected model deployment '{name}'for model '{model}' but the model deployment is for a "
            f"different model '{deployment.model_name}'"
        )
    return replace(run_spec, adapter_spec=replace(run_spec.adapter_spec, model=model, model_deployment=name))


def _get_metadata(model: str) -> ModelMetadata:
    if model not in MODEL_NAME_TO_MODEL_METADATA:
        from helm.benchmark.model_deployments.python_deployments import PREFIX as PYTHON_PREFIX

        if not model.startswith((f"{OPENAI_COMPATIBLE_PREFIX}/", f"{PYTHON_PREFIX}/")):  # only the user knows these
            hwarn(f"No metadata for model {model}; using a placeholder. Add it to model_metadata.yaml.")
        return get_unknown_model_metadata(model)
    return MODEL_NAME_TO_MODEL_METADATA[model]


def _apply_tags(run_spec: RunSpec, metadata: ModelMetadata) -> RunSpec:
    """Apply the rules in order; each one sees the result of those before it."""
    tags = metadata.tags
    spec = run_spec.adapter_spec
    expanders: list[RunExpander] = []
    if NO_NEWLINES_TAG in tags and spec.method in (ADAPT_GENERATION, ADAPT_MULTIPLE_CHOICE_JOINT):
        expanders.append(StopRunExpander("hash"))
    if NLG_PREFIX_TAG in tags:
        expanders.append(GlobalPrefixRunExpander("nlg"))
    is_chat = spec.chat is not None and spec.chat.mode == CHAT_ON  # messages need no markup in the text
    if CHATML_MODEL_TAG in tags and not is_chat:
        expanders.append(ChatMLRunExpander())
    if (ANTHROPIC_CLAUDE_1_MODEL_TAG in tags or ANTHROPIC_CLAUDE_2_MODEL_TAG in tags) and not is_chat:
        expanders.append(AnthropicClaude2RunExpander())
    if ANTHROPIC_CLAUDE_3_MODEL_TAG in tags:
        expanders.append(AnthropicClaude3RunExpander())
    if VISION_LANGUAGE_MODEL_TAG in tags and GOOGLE_GEMINI_PRO_VISION_V1_TAG in tags and spec.max_tokens == 1:
        expanders.append(IncreaseMaxTokensRunExpander(1))
    if IDEFICS_MODEL_TAG in tags and IDEFICS_INSTRUCT_MODEL_TAG in tags:
        expanders.append(IDEFICSInstructRunExpander())
    if LLAVA_MODEL_TAG in tags:
        expanders.append(LlavaRunExpander())
    if OPEN_FLAMINGO_MODEL_TAG in tags:
        expanders.append(OpenFlamingoRunExpander())
    if BUGGY_TEMP_0_TAG in tags and spec.temperature == 0:
        expanders.append(IncreaseTemperatureRunExpander(0.0001))
    if metadata.name == "google/medlm-large":
        expanders.append(StopRunExpander("none"))
    for expander in expanders:
        (run_spec,) = expander.expand(run_spec)
    return run_spec
