"""HELM's path of this class."""

from helm.benchmark.metrics.tokens.token_cost_estimator import FreeTokenCostEstimator

__all__ = ["FreeTokenCostEstimator"]
