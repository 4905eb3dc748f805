"""Intervals of means of three to nine values: how much longer than Student's, on the side of the long and the short tail.

Student's interval of three skewed values (lognormal, sigma = 1) holds the true mean in 82% of the samples instead of 95%, because
few values rarely show the long tail. So Student's distances from the mean are multiplied. Towards the long tail of the sample the
factor grows with the skewness; towards the short tail it falls, because a mean is rarely missed there, and that keeps the
coverage of normal values at 96.5%.
"""

import math

# For each number of values: the factor without skewness, its growth up to the largest skewness, the factor of a clearly short
# tail, and the skewness (relative to the largest) from which the tail counts as short. They are the shortest for normal values
# with which normal, exponential and lognormal values are covered in 93.5 to 96.5% of the samples; they come from
# `benchmarks/small_samples.py --calibrate`, and have been rounded.
FACTORS: dict[int, tuple[float, float, float, float]] = {
    3: (3.60, 0.08, 0.41, 0.77),
    4: (2.54, 0.78, 0.47, 0.46),
    5: (2.19, 0.88, 0.60, 0.21),
    6: (2.01, 1.39, 0.73, 0.05),
    7: (1.39, 3.44, 0.79, 0.00),
    8: (1.22, 3.46, 0.82, 0.01),
    9: (1.06, 3.48, 0.86, 0.00),
}
_FEWEST, _MOST = min(FACTORS), max(FACTORS)
# Between the factors of no and of a clearly short tail, the skewness grows by this much; a step would let an interval jump.
RAMP = 0.15


def is_small(clusters: float) -> bool:
    """Return whether the factors are for so many values; fractions, of sources of unequal size, count as the number below."""
    return _FEWEST <= clusters < _MOST + 1


def lengthen(skewness: float, clusters: float) -> tuple[float, float]:
    """Return the factors of Student's distances from the mean to the lower and to the upper end.

    Args:
        skewness: the skewness of the mean; see `MeanFacts`.
        clusters: the number of values; `is_small` must hold.
    """
    count = int(clusters)
    even, growth, short, threshold = FACTORS[count]
    largest = (count - 2) / math.sqrt(count * (count - 1))  # of one value that differs from all others
    relative = min(1.0, abs(skewness) / largest)
    far = even + growth * relative
    near = even + (short - even) * min(1.0, max(0.0, (relative - threshold) / RAMP))
    return (near, far) if skewness > 0 else (far, near)
