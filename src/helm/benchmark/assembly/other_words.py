"""What people write in the words of other programs: addresses as models, and arguments under other names."""

import re
from collections.abc import Iterable

from helm.common.errors import ConfigError, suggest

_KEYS = {
    "limit": "max_eval_instances",
    "max_examples": "max_eval_instances",
    "max_samples": "max_eval_instances",
    "num_fewshot": "max_train_instances",
    "n_shot": "max_train_instances",
    "num_shots": "max_train_instances",
    "fewshot": "max_train_instances",
    "fewshot_as_multiturn": "fewshot_as_turns",
    "apply_chat_template": "chat",
    "chat_template_args": "chat_template_kwargs",
    "system": "system_prompt",
    "system_message": "system_prompt",
    "system_instruction": "system_prompt",
    "max_new_tokens": "max_tokens",
    "max_gen_toks": "max_tokens",
    "max_completion_tokens": "max_tokens",
    "num_choices": "num_outputs",
    "response_schema": "response_format",
}
"""Keys of run entries by the names that they have in other programs."""


def suggest_key(name: str, candidates: Iterable[str]) -> str:
    """Return `" Did you mean 'x'?"` for the key that other programs call `name`, else for the nearest candidate, or nothing."""
    known = list(candidates)
    key = _KEYS.get(name.replace("-", "_").casefold())
    return f" Did you mean '{key}'?" if key in known else suggest(name, known)


def model_name(text: str) -> str:
    """Return the name of a model: as given, or for `http://HOST:PORT/v1#NAME` that of the deployment at this address.

    Raises: ConfigError for an address without a name.
    """
    if not re.match(r"https?://", text):
        return text
    address, _, name = text.partition("#")
    if not name or "," in text:
        raise ConfigError(
            f"'{text}' does not say which model of the server: expected {address.rstrip('/')}#NAME, with the model's name there."
        )
    return f"openai-compat/{name}@{address.rstrip('/')}"
