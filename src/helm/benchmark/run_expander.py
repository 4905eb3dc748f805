"""Run expanders: the `key=value` arguments of a run entry that rewrite finished run specs.

An expander has a `name`, takes the value in its constructor and turns one run spec into a list of them. Those that change
the name append to it: most `:key=value` or `,key=value` as the name has a colon or not (`_with_suffix`), some older ones
always `,key=value`, and some nothing at all.
"""

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, Dict, List, Optional

from helm.benchmark.adaptation.adapter_spec import (
    ADAPT_EPISODE,
    ADAPT_EVALUATE,
    ADAPT_GENERATION,
    Substitution,
)
from helm.benchmark.augmentations.common_perturbation_specs import (
    FAIRNESS_PERTURBATION_SPECS,
    PERTURBATION_SPECS_DICT,
    ROBUSTNESS_PERTURBATION_SPECS,
    cleva_gender,
    cleva_mild_mix,
    cleva_person_name,
    contract_and_expand,
    contrast_sets,
    dialect,
    extra_space,
    filler,
    gender,
    lower,
    mandarin_to_cantonese,
    mild_mix,
    misspelling,
    person_name,
    simplified_to_traditional,
    space,
    suffix,
    synonym,
    translate,
    typo,
)
from helm.benchmark.augmentations.data_augmenter import DataAugmenterSpec
from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.model_groups import get_model_groups, split_subject_name
from helm.benchmark.model_metadata_registry import INSTRUCTION_FOLLOWING_MODEL_TAG, get_model_metadata
from helm.benchmark.output_format_instructions import get_output_format_instructions
from helm.benchmark.run_spec import RunSpec
from helm.common.errors import ConfigError, suggest

__all__ = [
    "FAIRNESS_PERTURBATION_SPECS", "PERTURBATION_SPECS_DICT", "ROBUSTNESS_PERTURBATION_SPECS", "cleva_gender",
    "cleva_mild_mix", "cleva_person_name", "contract_and_expand", "contrast_sets", "dialect", "extra_space", "filler",
    "gender", "lower", "mandarin_to_cantonese", "mild_mix", "misspelling", "person_name", "simplified_to_traditional",
    "space", "suffix", "synonym", "translate", "typo", "RUN_EXPANDERS", "RUN_EXPANDER_SUBCLASSES",
]  # fmt: skip

IN_CONTEXT_LEARNING_INSTRUCTIONS_PREFIX = (
    "Here are some input-output examples. Read the examples carefully to figure out the mapping. "
    "The output of the last example is not given, and your job is to figure out what it is."
)

IN_CONTEXT_LEARNING_INSTRUCTIONS_SUFFIX = (
    "Please provide the output to this last example. It is critical to follow the format of the preceding outputs!"
)


class RunExpander(ABC):
    """Turns a run spec into run specs."""

    name: str
    """The key in a run entry."""

    @abstractmethod
    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        """The rewritten run specs, in the order in which they run; an empty list leaves nothing to run."""


def _with_suffix(name: str, text: str) -> str:
    return f"{name}{',' if ':' in name else ':'}{text}"


def _sanitized(value: Any) -> str:
    return str(value).replace("/", "_")


def _adapt(run_spec: RunSpec, name: Optional[str] = None, **changes: Any) -> RunSpec:
    """The run spec with changed fields of its adapter spec and, if given, another name."""
    adapter_spec = replace(run_spec.adapter_spec, **changes)
    return replace(run_spec, name=run_spec.name if name is None else name, adapter_spec=adapter_spec)


def _unknown_value(message: str, expander: str, value: Any, choices: List[str]) -> ConfigError:
    """An error whose text is the original's; its note says what can be given."""
    error = ConfigError(message)
    error.add_note(f"{expander} takes {', '.join(choices)}, not '{value}'.{suggest(str(value), choices)}")
    return error


def _check_number(expander: str, value: Any) -> None:
    if not isinstance(value, (int, float)):
        raise ConfigError(f"{expander} takes a number, not '{value}'.")


# ---- Value replacers


class ReplaceValueRunExpander(RunExpander):
    """Sets one field of the adapter spec, named like the expander; a named list gives one run spec for each value."""

    values_dict: Dict[Any, List[Any]] = {}
    """Names for lists of values; any other value stands for itself."""

    def __init__(self, value: Any):
        self.name = type(self).name
        self.values = self.values_dict.get(value, [value])

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        return [
            _adapt(run_spec, _with_suffix(run_spec.name, f"{self.name}={_sanitized(value)}"), **{self.name: value})
            for value in self.values
        ]


