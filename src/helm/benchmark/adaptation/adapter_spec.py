"""`AdapterSpec`: how instances become requests."""

from dataclasses import dataclass, field
from typing import Any

from helm.common.image_generation_parameters import ImageGenerationParameters
from helm.common.object_spec import ObjectSpec
from helm.common.reeval_parameters import REEvalParameters
from helm.common.request_options import RequestOptions
from helm.common.response_format import ResponseFormat

ADAPT_LANGUAGE_MODELING = "language_modeling"
ADAPT_MULTIPLE_CHOICE_JOINT = "multiple_choice_joint"
ADAPT_MULTIPLE_CHOICE_JOINT_CHAIN_OF_THOUGHT = "multiple_choice_joint_chain_of_thought"
ADAPT_MULTIPLE_CHOICE_SEPARATE_ORIGINAL = "multiple_choice_separate_original"
ADAPT_MULTIPLE_CHOICE_SEPARATE_CALIBRATED = "multiple_choice_separate_calibrated"
ADAPT_GENERATION = "generation"
ADAPT_CHAT = "chat"
ADAPT_RANKING_BINARY = "ranking_binary"
ADAPT_EHR_INSTRUCTION = "ehr_instruction"
ADAPT_GENERATION_MULTIMODAL = "generation_multimodal"
ADAPT_MULTIPLE_CHOICE_JOINT_MULTIMODAL = "multiple_choice_joint_multimodal"
ADAPT_EVALUATE = "evaluate"
ADAPT_EPISODE = "episode"
ADAPT_COMPILER_DIALOG = "compiler_dialog"
ADAPT_AGENT = "agent"

ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS = [
    ADAPT_MULTIPLE_CHOICE_SEPARATE_ORIGINAL,
    ADAPT_MULTIPLE_CHOICE_SEPARATE_CALIBRATED,
]


@dataclass(frozen=True)
class Substitution:
    """A regular-expression substitution applied to the whole prompt."""

    source: str
    """Regular expression."""

    target: str
    """Replacement, as in `re.sub`."""


CHAT_AUTO = "auto"
CHAT_ON = "on"
CHAT_OFF = "off"
CHAT_MODES = (CHAT_AUTO, CHAT_ON, CHAT_OFF)


@dataclass(frozen=True)
class ChatSpec:
    """How a prompt becomes a conversation with a chat model."""

    mode: str = CHAT_AUTO
    """`on` sends messages, `off` a plain prompt to be continued; `auto` sends messages if the endpoint or the tokenizer's chat
    template takes them, and a prompt otherwise."""

    system_prompt: str | None = None
    """The system message; a plain prompt begins with it."""

    fewshot_as_turns: bool | None = None
    """Whether in-context examples are earlier turns of the user and the assistant, and not part of one message."""

    answer_instruction: str | None = None
    """The sentence at the end that asks for a form of answer. It takes the place of `output_prefix` and is never cut off."""


@dataclass(frozen=True)
class AgentSpec:
    """How a model acts as an agent. None leaves a choice to the task."""

    agent: ObjectSpec | None = None
    """The class that drives the model; see `helm.agents.agents`."""

    tools: list[ObjectSpec] | None = field(default=None, hash=False)
    """Tools in addition to those of the task."""

    user: ObjectSpec | None = None
    """Arguments that replace those of the task's simulated user, for example its model."""

    limits: dict[str, Any] | None = field(default=None, hash=False)
    """Limits of every episode by name, before those of the task; see `helm.common.agent_request.EpisodeLimits`."""

    seed: int | None = None
    """Seeds the agent's own choices, and makes the model's answers separate draws."""


LAST_HELM_FIELD = "output_mapping_pattern"
"""The fields of AdapterSpec after this one are ours: None by default, then in no file, and never in `schema.json`."""


@dataclass(frozen=True)
class AdapterSpec:
    """Everything that determines what is sent for an instance. The order of the fields is their order in the files."""

    method: str = ""
    """One of the `ADAPT_` constants."""

    global_prefix: str = ""
    """Prefix of the whole prompt."""

    global_suffix: str = ""
    """Suffix of the whole prompt."""

    instructions: str = ""
    """The first block of the prompt."""

    input_prefix: str = "Input: "

    input_suffix: str = "\n"

    reference_prefix: str = "A. "
    """Prefix of the first choice; its first letter or digit is incremented for the following ones."""

    reference_prefix_characters: list[str] | None = field(default=None, hash=False)
    """Labels of the choices, if they are not consecutive characters."""

    reference_suffix: str = "\n"

    chain_of_thought_prefix: str = ""

    chain_of_thought_suffix: str = "\n"

    output_prefix: str = "Output: "

    output_suffix: str = "\n"

    instance_prefix: str = "\n"
    """Separates the blocks."""

    substitutions: list[Substitution] = field(default_factory=list, hash=False)
    """Applied in order to the complete prompt."""

    max_train_instances: int = 5
    """Maximum number of in-context examples."""

    max_eval_instances: int | None = None
    """Maximum number of evaluation instances, sampled with a fixed seed. None means all."""

    num_outputs: int = 5
    """Number of completions (for joint multiple choice, of candidates per position) to request."""

    num_train_trials: int = 1
    """Number of different draws of in-context examples to evaluate with."""

    num_trials: int = 1
    """How often every request is repeated."""

    sample_train: bool = True
    """Whether to draw in-context examples with balanced labels (true) or take them in order (false)."""

    model_deployment: str = ""
    """Name of the deployment."""

    model: str = ""
    """Name of the subject: a language model, an AD tool or a compiler."""

    temperature: float = 1

    max_tokens: int = 100

    stop_sequences: list[str] = field(default_factory=list, hash=False)

    random: str | None = None
    """Makes requests distinct draws; see `Request.random`."""

    multi_label: bool = False
    """Whether to show all correct references of an example, not only the first."""

    image_generation_parameters: ImageGenerationParameters | None = None

    reeval_parameters: REEvalParameters | None = None

    eval_splits: list[str] | None = field(default=None, hash=False)
    """Splits to evaluate on. None means valid and test."""

    output_mapping_pattern: str | None = None
    """Regular expression whose match in the completion (the first group, if any) is looked up among the labels."""

    top_p: float | None = None
    """The threshold of nucleus sampling, from 0 to 1. None leaves it at 1, like HELM."""

    response_format: ResponseFormat | None = field(default=None, hash=False)
    """The required format of completions."""

    request_options: RequestOptions | None = None
    """Options of every request that HELM does not have."""

    chat: ChatSpec | None = None
    """How prompts become conversations. None sends prompts, which clients of chat models send as one message, like HELM."""

    agent: AgentSpec | None = None
    """How the model acts, in runs of agents."""


def __getattr__(name: str) -> Any:
    """Provide earlier names of data that is now in the table of subjects."""
    from helm.benchmark import subjects

    if name == "EPISODE_METHODS":
        return tuple(subjects.COMPILER.adapters)
    if name == "SUBJECT_METHODS":
        return tuple(method for kind in subjects.subject_kinds() for method in kind.adapters)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
