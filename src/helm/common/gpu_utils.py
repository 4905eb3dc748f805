"""Which device of this machine PyTorch computes on."""

from typing import TYPE_CHECKING

from helm.common.optional_dependencies import needs_extra

if TYPE_CHECKING:
    import torch


def is_cuda_available() -> bool:
    """Whether PyTorch can use a GPU of NVIDIA. Raises: OptionalDependencyNotInstalled without PyTorch."""
    with needs_extra("huggingface"):
        import torch
    return torch.cuda.is_available()


def get_torch_device_name() -> str:
    """Return `cuda` or `cpu`."""
    return "cuda" if is_cuda_available() else "cpu"


def get_torch_device() -> "torch.device":
    """Return the first GPU, or the processor."""
    name = get_torch_device_name()
    import torch

    return torch.device(name)
