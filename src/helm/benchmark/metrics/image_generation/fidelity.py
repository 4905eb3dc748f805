"""Distances between sets of pictures: FID, inception score, KID, from features of Inception v3.

Sets are streamed: batches of pictures are read and reduced, so that memory does not grow with the pictures, but only with
2048 numbers for each where KID draws subsets. Needs the extra `heim`.
"""

import io
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from helm.common.images_utils import open_image
from helm.common.optional_dependencies import needs_extra

if TYPE_CHECKING:
    from torch import Tensor

SIDE = 512
BATCH_SIZE = 50
SEED = 2020
NUM_SPLITS = 10
NUM_SUBSETS = 100
SUBSET_SIZE = 1000

Features = Callable[["Tensor"], Any]
"""Maps a batch of pictures (n, 3, height, width), uint8, to an array (n, d)."""


def load_copied(location: str, width: int = SIDE, height: int = SIDE) -> "Tensor":
    """Return a picture (3, height, width), uint8, as HELM copies it before it compares: resized, a JPEG encoded anew."""
    with needs_extra("heim"):
        import torch
        from PIL import Image
    import numpy as np

    image = open_image(location).resize((width, height), Image.Resampling.LANCZOS)
    if os.path.splitext(location)[1].lower() in (".jpg", ".jpeg"):
        stream = io.BytesIO()
        image.save(stream, format="JPEG")
        image = Image.open(stream).convert("RGB")
    return torch.from_numpy(np.array(image).transpose(2, 0, 1))


def batches(locations: Sequence[str]) -> "Iterator[Tensor]":
    """Read the pictures in batches of shape (n, 3, 512, 512), uint8."""
    import torch

    for start in range(0, len(locations), BATCH_SIZE):
        yield torch.stack([load_copied(path) for path in locations[start : start + BATCH_SIZE]])


class Moments:
    """Mean and covariance of rows that come in batches."""

    def __init__(self) -> None:
        self._number = 0
        self._mean: Any = 0.0
        self._scatter: Any = 0.0

    def add(self, rows: Any) -> None:
        """Add an array (n, d)."""
        import numpy as np

        rows = np.asarray(rows, np.float64)
        total = self._number + len(rows)
        mean = rows.mean(0)
        centred, shift = rows - mean, mean - self._mean
        self._scatter = (
            self._scatter + centred.T @ centred + np.outer(shift, shift) * (self._number * len(rows) / total)
        )
        self._mean = self._mean + shift * (len(rows) / total)
        self._number = total

    @property
    def mean(self) -> Any:
        """The mean (d)."""
        return self._mean

    @property
    def covariance(self) -> Any:
        """The unbiased covariance (d, d); NaN for one row."""
        import numpy as np

        with np.errstate(all="ignore"):
            return self._scatter / np.float64(self._number - 1)


def frechet_distance(first: Moments, second: Moments) -> float:
    """Return |m1 - m2|^2 + tr(S1 + S2 - 2 sqrt(S1 S2)).

    If the product of the covariances is nearly singular, 1e-6 is added to their diagonals.
    """
    with needs_extra("heim"):
        from scipy import linalg
    import numpy as np

    covariances = first.covariance, second.covariance
    root = linalg.sqrtm(covariances[0] @ covariances[1])
    if not np.isfinite(root).all():
        offset = np.eye(len(covariances[0])) * 1e-6
        root = linalg.sqrtm((covariances[0] + offset) @ (covariances[1] + offset))
    difference = first.mean - second.mean
    traces = np.trace(covariances[0]) + np.trace(covariances[1])
    return float(difference @ difference + traces - 2 * np.trace(np.real(root)))


def compute_fid(generated: Sequence[str], gold: Sequence[str], features: Features) -> float:
    """Return the Fréchet distance of the features of two sets of pictures (0 and up, lower is better)."""
    both = Moments(), Moments()
    for moments, locations in zip(both, (generated, gold), strict=True):
        for batch in batches(locations):
            moments.add(features(batch))
    return frechet_distance(*both)


def inception_score(logits: Any, splits: int = NUM_SPLITS, seed: int = SEED) -> tuple[float, float]:
    """Return mean and deviation over the splits of exp of the mean divergence of the classes of a picture from all.

    Args:
        logits: array (n, classes); rows are shuffled first.
    """
    import numpy as np

    logits = np.asarray(logits, np.float64)[np.random.RandomState(seed).permutation(len(logits))]
    shifted = logits - logits.max(1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    scores = []
    for i in range(splits):
        part = log_p[i * len(log_p) // splits : (i + 1) * len(log_p) // splits]
        p = np.exp(part)
        with np.errstate(all="ignore"):
            divergence = (p * (part - np.log(p.mean(0, keepdims=True)))).sum(1) if len(p) else np.array([np.nan])
        scores.append(np.exp(divergence.mean()))
    return float(np.mean(scores)), float(np.std(scores))


def kernel_inception_distance(
    first: Any, second: Any, subsets: int = NUM_SUBSETS, subset_size: int = SUBSET_SIZE, seed: int = SEED
) -> tuple[float, float]:
    """Return mean and deviation over random subsets of the squared distance of means under a cubic kernel.

    Args:
        first, second: arrays (n, d) with at least `subset_size` rows.
    """
    import numpy as np

    first, second = np.asarray(first), np.asarray(second)
    random = np.random.RandomState(seed)
    distances = []
    for _ in range(subsets):
        x, y = (rows[random.choice(len(rows), subset_size, replace=False)] for rows in (first, second))
        kernel_xx, kernel_yy, kernel_xy = ((a @ b.T / x.shape[1] + 1) ** 3 for a, b in ((x, x), (y, y), (x, y)))
        within = sum(kernel.sum() - np.trace(kernel) for kernel in (kernel_xx, kernel_yy))
        distances.append(within / (subset_size * (subset_size - 1)) - 2 * kernel_xy.mean())
    return float(np.mean(distances)), float(np.std(distances))
