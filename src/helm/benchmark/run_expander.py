"""Run expanders: the `key=value` arguments of a run entry that rewrite finished run specs.

An expander has a `name`, takes the value in its constructor and turns one run spec into a list of them. Those that
change the name append to it: most `,key=value`, or `:key=value` to a name without a colon (`with_suffix`); some older
ones always `,key=value`; and some nothing at all.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from helm.benchmark.assembly.chat_run_expanders import CHAT_RUN_EXPANDERS
from helm.benchmark.assembly.prompt_run_expanders import (
    IN_CONTEXT_LEARNING_INSTRUCTIONS_PREFIX,
    IN_CONTEXT_LEARNING_INSTRUCTIONS_SUFFIX,
    AddToStopRunExpander,
    AnthropicClaude2RunExpander,
    AnthropicClaude3RunExpander,
    ChatMLRunExpander,
    FormatPromptRunExpander,
    GlobalPrefixRunExpander,
    IDEFICSInstructRunExpander,
    InContextLearningInstructionsRunExpander,
    InstructionsRunExpander,
    LlavaRunExpander,
    NewlineRunExpander,
    NovaRunExpander,
    OpenFlamingoRunExpander,
    OutputFormatInstructions,
    PromptRunExpander,
    StopRunExpander,
)
from helm.benchmark.assembly.role_run_expanders import ROLE_RUN_EXPANDERS
from helm.benchmark.assembly.run_expander_base import RunExpander, adapt, check_number, sanitized, with_suffix
from helm.benchmark.augmentations.data_augmenter import DataAugmenterSpec
from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.model_groups import get_model_group, get_model_groups, get_subject_kind, split_subject_name
from helm.benchmark.model_metadata_registry import (
    ABLATION_MODEL_TAG,
    AUDIO_LANGUAGE_MODEL_TAG,
    DEPRECATED_MODEL_TAG,
    FULL_FUNCTIONALITY_TEXT_MODEL_TAG,
    INSTRUCTION_FOLLOWING_MODEL_TAG,
    LIMITED_FUNCTIONALITY_TEXT_MODEL_TAG,
    TEXT_TO_IMAGE_MODEL_TAG,
    UNSUPPORTED_MODEL_TAG,
)
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.specs import EpochSpec
from helm.benchmark.subjects import find_subject_kind
from helm.common.errors import ConfigError, suggest

_PERTURBATION_NAMES = [
    "FAIRNESS_PERTURBATION_SPECS", "PERTURBATION_SPECS_DICT", "ROBUSTNESS_PERTURBATION_SPECS", "cleva_gender",
    "cleva_mild_mix", "cleva_person_name", "contract_and_expand", "contrast_sets", "dialect", "extra_space", "filler",
    "gender", "lower", "mandarin_to_cantonese", "mild_mix", "misspelling", "person_name", "simplified_to_traditional",
    "space", "suffix", "synonym", "translate", "typo",
]  # fmt: skip
"""HELM's names for what `common_perturbation_specs` defines. Few runs need it, so it is imported on first use."""

__all__ = [  # noqa: PLE0604
    *_PERTURBATION_NAMES, "RUN_EXPANDERS", "RUN_EXPANDER_SUBCLASSES", "RunExpander",
    "IN_CONTEXT_LEARNING_INSTRUCTIONS_PREFIX", "IN_CONTEXT_LEARNING_INSTRUCTIONS_SUFFIX", "AnthropicClaude2RunExpander",
    "AnthropicClaude3RunExpander", "IDEFICSInstructRunExpander", "LlavaRunExpander", "NovaRunExpander",
    "OpenFlamingoRunExpander", "ABLATION_MODEL_TAG", "AUDIO_LANGUAGE_MODEL_TAG", "DEPRECATED_MODEL_TAG",
    "FULL_FUNCTIONALITY_TEXT_MODEL_TAG", "INSTRUCTION_FOLLOWING_MODEL_TAG", "LIMITED_FUNCTIONALITY_TEXT_MODEL_TAG",
    "TEXT_TO_IMAGE_MODEL_TAG", "UNSUPPORTED_MODEL_TAG",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _PERTURBATION_NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("helm.benchmark.augmentations.common_perturbation_specs"), name)


FollowFormatInstructionsRunExpander = InContextLearningInstructionsRunExpander
"""HELM's name for the expander `follow_format_instructions`."""


# ---- Value replacers


class ReplaceValueRunExpander(RunExpander):
    """Sets the field of the adapter spec with the expander's name; a named list yields one run spec per value."""

    values_dict: dict[Any, list[Any]] = {}
    """Names for lists of values; any other value is used as it is."""

    def __init__(self, value: Any):
        self.values = self.values_dict.get(value, [value])

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        return [
            adapt(run_spec, with_suffix(run_spec.name, f"{self.name}={sanitized(value)}"), **{self.name: value})
            for value in self.values
        ]


