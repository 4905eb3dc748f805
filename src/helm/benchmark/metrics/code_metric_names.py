"""Which reference metrics run programs; apart from them, because they load the sandbox and most runs need none."""

CODE_METRIC_NAMES = ("code_eval_acc", "pass")
"""Names for `BasicGenerationMetric` that run programs."""
