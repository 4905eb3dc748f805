"""Names and estimator of the reference metrics that run programs; apart from them, because they load the sandbox."""

CODE_METRIC_NAMES = ("code_eval_acc", "pass")
"""Names for `BasicGenerationMetric` that run programs."""


def pass_at_k_estimator(n: int, c: int, k: int) -> float:
    """Estimate pass@k without bias (Chen et al. 2021).

    It is the probability that one of k samples, drawn from n of which c pass, passes: 1 - C(n - c, k) / C(n, k).
    """
    if n - c < k:
        return 1.0
    product = 1.0
    for i in range(n - c + 1, n + 1):
        product *= 1.0 - k / i
    return 1.0 - product
