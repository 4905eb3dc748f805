"""Adapter specs that many recipes share."""

from typing import Any

from helm.benchmark.adaptation.adapter_spec import (
    ADAPT_GENERATION,
    ADAPT_LANGUAGE_MODELING,
    ADAPT_MULTIPLE_CHOICE_JOINT,
    ADAPT_MULTIPLE_CHOICE_JOINT_CHAIN_OF_THOUGHT,
    ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS,
    ADAPT_RANKING_BINARY,
    AdapterSpec,
)
from helm.common.image_generation_parameters import ImageGenerationParameters

_INPUT_ALONE: dict[str, Any] = {
    "input_prefix": "",
    "input_suffix": "",
    "output_prefix": "",
    "output_suffix": "",
    "max_train_instances": 0,
    "num_outputs": 1,
    "temperature": 0.0,
}
"""Nothing around the input, no examples, one answer at temperature 0."""


def format_instructions(instructions: str) -> str:
    """Terminate instructions with a newline; empty ones stay empty. HELM: a newline that is already there is doubled."""
    return instructions + "\n" if instructions else ""


def _prefix(noun: str | None, newline: bool = False) -> str:
    if noun is None:
        return ""
    return f"{noun}:\n" if newline else f"{noun}: "


def get_generation_adapter_spec(
    instructions: str = "",
    input_noun: str | None = None,
    newline_after_input_noun: bool = False,
    output_noun: str | None = None,
    newline_after_output_noun: bool = False,
    max_train_instances: int = 5,
    num_outputs: int = 1,
    max_tokens: int = 5,
    stop_sequences: list[str] | None = None,
    temperature: float = 0.0,
    multi_label: bool = False,
    sample_train: bool = True,
) -> AdapterSpec:
    """Few-shot generation. `stop_sequences` None means stop at a newline. `max_tokens` is in tokens."""
    return AdapterSpec(
        method=ADAPT_GENERATION,
        instructions=format_instructions(instructions),
        input_prefix=_prefix(input_noun, newline_after_input_noun),
        input_suffix="\n",
        output_prefix=_prefix(output_noun, newline_after_output_noun),
        output_suffix="\n",
        max_train_instances=max_train_instances,
        num_outputs=num_outputs,
        temperature=temperature,
        max_tokens=max_tokens,
        stop_sequences=["\n"] if stop_sequences is None else stop_sequences,
        multi_label=multi_label,
        sample_train=sample_train,
    )


def get_completion_adapter_spec(
    instructions: str = "",
    input_prefix: str = "",
    output_prefix: str = "",
    output_suffix: str = "",
    max_train_instances: int = 0,
    temperature: float = 0.0,
    num_outputs: int = 1,
    max_tokens: int = 100,
    stop_sequences: list[str] | None = None,
    **kwargs: Any,
) -> AdapterSpec:
    """Continue the input. `stop_sequences` None means none. `kwargs` are further fields of AdapterSpec."""
    return AdapterSpec(
        method=ADAPT_GENERATION,
        instructions=format_instructions(instructions),
        input_prefix=input_prefix,
        input_suffix="",
        output_prefix=output_prefix,
        output_suffix=output_suffix,
        max_train_instances=max_train_instances,
        temperature=temperature,
        num_outputs=num_outputs,
        max_tokens=max_tokens,
        stop_sequences=[] if stop_sequences is None else stop_sequences,
        **kwargs,
    )


