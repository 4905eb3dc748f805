"""Key performance indicators in financial reports (KPI-EDGAR)."""

import re
from dataclasses import dataclass

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import first_completion_text, first_correct_text
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.evaluate_instances_metric import EvaluateInstancesMetric
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.common.hierarchical_logger import hwarn

TAGS = ("kpi", "cy", "py", "py1")
"""Kinds of entity: an indicator, or its value in the current, the previous or the year before the previous one."""

_SEPARATOR = re.compile(r"(?<=\]),\s*")
_ENTITY = re.compile(r"([^\[\]]*)\[([a-z0-9]+)\]")


def parse_entities(text: str) -> dict[str, set[str]]:
    """Return the words of the entities of every tag in a text such as `net revenue [kpi], 5.3 [cy]`.

    Pieces that are not an entity, and entities of other tags, are ignored.
    """
    words: dict[str, set[str]] = {tag: set() for tag in TAGS}
    for piece in _SEPARATOR.split(text.strip()):
        match = _ENTITY.fullmatch(piece)
        if match and match.group(2) in words:
            words[match.group(2)].update(match.group(1).split())
    return words


@dataclass
class _Counts:
    """Words of one tag over all instances."""

    num_common: int = 0
    num_predicted: int = 0
    num_true: int = 0

    def compute_word_f1(self) -> float:
        total = self.num_predicted + self.num_true
        return 2 * self.num_common / total if total else 0.0

    def compute_adjusted_f1(self) -> float:
        """Return F1 of fractions: true and false positives among the predicted words, false negatives among the true ones."""
        if not self.num_common:
            return 0.0
        true_positives = self.num_common / self.num_predicted
        false_positives = 1 - true_positives
        false_negatives = 1 - self.num_common / self.num_true
        return 2 * true_positives / (2 * true_positives + false_positives + false_negatives)


class KPIEdgarMetric(EvaluateInstancesMetric):
    """Emits F1 of the words of the entities found, averaged over the four kinds of entity.

    The stats are `word_macro_f1_score` and `adjusted_macro_f1_score` (0 to 1, higher is better). An instance without a
    correct reference or without a completion is left out, with a warning.
    """

    def evaluate_instances(self, request_states: list[RequestState], eval_cache_path: str) -> list[Stat]:
        counts = {tag: _Counts() for tag in TAGS}
        num_skipped = 0
        for state in request_states:
            answer, target = first_completion_text(state), first_correct_text(state.instance)
            if answer is None or target is None:
                num_skipped += 1
                continue
            got, want = parse_entities(answer), parse_entities(target)
            for tag, count in counts.items():
                count.num_common += len(got[tag] & want[tag])
                count.num_predicted += len(got[tag])
                count.num_true += len(want[tag])
        if num_skipped:
            hwarn(f"KPIEdgarMetric: {num_skipped} of {len(request_states)} instances lack a reference or a completion.")
        if num_skipped == len(request_states):
            return []
        word = sum(count.compute_word_f1() for count in counts.values()) / len(TAGS)
        adjusted = sum(count.compute_adjusted_f1() for count in counts.values()) / len(TAGS)
        return [
            Stat(MetricName("word_macro_f1_score")).add(word),
            Stat(MetricName("adjusted_macro_f1_score")).add(adjusted),
        ]

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(["word_macro_f1_score", "adjusted_macro_f1_score"])
