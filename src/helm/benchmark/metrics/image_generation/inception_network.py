"""Inception v3 by the names of torchvision's weights, in the form of ImageNet and in that of FID. Needs the extra `heim`."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from helm.common.networks.weights import load_tensors
from helm.common.optional_dependencies import needs_extra

if TYPE_CHECKING:
    from torch import Tensor

SIDE = 299
EPSILON = 1e-3
Weights = Mapping[str, Any]

_Step = tuple[str, int, tuple[int, int]]


class InceptionV3:
    """Computes features and logits.

    Args:
        weights: the state dict.
        is_fid: run the blocks as the TensorFlow program did that the weights of FID come from: means leave out the padding,
            and the last block has a maximum.
    """

    def __init__(self, weights: Weights, is_fid: bool):
        self._weights = weights
        self._is_fid = is_fid

    def _convolve(self, x: "Tensor", name: str, stride: int = 1, padding: tuple[int, int] = (0, 0)) -> "Tensor":
        from torch.nn.functional import batch_norm, conv2d, relu

        w = self._weights
        x = conv2d(x, w[f"{name}.conv.weight"], stride=stride, padding=padding)
        mean, variance = w[f"{name}.bn.running_mean"], w[f"{name}.bn.running_var"]
        x = batch_norm(x, mean, variance, w[f"{name}.bn.weight"], w[f"{name}.bn.bias"], eps=EPSILON)
        return relu(x)

    def _chain(self, x: "Tensor", block: str, steps: Sequence[_Step]) -> "Tensor":
        for name, stride, padding in steps:
            x = self._convolve(x, f"{block}.{name}", stride, padding)
        return x

    def _pooled(self, x: "Tensor", block: str, use_maximum: bool = False) -> "Tensor":
        from torch.nn.functional import avg_pool2d, max_pool2d

        if use_maximum:
            x = max_pool2d(x, 3, stride=1, padding=1)
        else:
            x = avg_pool2d(x, 3, stride=1, padding=1, count_include_pad=not self._is_fid)
        return self._convolve(x, f"{block}.branch_pool")

    def _block_a(self, x: "Tensor", block: str) -> "Tensor":
        import torch

        five = [("branch5x5_1", 1, (0, 0)), ("branch5x5_2", 1, (2, 2))]
        three = [("branch3x3dbl_1", 1, (0, 0)), ("branch3x3dbl_2", 1, (1, 1)), ("branch3x3dbl_3", 1, (1, 1))]
        parts = [self._convolve(x, f"{block}.branch1x1"), self._chain(x, block, five), self._chain(x, block, three)]
        return torch.cat([*parts, self._pooled(x, block)], 1)

    def _block_b(self, x: "Tensor", block: str) -> "Tensor":
        import torch
        from torch.nn.functional import max_pool2d

        three = [("branch3x3dbl_1", 1, (0, 0)), ("branch3x3dbl_2", 1, (1, 1)), ("branch3x3dbl_3", 2, (0, 0))]
        return torch.cat(
            [self._convolve(x, f"{block}.branch3x3", 2), self._chain(x, block, three), max_pool2d(x, 3, stride=2)], 1
        )

    def _block_c(self, x: "Tensor", block: str) -> "Tensor":
        import torch

        wide, high = (0, 3), (3, 0)
        seven = [("branch7x7_1", 1, (0, 0)), ("branch7x7_2", 1, wide), ("branch7x7_3", 1, high)]
        double = [("branch7x7dbl_1", 1, (0, 0))]
        double += [(f"branch7x7dbl_{i}", 1, padding) for i, padding in zip(range(2, 6), (high, wide) * 2, strict=True)]
        parts = [self._convolve(x, f"{block}.branch1x1"), self._chain(x, block, seven), self._chain(x, block, double)]
        return torch.cat([*parts, self._pooled(x, block)], 1)

    def _block_d(self, x: "Tensor", block: str) -> "Tensor":
        import torch
        from torch.nn.functional import max_pool2d

        three = [("branch3x3_1", 1, (0, 0)), ("branch3x3_2", 2, (0, 0))]
        seven = [("branch7x7x3_1", 1, (0, 0)), ("branch7x7x3_2", 1, (0, 3)), ("branch7x7x3_3", 1, (3, 0))]
        seven.append(("branch7x7x3_4", 2, (0, 0)))
        return torch.cat([self._chain(x, block, three), self._chain(x, block, seven), max_pool2d(x, 3, stride=2)], 1)

    def _block_e(self, x: "Tensor", block: str, use_maximum: bool) -> "Tensor":
        import torch

        def split(x: "Tensor", name: str) -> "list[Tensor]":
            return [
                self._convolve(x, f"{block}.{name}a", 1, (0, 1)),
                self._convolve(x, f"{block}.{name}b", 1, (1, 0)),
            ]

        three = self._convolve(x, f"{block}.branch3x3_1")
        double = self._chain(x, block, [("branch3x3dbl_1", 1, (0, 0)), ("branch3x3dbl_2", 1, (1, 1))])
        parts = [
            self._convolve(x, f"{block}.branch1x1"),
            *split(three, "branch3x3_2"),
            *split(double, "branch3x3dbl_3"),
        ]
        return torch.cat([*parts, self._pooled(x, block, use_maximum)], 1)

    def features(self, x: "Tensor") -> "Tensor":
        """Return the 2048 features of each picture of a batch (n, 3, 299, 299) with values from -1 to 1, on the CPU."""
        from torch.nn.functional import max_pool2d

        x = x.to(self._weights["Conv2d_1a_3x3.conv.weight"].device)
        x = self._convolve(x, "Conv2d_1a_3x3", 2)
        x = self._convolve(self._convolve(x, "Conv2d_2a_3x3"), "Conv2d_2b_3x3", 1, (1, 1))
        x = self._convolve(self._convolve(max_pool2d(x, 3, stride=2), "Conv2d_3b_1x1"), "Conv2d_4a_3x3")
        x = max_pool2d(x, 3, stride=2)
        for block in ("Mixed_5b", "Mixed_5c", "Mixed_5d"):
            x = self._block_a(x, block)
        x = self._block_b(x, "Mixed_6a")
        for block in ("Mixed_6b", "Mixed_6c", "Mixed_6d", "Mixed_6e"):
            x = self._block_c(x, block)
        x = self._block_d(x, "Mixed_7a")
        x = self._block_e(x, "Mixed_7b", use_maximum=False)
        x = self._block_e(x, "Mixed_7c", use_maximum=self._is_fid)
        return x.mean((2, 3)).cpu()

    def logits(self, features: "Tensor", with_bias: bool = True) -> "Tensor":
        """Return the logits of the classes from the features."""
        logits = features @ self._weights["fc.weight"].cpu().T
        return logits + self._weights["fc.bias"].cpu() if with_bias else logits


def resize_by_centres(batch: "Tensor") -> "Tensor":
    """Return a batch of 299 x 299 as pytorch-fid resizes it, from uint8 to values from -1 to 1."""
    from torch.nn.functional import interpolate

    return interpolate(batch.float() / 255, (SIDE, SIDE), mode="bilinear", align_corners=False) * 2 - 1


def resize_by_corners(batch: "Tensor") -> "Tensor":
    """Return a batch of 299 x 299 as TensorFlow 1 resizes it, from uint8 to values from -1 to 1.

    The corner, not the centre, of a point decides where it is taken from. torch-fidelity does the same.
    """
    import torch

    x = batch.float()
    for dimension in (2, 3):
        length = x.shape[dimension]
        position = torch.arange(SIDE, dtype=torch.float32) * (length / SIDE)
        low = position.floor().long()
        high = (low + 1).clamp(max=length - 1)
        weight = (position - low).view((1, 1, -1, 1) if dimension == 2 else (1, 1, 1, -1))
        below, above = x.index_select(dimension, low), x.index_select(dimension, high)
        x = below + (above - below) * weight
    return (x - 128) / 128


@cache
def get_inception(name: Literal["inception_v3_fid", "inception_v3_imagenet"]) -> InceptionV3:
    """Return a network with its published weights, fetched once."""
    with needs_extra("heim"):
        import torch
    device = "cuda" if torch.cuda.is_available() else "cpu"
    weights = {key: tensor.to(device) for key, tensor in load_tensors(name).items() if "AuxLogits" not in key}
    return InceptionV3(weights, is_fid=name == "inception_v3_fid")