def get_multiple_choice_joint_adapter_spec(
    instructions: str,
    input_noun: str | None,
    output_noun: str,
    num_outputs: int = 5,
    max_train_instances: int = 5,
    max_tokens: int = 5,
    sample_train: bool = True,
    **kwargs: Any,
) -> AdapterSpec:
    """Show all choices with letters and ask for a letter. `kwargs` are fields of AdapterSpec and override the nouns."""
    fields: dict[str, Any] = {
        "method": ADAPT_MULTIPLE_CHOICE_JOINT,
        "instructions": format_instructions(instructions),
        "input_prefix": _prefix(input_noun),
        "input_suffix": "\n" if input_noun is not None else "",
        "output_prefix": _prefix(output_noun),
        "output_suffix": "\n",
        "max_train_instances": max_train_instances,
        "num_outputs": num_outputs,
        "max_tokens": max_tokens,
        "temperature": 0.0,
        "stop_sequences": ["\n"],
        "sample_train": sample_train,
    }
    return AdapterSpec(**{**fields, **kwargs})


def get_multiple_choice_joint_chain_of_thought_adapter_spec(
    instructions: str,
    input_noun: str | None,
    output_noun: str,
    num_outputs: int = 5,
    max_train_instances: int = 5,
    max_tokens: int = 5,
    sample_train: bool = True,
    **kwargs: Any,
) -> AdapterSpec:
    """Like `get_multiple_choice_joint_adapter_spec`, with room for reasoning before the letter."""
    shared = (instructions, input_noun, output_noun, num_outputs, max_train_instances, max_tokens, sample_train)
    method = ADAPT_MULTIPLE_CHOICE_JOINT_CHAIN_OF_THOUGHT
    return get_multiple_choice_joint_adapter_spec(*shared, **{"method": method, **kwargs})


def get_multiple_choice_separate_adapter_spec(method: str, empty_input: bool = False) -> AdapterSpec:
    """Score each choice separately. With `empty_input`, no space precedes the choice because the instance's input is empty."""
    assert method in ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS
    return AdapterSpec(
        method=method,
        max_tokens=0,
        **{**_INPUT_ALONE, "output_prefix": "" if empty_input else " "},
    )


def get_multiple_choice_adapter_spec(
    method: str,
    instructions: str,
    input_noun: str | None,
    output_noun: str,
    max_train_instances: int = 5,
    num_outputs: int = 5,
    max_tokens: int = 1,
    empty_input: bool = False,
    sample_train: bool = True,
    **kwargs: Any,
) -> AdapterSpec:
    """Return the adapter spec of any of the multiple-choice methods. Raises: ValueError for another method."""
    if method in (ADAPT_MULTIPLE_CHOICE_JOINT, ADAPT_MULTIPLE_CHOICE_JOINT_CHAIN_OF_THOUGHT):
        shared = (instructions, input_noun, output_noun, num_outputs, max_train_instances, max_tokens, sample_train)
        return get_multiple_choice_joint_adapter_spec(*shared, **{"method": method, **kwargs})
    if method in ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS:
        return get_multiple_choice_separate_adapter_spec(method, empty_input)
    raise ValueError(f"Invalid adaptation method: {method}")


def get_ranking_binary_adapter_spec(
    instructions: str = "",
    document_noun: str = "Passage",
    query_noun: str = "Query",
    output_prefix: str = "Does the passage answer the query?",
    output_noun: str = "Answer",
    max_train_instances: int = 4,
    num_outputs: int = 1,
    num_train_trials: int = 1,
    temperature: float = 0.0,
    max_tokens: int = 5,
    **kwargs: Any,
) -> AdapterSpec:
    """Ask yes or no for each document. A training instance yields two examples, so half the number is stored."""
    assert max_train_instances % 2 == 0, "The number of in-context examples of a binary ranking must be even"
    return AdapterSpec(
        method=ADAPT_RANKING_BINARY,
        instructions=format_instructions(instructions),
        input_prefix=f"{query_noun}: ",
        input_suffix="\n",
        reference_prefix=f"{document_noun}: ",
        reference_suffix="\n",
        output_prefix=f"{output_prefix}\n{output_noun}: ",
        max_train_instances=max_train_instances // 2,
        num_outputs=num_outputs,
        num_train_trials=num_train_trials,
        temperature=temperature,
        max_tokens=max_tokens,
        **kwargs,
    )


