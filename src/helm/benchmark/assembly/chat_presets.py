"""The presets of `prompt=`: whole styles of asking chat and reasoning models."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from helm.benchmark.adaptation.adapter_spec import ADAPT_RANKING_BINARY, ChatSpec
from helm.benchmark.adaptation.chat_methods import check_chat
from helm.benchmark.assembly.run_expander_base import adapt
from helm.benchmark.extraction.choice import INSTRUCTIONS, choose_extraction, get_form
from helm.benchmark.model_deployment_registry import ModelDeployment, get_model_deployment
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.window_services.window_service import INT_MAX
from helm.common.errors import ConfigError
from helm.common.hierarchical_logger import tell_once
from helm.common.request_options import RequestOptions

_YES_OR_NO = "Answer with one word, Yes or No, without punctuation."

DEFAULT_PRESET = "helm"
"""What HELM sends."""


@dataclass(frozen=True)
class Preset:
    """A style of asking. All of them drop stop sequences, which are meant for models that continue texts."""

    max_tokens: int
    """The fewest tokens that there is room for in an answer, thinking included, if the window is large enough."""

    least_tokens: int
    """With less room than this, most answers would be cut off, so the run is refused."""

    lead: str = ""
    """The sentence before the one that asks for a form of answer."""

    temperature: float | None = None
    """None leaves the temperature as it is."""

    def instruct(self, instruction: str) -> str | None:
        """Return what the prompt ends with: the lead and an instruction on the form of the answer; None if both are empty."""
        return " ".join(sentence for sentence in (self.lead, instruction) if sentence) or None


PRESETS: Mapping[str, Preset] = {
    "chat": Preset(max_tokens=2048, least_tokens=128),
    "cot": Preset(max_tokens=4096, least_tokens=256, lead="Think step by step before you answer."),
    "reasoning": Preset(max_tokens=32768, least_tokens=512, temperature=0.6),
}


def apply_preset(run_spec: RunSpec, preset_name: str, name: str) -> RunSpec:
    """Return the run spec in the style of a preset, with another name.

    Prompts are sent as messages where the endpoint takes them, and answers may be long. An instruction at the end asks for a
    form of answer, from which the run's extraction takes what the metrics compare; for free-form text there is neither.

    Raises:
        ConfigError: The adapter method generates no text.
    """
    preset, spec = PRESETS[preset_name], run_spec.adapter_spec
    check_chat(spec.method, f"prompt={preset_name}")
    extraction = choose_extraction(run_spec)
    if spec.method == ADAPT_RANKING_BINARY:  # its metrics read the first word
        instruction: str | None = _YES_OR_NO
    else:
        instruction = preset.instruct(extraction.instruction if extraction is not None else "")
    chat = replace(spec.chat or ChatSpec(), answer_instruction=instruction)
    run_spec = adapt(
        run_spec,
        name,
        stop_sequences=[],
        max_tokens=max(spec.max_tokens, preset.max_tokens),
        temperature=spec.temperature if preset.temperature is None else preset.temperature,
        chat=chat,
        request_options=replace(spec.request_options or RequestOptions(), split_thinking=True),
    )
    return run_spec if extraction is None else replace(run_spec, extractor_spec=extraction.extractor_spec)


_LENGTH_KEYS = frozenset(("max_tokens", "num_output_tokens", "increase_max_tokens"))
_EXTRACTION_KEYS = frozenset(("extraction", "extraction_pattern"))


def finish_preset(run_spec: RunSpec, args: Mapping[str, object]) -> RunSpec:
    """Return the run spec of an entry with a preset after all its keys: they agree with each other and with the window.

    The instruction asks for the form of answer of the run's extraction. The answer gets at most half of the deployment's
    window, if the preset alone asks for more; one line per preset and deployment says so.

    Args:
        run_spec: the run spec with its deployment.
        args: the keys of the run entry; one that gives a number of tokens is kept to.

    Raises:
        ConfigError: Half of the window is less than answers in this style need.
    """
    preset_name = str(args.get("prompt"))
    preset, spec = PRESETS.get(preset_name), run_spec.adapter_spec
    if preset is None:
        return run_spec
    if not _EXTRACTION_KEYS.isdisjoint(args):
        extractor = run_spec.extractor_spec
        instruction = INSTRUCTIONS.get(get_form(extractor), "") if extractor is not None else ""
        chat = replace(spec.chat or ChatSpec(), answer_instruction=preset.instruct(instruction))
        run_spec = adapt(run_spec, chat=chat)
    if not _LENGTH_KEYS.isdisjoint(args):
        return run_spec
    field, window = _get_window(get_model_deployment(spec.model_deployment))
    room = window // 2
    if spec.max_tokens <= room:
        return run_spec
    if room < preset.least_tokens:
        raise ConfigError(
            f"prompt={preset_name} needs at least {preset.least_tokens:,} tokens for an answer, and half of the window of "
            f"{spec.model_deployment} ({field}={window:,}) is {room:,}. Use prompt={DEFAULT_PRESET}, or set max_tokens, which "
            "leaves the rest of the window to the prompt."
        )
    tell_once(
        f"prompt={preset_name}: {spec.model_deployment} has a window of {window:,} tokens, so max_tokens is {room:,} in place of "
        f"{spec.max_tokens:,}; the rest is for the prompt."
    )
    return adapt(run_spec, max_tokens=room)


def _get_window(deployment: ModelDeployment) -> tuple[str, int]:
    """Return the least length, in tokens, of what holds prompt and answer together, and the field that says so."""
    lengths = {
        "max_request_length": deployment.max_request_length,
        "max_sequence_length": None if deployment.max_request_length else deployment.max_sequence_length,
        "max_sequence_and_generated_tokens_length": deployment.max_sequence_and_generated_tokens_length,
        "context_length": (deployment.capabilities or {}).get("context_length"),
    }
    return min(((field, length or INT_MAX) for field, length in lengths.items()), key=lambda item: item[1])
