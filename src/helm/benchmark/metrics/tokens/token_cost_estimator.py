"""Estimates of the tokens that providers bill."""

from abc import ABC, abstractmethod

from helm.benchmark.metrics.dry_run_metrics import GOOSEAI_FREE_TOKENS, estimate_num_tokens_cost
from helm.benchmark.metrics.metric_service import MetricService
from helm.common.request import Request


class TokenCostEstimator(ABC):
    """Estimates what a request costs."""

    @abstractmethod
    def estimate_tokens(self, request: Request, metric_service: MetricService) -> int:
        """Return the maximum number of tokens billed for a request."""


class AutoTokenCostEstimator(TokenCostEstimator):
    """Estimates by the pricing of the host of the request; 0 for hosts that bill otherwise."""

    host: str | None = None
    """The host whose pricing applies. None means that of the request."""

    def estimate_tokens(self, request: Request, metric_service: MetricService) -> int:
        from helm.benchmark.window_services.window_service_factory import WindowServiceFactory

        window_service = WindowServiceFactory.get_window_service(request.model_deployment, metric_service)
        return estimate_num_tokens_cost(request, window_service.get_num_tokens(request.prompt), self.host)


class AI21TokenCostEstimator(AutoTokenCostEstimator):
    """AI21 bills completions."""

    host = "ai21"


class CohereTokenCostEstimator(AutoTokenCostEstimator):
    """Cohere bills completions."""

    host = "cohere"


class FreeTokenCostEstimator(AutoTokenCostEstimator):
    """Nothing is billed."""

    host = "free"


class GooseAITokenCostEstimator(AutoTokenCostEstimator):
    """GooseAI bills completions, except for the tokens in its base price."""

    host = "gooseai"
    BASE_PRICE_TOKENS = GOOSEAI_FREE_TOKENS

    @staticmethod
    def account_for_base_tokens(num_tokens: int) -> int:
        """Return how many of some tokens are not in the base price."""
        return max(num_tokens - GOOSEAI_FREE_TOKENS, 0)


class OpenAITokenCostEstimator(AutoTokenCostEstimator):
    """OpenAI bills prompts and completions."""

    host = "openai"
