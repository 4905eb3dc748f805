"""Which adapter methods can send messages of a chat, and take options of requests."""

from helm.benchmark.adaptation.adapter_spec import (
    ADAPT_CHAT,
    ADAPT_LANGUAGE_MODELING,
    ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS,
    CHAT_OFF,
    AdapterSpec,
)
from helm.benchmark.subjects import LANGUAGE_MODEL, kind_of_method
from helm.common.errors import ConfigError

_MULTIMODAL = "_multimodal"


def check_options(method: str, what: str) -> None:
    """Check that requests of a method take options such as a seed.

    Raises:
        ConfigError: They ask for log-probabilities of given texts, or are no requests to language models. The message begins
            with `what`, the key in a run entry.
    """
    kind = kind_of_method(method)
    if kind is not LANGUAGE_MODEL:
        raise ConfigError(
            f"{what} is for runs that ask language models directly; the method {method} is about {kind.plural}."
        )
    if method in ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS:
        raise ConfigError(
            f"{what} cannot be used with the adapter method {method}, which compares the log-probabilities of given choices "
            "and generates no text. Say method=multiple_choice_joint in the entry."
        )
    if method == ADAPT_LANGUAGE_MODELING:
        raise ConfigError(
            f"{what} cannot be used with the adapter method {method}, which measures the log-probabilities of given texts "
            "and generates none."
        )


def check_chat(method: str, what: str) -> None:
    """Check that a method can send its prompts as messages. Raises: ConfigError, as `check_options`."""
    check_options(method, what)
    if method.endswith(_MULTIMODAL):
        raise ConfigError(f"{what} is for text scenarios; the adapter method {method} sends images or audio.")


def check_adapter_spec(spec: AdapterSpec) -> None:
    """Check the parts of an adapter spec for chat models against its method. Raises: ConfigError that names the field."""
    chat = spec.chat
    if chat is not None and (
        chat.mode == "on" or chat.system_prompt or chat.fewshot_as_turns or chat.answer_instruction
    ):
        check_chat(spec.method, "AdapterSpec.chat")
    for name in ("request_options", "top_p", "response_format"):
        if getattr(spec, name) is not None:
            check_options(spec.method, f"AdapterSpec.{name}")
    if chat is not None and chat.mode == CHAT_OFF:
        if spec.method == ADAPT_CHAT:
            raise ConfigError("chat=off: the adapter method chat sends conversations, which are no plain prompts.")
        if chat.fewshot_as_turns:
            raise ConfigError("fewshot_as_turns=true needs messages of a chat, and chat=off sends a plain prompt.")
