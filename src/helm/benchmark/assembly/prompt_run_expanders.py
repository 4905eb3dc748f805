"""Run expanders that rewrite prompts: those for run entries, and those that tags of models require."""

from typing import Any

from helm.benchmark.adaptation.adapter_spec import ADAPT_GENERATION, Substitution
from helm.benchmark.assembly.output_format_instructions import get_output_format_instructions
from helm.benchmark.assembly.run_expander_base import RunExpander, adapt, unknown_value, with_suffix
from helm.benchmark.model_metadata_registry import INSTRUCTION_FOLLOWING_MODEL_TAG, get_model_metadata
from helm.benchmark.run_spec import RunSpec
from helm.common.errors import ConfigError

IN_CONTEXT_LEARNING_INSTRUCTIONS_PREFIX = (
    "Here are some input-output examples. Read the examples carefully to figure out the mapping. "
    "The output of the last example is not given, and your job is to figure out what it is."
)

IN_CONTEXT_LEARNING_INSTRUCTIONS_SUFFIX = (
    "Please provide the output to this last example. It is critical to follow the format of the preceding outputs!"
)


class InstructionsRunExpander(RunExpander):
    """Sets the instructions: none, or the expert's preamble."""

    name = "instructions"

    def __init__(self, value: str):
        self.value = value

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        if self.value == "none":
            instructions = ""
        elif self.value == "expert":
            preamble = "I am an expert AI assistant who is here to help you with the following. "
            instructions = preamble + run_spec.adapter_spec.instructions
        else:
            # HELM: the braces are in the text.
            raise unknown_value("Unknown value: {self.value}", self.name, self.value, ["none", "expert"])
        return [adapt(run_spec, f"{run_spec.name},{self.name}={self.value}", instructions=instructions)]


class PromptRunExpander(RunExpander):
    """Sets what surrounds inputs and outputs, or a whole style: `helm` (no change) or one of the presets for chat models."""

    name = "prompt"

    VALUES: dict[str, dict[str, Any]] = {
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
        self.comes_first = value not in self.VALUES

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        if self.value in self.VALUES:
            return [adapt(run_spec, f"{run_spec.name},{self.name}={self.value}", **self.VALUES[self.value])]
        from helm.benchmark.assembly.chat_presets import DEFAULT_PRESET, PRESETS, apply_preset

        if self.value == DEFAULT_PRESET:
            return [run_spec]
        if self.value not in PRESETS:
            # HELM: the braces are in the text.
            choices = [DEFAULT_PRESET, *PRESETS, *self.VALUES]
            raise unknown_value("Unknown value: {self.value}", self.name, self.value, choices)
        return [apply_preset(run_spec, self.value, with_suffix(run_spec.name, f"{self.name}={self.value}"))]


class NewlineRunExpander(RunExpander):
    """Sets the replacement for newlines in the prompt."""

    name = "newline"

    VALUES = {"semicolon": ";\n", "br": "<br>\n"}

    def __init__(self, value: str):
        self.value = value

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        if self.value not in self.VALUES:
            # HELM: the braces are in the text.
            raise unknown_value("Unknown value: {self.value}", self.name, self.value, list(self.VALUES))
        substitutions = [Substitution("\n", self.VALUES[self.value])]
        return [adapt(run_spec, f"{run_spec.name},{self.name}={self.value}", substitutions=substitutions)]


class StopRunExpander(RunExpander):
    """Separates the blocks of the prompt by a marker, and stops at it."""

    name = "stop"

    VALUES = {"hash": "###", "semicolon": ";", "br": "<br>"}

    def __init__(self, value: str):
        self.value = value

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        name = f"{run_spec.name},{self.name}={self.value}"
        if self.value == "none":
            return [adapt(run_spec, name, stop_sequences=[])]
        if self.value not in self.VALUES:
            raise unknown_value(f"Unknown value: {self.value}", self.name, self.value, ["none", *self.VALUES])
        mark = self.VALUES[self.value]
        return [adapt(run_spec, name, instance_prefix=f"{mark}\n\n", stop_sequences=[mark])]


class AddToStopRunExpander(RunExpander):
    """Adds a stop sequence; `newline` means a newline. HELM: a number stays a number."""

    name = "add_to_stop"

    def __init__(self, value: Any):
        self.value = value

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        added = "\n" if self.value == "newline" else self.value
        return [adapt(run_spec, stop_sequences=[*run_spec.adapter_spec.stop_sequences, added])]


class GlobalPrefixRunExpander(RunExpander):
    """Sets the prefix of the whole prompt."""

    name = "global_prefix"

    def __init__(self, value: str):
        self.value = value

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        if self.value != "nlg":
            raise unknown_value(f"Unknown value: {self.value}", self.name, self.value, ["nlg"])
        return [adapt(run_spec, f"{run_spec.name},{self.name}={self.value}", global_prefix="[NLG]")]


class FormatPromptRunExpander(RunExpander):
    """Sets the input and output prefix. HELM: an entry cannot give the output prefix, so it is empty."""

    name = "format_prompt"

    def __init__(self, prefix: str = "", suffix: str = ""):
        self.prefix = prefix
        self.suffix = suffix

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        return [adapt(run_spec, input_prefix=self.prefix, output_prefix=self.suffix)]


class InContextLearningInstructionsRunExpander(RunExpander):
    """Surrounds the prompt with instructions to follow the format of the examples.

    `all` applies always; `instruct` only to models tagged as following instructions, so it must come after `model=`.
    """

    name = "follow_format_instructions"

    def __init__(self, value: str):
        if value not in ("all", "instruct"):
            message = "Value of add_follow_the_format_instructions run expander must be 'all' or 'instruct'"
            raise unknown_value(message, self.name, value, ["all", "instruct"])
        self.value = value

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        spec = run_spec.adapter_spec
        if spec.method != ADAPT_GENERATION:
            raise ConfigError("follow_format_instructions run expander only supports the generation adaptation method")
        if self.value == "instruct" and INSTRUCTION_FOLLOWING_MODEL_TAG not in get_model_metadata(spec.model).tags:
            return [run_spec]
        return [
            adapt(
                run_spec,
                global_prefix=f"{IN_CONTEXT_LEARNING_INSTRUCTIONS_PREFIX}\n\n",
                global_suffix=f"\n\n{IN_CONTEXT_LEARNING_INSTRUCTIONS_SUFFIX}\n{spec.output_prefix.strip()}",
            )
        ]


class OutputFormatInstructions(RunExpander):
    """Tells the model in the prompt how to format its answer. Value: `SCENARIO[_no_prefix][_suffix]`."""

    name = "output_format_instructions"

    def __init__(self, scenario: str):
        scenario = str(scenario)
        self.is_suffix = scenario.endswith("_suffix")
        scenario = scenario.removesuffix("_suffix")
        self.is_no_prefix = scenario.endswith("_no_prefix")
        self.scenario = scenario.removesuffix("_no_prefix")

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        spec = run_spec.adapter_spec
        text = get_output_format_instructions(self.scenario, spec)
        if self.is_no_prefix:
            space_between = " " if text else ""
            text += f"{space_between}Do not include '{spec.output_prefix.strip()}' in your answer."
        if self.is_suffix:
            return [adapt(run_spec, global_suffix=f"{spec.global_suffix}\n\n{text}")]
        return [adapt(run_spec, instructions=f"{text}\n\n{spec.instructions}" if spec.instructions else f"{text}\n")]


# ---- For particular models; applied by the automatic rules


class ChatMLRunExpander(RunExpander):
    """Writes chat markup as plain text, for models trained on it. Applied by the model's tag, not in run entries."""

    name = "chatml"

    def __init__(self, value: Any = None):
        if value is not None:
            raise ConfigError("chatml cannot be set in a run entry: models with the tag CHATML_MODEL_TAG get it.")

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
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
            adapt(
                run_spec,
                instructions=system + user,
                instance_prefix="",
                output_prefix=output_prefix,
                output_suffix=f"<|im_end|>\n{user}",
                stop_sequences=[*spec.stop_sequences, "<|im_end|>"],
            )
        ]