class NumTrainTrialsRunExpander(ReplaceValueRunExpander):
    """Sets the number of draws of in-context examples."""

    name = "num_train_trials"


class MaxTrainInstancesRunExpander(ReplaceValueRunExpander):
    """Sets the maximum number of in-context examples."""

    name = "max_train_instances"
    values_dict = {
        "zero": [0],
        "one": [1],
        "all": [0, 1, 2, 4, 8, 16],
        "big_bench_few_shot_setting": [0, 1, 2, 3],
        "vhelm": [0, 1, 2, 4, 8],
        "melt": [0, 1, 5],
    }


class MaxEvalInstancesRunExpander(ReplaceValueRunExpander):
    """Sets the maximum number of evaluation instances; overrides `--max-eval-instances`."""

    name = "max_eval_instances"
    values_dict = {"default": [1000], "heim_default": [100], "heim_fid": [30000], "heim_art_styles": [17]}


class NumOutputsRunExpander(ReplaceValueRunExpander):
    """Sets the number of completions of each prompt."""

    name = "num_outputs"
    values_dict = {"default": [1], "copyright_sweep": [1, 10]}


class NumTrialRunExpander(ReplaceValueRunExpander):
    """Sets how often each request is repeated."""

    name = "num_trials"
    values_dict = {"heim_efficiency": [5]}


class ModelDeploymentRunExpander(ReplaceValueRunExpander):
    """Selects the deployment of the subject."""

    name = "model_deployment"


class ModelRunExpander(RunExpander):
    """Selects the subject: a language model, an AD tool or a compiler; or a group of them.

    With `accept_deployments`, a registered deployment that is not a model means that deployment of its model.
    """

    name = "model"

    def __init__(self, value: str, accept_deployments: bool = False):
        if not isinstance(value, str):
            raise ConfigError(f"model takes a name such as simple/model1, not the number {value}.")
        self.value = value
        self._accept_deployments = accept_deployments

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        kind = get_subject_kind(run_spec.adapter_spec)
        names = get_model_group(self.value, kind)
        if names is None:
            prefix = "" if "/" in self.value else find_subject_kind(kind).name_prefix
            names = [prefix + self.value]
        return [self.replace_model_in_run_spec(name, run_spec) for name in names]

    def replace_model_in_run_spec(self, model_deployment_name: str, run_spec: RunSpec) -> RunSpec:
        """Return the run spec for another subject, named by its model or by a deployment."""
        model, deployment = split_subject_name(model_deployment_name, self._accept_deployments)
        changes = {"model": model, "model_deployment": deployment} if deployment else {"model": model}
        return adapt(run_spec, with_suffix(run_spec.name, f"model={self.sanitize(model)}"), **changes)

    def sanitize(self, value: str) -> str:
        """Return a name as it is written in the names of runs, which are names of folders."""
        return sanitized(value)

    def get_model_group_to_model_names(self) -> dict[str, list[str]]:
        """Return the members of each group of language models."""
        return get_model_groups()


# ---- Sampling, sizes, splits


class TemperatureRunExpander(RunExpander):
    name = "temperature"

    def __init__(self, value: float):
        self.value = value

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        return [adapt(run_spec, temperature=self.value)]


class IncreaseTemperatureRunExpander(RunExpander):
    name = "increase_temperature"

    def __init__(self, value: float):
        check_number(self.name, value)
        self.value = value

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        return [adapt(run_spec, temperature=run_spec.adapter_spec.temperature + self.value)]


class IncreaseMaxTokensRunExpander(RunExpander):
    name = "increase_max_tokens"

    def __init__(self, value: int):
        check_number(self.name, value)
        self.value = value

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        return [adapt(run_spec, max_tokens=run_spec.adapter_spec.max_tokens + self.value)]


class NumOutputTokensRunExpander(RunExpander):
    """Sets the maximum number of tokens to generate."""

    name = "num_output_tokens"
    adapter_spec_name = "max_tokens"
    values_dict = {"default_sweep": [1, 2, 4, 8, 16, 32, 64]}

    def __init__(self, value: Any):
        self.values = self.values_dict.get(value, [value])

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        return [
            adapt(run_spec, with_suffix(run_spec.name, f"{self.name}={value}"), **{self.adapter_spec_name: value})
            for value in self.values
        ]


