"""Estimates the fractal dimension of a picture by counting boxes."""

import math
import warnings

from helm.common.images_utils import to_grey

THRESHOLD = 0.2
"""Grey level (0 to 1) below which a point is dark."""
# Smaller boxes measure the grid of pixels rather than the picture.
MIN_SIDE = 4


def compute_fractal_dimension(image_path: str) -> float:
    """Return the slope of the number of boxes with both dark and light points against the box size, in logarithms.

    The sizes are the powers of two from 4 to the largest that fits. The result is between 0 and 2; NaN if there is a size
    without such boxes, and 0 if only one size fits. Needs the extra `images`.

    Raises: TypeError if the picture is less than 4 points wide or high.
    """
    import numpy as np

    is_dark = (to_grey(image_path) / 255 < THRESHOLD).astype(np.int64)
    shortest = min(is_dark.shape)
    if shortest < MIN_SIDE:
        raise TypeError(f"{image_path}: expected a picture of at least {MIN_SIDE} x {MIN_SIDE} points.")
    sides, counts = [], []
    side = 1 << (shortest.bit_length() - 1)
    while side >= MIN_SIDE:
        rows = np.add.reduceat(is_dark, np.arange(0, is_dark.shape[0], side), axis=0)
        boxes = np.add.reduceat(rows, np.arange(0, is_dark.shape[1], side), axis=1)
        # HELM: boxes cut off at the edge of the picture never count as full.
        sides.append(side)
        counts.append(int(np.count_nonzero((boxes > 0) & (boxes < side * side))))
        side //= 2
    if 0 in counts:
        return math.nan
    with warnings.catch_warnings():
        # One size gives no slope; the fit of the least norm is HELM's number.
        warnings.simplefilter("ignore", np.exceptions.RankWarning)
        return float(-np.polyfit(np.log(sides), np.log(counts), 1)[0])
