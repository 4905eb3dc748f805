"""HELM's path of this class."""

from helm.benchmark.metrics.tokens.token_cost_estimator import CohereTokenCostEstimator

__all__ = ["CohereTokenCostEstimator"]
