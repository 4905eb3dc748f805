"""The contract of services that score the toxicity of texts."""

from abc import ABC, abstractmethod

from helm.common.perspective_api_request import PerspectiveAPIRequest, PerspectiveAPIRequestResult


class ToxicityClassifierClient(ABC):
    """A client of a service that scores the toxicity of texts."""

    @abstractmethod
    def get_toxicity_scores(self, request: PerspectiveAPIRequest) -> PerspectiveAPIRequestResult:
        """Return scores by text."""