def get_instruct_adapter_spec(num_outputs: int = 1, max_tokens: int = 512, temperature: float = 0.7) -> AdapterSpec:
    """Answer an instruction without examples."""
    return get_few_shot_instruct_adapter_spec(num_outputs, max_tokens, temperature)


def get_few_shot_instruct_adapter_spec(
    num_outputs: int = 1, max_tokens: int = 512, temperature: float = 0.7, max_train_instances: int = 0
) -> AdapterSpec:
    """Answer an instruction after examples."""
    return AdapterSpec(
        method=ADAPT_GENERATION,
        instructions="",
        input_prefix="",
        input_suffix="\n",
        output_prefix="",
        output_suffix="",
        max_train_instances=max_train_instances,
        num_outputs=num_outputs,
        max_tokens=max_tokens,
        temperature=temperature,
        stop_sequences=[],
    )


def get_bare_adapter_spec(max_tokens: int = 512) -> AdapterSpec:
    """Send the input alone, without examples or stop sequence, and ask for one answer at temperature 0."""
    return AdapterSpec(method=ADAPT_GENERATION, instance_prefix="", max_tokens=max_tokens, **_INPUT_ALONE)


def get_language_modeling_adapter_spec() -> AdapterSpec:
    """Score the text itself."""
    return AdapterSpec(method=ADAPT_LANGUAGE_MODELING, max_tokens=0, **_INPUT_ALONE)


def get_image_generation_adapter_spec(
    num_outputs: int = 1,
    output_image_width: int | None = None,
    output_image_height: int | None = None,
    guidance_scale: float | None = None,
    diffusion_denoising_steps: int | None = None,
    random: str | None = None,
) -> AdapterSpec:
    """Send the input alone to a model that makes images. None leaves the model's own setting."""
    return AdapterSpec(
        method=ADAPT_GENERATION,
        input_prefix="",
        input_suffix="",
        output_prefix="",
        output_suffix="",
        max_train_instances=0,
        num_outputs=num_outputs,
        max_tokens=0,
        random=random,
        image_generation_parameters=ImageGenerationParameters(
            output_image_width, output_image_height, guidance_scale, diffusion_denoising_steps
        ),
    )


def get_promptless_adapter_spec(method: str) -> AdapterSpec:
    """Return the spec for methods without a prompt (`evaluate`, `episode`): bare input, no examples, one result."""
    return AdapterSpec(method=method, instance_prefix="", max_tokens=0, **_INPUT_ALONE)


def get_summarization_adapter_spec(num_sents: int | None, max_train_instances: int = 5, **kwargs: Any) -> AdapterSpec:
    """Summarize in this many sentences; None means any length. HELM: the temperature stays 1 unless given."""
    if num_sents is None:
        request = "Summarize the above article.\n"
    else:
        request = f"Summarize the above article in {num_sents} {'sentence' if num_sents == 1 else 'sentences'}.\n"
    return AdapterSpec(
        method=ADAPT_GENERATION,
        instructions="",
        input_prefix="###\nArticle: ",
        input_suffix="\n\n",
        output_prefix=request,
        output_suffix="\n",
        max_train_instances=max_train_instances,
        num_outputs=1,
        stop_sequences=["###"],
        **kwargs,
    )


def get_machine_translation_adapter_spec(
    source_language: str, target_language: str, max_train_instances: int, **kwargs: Any
) -> AdapterSpec:
    """Translate sentences, with examples."""
    return AdapterSpec(
        method=ADAPT_GENERATION,
        instructions=f"Translate the following sentences from {source_language} to {target_language}.",
        input_prefix=f"{source_language}: ",
        input_suffix="\n",
        output_prefix=f"{target_language}: ",
        output_suffix="\n",
        max_train_instances=max_train_instances,
        num_outputs=1,
        stop_sequences=["\n\n"],
        temperature=0.0,
        **kwargs,
    )