class NumTrainTrialsRunExpander(ReplaceValueRunExpander):
    """How many draws of in-context examples."""

    name = "num_train_trials"


class MaxTrainInstancesRunExpander(ReplaceValueRunExpander):
    """How many in-context examples at the most."""

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
    """How many evaluation instances at the most; wins over `--max-eval-instances`."""

    name = "max_eval_instances"
    values_dict = {"default": [1000], "heim_default": [100], "heim_fid": [30000], "heim_art_styles": [17]}


class NumOutputsRunExpander(ReplaceValueRunExpander):
    """How many completions of each prompt."""

    name = "num_outputs"
    values_dict = {"default": [1], "copyright_sweep": [1, 10]}


class NumTrialRunExpander(ReplaceValueRunExpander):
    """How often each request is repeated."""

    name = "num_trials"
    values_dict = {"heim_efficiency": [5]}


class ModelDeploymentRunExpander(ReplaceValueRunExpander):
    """Which deployment of the subject answers."""

    name = "model_deployment"


class ModelRunExpander(RunExpander):
    """The subject: a language model, an AD tool or a compiler; or a group of them.

    `accept_deployments`: a name that is no model but a registered deployment stands for that deployment of its model.
    """

    name = "model"

    def __init__(self, value: str, accept_deployments: bool = False):
        if not isinstance(value, str):
            raise ConfigError(f"model takes a name such as simple/model1, not the number {value}.")
        self.value = value
        self._accept_deployments = accept_deployments

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        names = get_model_groups(_subject_kind(run_spec)).get(self.value, [self.value])
        return [self._with_subject(run_spec, name) for name in names]

    def _with_subject(self, run_spec: RunSpec, name: str) -> RunSpec:
        model, deployment = split_subject_name(name, self._accept_deployments)
        changes = {"model": model, "model_deployment": deployment} if deployment else {"model": model}
        return _adapt(run_spec, _with_suffix(run_spec.name, f"model={_sanitized(model)}"), **changes)


def _subject_kind(run_spec: RunSpec) -> str:
    kinds = {ADAPT_EVALUATE: "tool", ADAPT_EPISODE: "compiler"}
    return kinds.get(run_spec.adapter_spec.method, "model")


# ---- Prompts


class InstructionsRunExpander(RunExpander):
    """No instructions, or the expert's preamble."""

    name = "instructions"

    def __init__(self, value: str):
        self.value = value

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        if self.value == "none":
            instructions = ""
        elif self.value == "expert":
            preamble = "I am an expert AI assistant who is here to help you with the following. "
            instructions = preamble + run_spec.adapter_spec.instructions
        else:
            # HELM: the braces are in the text.
            raise _unknown_value("Unknown value: {self.value}", self.name, self.value, ["none", "expert"])
        return [_adapt(run_spec, f"{run_spec.name},{self.name}={self.value}", instructions=instructions)]


class PromptRunExpander(RunExpander):
    """What goes around inputs and outputs."""

    name = "prompt"

    VALUES: Dict[str, Dict[str, Any]] = {
        "human_assistant": {
            "input_prefix": 'Human: What is the answer to "',
            "input_suffix": '"?\n',
            "output_prefix": 'Assistant: The answer is "',
            "output_suffix": '".\n',
            "stop_sequences": ['".'],
        },
        "question_answer": {"input_prefix": "Question: ", "output_prefix": "Answer: "},
        "qa": {"input_prefix": "Q: ", "output_prefix": "A: "},
        "input_output_html": {
            "input_prefix": "<input>",
            "input_suffix": "</input>\n",
            "output_prefix": "<output>",
            "output_suffix": "</output>\n",
        },
        "input_output": {"input_prefix": "Input: ", "output_prefix": "Output: "},
        "i_o": {"input_prefix": "I: ", "output_prefix": "O: "},
    }

    def __init__(self, value: str):
        self.value = value

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        if self.value not in self.VALUES:
            # HELM: the braces are in the text.
            raise _unknown_value("Unknown value: {self.value}", self.name, self.value, list(self.VALUES))
        return [_adapt(run_spec, f"{run_spec.name},{self.name}={self.value}", **self.VALUES[self.value])]


