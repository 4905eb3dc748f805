"""Registers models of the Hugging Face hub, or of a local folder, from a command-line flag."""

import os
from typing import Any

from helm.benchmark.model_deployment_registry import ClientSpec, ModelDeployment, register_model_deployment
from helm.benchmark.model_metadata_registry import (
    MODEL_NAME_TO_MODEL_METADATA,
    get_unknown_model_metadata,
    register_model_metadata,
)
from helm.benchmark.tokenizer_config_registry import TokenizerConfig, TokenizerSpec, register_tokenizer_config
from helm.common.errors import ConfigError
from helm.common.hierarchical_logger import hlog
from helm.common.optional_dependencies import needs_extra

MAX_SEQUENCE_LENGTH = 1_000_000
"""In tokens. A tokenizer that reports a longer window does not know its window."""


def load_huggingface_tokenizer(pretrained_model_name_or_path: str, **kwargs: Any) -> Any:
    """Load the tokenizer with `transformers`, downloading it if necessary.

    Raises: OptionalDependencyNotInstalled; ConfigError when there is no such tokenizer.
    """
    with needs_extra("huggingface"):
        from transformers import AutoTokenizer
    try:
        return AutoTokenizer.from_pretrained(pretrained_model_name_or_path, **kwargs)
    except (OSError, ValueError) as e:
        raise ConfigError(f"Cannot load the tokenizer of '{pretrained_model_name_or_path}': {e}") from e


def get_special_tokens(tokenizer: Any) -> tuple[str, str]:
    """Return the end-of-text token and the prefix token, each empty if the tokenizer has none."""
    return tokenizer.eos_token or "", tokenizer.bos_token or ""


def register_huggingface_model(
    helm_model_name: str, pretrained_model_name_or_path: str, revision: str | None = None
) -> None:
    """Register a model, a deployment and a tokenizer with the same name; loads the tokenizer to find its window.

    Raises: ValueError when the tokenizer does not know its window.
    """
    args = {"pretrained_model_name_or_path": pretrained_model_name_or_path}
    if revision:
        args["revision"] = revision
    tokenizer = load_huggingface_tokenizer(**args)
    length = tokenizer.model_max_length
    if length > MAX_SEQUENCE_LENGTH:
        raise ConfigError(
            f"The tokenizer of {pretrained_model_name_or_path} reports a window of {length} tokens, so it does not "
            "know that of the model. Register the model in prod_env/model_deployments.yaml with max_sequence_length instead."
        )
    if helm_model_name not in MODEL_NAME_TO_MODEL_METADATA:
        register_model_metadata(get_unknown_model_metadata(helm_model_name))
    end_of_text_token, prefix_token = get_special_tokens(tokenizer)
    register_tokenizer_config(
        TokenizerConfig(
            name=helm_model_name,
            tokenizer_spec=TokenizerSpec("helm.tokenizers.huggingface_tokenizer.HuggingFaceTokenizer", dict(args)),
            end_of_text_token=end_of_text_token,
            prefix_token=prefix_token,
        )
    )
    register_model_deployment(
        ModelDeployment(
            name=helm_model_name,
            client_spec=ClientSpec("helm.clients.huggingface_client.HuggingFaceClient", dict(args)),
            model_name=helm_model_name,
            tokenizer_name=helm_model_name,
            max_sequence_length=length,
        )
    )
    hlog(f"Registered Hugging Face model {helm_model_name}")


def register_huggingface_hub_model_from_flag_value(raw_model_string: str) -> None:
    """Register `NAMESPACE/MODEL[@REVISION]`; the whole value is the model's name.

    Raises: ValueError for a second `@`.
    """
    name, _, revision = raw_model_string.partition("@")
    if "@" in revision:
        raise ConfigError(f"'{raw_model_string}' has more than one '@': expected NAMESPACE/MODEL[@REVISION].")
    register_huggingface_model(raw_model_string, name, revision or None)


def register_huggingface_local_model_from_flag_value(path: str) -> None:
    """Register a folder with a saved model, named `huggingface/` plus the last part of the path."""
    register_huggingface_model(f"huggingface/{os.path.basename(path)}", path)
