"""HELM's path of this class."""

from helm.benchmark.metrics.tokens.token_cost_estimator import GooseAITokenCostEstimator

__all__ = ["GooseAITokenCostEstimator"]
