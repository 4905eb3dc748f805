"""Placeholder for the cost of generating images; HELM emits nothing here either."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.trial_stats import NamedValues


class EfficiencyMetric(StateMetric):
    """Emits nothing; `DenoisedRuntimeMetric` has the time of a request."""

    def score_state(self, request_state: RequestState) -> NamedValues:
        return []  # HELM: the intended metric needs the profile of a deployment
