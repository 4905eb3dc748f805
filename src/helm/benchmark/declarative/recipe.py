"""Turns `run:` of an entry into a run spec function."""

import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, replace
from functools import cache
from typing import Any

import msgspec

from helm.benchmark.adaptation import common_adapter_specs as presets
from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.declarative import class_rows
from helm.benchmark.declarative.class_paths import declared_class
from helm.benchmark.declarative.conditions import applies
from helm.benchmark.declarative.entry import Augmenter, ClassSpec, Metric, Run, ScenarioPart
from helm.benchmark.declarative.entry_parts import Fetched
from helm.benchmark.declarative.parameters import (
    convert_argument,
    fetch_to,
    make_variables,
    run_argument_names,
    shown_argument,
    signature_of,
)
from helm.benchmark.declarative.reading import EntryFile
from helm.benchmark.declarative.templates import LocatedTemplateError, Placeholder, TemplateError, Variables
from helm.benchmark.metrics import common_metric_specs as bundles
from helm.benchmark.metrics import heim_metric_specs
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.specs import AnnotatorSpec, DataAugmenterSpec, MetricSpec, PerturbationSpec, ScenarioSpec
from helm.common.errors import ConfigError, suggest

_METRICS = "helm.benchmark.metrics"
_ANNOTATION = "helm.benchmark.annotation"


def _separate(method: str, empty_input: bool = False) -> AdapterSpec:
    return presets.get_multiple_choice_separate_adapter_spec(method, empty_input)


PRESETS: dict[str, Callable[..., AdapterSpec]] = {
    "generation": presets.get_generation_adapter_spec,
    "completion": presets.get_completion_adapter_spec,
    "multiple_choice": presets.get_multiple_choice_adapter_spec,
    "multiple_choice_joint": presets.get_multiple_choice_joint_adapter_spec,
    "multiple_choice_joint_chain_of_thought": presets.get_multiple_choice_joint_chain_of_thought_adapter_spec,
    "multiple_choice_separate": _separate,
    "ranking_binary": presets.get_ranking_binary_adapter_spec,
    "instruct": presets.get_few_shot_instruct_adapter_spec,
    "language_modeling": presets.get_language_modeling_adapter_spec,
    "summarization": presets.get_summarization_adapter_spec,
    "machine_translation": presets.get_machine_translation_adapter_spec,
    "bare": presets.get_bare_adapter_spec,
    "image_generation": presets.get_image_generation_adapter_spec,
    "none": AdapterSpec,
}
"""Presets of `adapter`: functions whose arguments it accepts, in addition to any field of AdapterSpec."""

_ERROR_RATES = ("wer", "mer", "wip", "cer")

METRIC_BUNDLES: dict[str, Callable[..., list[MetricSpec]]] = {
    "exact_match": bundles.get_exact_match_metric_specs,
    "f1": bundles.get_f1_metric_specs,
    "open_ended": bundles.get_open_ended_generation_metric_specs,
    "open_ended_vision": lambda: bundles.get_basic_metric_specs(
        [
            "exact_match",
            "quasi_exact_match",
            "quasi_leave_articles_exact_match",
            "f1_score",
            "rouge_l",
            "bleu_1",
            "bleu_4",
            "cider",
        ]
    ),
    "open_ended_audio": lambda: bundles.get_basic_metric_specs(
        ["exact_match", "quasi_exact_match", "f1_score", "rouge_l", "bleu_1", "bleu_4", "cider"]
    ),
    "asr": lambda: bundles.get_basic_metric_specs([f"{rate}_score" for rate in _ERROR_RATES]),
    "asr_chinese": lambda: bundles.get_basic_metric_specs([f"chinese_{rate}_score" for rate in _ERROR_RATES]),
    "basic_empty": lambda: bundles.get_basic_metric_specs([]),
    "basic_reference": bundles.get_basic_reference_metric_specs,
    "instances_per_split": bundles.get_generic_metric_specs,
    "classification": bundles.get_classification_metric_specs,
    "multiple_choice_classification": bundles.get_multiple_choice_classification_metric_specs,
    "bias": bundles.get_bias_metric_specs,
    "toxicity": bundles.get_toxicity_metric_specs,
    "language_modeling": lambda: bundles.get_language_modeling_metric_specs([]),
    "safety": lambda: [
        MetricSpec(f"{_METRICS}.safety_metrics.SafetyScoreMetric"),
        MetricSpec(f"{_METRICS}.safety_metrics.SafetyBasicGenerationMetric"),
        *bundles.get_generic_metric_specs(),
    ],
    "image_generation": heim_metric_specs.get_core_heim_metric_specs,
    "image_reference": heim_metric_specs.get_heim_reference_required_metric_specs,
    "image_bias": heim_metric_specs.get_heim_bias_metric_specs,
    "image_detection": heim_metric_specs.get_heim_detection_metric_specs,
    "image_fidelity": heim_metric_specs.get_fid_metric_specs,
    "image_critique": heim_metric_specs.get_heim_critique_metric_specs,
    "photorealism_critique": heim_metric_specs.get_heim_photorealism_critique_metric_specs,
}
"""Names in `metrics` that expand to several metrics."""

