"""Billing codes of clinical notes (MIMIC-IV)."""

import re

from helm.benchmark.metrics.answer_metric import AnswerMetric
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance

_ICD_CODE = re.compile(r"\b[A-Z]\d{1,3}(?:\.\d{1,4})?\b")


class MIMICIVBillingCodeMetric(AnswerMetric):
    """Measures the overlap of the ICD-10 codes in the completion with those in the references.

    Emits `mimiciv_billing_code_precision`, `..._recall` and `..._f1` (0 to 1, higher is better), 0 where undefined;
    nothing when neither side has a code, because then there is nothing to find. All references count, tagged or not.
    """

    metadata = [
        MetricMetadata(
            name=f"mimiciv_billing_code_{score}",
            display_name=f"MIMIC-IV Billing Code {title}",
            short_display_name=f"MIMIC {title}",
            description=f"{title} of the ICD-10 codes found in the completion.",
            lower_is_better=False,
            group="accuracy",
        )
        for score, title in (("precision", "Precision"), ("recall", "Recall"), ("f1", "F1"))
    ]

    def extract_icd_codes(self, text: str) -> list[str]:
        """Return ICD-10 codes: a capital letter, one to three digits, and optionally a dot and up to four digits."""
        return _ICD_CODE.findall(text)

    def score_answer(self, answer: str, instance: Instance) -> NamedValues:
        want: set[str] = set().union(
            *(self.extract_icd_codes(reference.output.text) for reference in instance.references)
        )
        got = set(self.extract_icd_codes(answer))
        if not instance.references or not (want or got):
            return []
        num_common = len(want & got)
        precision = num_common / len(got) if got else 0.0
        recall = num_common / len(want) if want else 0.0
        f1 = 2 * precision * recall / (precision + recall) if num_common else 0.0
        return [
            ("mimiciv_billing_code_precision", precision),
            ("mimiciv_billing_code_recall", recall),
            ("mimiciv_billing_code_f1", f1),
        ]
