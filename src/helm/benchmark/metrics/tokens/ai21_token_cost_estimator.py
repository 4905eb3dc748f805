"""HELM's path of this class."""

from helm.benchmark.metrics.tokens.token_cost_estimator import AI21TokenCostEstimator

__all__ = ["AI21TokenCostEstimator"]