class NewlineRunExpander(RunExpander):
    """What newlines of the prompt become."""

    name = "newline"

    VALUES = {"semicolon": ";\n", "br": "<br>\n"}

    def __init__(self, value: str):
        self.value = value

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        if self.value not in self.VALUES:
            # HELM: the braces are in the text.
            raise _unknown_value("Unknown value: {self.value}", self.name, self.value, list(self.VALUES))
        substitutions = [Substitution("\n", self.VALUES[self.value])]
        return [_adapt(run_spec, f"{run_spec.name},{self.name}={self.value}", substitutions=substitutions)]


class StopRunExpander(RunExpander):
    """Separates the blocks of the prompt by a mark, and stops at it."""

    name = "stop"

    VALUES = {"hash": "###", "semicolon": ";", "br": "<br>"}

    def __init__(self, value: str):
        self.value = value

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        name = f"{run_spec.name},{self.name}={self.value}"
        if self.value == "none":
            return [_adapt(run_spec, name, stop_sequences=[])]
        if self.value not in self.VALUES:
            raise _unknown_value(f"Unknown value: {self.value}", self.name, self.value, ["none", *self.VALUES])
        mark = self.VALUES[self.value]
        return [_adapt(run_spec, name, instance_prefix=f"{mark}\n\n", stop_sequences=[mark])]


class AddToStopRunExpander(RunExpander):
    """One more stop sequence; `newline` stands for a newline. HELM: a number stays a number."""

    name = "add_to_stop"

    def __init__(self, value: Any):
        self.value = value

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        added = "\n" if self.value == "newline" else self.value
        return [_adapt(run_spec, stop_sequences=[*run_spec.adapter_spec.stop_sequences, added])]


class GlobalPrefixRunExpander(RunExpander):
    """What goes in front of the whole prompt."""

    name = "global_prefix"

    def __init__(self, value: str):
        self.value = value

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        if self.value != "nlg":
            raise _unknown_value(f"Unknown value: {self.value}", self.name, self.value, ["nlg"])
        return [_adapt(run_spec, f"{run_spec.name},{self.name}={self.value}", global_prefix="[NLG]")]


class FormatPromptRunExpander(RunExpander):
    """Input and output prefix as given. HELM: the second cannot be given in an entry and is empty."""

    name = "format_prompt"

    def __init__(self, prefix: str = "", suffix: str = ""):
        self.prefix = prefix
        self.suffix = suffix

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        return [_adapt(run_spec, input_prefix=self.prefix, output_prefix=self.suffix)]


class InContextLearningInstructionsRunExpander(RunExpander):
    """Puts instructions to follow the format of the examples around the prompt.

    `all`: always; `instruct`: for models tagged as following instructions (so it goes behind `model=`).
    """

    name = "follow_format_instructions"

    def __init__(self, value: str):
        if value not in ("all", "instruct"):
            message = "Value of add_follow_the_format_instructions run expander must be 'all' or 'instruct'"
            raise _unknown_value(message, self.name, value, ["all", "instruct"])
        self.value = value

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        spec = run_spec.adapter_spec
        if spec.method != ADAPT_GENERATION:
            raise ConfigError(
                "follow_format_instructions run expander only supports the generation adaptation method"
            )
        if self.value == "instruct" and INSTRUCTION_FOLLOWING_MODEL_TAG not in get_model_metadata(spec.model).tags:
            return [run_spec]
        return [
            _adapt(
                run_spec,
                global_prefix=f"{IN_CONTEXT_LEARNING_INSTRUCTIONS_PREFIX}\n\n",
                global_suffix=f"\n\n{IN_CONTEXT_LEARNING_INSTRUCTIONS_SUFFIX}\n{spec.output_prefix.strip()}",
            )
        ]


class OutputFormatInstructions(RunExpander):
    """Says in the prompt how the answer should look. Value: `SCENARIO[_no_prefix][_suffix]`."""

    name = "output_format_instructions"

    def __init__(self, scenario: str):
        scenario = str(scenario)
        self.is_suffix = scenario.endswith("_suffix")
        scenario = scenario.removesuffix("_suffix")
        self.is_no_prefix = scenario.endswith("_no_prefix")
        self.scenario = scenario.removesuffix("_no_prefix")

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        spec = run_spec.adapter_spec
        text = get_output_format_instructions(self.scenario, spec)
        if self.is_no_prefix:
            space_between = " " if text else ""
            text += f"{space_between}Do not include '{spec.output_prefix.strip()}' in your answer."
        if self.is_suffix:
            return [_adapt(run_spec, global_suffix=f"{spec.global_suffix}\n\n{text}")]
        return [_adapt(run_spec, instructions=f"{text}\n\n{spec.instructions}" if spec.instructions else f"{text}\n")]