class ScenarioSpecRunExpander(RunExpander):
    """Sets the argument of the scenario with the expander's name.

    A subclass has a `name`, and may have `values_dict`: names for lists of values, each of which makes a run.
    """

    values_dict: Mapping[str, list[Any]] = {}

    def __init__(self, value: Any):
        self.values: list[Any] = list(self.values_dict.get(value, [value]))

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        def with_value(value: Any) -> RunSpec:
            scenario_spec = replace(run_spec.scenario_spec, args={**run_spec.scenario_spec.args, self.name: value})
            name = with_suffix(run_spec.name, f"{self.name}={sanitized(value)}")
            return replace(run_spec, name=name, scenario_spec=scenario_spec)

        return [with_value(value) for value in self._values_for(run_spec)]

    def _values_for(self, run_spec: RunSpec) -> list[Any]:
        return self.values


class NumPromptTokensRunExpander(ScenarioSpecRunExpander):
    """Sets the length of the prompts of the synthetic efficiency scenario, in tokens."""

    name = "num_prompt_tokens"
    values_dict = {"default_sweep": [1, 256, 512, 1024, 1536]}


class TokenizerRunExpander(ScenarioSpecRunExpander):
    """Selects the tokenizer that counts the prompts of the synthetic efficiency scenario; `default` is the deployment's."""

    name = "tokenizer"

    # HELM: the original fills this table before any deployment is registered, so `default` only finds these.
    model_to_tokenizer_mapping = {
        "together/yalm": ["yandex/yalm"],
        "together/bloom": ["bigscience/bloom"],
        "together/t0pp": ["bigscience/t0pp"],
        "together/t5-11b": ["google/t5"],
        "together/ul2": ["google/ul2"],
        "together/glm": ["tsinghua/glm"],
        "AlephAlpha/luminous-base": ["AlephAlpha/luminous-base"],
        "AlephAlpha/luminous-extended": ["AlephAlpha/luminous-extended"],
        "AlephAlpha/luminous-supreme": ["AlephAlpha/luminous-supreme"],
        "AlephAlpha/luminous-world": ["AlephAlpha/luminous-world"],
        "huggingface/santacoder": ["bigcode/santacoder"],
        "huggingface/starcoder": ["bigcode/starcoder"],
    }

    def __init__(self, value: Any):
        self.value = value
        self.values = [value]

    def _values_for(self, run_spec: RunSpec) -> list[Any]:
        if self.value != "default":
            return self.values
        return self.model_to_tokenizer_mapping.get(run_spec.adapter_spec.model_deployment, [])


class EvalSplitRunExpander(RunExpander):
    """Evaluates on a single split."""

    name = "eval_split"

    def __init__(self, value: str):
        if value not in ("test", "valid"):
            raise ConfigError(f'Split must be "test" or "valid", but got "{value}"')
        self.split = value

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        return [adapt(run_spec, with_suffix(run_spec.name, f"eval_split={self.split}"), eval_splits=[self.split])]


class ProcessOutputRunExpander(RunExpander):
    """Applies a function, given by its path, to the completions before the metrics are computed."""

    name = "process_output"

    def __init__(self, processor: str):
        self.processor = processor

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        inner = [{"class_name": spec.class_name, "args": spec.args} for spec in run_spec.metric_specs]
        outer = MetricSpec(
            class_name="helm.benchmark.metrics.output_processing_metric.OutputProcessingMetric",
            args={"processor": self.processor, "metric_specs": inner},
        )
        return [replace(run_spec, metric_specs=[outer])]


class ExtractionRunExpander(RunExpander):
    """Sets what finds the answer in a completion before the metrics see it; see `helm.benchmark.extraction`."""

    name = "extraction"

    def __init__(self, value: str):
        self.value = value

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        from helm.benchmark.extraction.choice import PATTERN_ARGUMENTS, parse_extraction

        given = run_spec.extractor_spec
        pattern = given.args.get("pattern") if given is not None and self.value in PATTERN_ARGUMENTS else None
        spec = parse_extraction(self.value, run_spec, pattern)
        name = with_suffix(run_spec.name, f"{self.name}={sanitized(self.value)}")
        return [replace(run_spec, name=name, extractor_spec=spec)]


class ExtractionPatternRunExpander(RunExpander):
    """Sets the regular expression of `extraction=regex`, or the path of `extraction=json`."""

    name = "extraction_pattern"

    def __init__(self, value: Any):
        self.value = str(value)

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        from helm.benchmark.extraction.choice import get_form, parse_extraction
        from helm.benchmark.extraction.extractor import create_extractor

        form = "regex" if run_spec.extractor_spec is None else get_form(run_spec.extractor_spec)
        spec = parse_extraction(form, run_spec, self.value)
        assert spec is not None
        create_extractor(spec)  # fail now rather than after all requests have been sent
        name = with_suffix(run_spec.name, f"{self.name}={self._shown()}")
        return [replace(run_spec, name=name, extractor_spec=spec)]

    def _shown(self) -> str:
        """Return the value as names of runs have it: with a digest unless it is short and plain."""
        from hashlib import sha256

        shown = re.sub(r"[^\w.=+-]+", "_", self.value, flags=re.ASCII)[:40]
        return shown if shown == self.value else f"{shown}-{sha256(self.value.encode()).hexdigest()[:6]}"


