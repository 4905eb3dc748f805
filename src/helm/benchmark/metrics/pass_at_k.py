"""The unbiased pass@k estimator of the HumanEval paper (Chen et al. 2021)."""

import math


def estimate_pass_at_k(n: int, c: int, k: int) -> float:
    """Return the probability that one of k samples, drawn from n of which c pass, passes: 1 - C(n - c, k) / C(n, k)."""
    if n - c < k:
        return 1.0
    product = 1.0
    for i in range(n - c + 1, n + 1):
        product *= 1.0 - k / i
    return 1.0 - product


def pass_all(n: int, c: int, k: int) -> float:
    """Return the probability that k samples, drawn from n of which c are correct, are all correct: C(c, k) / C(n, k)."""
    return math.comb(c, k) / math.comb(n, k)