class AnthropicClaude2RunExpander(RunExpander):
    """Surrounds the prompt with Human and Assistant turns."""

    name = "anthropic"
    HUMAN_PROMPT = "\n\nHuman:"
    AI_PROMPT = "\n\nAssistant:"

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        output_prefix = run_spec.adapter_spec.output_prefix.strip()
        return [
            adapt(
                run_spec,
                global_prefix=f"{self.HUMAN_PROMPT} {IN_CONTEXT_LEARNING_INSTRUCTIONS_PREFIX}\n\n",
                global_suffix=f"\n\n{IN_CONTEXT_LEARNING_INSTRUCTIONS_SUFFIX}{self.AI_PROMPT} {output_prefix}",
            )
        ]


class AnthropicClaude3RunExpander(RunExpander):
    """Drops whitespace stop sequences, which the service rejects."""

    name = "claude_3"

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        return [adapt(run_spec, stop_sequences=[s for s in run_spec.adapter_spec.stop_sequences if s.strip()])]


class NovaRunExpander(RunExpander):
    """Asks for the bare answer. HELM: no rule applies it."""

    name = "amazon-nova"

    PROMPT = "Do not provide any additional explanation. Follow the format shown in the provided examples strictly."

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        return [adapt(run_spec, global_prefix=f"{self.PROMPT}\n\n")]


class IDEFICSInstructRunExpander(RunExpander):
    """Formats the prompt as turns for IDEFICS instruct models."""

    name = "idefics_instruct"

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        end = "<end_of_utterance>"
        return [
            adapt(
                run_spec,
                input_prefix="User: ",
                input_suffix=end,
                output_prefix="\nAssistant: ",
                output_suffix=end,
                stop_sequences=[end],
            )
        ]


class LlavaRunExpander(RunExpander):
    """Formats the prompt as turns for LLaVA models."""

    name = "llava"

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        return [
            adapt(
                run_spec,
                input_prefix="USER: <image>",
                input_suffix="",
                output_prefix="\nASSISTANT: ",
                output_suffix="",
            )
        ]


class OpenFlamingoRunExpander(RunExpander):
    """Separates examples by the marker of OpenFlamingo models."""

    name = "open_flamingo"

    def expand(self, run_spec: RunSpec) -> list[RunSpec]:
        return [adapt(run_spec, input_prefix="<|endofchunk|>" + run_spec.adapter_spec.input_prefix)]