# ---- Sampling, sizes, splits


class TemperatureRunExpander(RunExpander):
    name = "temperature"

    def __init__(self, value: float):
        self.value = value

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        return [_adapt(run_spec, temperature=self.value)]


class IncreaseTemperatureRunExpander(RunExpander):
    name = "increase_temperature"

    def __init__(self, value: float):
        _check_number(self.name, value)
        self.value = value

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        return [_adapt(run_spec, temperature=run_spec.adapter_spec.temperature + self.value)]


class IncreaseMaxTokensRunExpander(RunExpander):
    name = "increase_max_tokens"

    def __init__(self, value: int):
        _check_number(self.name, value)
        self.value = value

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        return [_adapt(run_spec, max_tokens=run_spec.adapter_spec.max_tokens + self.value)]


class NumOutputTokensRunExpander(RunExpander):
    """How many tokens to generate at the most."""

    name = "num_output_tokens"
    values_dict = {"default_sweep": [1, 2, 4, 8, 16, 32, 64]}

    def __init__(self, value: Any):
        self.values = self.values_dict.get(value, [value])

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        return [
            _adapt(run_spec, _with_suffix(run_spec.name, f"{self.name}={value}"), max_tokens=value)
            for value in self.values
        ]


class _ScenarioArgRunExpander(RunExpander):
    """Sets one argument of the scenario, named like the expander."""

    values: List[Any]

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        def with_value(value: Any) -> RunSpec:
            scenario_spec = replace(run_spec.scenario_spec, args={**run_spec.scenario_spec.args, self.name: value})
            name = _with_suffix(run_spec.name, f"{self.name}={_sanitized(value)}")
            return replace(run_spec, name=name, scenario_spec=scenario_spec)

        return [with_value(value) for value in self._values_for(run_spec)]

    def _values_for(self, run_spec: RunSpec) -> List[Any]:
        return self.values


class NumPromptTokensRunExpander(_ScenarioArgRunExpander):
    """How long the prompts of the synthetic efficiency scenario are, in tokens."""

    name = "num_prompt_tokens"
    values_dict = {"default_sweep": [1, 256, 512, 1024, 1536]}

    def __init__(self, value: Any):
        self.values = self.values_dict.get(value, [value])


class TokenizerRunExpander(_ScenarioArgRunExpander):
    """Which tokenizer counts the prompts of the synthetic efficiency scenario; `default` asks the deployment."""

    name = "tokenizer"

    # HELM: the original fills this table before any deployment is registered, so these are all that `default` finds.
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

    def _values_for(self, run_spec: RunSpec) -> List[Any]:
        if self.value != "default":
            return self.values
        return self.model_to_tokenizer_mapping.get(run_spec.adapter_spec.model_deployment, [])


class EvalSplitRunExpander(RunExpander):
    """Evaluate on one split only."""

    name = "eval_split"

    def __init__(self, value: str):
        if value not in ("test", "valid"):
            raise ConfigError(f'Split must be "test" or "valid", but got "{value}"')
        self.split = value

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        return [_adapt(run_spec, _with_suffix(run_spec.name, f"eval_split={self.split}"), eval_splits=[self.split])]


class ProcessOutputRunExpander(RunExpander):
    """Compute the metrics on what a function, named by its path, makes of the completions."""

    name = "process_output"

    def __init__(self, value: str):
        self.value = value

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        inner = [{"class_name": spec.class_name, "args": spec.args} for spec in run_spec.metric_specs]
        outer = MetricSpec(
            class_name="helm.benchmark.metrics.output_processing_metric.OutputProcessingMetric",
            args={"processor": self.value, "metric_specs": inner},
        )
        return [replace(run_spec, metric_specs=[outer])]