_ADAPTER_FIELDS = [field.name for field in fields(AdapterSpec)]


# ---- Downloaded texts

_placeholders: ContextVar[bool] = ContextVar("placeholders", default=False)


@contextmanager
def placeholders_for_fetched_texts() -> Iterator[None]:
    """Inside the block, a text that would have to be downloaded is `<name: URL>`. For listings; the RunSpec is never run."""
    token = _placeholders.set(True)
    try:
        yield
    finally:
        _placeholders.reset(token)


def are_fetched_texts_placeholders() -> bool:
    """Whether a Python recipe that downloads texts should only name them, inside `placeholders_for_fetched_texts`."""
    return _placeholders.get()


def _fetch_text(file: EntryFile) -> Callable[[str, Fetched], str]:
    scenario = file.entry.scenario

    def fetch(name: str, fetched: Fetched) -> str:
        from helm.common.commands.output_path import get_benchmark_output_path

        folder = os.path.join(
            get_benchmark_output_path(), "scenarios", (scenario.name if scenario else "") or file.name
        )
        if _placeholders.get():
            return Placeholder(f"<{name}: {fetched.url}>")
        os.makedirs(folder, exist_ok=True)
        return fetch_to(folder, scenario_part=False)(name, fetched)

    return fetch


# ---- The function


@cache
def run_spec_function_of(file: EntryFile) -> Callable[..., RunSpec]:
    """Return the run spec function of an entry, with the signature of its parameters."""
    signature = signature_of(file.entry.params, file.entry.params, RunSpec)
    what = f"Run spec '{file.name}'"

    def make(*args: Any, **kwargs: Any) -> RunSpec:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as e:
            raise TypeError(f"{what}: {e}") from None
        bound.apply_defaults()
        arguments = {name: convert_argument(file, name, value, what) for name, value in bound.arguments.items()}
        shown = {
            name: shown_argument(param, bound.arguments[name], arguments[name])
            for name, param in file.entry.params.items()
        }
        return make_run_spec(file, shown)

    make.__name__ = make.__qualname__ = f"get_{file.name}_spec"
    make.__doc__ = _docstring(file)
    make.__signature__ = signature  # type: ignore[attr-defined]
    make.__annotations__ = {
        **{name: parameter.annotation for name, parameter in signature.parameters.items()},
        "return": RunSpec,
    }
    return make


def _docstring(file: EntryFile) -> str | None:
    lines = [file.entry.description] if file.entry.description else []
    lines += [f"{name}: {param.doc}" for name, param in file.entry.params.items() if param.doc]
    return "\n\n".join(lines) or None


def make_run_spec(file: EntryFile, values: Mapping[str, Any]) -> RunSpec:
    """Build the RunSpec of an entry for these values of its parameters. Downloads nothing unless the entry says so.

    Raises: EntryError if the values do not yield a RunSpec; ConfigError for values that cannot be combined.
    """
    variables = make_variables(file, values, _fetch_text(file))
    try:
        run = file.convert(variables.fill_all(_chosen_run(file, variables), ("run",)), Run, ("run",))
        return RunSpec(
            name=run.name or _default_name(file, values),
            scenario_spec=_scenario_spec(file, run.scenario, variables),
            adapter_spec=_adapter_spec(file, run.adapter),
            metric_specs=[spec for i, metric in enumerate(run.metrics) for spec in _metric_specs(file, metric, i)],
            data_augmenter_spec=_augmenter_spec(run.data_augmenter),
            groups=list(run.groups) if run.groups is not None else [file.name],
            annotators=_annotator_specs(run.annotators),
        )
    except LocatedTemplateError as e:
        raise file.error(e.path, str(e)) from e
    except TemplateError as e:
        raise file.error(("run",), str(e)) from e


def _chosen_run(file: EntryFile, variables: Variables) -> dict[str, Any]:
    """Return `run` with the matching cases merged into it."""
    run = dict(file.data["run"])
    for case in run.pop("cases", []):
        if applies(case.get("when"), case.get("unless"), variables):
            if case.get("error") is not None:
                raise ConfigError(f"Run spec '{file.name}': {variables.fill(case['error'])}")
            for key, value in case.items():
                if key == "adapter":
                    run[key] = value if "preset" in value else {**run[key], **value}
                elif key == "scenario":
                    run[key] = _merge(run.get(key, {}), value)
                elif key not in ("when", "unless"):
                    run[key] = value
    return run


