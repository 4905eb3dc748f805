"""SQL queries about a Czech bank."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.trial_stats import NamedValues

ANNOTATOR = "czech_bank_qa"


class CzechBankQAMetrics(StateMetric):
    """Emits `error_rate`, whether running the query failed according to the annotator `czech_bank_qa`.

    It is 0 or 1, lower is better: 0 if the annotation's `error` is null. Raises: ValueError without the annotation,
    because then no query was run.
    """

    def score_state(self, request_state: RequestState) -> NamedValues:
        annotation = (request_state.annotations or {}).get(ANNOTATOR)
        if not isinstance(annotation, dict) or "error" not in annotation:
            raise ValueError(
                f"instance {request_state.instance.id}: there is no annotation {ANNOTATOR!r} with the key 'error'. "
                "Add CzechBankQAAnnotator to the annotators of the run spec."
            )
        return [("error_rate", 0.0 if annotation["error"] is None else 1.0)]

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(["error_rate"])
