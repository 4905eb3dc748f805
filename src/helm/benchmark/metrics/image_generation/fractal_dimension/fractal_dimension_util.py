"""Estimates the fractal dimension of a picture by counting boxes."""

import math

THRESHOLD = 0.2
"""Grey level (0 to 1) below which a point is dark."""
# Smaller boxes measure the grid of pixels rather than the picture.
MIN_SIDE = 4


def compute_fractal_dimension(image_path: str) -> float:
    """Return the slope of the number of boxes with both dark and light points against the box size, in logarithms.

    The sizes are the powers of two from 4 to the largest that fits. The result is between 0 and 2; NaN if a picture has
    no border between dark and light, or is too small for two sizes. Needs the extra `images`.
    """
    import numpy as np

    from helm.benchmark.metrics.image_generation.image_answers import open_rgb_image

    grey = np.asarray(open_rgb_image(image_path)) / 255 @ np.array([0.299, 0.587, 0.114])
    is_dark = (grey < THRESHOLD).astype(np.int64)
    sides, counts = [], []
    side = 1 << int(math.log2(min(is_dark.shape)))
    while side >= MIN_SIDE:
        rows = np.add.reduceat(is_dark, np.arange(0, is_dark.shape[0], side), axis=0)
        boxes = np.add.reduceat(rows, np.arange(0, is_dark.shape[1], side), axis=1)
        # HELM: boxes cut off at the edge of the picture never count as full.
        sides.append(side)
        counts.append(int(np.count_nonzero((boxes > 0) & (boxes < side * side))))
        side //= 2
    if len(sides) < 2 or 0 in counts:
        return math.nan
    return float(-np.polyfit(np.log(sides), np.log(counts), 1)[0])
