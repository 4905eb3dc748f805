"""Metrics of SEA-HELM, for languages of Southeast Asia."""

import re
import string
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.machine_translation_metrics import load_sacrebleu
from helm.benchmark.metrics.metric import Metric, MetricMetadata, get_completions
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.common.optional_dependencies import needs_extra

_DELETE_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


class SEAHELMMachineTranslationMetric(Metric):
    """Emits `chr_f_plus_plus`: sacrebleu's chrF++ (0 to 100) of the first completion against all references.

    Raises: ValueError without a completion or a reference.
    """

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        references = [reference.output.text for reference in request_state.instance.references]
        completions = get_completions(request_state)
        if not references or not completions:
            raise ValueError(f"chrF++ needs a {'completion' if references else 'reference'}, but there is none.")
        score = self.chr_f_plus_plus(references, completions[0].text.strip())["chr_f_plus_plus"]
        return [Stat(MetricName("chr_f_plus_plus")).add(score)]

    def chr_f_plus_plus(self, refs: list[str], pred: str) -> dict[str, float]:
        """Return the score of a text against all references."""
        return {"chr_f_plus_plus": _load_chrf().sentence_score(pred, refs).score}

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(["chr_f_plus_plus"])


class SEAHELMQAMetric(Metric):
    """Emits `squad_exact_match_score` and `squad_f1_score` (0 to 1), as defined by SQuAD 1.1, by language.

    The most likely completion and the best correct reference count; if `adapter_spec.num_outputs` is not 1, each name
    is followed by `name@num_outputs`, the best over all completions. Nothing is emitted without references.

    Args:
        language: `en` ignores English articles, `th` splits words with pythainlp; others split at whitespace.
    """

    def __init__(self, language: str = "en"):
        self.language = language
        self._metrics: dict[str, Callable[[str, str], float]] = {
            "squad_exact_match_score": self.squad_exact_match_score,
            "squad_f1_score": self.squad_f1_score,
        }

    def normalize_answer(self, text: str) -> list[str]:
        """Return the words of an answer in lower case, without ASCII punctuation."""
        text = text.lower().translate(_DELETE_PUNCTUATION)
        if self.language == "en":
            text = _ARTICLES.sub(" ", text)
        return _load_thai_tokenizer()(text) if self.language == "th" else text.split()

    def squad_f1_score(self, gold: str, pred: str) -> float:
        """Return F1 of the words, with multiplicity; 0 for texts without words."""
        gold_words, pred_words = self.normalize_answer(gold), self.normalize_answer(pred)
        num_common = (Counter(gold_words) & Counter(pred_words)).total()
        return 2 * num_common / (len(gold_words) + len(pred_words)) if num_common else 0

    def squad_exact_match_score(self, gold: str, pred: str) -> float:
        """Return 1 if both have the same words in the same order."""
        return int(self.normalize_answer(gold) == self.normalize_answer(pred))

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        golds = [reference.output.text for reference in request_state.instance.references if reference.is_correct]
        completions = get_completions(request_state)
        if not golds or not completions:
            return []
        completions = sorted(completions, key=lambda completion: completion.logprob, reverse=True)
        preds = [completion.text.strip() for completion in completions]
        stats = []
        for name, function in self._metrics.items():
            stats.append(Stat(MetricName(name)).add(max(function(gold, preds[0]) for gold in golds)))
            if adapter_spec.num_outputs != 1:
                best = max(function(gold, pred) for gold in golds for pred in preds)
                stats.append(Stat(MetricName(f"{name}@{adapter_spec.num_outputs}")).add(best))
        return stats

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(["squad_exact_match_score", "squad_f1_score"])


@cache
def _load_chrf() -> Any:
    return load_sacrebleu().CHRF(word_order=2)


@cache
def _load_thai_tokenizer() -> Callable[[str], list[str]]:
    with needs_extra("seahelm"):
        from pythainlp.tokenize import word_tokenize
    return word_tokenize
