"""Derives models and tokenizers of the Hugging Face hub from their name alone.

Looking up a name downloads nothing: the length of the window is read from the tokenizer on demand.
"""

from functools import cached_property

from helm.benchmark.model_deployment_registry import ClientSpec, ModelDeployment, model_deployment_generator
from helm.benchmark.tokenizer_config_registry import TokenizerConfig, TokenizerSpec, tokenizer_config_generator
from helm.common.errors import ConfigError
from helm.common.hierarchical_logger import hwarn

_SUSPICIOUS_LENGTH = 1_000_000_000
"""Tokenizers without a known limit report a number far above this one."""


class LazyHuggingFaceDeployment(ModelDeployment):
    """A deployment whose `max_sequence_length` is that of its tokenizer, loaded on first use."""

    def __post_init__(self) -> None:
        super().__post_init__()
        # The dataclass has stored None in the instance, which would hide the property below.
        object.__delattr__(self, "max_sequence_length")

    @cached_property
    def max_sequence_length(self) -> int:
        from helm.benchmark.huggingface_registration import load_huggingface_tokenizer

        length = load_huggingface_tokenizer(self._hub_name).model_max_length
        if length > _SUSPICIOUS_LENGTH:
            hwarn(
                f"The tokenizer of {self._hub_name} reports a window of {length} tokens, which is likely wrong. "
                f"Set max_sequence_length of {self.name} in model_deployments.yaml."
            )
        return length

    @property
    def _hub_name(self) -> str:
        return str(self.tokenizer_name).partition("/")[2]


@model_deployment_generator("huggingface")
def generate_huggingface_deployment(name: str) -> ModelDeployment:
    spec = ClientSpec(
        "helm.clients.huggingface_client.HuggingFaceClient",
        {"pretrained_model_name_or_path": _hub_name(name)},
    )
    model_name = "/".join(name.split("/")[-2:])
    return LazyHuggingFaceDeployment(name=name, client_spec=spec, model_name=model_name, tokenizer_name=name)


@model_deployment_generator("huggingface-inference-providers")
def generate_inference_provider_deployment(name: str) -> ModelDeployment:
    """Create the deployment for `huggingface-inference-providers/ORGANIZATION/MODEL[:PROVIDER]`."""
    spec = ClientSpec(
        "helm.clients.huggingface_inference_providers_client.HuggingFaceInferenceProvidersClient",
    )
    return LazyHuggingFaceDeployment(
        name=name,
        client_spec=spec,
        model_name="/".join(name.split("/")[-2:]),
        tokenizer_name="huggingface/" + _hub_name(name).partition(":")[0],
    )


@tokenizer_config_generator("huggingface")
def generate_huggingface_tokenizer_config(name: str) -> TokenizerConfig:
    """Create a tokenizer config; loads the tokenizer to find its special tokens."""
    from helm.benchmark.huggingface_registration import get_special_tokens, load_huggingface_tokenizer

    end_of_text_token, prefix_token = get_special_tokens(load_huggingface_tokenizer(_hub_name(name)))
    return TokenizerConfig(
        name=name,
        tokenizer_spec=TokenizerSpec(
            "helm.tokenizers.huggingface_tokenizer.HuggingFaceTokenizer",
            {"pretrained_model_name_or_path": _hub_name(name)},
        ),
        end_of_text_token=end_of_text_token,
        prefix_token=prefix_token,
    )


def _hub_name(name: str) -> str:
    rest = name.partition("/")[2]
    if not rest:
        raise ConfigError(f"'{name}' does not name a model of the hub: expected {name}ORGANIZATION/MODEL.")
    return rest
