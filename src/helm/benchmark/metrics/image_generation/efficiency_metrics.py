"""A place for what the generation of images costs; the original emits nothing here either."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.trial_stats import NamedValues


class EfficiencyMetric(StateMetric):
    """Emits nothing: the time of a request is in `DenoisedRuntimeMetric`."""

    def score_state(self, request_state: RequestState) -> NamedValues:
        return []  # HELM: what was meant to stand here needs the profile of a deployment
