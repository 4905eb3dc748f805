"""The metric of Omni-MATH."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.judged_metric import JudgedMetric, UnjudgedInstanceError, get_annotation
from helm.benchmark.metrics.trial_stats import NamedValues


class OmniMATHMetric(JudgedMetric):
    """Emits `omni_math_accuracy`, the fraction of judges that found the answer equivalent to the reference.

    It is 0 to 1, higher is better; an empty completion has 0. See `JudgedMetric` for `omni_math_annotator_success`.
    """

    success_name = "omni_math_annotator_success"

    described_stats = ["omni_math_accuracy"]

    def score_state(self, request_state: RequestState) -> NamedValues:
        """Score a generation. Raises: UnjudgedInstanceError without any judgement; MissingAnnotationError."""
        annotation = get_annotation(request_state, "omni_math")
        judgements = [
            int(value)
            for key, value in annotation.items()
            if key.endswith("_equivalence_judgement") and value is not None
        ]
        if not judgements:
            raise UnjudgedInstanceError(f"instance {request_state.instance.id} has no judgement: {annotation}")
        return [("omni_math_accuracy", sum(judgements) / len(judgements))]
