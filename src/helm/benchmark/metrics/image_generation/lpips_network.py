"""The network of LPIPS 0.1: VGG16 with a linear layer on each of five activations. Needs the extra `heim`."""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from helm.common.networks.weights import load_tensors
from helm.common.optional_dependencies import needs_extra

if TYPE_CHECKING:
    from torch import Tensor

# Channels of the convolutions of VGG16 by block; a maximum over 2 x 2 points comes between blocks.
BLOCKS = ((64, 64), (128, 128), (256, 256, 256), (512, 512, 512), (512, 512, 512))
SHIFT = (-0.030, -0.088, -0.188)
SCALE = (0.458, 0.448, 0.450)
# The paper's program adds this to the norm of a point's channels.
EPSILON = 1e-10


class LPIPS:
    """Distances between pictures.

    Args:
        features: `features.N.weight` and `features.N.bias` of torchvision's VGG16.
        linear: `linK.model.1.weight` of shape (1, channels, 1, 1), for K from 0 to 4, as in the package lpips.
    """

    def __init__(self, features: Mapping[str, Any], linear: Mapping[str, Any]):
        self._features = features
        self._linear = [linear[f"lin{k}.model.1.weight"] for k in range(len(BLOCKS))]

    def _activations(self, images: "Tensor") -> "list[Tensor]":
        from torch.nn.functional import conv2d, max_pool2d, relu

        layer, found = 0, []
        for i, block in enumerate(BLOCKS):
            if i:
                images, layer = max_pool2d(images, 2), layer + 1
            for _ in block:
                name = f"features.{layer}"
                images = relu(
                    conv2d(images, self._features[f"{name}.weight"], self._features[f"{name}.bias"], padding=1)
                )
                layer += 2
            found.append(images / (images.square().sum(1, keepdim=True).sqrt() + EPSILON))
        return found

    def distances(self, images: "Tensor", references: "Tensor") -> "Tensor":
        """Return the distance of each pair of two batches (n, 3, height, width) with values from -1 to 1."""
        with needs_extra("heim"):
            import torch
        from torch.nn.functional import conv2d

        shift, scale = (torch.tensor(values).view(1, 3, 1, 1) for values in (SHIFT, SCALE))
        with torch.inference_mode():
            pairs = [self._activations((batch - shift) / scale) for batch in (images, references)]
            layers = zip(*pairs, self._linear, strict=True)
            return torch.stack([conv2d((a - b) ** 2, weight).mean((1, 2, 3)) for a, b, weight in layers]).sum(0)


@cache
def get_lpips() -> LPIPS:
    """Return the network with its published weights, fetched once."""
    return LPIPS(load_tensors("vgg16"), load_tensors("lpips_vgg"))