class DataAugmentationRunExpander(RunExpander):
    """Evaluate on perturbed copies beside the originals; the value names a set of perturbations."""

    name = "data_augmentation"

    def __init__(self, value: str):
        if value not in PERTURBATION_SPECS_DICT:
            raise ConfigError(
                f"Unknown data_augmentation: {value}; possible choices: {', '.join(PERTURBATION_SPECS_DICT)}."
                f"{suggest(str(value), PERTURBATION_SPECS_DICT)}"
            )
        self.value = value

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        def with_perturbations(suffix_text: str, specs: List[Any]) -> RunSpec:
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

        return [with_perturbations(text, specs) for text, specs in PERTURBATION_SPECS_DICT[self.value].items()]


# ---- For kinds of models; applied by the automatic rules


class ChatMLRunExpander(RunExpander):
    """Chat markup as plain text, for models trained on it. Applied by the model's tag; not for run entries."""

    name = "chatml"

    def __init__(self, value: Any = None):
        if value is not None:
            raise ConfigError("chatml cannot be set in a run entry: models with the tag CHATML_MODEL_TAG get it.")

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        spec = run_spec.adapter_spec
        turn = "<|im_end|>\n<|im_start|>assistant\n"
        suite = run_spec.name.split(":")[0]
        if suite == "msmarco":
            lines = spec.output_prefix.split("\n")
            if len(lines) < 2:
                raise ConfigError(f"Run '{run_spec.name}': chatml needs two lines in the output prefix of msmarco.")
            output_prefix = lines[0] + turn + lines[1]
        elif suite in ("summarization_cnndm", "summarization_xsum"):
            output_prefix = spec.output_prefix + turn
        else:
            output_prefix = turn + spec.output_prefix
        user = "<|im_start|>user\n"
        system = f"<|im_start|>system\n{spec.instructions}<|im_end|>\n" if spec.instructions else ""
        return [
            _adapt(
                run_spec,
                instructions=system + user,
                instance_prefix="",
                output_prefix=output_prefix,
                output_suffix=f"<|im_end|>\n{user}",
                stop_sequences=[*spec.stop_sequences, "<|im_end|>"],
            )
        ]


class AnthropicClaude2RunExpander(RunExpander):
    """Turns of Human and Assistant around the prompt."""

    name = "anthropic"

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        output_prefix = run_spec.adapter_spec.output_prefix.strip()
        return [
            _adapt(
                run_spec,
                global_prefix=f"\n\nHuman: {IN_CONTEXT_LEARNING_INSTRUCTIONS_PREFIX}\n\n",
                global_suffix=f"\n\n{IN_CONTEXT_LEARNING_INSTRUCTIONS_SUFFIX}\n\nAssistant: {output_prefix}",
            )
        ]


class AnthropicClaude3RunExpander(RunExpander):
    """Drops stop sequences of white space, which the service refuses."""

    name = "claude_3"

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        return [_adapt(run_spec, stop_sequences=[s for s in run_spec.adapter_spec.stop_sequences if s.strip()])]


class NovaRunExpander(RunExpander):
    """Asks for the bare answer. HELM: no rule applies it."""

    name = "amazon-nova"

    PROMPT = "Do not provide any additional explanation. Follow the format shown in the provided examples strictly."

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        return [_adapt(run_spec, global_prefix=f"{self.PROMPT}\n\n")]


class IDEFICSInstructRunExpander(RunExpander):
    """The turns of IDEFICS instruct models."""

    name = "idefics_instruct"

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        end = "<end_of_utterance>"
        return [
            _adapt(
                run_spec,
                input_prefix="User: ",
                input_suffix=end,
                output_prefix="\nAssistant: ",
                output_suffix=end,
                stop_sequences=[end],
            )
        ]


class LlavaRunExpander(RunExpander):
    """The turns of LLaVA models."""

    name = "llava"

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        return [
            _adapt(
                run_spec,
                input_prefix="USER: <image>",
                input_suffix="",
                output_prefix="\nASSISTANT: ",
                output_suffix="",
            )
        ]


class OpenFlamingoRunExpander(RunExpander):
    """The mark between examples of OpenFlamingo models."""

    name = "open_flamingo"

    def expand(self, run_spec: RunSpec) -> List[RunSpec]:
        return [_adapt(run_spec, input_prefix="<|endofchunk|>" + run_spec.adapter_spec.input_prefix)]


RUN_EXPANDER_SUBCLASSES: List[Any] = [
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
]

RUN_EXPANDERS: Dict[str, Any] = {subclass.name: subclass for subclass in RUN_EXPANDER_SUBCLASSES}
"""Key in a run entry -> class."""