class DataAugmentationRunExpander(RunExpander):
    """Adds perturbed copies of the instances; the value names a set of perturbations."""

    name = "data_augmentation"

    def __init__(self, value: str):
        from helm.benchmark.augmentations.common_perturbation_specs import PERTURBATION_SPECS_DICT

        if value not in PERTURBATION_SPECS_DICT:
            raise ConfigError(
                f"Unknown data_augmentation: {value}; possible choices: {', '.join(PERTURBATION_SPECS_DICT)}."
                f"{suggest(str(value), PERTURBATION_SPECS_DICT)}"
            )
        self.specs_by_suffix = PERTURBATION_SPECS_DICT[value]

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        def with_perturbations(suffix_text: str, specs: list[Any]) -> RunSpec:
            augmenter_spec = DataAugmenterSpec(
                perturbation_specs=specs,
                should_augment_train_instances=False,
                should_include_original_train=True,
                should_skip_unchanged_train=True,
                should_augment_eval_instances=True,
                should_include_original_eval=True,
                should_skip_unchanged_eval=True,
                seeds_per_instance=1,
            )
            return replace(
                run_spec, name=f"{run_spec.name},{self.name}={suffix_text}", data_augmenter_spec=augmenter_spec
            )

        return [with_perturbations(text, specs) for text, specs in self.specs_by_suffix.items()]


class EpochsRunExpander(RunExpander):
    """Sets how often each instance is asked."""

    name = "epochs"

    def __init__(self, value: Any):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise ConfigError(f"epochs takes a whole number from 1 on, not '{value}'.")
        self.value = value

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        epochs = replace(run_spec.epochs or EpochSpec(self.value), number=self.value)
        return [replace(run_spec, name=with_suffix(run_spec.name, f"{self.name}={self.value}"), epochs=epochs)]


class ReducerRunExpander(RunExpander):
    """Sets how the values of an instance's epochs become one; several reducers are joined by `+`, and the first one counts."""

    name = "reducer"

    def __init__(self, value: Any):
        from helm.benchmark.running.epochs.reducers import parse_reducer

        self.value = str(value)
        self.reducers = self.value.split("+")
        for name in self.reducers:
            parse_reducer(name)

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        epochs = replace(run_spec.epochs or EpochSpec(0), reducers=self.reducers)  # `check_epochs` refuses the 0
        return [replace(run_spec, name=with_suffix(run_spec.name, f"{self.name}={self.value}"), epochs=epochs)]


RUN_EXPANDER_SUBCLASSES: list[Any] = [
    InstructionsRunExpander,
    PromptRunExpander,
    NewlineRunExpander,
    StopRunExpander,
    FormatPromptRunExpander,
    InContextLearningInstructionsRunExpander,
    AddToStopRunExpander,
    GlobalPrefixRunExpander,
    NumTrainTrialsRunExpander,
    MaxTrainInstancesRunExpander,
    MaxEvalInstancesRunExpander,
    NumOutputsRunExpander,
    NumTrialRunExpander,
    ModelRunExpander,
    ModelDeploymentRunExpander,
    DataAugmentationRunExpander,
    TokenizerRunExpander,
    NumPromptTokensRunExpander,
    NumOutputTokensRunExpander,
    ChatMLRunExpander,
    EvalSplitRunExpander,
    OutputFormatInstructions,
    TemperatureRunExpander,
    IncreaseTemperatureRunExpander,
    IncreaseMaxTokensRunExpander,
    ProcessOutputRunExpander,
    *CHAT_RUN_EXPANDERS,
    ExtractionRunExpander,
    ExtractionPatternRunExpander,
    EpochsRunExpander,
    ReducerRunExpander,
    *ROLE_RUN_EXPANDERS,
]

RUN_EXPANDERS: dict[str, Any] = {subclass.name: subclass for subclass in RUN_EXPANDER_SUBCLASSES}
"""Maps the key in a run entry to the class."""

YIELDING_KEYS = frozenset(expander.name for expander in (*CHAT_RUN_EXPANDERS, *ROLE_RUN_EXPANDERS)) | {
    EpochsRunExpander.name,
    ReducerRunExpander.name,
}
"""Keys that HELM does not have, so an argument of the run spec by that name takes precedence."""


def expander_keys(own: Any) -> set[str]:
    """Return the keys that are expanders in an entry of a run spec whose function has the parameters `own`."""
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in own.values())
    yielding = YIELDING_KEYS if takes_any else YIELDING_KEYS & set(own)
    return set(RUN_EXPANDERS) - yielding