def _merge(base: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **base,
        **{
            key: _merge(base[key], value) if isinstance(value, dict) and isinstance(base.get(key), dict) else value
            for key, value in change.items()
        },
    }


def _default_name(file: EntryFile, values: Mapping[str, Any]) -> str:
    return f"{file.name}:{','.join(f'{name}={value}' for name, value in values.items())}" if values else file.name


def _scenario_spec(file: EntryFile, override: ScenarioPart | None, variables: Variables) -> ScenarioSpec:
    """Return the entry's scenario, as overridden by `run.scenario`."""
    own = file.entry.scenario or ScenarioPart()
    class_name = (override.class_ if override else "") or variables.fill(own.class_) or declared_class(file)
    if override is not None and override.args is not None:
        args = dict(override.args)
    elif own.args is not None:
        args = variables.fill_all(own.args, ("scenario", "args"))
    else:
        args = {name: variables[name] for name in run_argument_names(file)} if file.entry.source else {}
    return ScenarioSpec(class_name=class_name, args=args)


def _adapter_spec(file: EntryFile, adapter: Mapping[str, Any]) -> AdapterSpec:
    arguments = dict(adapter)
    make = PRESETS[arguments.pop("preset", "none")]
    parameters = inspect.signature(make).parameters
    own = {name: value for name, value in arguments.items() if name in parameters}
    others = {name: value for name, value in arguments.items() if name not in own}
    try:
        spec = make(**own)
        return replace(spec, **others) if others else spec
    except (TypeError, ValueError, AssertionError) as e:
        raise file.error(("run", "adapter"), f"no AdapterSpec can be made: {e}") from e


def adapter_arguments(preset: str) -> list[str]:
    """Return the arguments that `adapter` accepts with a preset."""
    own = [
        name
        for name, parameter in inspect.signature(PRESETS[preset]).parameters.items()
        if parameter.kind is not parameter.VAR_KEYWORD
    ]
    return list(dict.fromkeys([*own, *_ADAPTER_FIELDS]))


def class_in(package: str, name: str) -> str:
    """Resolve `module.Class` in the package if it has that module; else return the name itself."""
    module, dot, _ = name.partition(".")
    if name.count(".") != 1:
        return name
    folder = os.path.join(os.path.dirname(__file__), os.path.pardir, package.rpartition(".")[2])
    is_there = os.path.exists(os.path.join(folder, f"{module}.py")) or class_rows.class_paths(f"{package}.{module}")
    return f"{package}.{name}" if is_there else name


def _metric_specs(file: EntryFile, metric: str | Metric, position: int) -> list[MetricSpec]:
    name = metric if isinstance(metric, str) else metric.bundle
    if name is not None:
        return _bundle(file, name, {} if isinstance(metric, str) else metric.args, position)
    assert isinstance(metric, Metric)
    if metric.basic is not None:
        return bundles.get_basic_metric_specs(list(metric.basic))
    if metric.basic_generation is not None:
        return bundles.get_basic_generation_metric_specs(list(metric.basic_generation))
    return [MetricSpec(class_in(_METRICS, str(metric.class_)), dict(metric.args))]


def _bundle(file: EntryFile, name: str, args: Mapping[str, Any], position: int) -> list[MetricSpec]:
    path = ("run", "metrics", position)
    if name not in METRIC_BUNDLES:
        known = ", ".join(METRIC_BUNDLES)
        raise file.error(
            path,
            f"there is no bundle of metrics '{name}'. Bundles: {known}. A single metric is {{class: ...}}."
            f"{suggest(name, METRIC_BUNDLES)}",
        )
    make = METRIC_BUNDLES[name]
    known_args = list(inspect.signature(make).parameters)
    for arg in args:
        if arg not in known_args:
            takes = f"It takes: {', '.join(known_args)}." if known_args else "It takes none."
            raise file.error(path, f"the bundle '{name}' has no argument '{arg}'. {takes}{suggest(arg, known_args)}")
    return make(**args)


def _annotator_specs(annotators: list[ClassSpec] | None) -> list[AnnotatorSpec] | None:
    if annotators is None:
        return None
    return [AnnotatorSpec(class_in(_ANNOTATION, spec.class_), dict(spec.args)) for spec in annotators]


def _augmenter_spec(augmenter: Augmenter | None) -> DataAugmenterSpec:
    if augmenter is None:
        return DataAugmenterSpec()
    values = msgspec.structs.asdict(augmenter)
    perturbations = [PerturbationSpec(spec.class_, dict(spec.args)) for spec in augmenter.perturbation_specs]
    return DataAugmenterSpec(**{**values, "perturbation_specs": perturbations})
