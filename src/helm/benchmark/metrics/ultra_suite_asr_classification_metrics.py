"""Classifies speech disorders by how well a model transcribes a child's speech (UltraSuite)."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import first_completion_text, first_correct_text
from helm.benchmark.metrics.classification_metrics import average_scores, count_classes
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.evaluate_instances_metric import EvaluateInstancesMetric
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.common.hierarchical_logger import hwarn

TYPICAL = "typically_developing"
DISORDER = "speech_disorder"


class UltraSuiteASRMetric(EvaluateInstancesMetric):
    """Classifies a speaker as typical if the completion is the expected sentence, and scores that classification.

    The completion is compared with `extra_data["transcription"]`, ignoring case and surrounding whitespace. Emits
    `classification_macro_f1`, `classification_micro_f1`, `exact_match` (fraction of correct classifications) and
    `quasi_exact_match` (fraction of transcriptions that match), 0 to 1, higher is better. An instance without a correct
    reference or without a completion is left out, with a warning. Raises: ValueError without a transcription.
    """

    def evaluate_instances(self, request_states: list[RequestState], eval_cache_path: str) -> list[Stat]:
        true: list[set[str]] = []
        predicted: list[set[str]] = []
        num_right = num_matches = 0
        for state in request_states:
            transcription = (state.instance.extra_data or {}).get("transcription")
            if not isinstance(transcription, str):
                raise ValueError(f"instance {state.instance.id}: extra_data lacks transcription, a text.")
            answer, target = first_completion_text(state), first_correct_text(state.instance)
            if answer is None or target is None:
                continue
            is_match = answer.strip().lower() == transcription.strip().lower()
            label = TYPICAL if is_match else DISORDER
            true.append({target})
            predicted.append({label})
            num_right += label == target
            num_matches += is_match and target in (TYPICAL, DISORDER)  # HELM: independent of the classification
        if len(true) < len(request_states):
            num_skipped = len(request_states) - len(true)
            hwarn(f"UltraSuiteASRMetric: {num_skipped} instances lack a reference or a completion.")
        if not true:
            return []
        counts = count_classes(true, predicted, sorted(set().union(*true, *predicted)))
        values = [
            ("classification_macro_f1", average_scores(counts, "f1", "macro")),
            ("classification_micro_f1", average_scores(counts, "f1", "micro")),
            ("exact_match", num_right / len(true)),
            ("quasi_exact_match", num_matches / len(true)),
        ]
        return [Stat(MetricName(name)).add(value) for name, value in values]

    def get_metadata(self) -> list[MetricMetadata]:
        names = ["classification_macro_f1", "classification_micro_f1", "exact_match", "quasi_exact_match"]
        return get_display_data(names)
