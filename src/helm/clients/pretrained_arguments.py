"""Arguments of `from_pretrained` as configuration files write them."""

from collections.abc import Mapping
from typing import Any

from helm.common.errors import ConfigError

TORCH_DTYPE_KEY = "torch_dtype"
TORCH_DTYPE_VALUE_PREFIX = "torch."
REPOSITORY_ARGUMENTS = ("revision", "trust_remote_code", "token")
"""Arguments that processors and tokenizers take, too."""
_WITHOUT_EFFECT = (
    "device",
    "device_map",
    "max_memory",
    "offload_folder",
    "low_cpu_mem_usage",
    "token",
    "trust_remote_code",
)
"""Arguments that say where a model runs or how it is fetched, and so do not change what it answers."""


def key_of_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a cache key needs so that models with other weights, or loaded otherwise, do not share answers.

    Without arguments that matter it is empty, so that the keys are HELM's.
    """
    kept = {name: arguments[name] for name in sorted(arguments) if name not in _WITHOUT_EFFECT}
    kept = {name: value for name, value in kept.items() if value is not None}
    return {"arguments": {name: str(value) for name, value in kept.items()}} if kept else {}


def check_placement(arguments: Mapping[str, Any]) -> None:
    """Raise ConfigError if both a device and a device map are given."""
    if arguments.get("device") is not None and arguments.get("device_map") is not None:
        raise ConfigError("A model in this process takes either device or device_map, not both.")


def model_arguments(given: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the values of a configuration file to arguments of `from_pretrained`.

    Args:
        given: `device` or `device_map`; `torch_dtype` as `auto`, `float16` or `torch.float16`; `quantization_config` as a
            mapping; others stay as they are. Without a device map there is a device: CUDA if available, else the CPU.

    Raises:
        ConfigError: Both device and device_map are given, or the dtype is unknown.
    """
    import torch

    check_placement(given)
    arguments = dict(given)
    if arguments.get("device") is None and arguments.get("device_map") is None:
        arguments["device"] = "cuda:0" if torch.cuda.is_available() else "cpu"
    dtype = arguments.pop(TORCH_DTYPE_KEY, None)
    if isinstance(dtype, str) and dtype != "auto":
        found = getattr(torch, dtype.removeprefix(TORCH_DTYPE_VALUE_PREFIX), None)
        if not isinstance(found, torch.dtype):
            raise ConfigError(f"torch_dtype takes auto or a type such as torch.bfloat16, not '{dtype}'.")
        dtype = found
    if dtype is not None:
        arguments["dtype"] = dtype
    if isinstance(arguments.get("quantization_config"), Mapping):
        from transformers import BitsAndBytesConfig

        arguments["quantization_config"] = BitsAndBytesConfig(**arguments["quantization_config"])
    return arguments


def repository_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that concern the repository on the hub, for the processor or tokenizer of a model."""
    return {name: value for name, value in arguments.items() if name in REPOSITORY_ARGUMENTS}
