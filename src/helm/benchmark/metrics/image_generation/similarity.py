"""Measures of similarity between batches of pictures: PSNR, UIQI, MS-SSIM. Needs the extra `heim`.

The formulas are those of torchmetrics 0.11.4, with which HELM's published numbers were made; later versions of that library give
others. Batches are float32 tensors of shape (n, 3, height, width) with values from 0 to 1.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from helm.common.images_utils import open_image, to_tensor
from helm.common.optional_dependencies import needs_extra

if TYPE_CHECKING:
    from torch import Tensor

SIDE = 256
"""Width and height at which pictures are compared; aspect ratios are not kept."""
WINDOW, SIGMA = 11, 1.5
SCALE_EXPONENTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)
K1, K2 = 0.01, 0.03


def load_batch(locations: Sequence[str], side: int = SIDE) -> "Tensor":
    """Return the pictures, resized to a square, as a tensor of shape (n, 3, side, side)."""
    with needs_extra("heim"):
        import torch
        from PIL.Image import Resampling
    return torch.stack([to_tensor(open_image(path).resize((side, side), Resampling.BILINEAR)) for path in locations])


def peak_signal_to_noise_ratio(images: "Tensor", references: "Tensor") -> float:
    """Return 10 log10(R^2 / MSE) in dB over the whole batch; infinite for equal pictures.

    R is the range of the references' values and 0: for photographs, the value of the brightest point.
    """
    import torch

    zero = references.new_zeros(())
    value_range = torch.maximum(references.max(), zero) - torch.minimum(references.min(), zero)
    error = torch.sum((images - references) ** 2) / references.numel()
    return float((2 * torch.log(value_range) - torch.log(error)) * (10 / math.log(10)))


def _gaussian(channels: int) -> "Tensor":
    import torch

    distance = torch.arange((1 - WINDOW) / 2, (1 + WINDOW) / 2, 1, dtype=torch.float32)
    weights = torch.exp(-((distance / SIGMA) ** 2) / 2)
    row = (weights / weights.sum()).unsqueeze(0)
    return (row.t() @ row).expand(channels, 1, WINDOW, WINDOW)


def _moments(images: "Tensor", references: "Tensor") -> "tuple[Tensor, Tensor, Tensor, Tensor, Tensor]":
    """Return both means, both variances and the covariance under a window around each point, without the padding."""
    import torch
    from torch.nn.functional import conv2d, pad

    half = (WINDOW - 1) // 2
    first, second = (pad(batch, (half,) * 4, mode="reflect") for batch in (images, references))
    together = torch.cat((first, second, first * first, second * second, first * second))
    blurred = conv2d(together, _gaussian(images.shape[1]), groups=images.shape[1])
    mean_1, mean_2, square_1, square_2, product = blurred.split(len(images))
    moments = (mean_1, mean_2, square_1 - mean_1**2, square_2 - mean_2**2, product - mean_1 * mean_2)
    return tuple(moment[..., half:-half, half:-half] for moment in moments)


def universal_image_quality_index(images: "Tensor", references: "Tensor") -> float:
    """Return the mean over points, channels and pictures, -1 to 1; NaN if both pictures are flat anywhere."""
    mean_1, mean_2, variance_1, variance_2, covariance = _moments(images, references)
    index = (2 * mean_1 * mean_2) * (2 * covariance) / ((mean_1**2 + mean_2**2) * (variance_1 + variance_2))
    return float(index.mean())


def multi_scale_ssim(images: "Tensor", references: "Tensor") -> float:
    """Return the mean over the pictures of the structural similarity at five scales, 0 to 1; NaN for flat pictures."""
    from torch.nn.functional import avg_pool2d, relu

    product = images.new_ones(len(images))
    for scale, exponent in enumerate(SCALE_EXPONENTS):
        value_range = max(images.max() - images.min(), references.max() - references.min())
        c1, c2 = (K1 * value_range) ** 2, (K2 * value_range) ** 2
        mean_1, mean_2, variance_1, variance_2, covariance = _moments(images, references)
        contrast = (2 * covariance + c2) / (variance_1 + variance_2 + c2)
        if scale == len(SCALE_EXPONENTS) - 1:
            contrast = (2 * mean_1 * mean_2 + c1) / (mean_1**2 + mean_2**2 + c1) * contrast
        product = product * relu(contrast.mean((1, 2, 3))) ** exponent
        images, references = avg_pool2d(images, 2), avg_pool2d(references, 2)
    return float(product.mean())
