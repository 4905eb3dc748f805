"""BLEU over whole sets of translations."""

from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.evaluate_instances_metric import EvaluateInstancesMetric
from helm.benchmark.metrics.metric import MetricMetadata, get_completions
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.common.optional_dependencies import needs_extra

# Enough letters to tell Chinese from English without reading all texts.
_NUM_TEXTS_FOR_LANGUAGE = 10


class MachineTranslationMetric(EvaluateInstancesMetric):
    """Emits `bleu`, sacrebleu's corpus BLEU with its defaults, 0 to 100, over all translations of a context.

    Raises: ValueError unless every instance has exactly one reference and one completion.
    """

    def evaluate_instances(self, request_states: list[RequestState], eval_cache_path: str) -> list[Stat]:
        references: list[str] = []
        for state in request_states:
            if len(state.instance.references) != 1:
                raise ValueError(
                    f"{type(self).__name__} needs exactly one reference; instance {state.instance.id} has "
                    f"{len(state.instance.references)}."
                )
            references.append(state.instance.references[0].output.text)
        bleu = load_sacrebleu().BLEU()
        score = bleu.corpus_score(get_only_completions(request_states, self), [references]).score
        return [Stat(MetricName("bleu")).add(score)]

    def get_metadata(self) -> list[MetricMetadata]:
        return [_get_metadata("bleu")]


class CLEVAMachineTranslationMetric(EvaluateInstancesMetric):
    """Emits `cleva_machine_translation_bleu`, with any number of references, and by characters for Chinese.

    Raises: ValueError unless every instance has exactly one completion.
    """

    def evaluate_instances(self, request_states: list[RequestState], eval_cache_path: str) -> list[Stat]:
        references = [[reference.output.text for reference in state.instance.references] for state in request_states]
        for state in request_states:
            if not state.instance.references:
                raise ValueError(f"{type(self).__name__}: instance {state.instance.id} has no reference.")
        sample = "".join(texts[0] for texts in references[:_NUM_TEXTS_FOR_LANGUAGE])
        bleu = load_sacrebleu().BLEU(tokenize="zh" if is_chinese(sample) else "13a")
        longest = max(len(texts) for texts in references)
        columns = [[texts[i] if i < len(texts) else "" for texts in references] for i in range(longest)]
        score = bleu.corpus_score(get_only_completions(request_states, self), columns).score
        return [Stat(MetricName("cleva_machine_translation_bleu")).add(score)]

    def get_metadata(self) -> list[MetricMetadata]:
        return [_get_metadata("cleva_machine_translation_bleu")]


def get_only_completions(request_states: list[RequestState], metric: EvaluateInstancesMetric) -> list[str]:
    """Return the texts of the completions. Raises: ValueError unless every request has exactly one."""
    texts = []
    for state in request_states:
        completions = get_completions(state)
        if len(completions) != 1:
            raise ValueError(
                f"{type(metric).__name__} needs exactly one completion; instance {state.instance.id} has "
                f"{len(completions)}."
            )
        texts.append(completions[0].text)
    return texts


def is_chinese(text: str) -> bool:
    """Whether most letters are Chinese characters and none is Japanese kana.

    Translations are either Chinese or English here, so this gives the same result as statistical language
    identification, but deterministically.
    """
    letters = [character for character in text if character.isalpha()]
    num_han = sum("\u4e00" <= character <= "\u9fff" or "\u3400" <= character <= "\u4dbf" for character in letters)
    has_kana = any("\u3040" <= character <= "\u30ff" for character in letters)
    return num_han * 2 > len(letters) and not has_kana


def load_sacrebleu() -> Any:
    """Return the module `sacrebleu.metrics`."""
    with needs_extra("metrics"):
        import sacrebleu.metrics
    return sacrebleu.metrics


def _get_metadata(name: str) -> MetricMetadata:
    return MetricMetadata(
        name=name,
        display_name="BLEU",
        short_display_name="BLEU",
        description="BLEU over all translations, 0 to 100.",
        lower_is_better=False,
    )
